// SPDX-License-Identifier: Apache-2.0
#include "learn/checkpoint.hpp"

#include "hri/error.hpp"

#include "base/hash.hpp"
#include "base/run_record.hpp"
#include "base/whole_number.hpp"
#include "hypotheses/options_file.hpp"

#include <algorithm>
#include <type_traits>

namespace hri::learning {
namespace {

using Json = nlohmann::json;

constexpr const char* kKind = "checkpoint of hri learn";

/// Facts, labels and names of all training instances.
std::string hash_of(const std::vector<Instance>& instances) {
    base::Hash hash;
    for (const Instance& instance : instances) {
        hash.add(instance.constants);
        for (const std::string& name : instance.names)
            hash.add(name).add('\0');
        for (const std::vector<Fact>& facts : instance.facts) {
            hash.add(facts.size());
            for (const Fact& fact : facts)
                hash.add(fact.first).add(fact.second).add(fact.value);
        }
        for (const Label label : instance.labels)
            hash.add(static_cast<std::int8_t>(label));
        for (const LabelledAtom& atom : instance.listed)
            hash.add(atom.first).add(atom.second).add(static_cast<std::int8_t>(atom.label));
    }
    return hash.text();
}

/// The values that must be the same for a run to go on.
Json identity(const Problem& problem, const Options& options, const LearnSettings& settings) {
    Json inputs = Json::array();
    for (const PredicateSymbol& input : problem.inputs())
        inputs.push_back(to_text(input) + "/" + std::to_string(input.arity));
    return {{"task", problem.name},
            {"inputs", inputs},
            {"target", problem.target().name + "/" + std::to_string(problem.target().arity)},
            {"instances", problem.training.instances.size()},
            {"data", hash_of(problem.training.instances)},
            {"seed", settings.seed},
            {"strategy", to_string(settings.strategy)},
            {"growth", settings.grow},
            {"options", hypotheses::options_to_json(options)}};
}

/// Calls use(name, count) for every count of a tally.
template <class TallyOrConst, class Use>
void each_count(TallyOrConst& tally, const Use& use) {
    use("round", tally.round);
    use("planned", tally.planned);
    use("trained", tally.trained);
    use("restarts", tally.restarts);
    use("fitting", tally.fitting);
    use("trials", tally.trials);
    use("iterations", tally.iterations);
    use("work", tally.work);
    use("first_fit_work", tally.first_fit_work);
    use("best_work", tally.best_work);
}

void check_alternative(const std::string& text, const PredicateSymbol& target) {
    try {
        const Program program = parse_program(text, kCheckpointPlace);
        if (program.vocabulary[program.target] == target)
            return;
    } catch (const Error&) {  // its place is in the program, not in the file
    }
    throw Error("the checkpoint has a program that is damaged", {kCheckpointPlace},
                "expected a file that {checkpoint} wrote");
}

}  // namespace

std::string to_text(const Checkpoint& checkpoint, const Problem& problem, const Options& options,
                    const LearnSettings& settings) {
    base::RunRecord record{.kind = kKind, .run = identity(problem, options, settings)};
    record.values = {{"best", checkpoint.best},
                     {"best_matches", checkpoint.best_matches},
                     {"alternatives", checkpoint.alternatives},
                     {"met", checkpoint.met}};
    each_count(checkpoint.tally,
               [&](const char* name, const auto& count) { record.values[name] = count; });
    return base::to_bytes(record);
}

Checkpoint read_checkpoint(const Problem& problem, const Options& options,
                           const LearnSettings& settings) {
    const base::RunRecord record = base::parse_record(settings.resume, kCheckpointPlace, kKind);
    base::require_same_run(record, identity(problem, options, settings), kCheckpointPlace);
    Checkpoint checkpoint;
    try {
        each_count(checkpoint.tally, [&](const char* name, auto& count) {
            count = base::whole_number<std::remove_reference_t<decltype(count)>>(
                record.values.at(name));
            if (count < 0)
                throw Error("the checkpoint has a negative count", {kCheckpointPlace},
                            "expected a file that {checkpoint} wrote");
        });
        checkpoint.best = base::whole_number<int>(record.values.at("best"));
        for (const Json& match : record.values.at("best_matches"))
            checkpoint.best_matches.push_back(base::whole_number<int>(match));
        record.values.at("alternatives").get_to(checkpoint.alternatives);
        record.values.at("met").get_to(checkpoint.met);
    } catch (const Json::exception& e) {
        const std::string what = e.what();  // "[json.exception.out_of_range.403] key ..."
        throw Error("this is no checkpoint: " + what.substr(what.find(']') + 2), {kCheckpointPlace},
                    "expected a file that {checkpoint} wrote");
    }
    for (const std::string& text : checkpoint.alternatives)
        check_alternative(text, problem.target());
    return checkpoint;
}

}  // namespace hri::learning
