// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"
#include "base/run_record.hpp"
#include "base/whole_number.hpp"
#include "hypotheses/options_file.hpp"
#include "train/targets/training.hpp"

#include <algorithm>
#include <utility>

namespace hri::training {
namespace {

using Json = nlohmann::json;

constexpr const char* kKind = "checkpoint of many targets";

/// The same field of all targets, one after the other.
struct Stack {
    std::string name;
    std::vector<float> values;
};

std::vector<Stack> stacked(Training& training) {
    std::vector<Stack> stacks;
    for (std::size_t t = 0; t < training.learned.targets.size(); ++t) {
        const std::vector<Training::Field> fields = training.fields(t);
        stacks.resize(fields.size());
        for (std::size_t f = 0; f < fields.size(); ++f) {
            stacks[f].name = fields[f].name;
            stacks[f].values.insert(stacks[f].values.end(), fields[f].values->begin(),
                                    fields[f].values->end());
        }
    }
    Stack losses{"loss", {}};
    for (const TargetParameters& target : training.learned.targets) {
        losses.values.push_back(target.loss);
    }
    stacks.push_back(std::move(losses));
    stacks.push_back({"start", training.learned.start});
    stacks.push_back({"background", training.learned.background});
    stacks.push_back({"background_mean", training.background_adam.mean()});
    stacks.push_back({"background_square", training.background_adam.square()});
    return stacks;
}

void unstack(Training& training, const std::vector<Stack>& stacks) {
    auto stack = stacks.begin();
    const std::size_t targets = training.learned.targets.size();
    for (std::size_t f = 0; targets > 0 && f < training.fields(0).size(); ++f, ++stack) {
        auto from = stack->values.begin();
        for (std::size_t t = 0; t < targets; ++t) {
            std::vector<float>& values = *training.fields(t)[f].values;
            const auto end = from + static_cast<std::ptrdiff_t>(values.size());
            std::copy(from, end, values.begin());
            from = end;
        }
    }
    for (std::size_t t = 0; t < targets; ++t) {
        training.learned.targets[t].loss = stack->values[t];
    }
    training.learned.start = (++stack)->values;
    training.learned.background = (++stack)->values;
    training.background_adam.mean() = (++stack)->values;
    training.background_adam.square() = (++stack)->values;
}

template <class Range>
std::string hash_of(const Range& values) {
    base::Hash hash;
    hash.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]});
    return hash.text();
}

}  // namespace

std::string protocol_of(const SceneSet& scenes, const Options& options,
                        const MultitaskSettings& settings) {
    Json predicates = Json::array();
    for (const PredicateSymbol& predicate : scenes.predicates()) {
        predicates.push_back(to_text(predicate));
    }
    Json targets = Json::array();
    for (const std::uint32_t target : settings.targets) {
        targets.push_back(scenes.predicates()[target].name);
    }
    const nlohmann::json protocol = {
        {"images", scenes.size()},
        {"data", hash_of(scenes.bytes())},
        {"predicates", predicates},
        {"targets", targets},
        {"rounds", settings.rounds},
        {"positives", settings.positives},
        {"randoms", settings.randoms},
        {"hardness", settings.hardness},
        {"max_objects", settings.max_objects},
        {"update", settings.update == Update::summed ? "summed" : "sequential"},
        {"joint", settings.joint},
        {"shared", settings.shared},
        {"prior", settings.prior ? hash_of(settings.prior->rows) : ""},
        {"seed", settings.seed},
        {"options", hypotheses::options_to_json(options)}};
    return protocol.dump();
}

void save_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol) {
    base::RunRecord record{.kind = kKind,
                           .run = nlohmann::json::parse(protocol),
                           .values = {{"round", training.round}}};
    for (const Stack& stack : stacked(training))
        record.add_floats(stack.name, stack.values);
    write_file(path, base::to_bytes(record));
}

void load_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol) {
    const std::string file = path.string();
    const base::RunRecord record = base::parse_record(read_file(path), file, kKind);
    base::require_same_run(record, nlohmann::json::parse(protocol), file);
    std::vector<Stack> stacks = stacked(training);  // as the shapes have to be
    for (Stack& stack : stacks)
        stack.values = record.floats(stack.name, stack.values.size(), {file});
    try {
        training.round = base::whole_number<int>(record.values.at("round"));
    } catch (const nlohmann::json::exception&) {
        throw Error("'round' is no number", {file}, "start anew, without {resume=true}");
    }
    unstack(training, stacks);
}

}  // namespace hri::training
