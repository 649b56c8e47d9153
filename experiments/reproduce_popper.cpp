// SPDX-License-Identifier: Apache-2.0

// hri reproduce popper: task folders as Popper has them, each learned with the default options and
// judged on examples that were kept apart.

#include "hri/folds.hpp"
#include "hri/learn.hpp"

#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "popper_test_set.hpp"
#include "reproduce.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kParts = 5;                    // of the examples, one of which is held out
constexpr double kLearning = 0.95;           // of the time
constexpr std::int64_t kMinExamples = 5;     // of a kind: then all are learned from and judged by
constexpr std::int64_t kEnoughHeldOut = 50;  // of a kind: then one split says enough

struct Flags {
    std::string data;
    std::vector<std::string> tasks;
    bool speed = false;
    int splits = 0;
    std::string json_file;
    LearnSettings settings;
};

/// Accuracies in percent as published: COMBO (plain), MaxSynth (balanced), Aleph (plain).
struct Published {
    const char* begins;  ///< the folder's name, or how it begins
    const char* combo;
    const char* maxsynth;
    const char* aleph;
    double seconds = 0;  ///< COMBO's; 0: not published
};

constexpr std::array kPublished = {Published{"trains1", "100", "", "100", 4},
                                   Published{"trains2", "98", "", "100", 4},
                                   Published{"trains3", "100", "", "100", 18},
                                   Published{"trains4", "100", "", "100", 16},
                                   Published{"zendo1", "98", "99", "90", 3},
                                   Published{"zendo2", "93", "", "94", 49},
                                   Published{"zendo3", "96", "", "95", 55},
                                   Published{"zendo4", "94", "", "89", 53},
                                   Published{"imdb1", "100", "", "100", 2},
                                   Published{"imdb2", "100", "", "50", 3},
                                   Published{"imdb3", "100", "", "50", 547},
                                   Published{"iggp-minimal-decay", "100", "75", "94", 13},
                                   Published{"iggp-rps", "100", "100", "100", 87},
                                   Published{"iggp-attrition", "99", "", "98", 26},
                                   Published{"iggp-buttons-goal", "100", "", "100", 3},
                                   Published{"iggp-buttons", "100", "80", "96", 23},
                                   Published{"iggp-coins", "100", "", "17", 490},
                                   Published{"iggp-gt_centipede", "100", "", "100", 9},
                                   Published{"krk1", "98", "", "98"},
                                   Published{"krk2", "79", "", "95"},
                                   Published{"krk3", "55", "", "90"},
                                   Published{"synthesis-", "99", "", ""},
                                   Published{"noisy-alzheimer_acetyl", "", "68", ""},
                                   Published{"noisy-alzheimer_amine", "", "76", ""},
                                   Published{"noisy-alzheimer_mem", "", "63", ""},
                                   Published{"noisy-alzheimer_toxic", "", "74", "83"},
                                   Published{"noisy-wn18rr1", "", "98", ""},
                                   Published{"noisy-wn18rr2", "", "79", ""}};

const Published* published(const std::string& task) {
    const auto found =
        std::find_if(kPublished.begin(), kPublished.end(),
                     [&](const Published& row) { return task.rfind(row.begins, 0) == 0; });
    return found == kPublished.end() ? nullptr : &*found;
}

/// The result of one split.
struct Outcome {
    Score training;
    Score score;
    double seconds = 0;
    std::string program;
    std::int64_t trials = 0;
};

struct Row {
    std::string task;
    std::string error;
    std::string judged_by;
    double seconds = 0;  ///< of all splits
    std::vector<Outcome> splits;
};

double balanced(const Score& score) {
    const auto rate = [](std::int64_t wrong, std::int64_t all) {
        return all == 0 ? 1.0 : 1 - static_cast<double>(wrong) / static_cast<double>(all);
    };
    if (score.positives == 0 || score.negatives == 0)
        return score.accuracy;
    return (rate(score.false_negatives, score.positives) +
            rate(score.false_positives, score.negatives)) /
           2;
}

bool is_small(const Problem& problem) {
    const std::vector<char>& labels = problem.database->examples.positive;
    const auto positives =
        std::count_if(labels.begin(), labels.end(), [](char p) { return p != 0; });
    const auto negatives = static_cast<std::int64_t>(labels.size()) - positives;
    return positives < kMinExamples || negatives < kMinExamples;
}

double mean(const Row& row, const std::function<double(const Outcome&)>& value) {
    double sum = 0;
    for (const Outcome& split : row.splits)
        sum += value(split);
    return sum / static_cast<double>(row.splits.size());
}

double accuracy(const Outcome& split) { return split.score.accuracy; }

double balanced_accuracy(const Outcome& split) { return balanced(split.score); }

double training_accuracy(const Outcome& split) { return split.training.accuracy; }

double seconds_of(const Outcome& split) { return split.seconds; }

