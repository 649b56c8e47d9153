// SPDX-License-Identifier: Apache-2.0
// Learning, from a problem to a program: the strategy finds candidates, one score chooses, fresh
// data tell.

#include "hri/learn.hpp"

#include "data/views.hpp"
#include "learn/all_examples.hpp"
#include "learn/constraints.hpp"
#include "learn/evidence.hpp"
#include "learn/program_scorer.hpp"
#include "learn/strategies.hpp"
#include "learn/synthetic_negatives.hpp"
#include "learn/wide_views.hpp"
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

/// Learns a hierarchy: by gradient, by search or by both.
Report learn_by_hierarchy(const Problem& given, const Options& options,
                          const LearnSettings& settings) {
    const auto started = std::chrono::steady_clock::now();
    const std::optional<Problem> strangers = learning::add_unrelated_constants(given);
    const Problem& problem = strangers ? *strangers : given;
    const learning::ProgramScorer judge(
        problem, settings.seed, {problem.target(), settings.constraints, data::views_of(problem)});
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
    const bool vetoed = !judge.vetoes().allow(report.program);
    if (vetoed || (cut && !chosen.fits && chosen.bits > judge.baseline_bits())) {
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
    if (!judge.vetoes().empty())
        std::erase_if(report.alternatives, [&](const Alternative& alternative) {
            return !judge.vetoes().allow(alternative.program);
        });
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
    learning::spell_out_views(report, problem);
    return report;
}

/// Clauses, from negative examples that are drawn where there are none.
Report learn_by_clauses(const Problem& problem, const std::optional<Problem>& drawn,
                        const Options& options, const LearnSettings& settings) {
    if (!drawn)
        return learning::learn_by_clauses(problem, options, settings);
    Report report = learning::learn_by_clauses(*drawn, options, settings);
    learning::judge_by_all(report, problem, settings.threads);
    return report;
}

/// Positive examples alone are explained by anything that is general enough: there the negative
/// ones that were drawn decide.
bool better_by_clauses(Report clauses, Report hierarchy, const Problem& problem,
                       const std::optional<Problem>& drawn, int threads) {
    if (drawn && !problem.database->unlisted_negative && clauses.training.negatives == 0) {
        learning::judge_by_all(clauses, *drawn, threads);
        learning::judge_by_all(hierarchy, *drawn, threads);
    }
    return learning::prefers_clauses(clauses, hierarchy, problem);
}

/// Without what the user demands: clauses of the database first, where there is one; then the
/// hierarchy.
Report learn_freely(const Problem& problem, const Options& options, const LearnSettings& settings) {
    const bool by_clauses =
        settings.strategy == Strategy::clauses || settings.strategy == Strategy::portfolio;
    const std::optional<Problem> drawn =
        by_clauses ? learning::drawn_examples(problem, settings.seed) : std::nullopt;
    if (settings.strategy == Strategy::clauses)
        return learn_by_clauses(problem, drawn, options, settings);
    const auto by_hierarchy = [&](const LearnSettings& part) {
        Report report =
            part.constants_in_rules == RuleTerms::never && part.strategy == Strategy::portfolio
                ? learn_by_hierarchy(learning::without_selections(problem), options, part)
                : learn_by_hierarchy(problem, options, part);
        if (!learning::needs_all_examples(problem))
            return report;
        learning::judge_by_all(report, problem, settings.threads);
        const bool cut = report.stop_reason == StopReason::interrupted ||
                         report.stop_reason == StopReason::time_limit;
        if (cut && !report.fits && report.bits > report.baseline_bits) {
            report.program = {};  // worse than calling everything false
            report.program.target = report.program.vocabulary.intern(problem.target());
            learning::judge_by_all(report, problem, settings.threads);
        }
        return report;
    };
    if (settings.strategy != Strategy::portfolio ||
        !learning::offers_clauses(drawn ? *drawn : problem))
        return by_hierarchy(settings);
    load_protorules(options.rules);  // a mistake there is reported at once
    const double share = learning::clause_share(problem);
    const bool alone = share == 1;
    LearnSettings part = settings;
    part.time_limit = share * settings.time_limit;
    if (!alone) {  // a file is of one method
        part.checkpoint = {};
        part.resume.clear();
    }
    Report clauses = learn_by_clauses(problem, drawn, options, part);
    clauses.strategy = settings.strategy;
    if (alone || learning::is_settled(clauses, problem, settings.stop) ||
        clauses.stop_reason == StopReason::interrupted)
        return clauses;
    part = learning::after_clauses(clauses, settings);
    if (settings.progress)
        part.progress = [&](LearnProgress now) {
            now.trials += clauses.trials;
            const std::int64_t errors =
                clauses.training.false_positives + clauses.training.false_negatives;
            if (now.errors < 0 || errors < now.errors) {
                now.errors = errors;
                now.program = to_text(clauses.program);
            }
            settings.progress(now);
        };
    Report hierarchy = by_hierarchy(part);
    // Where clauses fit, the look for something shorter has a limit of its own, not the user's.
    const bool own_limit = clauses.fits && hierarchy.stop_reason == StopReason::time_limit &&
                           (settings.time_limit == 0 ||
                            clauses.seconds + part.time_limit < settings.time_limit - 0.05);
    if (own_limit)
        hierarchy.stop_reason = hierarchy.fits ? StopReason::fits : StopReason::finished;
    const bool first = better_by_clauses(clauses, hierarchy, problem, drawn, settings.threads);
    return learning::better_report(std::move(clauses), std::move(hierarchy), first);
}

/// The whole program with its figures on all examples.
void add_pinned(Report& report, const Program& pinned, const Problem& problem,
                const LearnSettings& settings) {
    const learning::ProgramScorer judge(problem, settings.seed);
    const auto with_pinned = [&](const Program& learned) {
        const Program whole = learning::with_pinned(learned, pinned);
        if (!learning::needs_database(whole, problem))
            return judge.judge(whole);
        Alternative judged;
        judged.program = whole;
        judged.training = learning::score_on_all(whole, problem, false, settings.threads)
                              .value_or(judged.training);
        judged.fits = judged.training.false_positives + judged.training.false_negatives == 0;
        judged.bits = program_bits(whole, static_cast<int>(problem.inputs().size())) +
                      error_bits(judged.training);
        return judged;
    };
    const Alternative whole = with_pinned(report.program);
    report.program = whole.program;
    report.fits = whole.fits;
    report.training = whole.training;
    report.bits = whole.bits;
    Score nothing = whole.training;
    nothing.false_negatives = nothing.positives;
    nothing.false_positives = 0;
    report.baseline_bits = error_bits(nothing);
    for (Alternative& alternative : report.alternatives)
        alternative = with_pinned(alternative.program);
    report.evidence.clear();
    report.evaluation.reset();
    const std::size_t rules = evaluation::target_rules(report.program).size();
    if (learning::needs_database(report.program, problem)) {
        report.evidence = learning::evidence_of(
            learning::covered_rows(report.program, *problem.database, settings.threads), rules);
        if (!problem.database->held_out.positive.empty())
            report.evaluation =
                learning::score_on_all(report.program, problem, true, settings.threads);
        return;
    }
    if (problem.training.fixed())
        report.evidence = learning::evidence_of(
            evaluation::covered_examples(report.program, problem.training.instances), rules);
    if (!problem.evaluation.empty())
        report.evaluation =
            score_program(report.program, problem.evaluation, settings.seed, kEvaluationInstances);
}

/// The report on a problem whose known facts explain all examples.
Report empty_report(const Problem& problem, const LearnSettings& settings) {
    Report report;
    report.problem = problem.name;
    report.strategy = settings.strategy;
    report.seed = settings.seed;
    report.program.target = report.program.vocabulary.intern(problem.target());
    report.raw = report.program;
    report.by_clauses = problem.database != nullptr;
    report.stop_reason = StopReason::fits;
    return report;
}

}  // namespace

Report learn(const Problem& problem, const Options& options, const LearnSettings& settings) {
    if (settings.constraints.empty())
        return learn_freely(problem, options, settings);
    const Program pinned = learning::pinned_rules(problem, settings.constraints);
    const Problem left = learning::constrained(problem, settings.constraints, pinned);
    if (pinned.rules.empty())
        return learn_freely(left, options, settings);
    Report report = learning::has_positives(left) ? learn_freely(left, options, settings)
                                                  : empty_report(problem, settings);
    add_pinned(report, pinned, problem, settings);
    return report;
}

}  // namespace hri
