// SPDX-License-Identifier: Apache-2.0
#include "hypotheses/options_file.hpp"
#include "soft/tensor_file.hpp"
#include "train/targets/training.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace hri::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersion = "1";

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

/// What differs first between two objects.
std::string difference(const Json& now, const Json& then) {
    for (const auto& entry : now.items()) {
        const Json before = then.value(entry.key(), Json());
        if (entry.value() == before) {
            continue;
        }
        if (entry.value().is_object() && before.is_object()) {
            return difference(entry.value(), before);
        }
        const auto shown = [](const Json& value) {
            return value.is_array() ? "another list" : value.dump();
        };
        return fmt::format("{} was {} and is now {}", entry.key(), shown(before),
                           shown(entry.value()));
    }
    return "it was another run";
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
    const Json protocol = {{"images", scenes.size()},
                           {"predicates", predicates},
                           {"targets", targets},
                           {"rounds", settings.rounds},
                           {"positives", settings.positives},
                           {"randoms", settings.randoms},
                           {"most_objects", settings.max_objects},
                           {"update", settings.update == Update::summed ? "summed" : "sequential"},
                           {"shared", settings.shared},
                           {"prior", settings.prior.has_value()},
                           {"seed", settings.seed},
                           {"options", hypotheses::options_to_json(options)}};
    return protocol.dump();
}

void save_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol) {
    const std::vector<Stack> stacks = stacked(training);
    std::vector<soft::TensorView> tensors;
    for (const Stack& stack : stacks) {
        if (!stack.values.empty()) {
            tensors.push_back({stack.name, 1, stack.values.size(), stack.values.data()});
        }
    }
    write_file(path, soft::tensors_to_bytes({{"checkpoint_version", kVersion},
                                             {"hri_version", HRI_VERSION},
                                             {"round", fmt::format("{}", training.round)},
                                             {"protocol", protocol}},
                                            tensors));
}

void load_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol) {
    const soft::TensorFile file(read_file(path), path.string());
    if (file.metadata("checkpoint_version") != kVersion) {
        file.fail("the checkpoint has another version", "start anew, without {resume=true}");
    }
    if (file.metadata("protocol") != protocol) {
        file.fail("the checkpoint is of another run: " +
                      difference(Json::parse(protocol),
                                 file.parsed(file.metadata("protocol"), "'protocol'")),
                  "resume with the same data and settings, or start anew without {resume=true}");
    }
    const Json round = file.parsed(file.metadata("round"), "'round'");
    if (!round.is_number_unsigned() || !std::in_range<int>(round.get<std::uint64_t>())) {
        file.fail("'round' is no number");
    }
    std::vector<Stack> stacks = stacked(training);  // as the shapes have to be
    for (Stack& stack : stacks) {
        if (!stack.values.empty()) {
            stack.values = file.values(stack.name, 1, stack.values.size());
        }
    }
    unstack(training, stacks);
    training.round = round.get<int>();
}

}  // namespace hri::training