double seconds_since(std::chrono::steady_clock::time_point started) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

/// Learns from the problem in what is left of the time: reading and judging take a part.
Outcome outcome_of(const Problem& problem, const std::filesystem::path& folder, bool has_test,
                   LearnSettings settings, double reading) {
    const auto started = std::chrono::steady_clock::now();
    if (settings.time_limit > 0)
        settings.time_limit = std::max(kLearning * settings.time_limit - reading, 1.0);
    const Report report = learn(problem, Options{}, settings);
    Outcome outcome;
    outcome.training = report.training;
    outcome.trials = report.trials;
    outcome.program = to_text(report.program);
    outcome.score = has_test ? score_on_test_set(report.program, folder)
                             : report.evaluation.value_or(report.training);
    outcome.seconds = reading + seconds_since(started);
    return outcome;
}

/// Parts that are held out in turn: one where that is many examples, so that chance decides little.
int max_splits(const Problem& problem, int wanted) {
    if (wanted > 0)
        return wanted;
    const std::vector<char>& labels = problem.database->examples.positive;
    const auto positives =
        std::count_if(labels.begin(), labels.end(), [](char p) { return p != 0; });
    const auto fewest =
        std::min<std::int64_t>(positives, static_cast<std::int64_t>(labels.size()) - positives);
    return fewest < kParts * kEnoughHeldOut ? kParts : 1;
}

Row learned(const std::filesystem::path& folder, const LearnSettings& settings, int splits) {
    Row row;
    row.task = folder.filename().string();
    const auto started = std::chrono::steady_clock::now();
    try {
        const Problem problem = read_task_folder(folder);
        const double reading = seconds_since(started);
        const bool has_test = std::filesystem::exists(folder / "test.pl");
        const bool all = !has_test && is_small(problem);
        row.judged_by = has_test ? "test.pl" : all ? "all examples" : "a fifth held out";
        if (has_test || all) {
            row.splits.push_back(outcome_of(problem, folder, has_test, settings, reading));
        } else {
            double longest = 0;
            for (int split = 0; split < max_splits(problem, splits); ++split) {
                // splits that nobody asked for end where the next one may not end in time
                if (splits == 0 && settings.time_limit > 0 && split > 0 &&
                    seconds_since(started) + longest > settings.time_limit)
                    break;
                const Problem part = fold(problem, kParts, split, settings.seed, true);
                row.splits.push_back(outcome_of(part, folder, false, settings, reading));
                longest = std::max(longest, row.splits.back().seconds);
                if (settings.interrupt->load())
                    break;
            }
        }
    } catch (const Error& error) {
        row.error = error.what();
    }
    row.seconds = seconds_since(started);
    return row;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

void print(const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> table = {{"task", "accuracy", "balanced", "training",
                                                    "seconds", "splits", "judged by", "COMBO",
                                                    "MaxSynth", "Aleph", "COMBO's seconds"}};
    std::vector<double> ratios;
    for (const Row& row : rows) {
        const Published* theirs = published(row.task);
        const auto cell = [&](const char* Published::*member) {
            return std::string(theirs != nullptr ? theirs->*member : "");
        };
        const bool failed = !row.error.empty();
        const double theirs_seconds = theirs != nullptr ? theirs->seconds : 0;
        if (!failed && theirs_seconds > 0 && mean(row, training_accuracy) == 1)
            ratios.push_back(theirs_seconds / mean(row, seconds_of));
        table.push_back({row.task, failed ? "error" : percent(mean(row, accuracy)),
                         failed ? "" : percent(mean(row, balanced_accuracy)),
                         failed ? "" : percent(mean(row, training_accuracy)),
                         fmt::format("{:.1f}", failed ? row.seconds : mean(row, seconds_of)),
                         failed ? "" : std::to_string(row.splits.size()), row.judged_by,
                         cell(&Published::combo), cell(&Published::maxsynth),
                         cell(&Published::aleph),
                         theirs_seconds > 0 ? fmt::format("{}", theirs_seconds) : ""});
    }
    fmt::print("{}", aligned(table));
    if (ratios.size() > 1) {
        std::sort(ratios.begin(), ratios.end());
        fmt::print(
            "\nCOMBO's seconds over ours, where ours has no errors in training: {:.1f} in the "
            "median of {} tasks\n",
            ratios[ratios.size() / 2], ratios.size());
    }
    for (const Row& row : rows)
        fmt::print("\n{}:\n```\n{}\n```\n", row.task,
                   row.error.empty() ? row.splits.front().program : row.error);
}

std::vector<std::filesystem::path> folders(const Flags& flags) {
    namespace fs = std::filesystem;
    const fs::path root = flags.data;
    std::vector<fs::path> found;
    if (fs::exists(root / "exs.pl"))
        found.push_back(root);
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, failed))
        if (fs::exists(entry.path() / "exs.pl"))
            found.push_back(entry.path());
    if (failed || found.empty())
        throw Error("there are no task folders", {flags.data},
                    "expected folders with bk.pl, exs.pl and bias.pl");
    std::sort(found.begin(), found.end());
    if (!flags.tasks.empty()) {
        for (const std::string& task : flags.tasks)
            if (std::none_of(found.begin(), found.end(),
                             [&](const fs::path& path) { return path.filename() == task; }))
                throw Error("there is no task " + task, {flags.data});
        std::erase_if(found, [&](const fs::path& path) {
            return std::find(flags.tasks.begin(), flags.tasks.end(), path.filename().string()) ==
                   flags.tasks.end();
        });
    }
    return found;
}

