// SPDX-License-Identifier: Apache-2.0
#include "learn/checkpoint.hpp"

#include "hri/error.hpp"

#include "base/utf8.hpp"
#include "base/whole_number.hpp"
#include "hypotheses/options_file.hpp"
#include "learn/report_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace hri::learning {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;

/// What must be the same for a run to go on.
Json identity(const Problem& problem, const Options& options, const LearnSettings& settings) {
    Json inputs = Json::array();
    for (const PredicateSymbol& input : problem.inputs)
        inputs.push_back(to_text(input) + "/" + std::to_string(input.arity));
    std::int64_t examples = 0;
    for (const Instance& instance : problem.training.instances)
        examples += instance.count(Label::positive) + instance.count(Label::negative);
    return {{"task", problem.name},
            {"inputs", inputs},
            {"target", problem.target.name + "/" + std::to_string(problem.target.arity)},
            {"instances", problem.training.instances.size()},
            {"examples", examples},
            {"seed", settings.seed},
            {"strategy", to_string(settings.strategy)},
            {"growth", settings.grow},
            {"options", hypotheses::options_to_json(options)}};
}

}  // namespace

std::string to_text(const Checkpoint& checkpoint, const Problem& problem, const Options& options,
                    const LearnSettings& settings) {
    return dumped({{"hri_checkpoint", kVersion},
                   {"run", identity(problem, options, settings)},
                   {"round", checkpoint.tally.round},
                   {"planned", checkpoint.tally.planned},
                   {"trained", checkpoint.tally.trained},
                   {"restarts", checkpoint.tally.restarts},
                   {"fitting", checkpoint.tally.fitting},
                   {"trials", checkpoint.tally.trials},
                   {"iterations", checkpoint.tally.iterations},
                   {"work", checkpoint.tally.work},
                   {"first_fit_work", checkpoint.tally.first_fit_work},
                   {"best_work", checkpoint.tally.best_work},
                   {"best", checkpoint.best},
                   {"best_matches", checkpoint.best_matches},
                   {"alternatives", checkpoint.alternatives},
                   {"met", checkpoint.met}});
}

namespace {

/// Of a byte in the text, counted from 1.
Place place_of(const std::string& text, std::size_t byte) {
    const std::string before = text.substr(0, byte == 0 ? 0 : byte - 1);
    const std::size_t line = before.rfind('\n');
    const auto begin =
        before.begin() + static_cast<std::ptrdiff_t>(line == std::string::npos ? 0 : line + 1);
    const auto characters = std::count_if(begin, before.end(), base::begins_character);
    return {kCheckpointPlace, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(characters)};
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

Checkpoint read_checkpoint(const Problem& problem, const Options& options,
                           const LearnSettings& settings) {
    Checkpoint checkpoint;
    try {
        const Json json = Json::parse(settings.resume);
        if (json.at("hri_checkpoint") != kVersion)
            throw Error("the checkpoint is of version " + json.at("hri_checkpoint").dump() +
                            ", expected " + std::to_string(kVersion),
                        {kCheckpointPlace});
        const Json wanted = identity(problem, options, settings);
        for (const auto& [key, value] : wanted.items())
            if (const Json& given = json.at("run").at(key); given != value)
                throw Error("the checkpoint is of another run: " + key + " is not the same",
                            {kCheckpointPlace},
                            "resume with the data and options that it was made with");
        const auto read = [&json](const char* key, auto& value) {
            value = base::whole_number<std::remove_reference_t<decltype(value)>>(json.at(key));
        };
        read("round", checkpoint.tally.round);
        read("planned", checkpoint.tally.planned);
        read("trained", checkpoint.tally.trained);
        read("restarts", checkpoint.tally.restarts);
        read("fitting", checkpoint.tally.fitting);
        read("trials", checkpoint.tally.trials);
        read("iterations", checkpoint.tally.iterations);
        read("work", checkpoint.tally.work);
        read("first_fit_work", checkpoint.tally.first_fit_work);
        read("best_work", checkpoint.tally.best_work);
        read("best", checkpoint.best);
        for (const Json& match : json.at("best_matches"))
            checkpoint.best_matches.push_back(base::whole_number<int>(match));
        json.at("alternatives").get_to(checkpoint.alternatives);
        json.at("met").get_to(checkpoint.met);
        const Tally& t = checkpoint.tally;
        const std::int64_t least =
            std::min({std::int64_t{t.round}, std::int64_t{t.planned}, std::int64_t{t.trained},
                      std::int64_t{t.restarts}, std::int64_t{t.fitting}, t.trials, t.iterations,
                      t.work, t.first_fit_work, t.best_work});
        if (least < 0)
            throw Error("the checkpoint counts less than nothing", {kCheckpointPlace},
                        "expected a file that {checkpoint} wrote");
        for (const std::string& text : checkpoint.alternatives)
            check_alternative(text, problem.target);
    } catch (const Json::parse_error& e) {
        throw Error("this is no checkpoint: the JSON ends or goes wrong here",
                    place_of(settings.resume, e.byte), "expected a file that {checkpoint} wrote");
    } catch (const Json::exception& e) {
        const std::string what = e.what();  // "[json.exception.out_of_range.403] key ..."
        throw Error("this is no checkpoint: " + what.substr(what.find(']') + 2), {kCheckpointPlace},
                    "expected a file that {checkpoint} wrote");
    }
    return checkpoint;
}

}  // namespace hri::learning
