// SPDX-License-Identifier: Apache-2.0

// hri reproduce kinship: relations of the ends of stories, learned from short ones and judged on
// long ones.

#include "hri/compositions.hpp"
#include "hri/several_targets.hpp"

#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    StorySettings data = {.shortest = 2, .longest = 3, .stories = 6'000};
    int test_stories = 500;
    int longest = 10;
    bool rules = false;
    std::string json_file;
    LearnSettings settings;
};

/// Stories of which the program gives the asked relation and no other.
struct Judged {
    int length = 0;
    Score score;
};

Judged judge(const Program& joint, int length, const Flags& flags) {
    Judged judged{length, {}};
    const InMemoryData stories = kinship_stories({.shortest = length,
                                                  .longest = length,
                                                  .stories = flags.test_stories,
                                                  .seed = flags.settings.seed + 1'000});
    Program program = joint;
    for (const Problem& problem : kinship_problems(stories)) {
        program.target = program.vocabulary.intern(problem.target());
        const Score score = search::score_on_examples(
            program, *problem.database, problem.database->examples, flags.settings.threads);
        judged.score.positives += score.positives;
        judged.score.negatives += score.negatives;
        judged.score.false_positives += score.false_positives;
        judged.score.false_negatives += score.false_negatives;
    }
    return judged;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    LearnSettings settings = flags.settings;
    settings.interrupt = &catch_interrupts();
    StorySettings data = flags.data;
    data.seed = settings.seed;
    const InMemoryData stories = kinship_stories(data);
    const std::vector<TargetReport> learned =
        learn_together(kinship_problems(stories), Options{}, settings);
    const Program joint = joint_program(learned);
    std::size_t literals = 0;
    for (const Rule& rule : joint.rules) {
        literals = std::max(literals, rule.body.size());
    }
    fmt::print("{} of {} targets explained, {} of at most {} literals, {:.1f} s\n\n",
               std::count_if(learned.begin(), learned.end(),
                             [](const TargetReport& target) { return target.report.fits; }),
               learned.size(), counted(static_cast<std::int64_t>(joint.rules.size()), "rule"),
               literals, learned.front().report.seconds);
    std::vector<std::vector<std::string>> table = {
        {"links", "stories", "right", "missed", "wrong"}};
    Json json = Json::array();
    for (int length = 2; length <= flags.longest && !settings.interrupt->load(); ++length) {
        const Judged judged = judge(joint, length, flags);
        const Score& score = judged.score;
        table.push_back(
            {std::to_string(length), grouped(score.positives),
             fmt::format("{:.2f} %",
                         100 * static_cast<double>(score.positives - score.false_negatives) /
                             static_cast<double>(score.positives)),
             grouped(score.false_negatives), grouped(score.false_positives)});
        json.push_back({{"links", length},
                        {"stories", score.positives},
                        {"missed", score.false_negatives},
                        {"wrong", score.false_positives}});
    }
    fmt::print("{}", aligned(table));
    if (flags.rules) {
        fmt::print("\n{}\n", to_text(joint));
    }
    write_json(flags.json_file, {{"lengths", std::move(json)}, {"program", to_prolog(joint)}});
    return settings.interrupt->load() ? kNo : kYes;
}

}  // namespace

Command kinship_table() {
    auto flags = std::make_shared<Flags>();
    Command command{.name = "kinship",
                    .help = "18 family relations, learned together from chains of 2 and 3 links.",
                    .details = "Judged on stories of each length that it has not seen.",
                    .examples = "hri reproduce kinship --rules"};
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::number(own("test_stories", "The stories of each length to judge by."),
                     &F::test_stories, 1, 100'000),
        base::number(own("longest", "The links of the longest stories."), &F::longest, 2, 100),
        base::boolean(own("rules", "Prints the rules."), &F::rules),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    add_flags(command, flags->data, fields_of<StorySettings>(), {"stories"});
    add_flags(command, *flags, fields);
    add_flags(command, flags->settings, fields_of<LearnSettings>(),
              {"seed", "time_limit", "threads"});
    make_threads(command, flags->settings.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