Json row_json(const Row& row) {
    if (!row.error.empty())
        return {{"task", row.task}, {"error", row.error}, {"seconds", row.seconds}};
    Json splits = Json::array();
    for (const Outcome& split : row.splits)
        splits.push_back({{"evaluation", learning::score_json(split.score)},
                          {"training", learning::score_json(split.training)},
                          {"seconds", split.seconds},
                          {"trials", split.trials},
                          {"program", split.program}});
    return {{"task", row.task},
            {"judged_by", row.judged_by},
            {"accuracy", 100 * mean(row, accuracy)},
            {"balanced_accuracy", 100 * mean(row, balanced_accuracy)},
            {"seconds", mean(row, seconds_of)},
            {"splits", std::move(splits)}};
}

/// The speed of trying clauses on one core.
int print_speed(const Flags& flags) {
    std::vector<std::vector<std::string>> table = {
        {"task", "clauses tested", "a second", "duplicates avoided", "equal rows", "levels"}};
    Json json = Json::array();
    for (const std::filesystem::path& folder : folders(flags)) {
        const Problem problem = read_task_folder(folder);
        const std::clock_t started = std::clock();
        const search::ClauseResult result = search::learn_clauses(
            *problem.database, {.seed = flags.settings.seed,
                                .max_tests = flags.settings.max_work,
                                .time_limit = flags.settings.time_limit,
                                .stop = [] { return catch_interrupts().load(); }});
        const double seconds =
            static_cast<double>(std::clock() - started) / static_cast<double>(CLOCKS_PER_SEC);
        const auto met = static_cast<double>(result.tested + result.duplicates);
        const double per_second = static_cast<double>(result.tested) / seconds;
        table.push_back({folder.filename().string(), grouped(result.tested),
                         grouped(std::llround(per_second)),
                         percent(static_cast<double>(result.duplicates) / met) + " %",
                         percent(static_cast<double>(result.equal) / met) + " %",
                         std::to_string(result.levels)});
        json.push_back({{"task", folder.filename().string()},
                        {"tested", result.tested},
                        {"duplicates", result.duplicates},
                        {"equal", result.equal},
                        {"seconds", seconds}});
        if (catch_interrupts().load()) {
            return kNo;
        }
    }
    fmt::print("{}", aligned(table));
    write_json(flags.json_file, {{"tasks", std::move(json)}});
    return kYes;
}

int run(const Flags& flags) {
    if (flags.speed) {
        return print_speed(flags);
    }
    LearnSettings settings = flags.settings;
    settings.interrupt = &catch_interrupts();
    std::vector<Row> rows;
    for (const std::filesystem::path& folder : folders(flags)) {
        rows.push_back(learned(folder, settings, flags.splits));
        const Row& row = rows.back();
        fmt::print(stderr, "hri: {}: {} in {:.1f} s\n", row.task,
                   row.error.empty() ? percent(mean(row, accuracy)) + " %" : row.error,
                   row.seconds);
        if (settings.interrupt->load())
            break;
    }
    print(rows);
    Json json = Json::array();
    for (const Row& row : rows)
        json.push_back(row_json(row));
    write_json(flags.json_file, {{"tasks", std::move(json)}});
    return settings.interrupt->load() ? kNo : kYes;
}

}  // namespace

Command popper_table() {
    auto flags = std::make_shared<Flags>();
    Command command{.name = "popper",
                    .help = "Task folders as Popper has them, judged on unseen examples.",
                    .examples = "hri reproduce popper --data popper/examples --time-limit 60"};
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("data", "A folder of task folders, or one of them.", "FOLDER"), &F::data),
        base::list(own("tasks", "The tasks of the table; without it all."), &F::tasks),
        base::boolean(own("speed",
                          "Prints how many clauses are tested in a second of one core's time, and "
                          "how many were met before."),
                      &F::speed),
        base::number(
            own("splits",
                "Fifths of the examples that are held out in turn, each learned afresh; the "
                "table has means. 0: one where it has 50 of each kind, else up to five, as "
                "far as the time limit reaches."),
            &F::splits, 0, kParts),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    add_flags(command, *flags, fields);
    add_flags(command, flags->settings, fields_of<LearnSettings>());
    make_threads(command, flags->settings.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
