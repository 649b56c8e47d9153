// SPDX-License-Identifier: Apache-2.0

#include "hri/data.hpp"
#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include "data/readers/task_files.hpp"
#include "learn/strategies.hpp"
#include "support/swi_prolog.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

/// SWI-Prolog runs what was learned.
Report learned(const Problem& problem, const Options& options, const LearnSettings& settings) {
    Report report = learn(problem, options, settings);
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem));
    return report;
}

Report learned(const std::string& task, const LearnSettings& settings) {
    return learned(make_problem(find_task(task)), Options{}, settings);
}

LearnSettings bounded(Strategy strategy, std::int64_t work) {
    LearnSettings settings;
    settings.strategy = strategy;
    settings.time_limit = 0;
    settings.max_work = work;
    return settings;
}

TEST(Portfolio, LearnsWhatGradientsAloneDoNot) {
    const Report report = learned("fizz", bounded(Strategy::portfolio, 4'000'000));
    EXPECT_TRUE(report.fits);
    EXPECT_TRUE(is_recursive(report.program));
    ASSERT_TRUE(report.evaluation);
    EXPECT_EQ(report.evaluation->false_positives + report.evaluation->false_negatives, 0);
    EXPECT_GT(report.trials, 0);
}

TEST(Portfolio, GivesTheSameProgramForAnyNumberOfThreads) {
    LearnSettings settings = bounded(Strategy::portfolio, 300'000);
    settings.seed = 3;
    const Report one = learned("divisible-by-four", settings);
    settings.threads = 3;
    const Report three = learned("divisible-by-four", settings);
    EXPECT_EQ(to_text(one.program), to_text(three.program));
    EXPECT_EQ(one.trials, three.trials);
    EXPECT_EQ(one.iterations, three.iterations);
    EXPECT_EQ(one.restarts, three.restarts);
    EXPECT_EQ(one.different, three.different);
}

/// A report on 500 examples of each kind.
Report judged(const Problem& problem, const std::string& program, std::int64_t errors_of_each) {
    Report report;
    report.program = parse_program(program);
    Score& score = report.training;
    score.positives = score.negatives = 500;
    score.false_positives = score.false_negatives = errors_of_each;
    score.accuracy = 1 - static_cast<double>(errors_of_each) / 500;
    report.baseline_bits = 1000;
    report.bits = program_bits(report.program, static_cast<int>(problem.inputs().size()));
    return report;
}

// Hidden examples say what clauses are worth. So a hierarchy that says no more than a list of the
// examples would does not replace more accurate ones, though it is shorter.
TEST(Portfolio, AShorterHierarchyThatExplainsNothingDoesNotReplaceAccurateClauses) {
    InMemoryData data;
    data.name = "family";
    data.facts = {{{"parent", 2}, {"a", "b", "b", "c", "c", "d"}, {1, 1, 1}}};
    data.positive = {{{"grandparent", 2}, {"a", "c", "b", "d"}, {1, 1}}};
    data.negative = {{{"grandparent", 2}, {"a", "b", "a", "d"}, {1, 1}}};
    const Problem problem = make_problem(data);
    std::string clauses;
    for (int i = 0; i < 20; ++i)
        clauses += "grandparent(X,Y) :- parent(X,Z), parent(Z,U), parent(U,V), parent(V,Y).\n";
    const std::string brief = "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).";
    const Report accurate = judged(problem, clauses, 75);
    EXPECT_TRUE(learning::prefers_clauses(accurate, judged(problem, brief, 200), problem));
    EXPECT_FALSE(learning::prefers_clauses(accurate, judged(problem, brief, 75), problem));
}

TEST(Portfolio, TheModelOfAFoundProgramHasItAsItsArgmax) {
    const Report report = learned("grandparent", bounded(Strategy::search, 200'000));
    ASSERT_TRUE(report.fits);
    EXPECT_EQ(to_text(extract(report.model)), to_text(report.raw));
    EXPECT_EQ(to_text(simplified(report.raw)), to_text(report.program));
}

TEST(Portfolio, StopsWhereTheWorkEndsAndSaysThatNothingFits) {
    const Report report = learned("length", bounded(Strategy::search, 1'000));
    EXPECT_FALSE(report.fits);
    EXPECT_EQ(report.stop_reason, StopReason::finished);
    EXPECT_FALSE(report.program.rules.empty());
    EXPECT_GT(report.training.false_positives + report.training.false_negatives, 0);
}

TEST(Portfolio, TrainsWhenSearchAloneDoesNotFit) {
    Options shallow;
    shallow.layers = 1;  // too few
    const Problem problem = make_problem(find_task("length"));
    for (const Strategy strategy : {Strategy::portfolio, Strategy::search}) {
        LearnSettings settings = bounded(strategy, 2'500'000);
        settings.grow = false;
        const Report report = learned(problem, shallow, settings);
        EXPECT_FALSE(report.fits);
        EXPECT_EQ(report.iterations > 0, strategy == Strategy::portfolio);
    }
}

TEST(Portfolio, WrongLabelsCostBitsInsteadOfForbiddingAProgram) {
    const Problem clean = make_problem(find_task("connectedness"));
    const Problem noisy = with_flipped_labels(clean, 10, 0.1, 4);
    EXPECT_EQ(noisy.training.instances.size(), 10U);
    const Report report = learned(noisy, Options{}, bounded(Strategy::portfolio, 1'500'000));
    EXPECT_FALSE(report.fits);
    EXPECT_GT(report.training.false_positives + report.training.false_negatives, 10);
    EXPECT_LT(report.bits, report.baseline_bits);
    ASSERT_TRUE(report.evaluation);  // clean
    EXPECT_EQ(report.evaluation->false_positives + report.evaluation->false_negatives, 0)
        << to_text(report.program);
}

TEST(Portfolio, FindsItsWayAmongIrrelevantPredicates) {
    const Problem problem = with_distractors(make_problem(find_task("grandparent")), 10, 1);
    EXPECT_EQ(problem.inputs().size(), 12U);
    const Report report = learned(problem, Options{}, bounded(Strategy::portfolio, 6'000'000));
    EXPECT_TRUE(report.fits);
    EXPECT_EQ(report.evaluation->false_positives + report.evaluation->false_negatives, 0);
}

/// A folder's worth of data from text.
Problem problem_of(const std::string& facts, const std::string& examples) {
    data::TaskFiles files;
    files.background = {"bk.pl", facts};
    files.examples = {"exs.pl", examples};
    return data::read_task(files, {});
}

TEST(Questions, AreTheAtomsOnWhichFittingProgramsDisagree) {
    const Problem problem =
        problem_of("edge(a,b). edge(b,c). edge(c,d). edge(b,a).", "pos(t(a,b)). neg(t(a,d)).");
    std::vector<Alternative> programs(2);
    programs[0].program = parse_program("t(X,Y) :- edge(X,Y).");
    programs[1].program = parse_program("t(X,Y) :- edge(X,Y).\nt(X,Y) :- edge(Y,X).");
    for (Alternative& alternative : programs)
        alternative.fits = true;
    const std::vector<Question> asked = questions(problem, programs, 10);
    // t(c,b) and t(d,c): the second program alone holds them true
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_EQ(asked[0].atom, 2 * 4 + 1);
    EXPECT_EQ(asked[1].atom, 3 * 4 + 2);
    EXPECT_EQ(asked[0].says_yes, 1);
    EXPECT_EQ(asked[0].says_no, 1);
    EXPECT_EQ(questions(problem, programs, 1).size(), 1U);
}

TEST(DescriptionLength, GrowsWithAtomsVariablesAndErrors) {
    const Program shorter = parse_program("p(X,Y) :- q(X,Y).");
    const Program longer = parse_program("p(X,Y) :- q(X,Z), q(Z,Y).");
    EXPECT_LT(program_bits(shorter, 1), program_bits(longer, 1));
    EXPECT_LT(program_bits(shorter, 1), program_bits(shorter, 30));
    Score score;
    score.positives = 40;
    score.negatives = 60;
    const double exact = error_bits(score);
    score.false_negatives = 1;
    const double one_wrong = error_bits(score);
    score.false_negatives = 5;
    EXPECT_LT(exact, one_wrong);
    EXPECT_LT(one_wrong, error_bits(score));
}

}  // namespace
}  // namespace hri
