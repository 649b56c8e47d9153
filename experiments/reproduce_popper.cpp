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
#include <memory>

namespace hri::cli {
namespace {

constexpr double kHeldOut = 0.2;
constexpr double kLearning = 0.95;        // of the time
constexpr std::int64_t kFewExamples = 5;  // of a kind: then all are learned from and judged by

struct Flags {
    std::string data;
    std::vector<std::string> tasks;
    bool speed = false;
    std::string json_file;
    LearnSettings settings;
};

/// Accuracies in percent as published: COMBO (plain), MaxSynth (balanced), Aleph (plain).
struct Published {
    const char* begins;  ///< the folder's name, or how it begins
    const char* combo;
    const char* maxsynth;
    const char* aleph;
};

constexpr std::array kPublished = {Published{"trains1", "100", "", "100"},
                                   Published{"trains2", "98", "", "100"},
                                   Published{"trains3", "100", "", "100"},
                                   Published{"trains4", "100", "", "100"},
                                   Published{"zendo1", "98", "99", "90"},
                                   Published{"zendo2", "93", "", "94"},
                                   Published{"zendo3", "96", "", "95"},
                                   Published{"zendo4", "94", "", "89"},
                                   Published{"imdb1", "100", "", "100"},
                                   Published{"imdb2", "100", "", "50"},
                                   Published{"imdb3", "100", "", "50"},
                                   Published{"iggp-minimal-decay", "100", "75", "94"},
                                   Published{"iggp-rps", "100", "100", "100"},
                                   Published{"iggp-attrition", "99", "", "98"},
                                   Published{"iggp-buttons-goal", "100", "", "100"},
                                   Published{"iggp-buttons", "100", "80", "96"},
                                   Published{"iggp-coins", "100", "", "17"},
                                   Published{"iggp-gt_centipede", "100", "", "100"},
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

struct Row {
    std::string task;
    std::string error;
    std::string judged_by;
    Score training;
    Score score;
    double seconds = 0;
    std::string program;
    std::int64_t trials = 0;
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
    return positives < kFewExamples || negatives < kFewExamples;
}

Row learned(const std::filesystem::path& folder, const LearnSettings& settings) {
    Row row;
    row.task = folder.filename().string();
    const auto started = std::chrono::steady_clock::now();
    try {
        Problem problem = read_task_folder(folder);
        const bool has_test = std::filesystem::exists(folder / "test.pl");
        const bool all = !has_test && is_small(problem);
        row.judged_by = has_test ? "test.pl" : all ? "all examples" : "20 % held out";
        if (!has_test && !all)
            problem = held_out(problem, kHeldOut, settings.seed);
        LearnSettings rest = settings;  // reading and judging take a part of the time
        if (settings.time_limit > 0)
            rest.time_limit = std::max(
                kLearning * settings.time_limit -
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - started)
                        .count(),
                1.0);
        const Report report = learn(problem, Options{}, rest);
        row.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        row.training = report.training;
        row.trials = report.trials;
        row.program = to_text(report.program);
        row.score = has_test ? score_on_test_set(report.program, folder)
                             : report.evaluation.value_or(report.training);
    } catch (const Error& error) {
        row.error = error.what();
        row.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }
    return row;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

void print(const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> table = {{"task", "accuracy", "balanced", "training",
                                                    "seconds", "judged by", "COMBO", "MaxSynth",
                                                    "Aleph"}};
    for (const Row& row : rows) {
        const Published* theirs = published(row.task);
        const auto cell = [&](const char* Published::*member) {
            return std::string(theirs != nullptr ? theirs->*member : "");
        };
        const bool failed = !row.error.empty();
        table.push_back({row.task, failed ? "error" : percent(row.score.accuracy),
                         failed ? "" : percent(balanced(row.score)),
                         failed ? "" : percent(row.training.accuracy),
                         fmt::format("{:.1f}", row.seconds), row.judged_by, cell(&Published::combo),
                         cell(&Published::maxsynth), cell(&Published::aleph)});
    }
    fmt::print("{}", aligned(table));
    for (const Row& row : rows)
        fmt::print("\n{}:\n```\n{}\n```\n", row.task, row.error.empty() ? row.program : row.error);
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
    return {{"task", row.task},
            {"judged_by", row.judged_by},
            {"accuracy", 100 * row.score.accuracy},
            {"balanced_accuracy", 100 * balanced(row.score)},
            {"evaluation", learning::score_json(row.score)},
            {"training", learning::score_json(row.training)},
            {"seconds", row.seconds},
            {"trials", row.trials},
            {"program", row.program}};
}

/// How fast clauses are tried, on one core.
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
        rows.push_back(learned(folder, settings));
        const Row& row = rows.back();
        fmt::print(stderr, "hri: {}: {} in {:.1f} s\n", row.task,
                   row.error.empty() ? percent(row.score.accuracy) + " %" : row.error, row.seconds);
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
        base::list(own("tasks", "Some of the tasks."), &F::tasks),
        base::boolean(own("speed",
                          "Prints how many clauses are tested in a second of one core's time, and "
                          "how many were met before."),
                      &F::speed),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    add_flags(command, *flags, fields);
    add_flags(command, flags->settings, fields_of<LearnSettings>());
    make_threads(command, flags->settings.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
