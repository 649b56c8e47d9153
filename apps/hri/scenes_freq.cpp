// SPDX-License-Identifier: Apache-2.0

// hri scenes freq FILE: what counting neighbours alone finds.

#include "hri/recall.hpp"

#include "commands.hpp"
#include "own_fields.hpp"
#include "scenes.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    int folds = 10;
    std::uint64_t seed = 0;
    std::string json_file;
};

Json json_of(const std::vector<double>& values) {
    const Interval interval = mean_interval(values);
    return {
        {"mean", mean(values)}, {"low", interval.low}, {"high", interval.high}, {"folds", values}};
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const SceneSet scenes = open_scenes(flags.file);
    if (scenes.size() < static_cast<std::size_t>(flags.folds)) {
        throw Error(
            fmt::format("{} cannot be dealt to {} folds",
                        counted(static_cast<std::int64_t>(scenes.size()), "image"), flags.folds),
            {flags.file}, "give fewer --folds");
    }
    const auto folds = scene_folds(scenes.size(), flags.folds, flags.seed);
    fmt::print("{}\n{} targets, {} folds; R@k in percent, with 95 % intervals over folds\n",
               summary(scenes), scenes.targets().size(), flags.folds);
    std::vector<std::vector<std::string>> rows = {recall_header("baseline")};
    Json json = {{"version", HRI_VERSION},           {"command", command_line()},
                 {"source", scenes.origin().source}, {"synthetic", scenes.origin().synthetic},
                 {"noise", scenes.origin().noise},   {"targets", scenes.targets().size()}};
    for (const Baseline& baseline : baselines()) {
        const FoldedRecalls found = baseline_recalls(scenes, folds, baseline);
        std::vector<std::string> row = found.cells();
        row.insert(row.begin(), baseline.title);
        rows.push_back(std::move(row));
        json[baseline.key] = found.json();
    }
    fmt::print("{}", aligned(rows, 1));
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace

std::string mean_cell(const std::vector<double>& values) {
    if (values.size() < 2) {
        return values.empty() ? "-" : fmt::format("{:.1f}", values.front());
    }
    const Interval interval = mean_interval(values);
    return fmt::format("{:.1f} ({:.1f}-{:.1f})", mean(values), interval.low, interval.high);
}

std::string difference_cell(const std::vector<double>& values) {
    if (values.size() < 2) {
        return values.empty() ? "-" : fmt::format("{:+.1f}", values.front());
    }
    const Interval interval = mean_interval(values, -100);
    return fmt::format("{:+.1f} ({:.1f} to {:.1f})", mean(values), interval.low, interval.high);
}

void FoldedRecall::add(const Recall& recall) {
    if (recall.count > 0) {
        recall_at_1.push_back(100 * recall.recall_at_1);
        recall_at_5.push_back(100 * recall.recall_at_5);
    }
}

void FoldedRecalls::add(const Recalls& recalls) {
    per_object.add(recalls.per_object);
    per_image.add(recalls.per_image);
    as_authors_code.add(recalls.as_authors_code);
}

std::vector<std::string> recall_header(const std::string& first) {
    return {first, "R@1 object", "R@5 object", "R@1 image", "R@5 image", "R@1 code", "R@5 code"};
}

std::vector<std::string> FoldedRecalls::cells() const {
    std::vector<std::string> cells;
    for (const FoldedRecall* recall : {&per_object, &per_image, &as_authors_code}) {
        cells.push_back(mean_cell(recall->recall_at_1));
        cells.push_back(mean_cell(recall->recall_at_5));
    }
    return cells;
}

Json FoldedRecalls::json() const {
    const auto one = [](const FoldedRecall& recall) {
        return Json{{"at1", json_of(recall.recall_at_1)}, {"at5", json_of(recall.recall_at_5)}};
    };
    return {{"per_object", one(per_object)},
            {"per_image", one(per_image)},
            {"as_code", one(as_authors_code)}};
}

std::vector<std::uint32_t> without_fold(const std::vector<std::vector<std::uint32_t>>& folds,
                                        std::size_t fold) {
    std::vector<std::uint32_t> others;
    for (std::size_t f = 0; f < folds.size(); ++f) {
        if (f != fold) {
            others.insert(others.end(), folds[f].begin(), folds[f].end());
        }
    }
    return others;
}

const std::vector<Baseline>& baselines() {
    using Images = std::span<const std::uint32_t>;
    static const std::vector<Baseline> all = {
        {"most_frequent_partner", "Freq, most frequent partner",
         [](const SceneSet& scenes, Images training, Images targets) {
             return freq_scores(scenes, training, targets);
         }},
        {"all_partners", "Freq, all partners",
         [](const SceneSet& scenes, Images training, Images targets) {
             return freq_scores(scenes, training, targets, true);
         }},
        {"naive_bayes", "naive Bayes", bayes_scores},
        {"logistic_regression", "logistic regression",
         [](const SceneSet& scenes, Images training, Images targets) {
             return logistic_scores(scenes, training, targets);
         }}};
    return all;
}

FoldedRecalls baseline_recalls(const SceneSet& scenes,
                               const std::vector<std::vector<std::uint32_t>>& folds,
                               const Baseline& baseline) {
    FoldedRecalls out;
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const SceneScores scores =
            baseline.scores(scenes, without_fold(folds, f), scenes.targets());
        out.add(recalls(scenes, folds[f], scenes.targets(), scores, {.normalised = false}));
    }
    return out;
}

Command scenes_freq_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A file as `hri scenes build` writes it.", "FILE"), &F::file),
        base::number(own("folds", "The parts that the images are dealt to."), &F::folds, 2, 1000),
        base::number(own("seed", "The seed of the deal."), &F::seed, 0),
        base::text(own("json", "Writes the same as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "freq",
        .help = "Baselines that guess names by neighbours: Freq, naive Bayes, logistic regression.",
        .details = "Each fold is judged by what the others teach.",
        .examples = "hri scenes freq gqa.scenes --folds 10"};
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
