// SPDX-License-Identifier: Apache-2.0
// From a problem to a program: the strategy finds candidates, one score chooses, fresh data tell.

#include "hri/learn.hpp"

#include "learn/constraints.hpp"
#include "learn/evidence.hpp"
#include "learn/program_scorer.hpp"
#include "learn/strategies.hpp"
#include "learn/synthetic_negatives.hpp"
#include "search/head_connected.hpp"

#include <algorithm>
#include <chrono>

namespace hri {

namespace {

constexpr int kEvaluationInstances = 10;

}  // namespace

std::string to_string(Strategy strategy) {
    switch (strategy) {
        case Strategy::gradient:
            return "gradient";
        case Strategy::search:
            return "search";
        case Strategy::clauses:
            return "clauses";
        case Strategy::portfolio:
            return "portfolio";
    }
    return "unknown";
}

namespace {

/// By the paper's hierarchy: gradient, search or both.
Report learn_by_hierarchy(const Problem& given, const Options& options,
                          const LearnSettings& settings) {
    const auto started = std::chrono::steady_clock::now();
    const std::optional<Problem> strangers = learning::add_unrelated_constants(given);
    const Problem& problem = strangers ? *strangers : given;
    const learning::ProgramScorer judge(
        problem, settings.seed, learning::canonical_clauses(settings.constraints.vetoed_rules));
    const search::HeadConnector connector(problem.inputs(), judge.instances(), judge.pairs());
    Report report =
        settings.strategy == Strategy::gradient
            ? learning::learn_by_gradient(problem, options, settings, judge, connector)
            : learning::learn_by_portfolio(problem, options, settings, judge, connector);
    report.problem = problem.name;
    report.strategy = settings.strategy;
    report.seed = settings.seed;
    if (settings.interrupt != nullptr && settings.interrupt->load())
        report.stop_reason = StopReason::interrupted;
    Alternative chosen = judge.judge(report.program);
    const bool cut = report.stop_reason == StopReason::interrupted ||
                     report.stop_reason == StopReason::time_limit;
    if (cut && !chosen.fits && chosen.bits > judge.baseline_bits()) {
        // what was reached says less than calling everything false does
        report.program = {};
        report.program.target = report.program.vocabulary.intern(problem.target());
        chosen = judge.judge(report.program);
    }
    report.fits = chosen.fits;
    report.training = chosen.training;
    if (strangers)  // which are no examples
        report.training =
            score_program(report.program, given.training, settings.seed, kEvaluationInstances);
    report.bits = chosen.bits;
    report.baseline_bits = judge.baseline_bits();
    report.alternatives =
        learning::different_ones(std::move(report.alternatives), problem, judge, settings.seed);
    report.different =
        static_cast<int>(std::count_if(report.alternatives.begin(), report.alternatives.end(),
                                       [](const Alternative& a) { return a.fits; }));
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (!problem.evaluation.empty())
        report.evaluation =
            score_program(report.program, problem.evaluation, settings.seed, kEvaluationInstances);
    if (given.training.fixed())
        report.evidence = learning::evidence_of(
            evaluation::covered_examples(report.program, given.training.instances),
            evaluation::target_rules(report.program).size());
    return report;
}

/// Without what the user demands: clauses of the database first, where there is one; then the
/// hierarchy.
Report learn_freely(const Problem& problem, const Options& options, const LearnSettings& settings) {
    if (settings.strategy == Strategy::clauses)
        return learning::learn_by_clauses(problem, options, settings);
    if (settings.strategy != Strategy::portfolio || !learning::offers_clauses(problem))
        return learn_by_hierarchy(problem, options, settings);
    load_protorules(options.rules);  // a mistake there is told at once
    const double share = learning::clause_share(problem);
    const bool alone = share == 1;
    LearnSettings part = settings;
    part.time_limit = share * settings.time_limit;
    Report clauses = learning::learn_by_clauses(problem, options, part);
    clauses.strategy = settings.strategy;
    if (alone || learning::is_settled(clauses, problem) ||
        clauses.stop_reason == StopReason::interrupted)
        return clauses;
    part = learning::after_clauses(clauses, settings);
    Report hierarchy = learn_by_hierarchy(problem, options, part);
    return learning::better_report(std::move(clauses), std::move(hierarchy), problem);
}

}  // namespace

Report learn(const Problem& problem, const Options& options, const LearnSettings& settings) {
    if (settings.constraints.empty())
        return learn_freely(problem, options, settings);
    const Program pinned = learning::pinned_rules(problem, settings.constraints);
    Report report = learn_freely(learning::constrained(problem, settings.constraints, pinned),
                                 options, settings);
    if (pinned.rules.empty())
        return report;
    // The figures are those of the whole program on all examples.
    const learning::ProgramScorer judge(problem, settings.seed);
    report.program = learning::with_pinned(report.program, pinned);
    const Alternative whole = judge.judge(report.program);
    report.fits = whole.fits;
    report.training = whole.training;
    report.bits = whole.bits;
    report.baseline_bits = judge.baseline_bits();
    for (Alternative& alternative : report.alternatives)
        alternative = judge.judge(learning::with_pinned(alternative.program, pinned));
    if (!problem.evaluation.empty())
        report.evaluation =
            score_program(report.program, problem.evaluation, settings.seed, kEvaluationInstances);
    return report;
}

}  // namespace hri
