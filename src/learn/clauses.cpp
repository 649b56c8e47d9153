// SPDX-License-Identifier: Apache-2.0

// Clauses of a problem's database, as a strategy of its own and as the portfolio's first.

#include "learn/strategies.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <chrono>

namespace hri::learning {

namespace {

// Data so small are learned by the hierarchy too, which may invent predicates.
constexpr std::int64_t kSmallPairs = 20'000;
constexpr std::size_t kFewInputs = 12;
constexpr std::int64_t kLookWork = 1'500'000;  // programs tried for something shorter than clauses
constexpr double kLookSeconds = 10;
constexpr std::int64_t kFewNegatives = 5;

std::int64_t positives_of(const ExampleTable& table) {
    return std::count_if(table.positive.begin(), table.positive.end(),
                         [](char p) { return p != 0; });
}

search::Wanted wanted(RuleTerms terms) {
    switch (terms) {
        case RuleTerms::always:
            return search::Wanted::always;
        case RuleTerms::never:
            return search::Wanted::never;
        case RuleTerms::automatic:
            break;
    }
    return search::Wanted::automatic;
}

}  // namespace

bool offers_clauses(const Problem& problem) {
    if (!problem.database)
        return false;
    const std::int64_t positives = positives_of(problem.database->examples);
    return positives > 0 &&
           positives < static_cast<std::int64_t>(problem.database->examples.positive.size());
}

Report learn_by_clauses(const Problem& problem, const LearnSettings& settings) {
    const auto started = std::chrono::steady_clock::now();
    if (!problem.database)
        throw Error("clauses are learned from data, and " + problem.name + " has a generator", {},
                    "use {strategy=portfolio}");
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    search::ClauseSettings clause;
    clause.seed = settings.seed;
    clause.threads = settings.threads;
    clause.max_tests = settings.max_work;
    clause.time_limit = settings.time_limit;
    clause.constants = wanted(settings.constants_in_rules);
    clause.thresholds = wanted(settings.numbers_in_rules);
    clause.interrupt = settings.interrupt;
    if (settings.progress)
        clause.progress = [&](const Program& program, std::int64_t errors) {
            LearnProgress now;
            now.fraction = settings.time_limit > 0 ? seconds() / settings.time_limit : 0;
            now.errors = errors;
            now.program = to_text(program);
            settings.progress(now);
        };
    const search::ClauseResult result = search::learn_clauses(*problem.database, clause);
    Report report;
    report.problem = problem.name;
    report.strategy = Strategy::clauses;
    report.seed = settings.seed;
    report.by_clauses = true;
    report.program = report.raw = result.program;
    report.fits = result.fits;
    report.training = result.training;
    report.bits = result.bits;
    report.restarts = 1;
    report.fitting = result.fits ? 1 : 0;
    report.different = report.fitting;
    report.trials = result.tested;
    for (const search::ClauseCoverage& clause_evidence : result.evidence)
        report.evidence.push_back(
            {clause_evidence.positives, clause_evidence.negatives, clause_evidence.only});
    Score nothing = result.training;
    nothing.false_negatives = nothing.positives;
    nothing.false_positives = 0;
    report.baseline_bits = error_bits(nothing);
    report.alternatives = {{report.program, report.fits, report.training, report.bits}};
    report.stop_reason = settings.interrupt != nullptr && settings.interrupt->load()
                             ? StopReason::interrupted
                         : result.fits ? StopReason::fits
                         : result.cut  ? StopReason::time_limit
                                       : StopReason::finished;
    if (!problem.database->held_out.positive.empty())
        report.evaluation = search::score_on_examples(result.program, *problem.database,
                                                      problem.database->held_out, settings.threads);
    report.seconds = seconds();
    return report;
}

namespace {

/// Hierarchies over such data are searched in moments.
bool is_small(const Problem& problem) {
    std::int64_t pairs = 0;
    for (const Instance& instance : problem.training.instances)
        pairs += std::int64_t{instance.constants} * instance.constants;
    return pairs <= kSmallPairs && problem.inputs().size() <= kFewInputs;
}

}  // namespace

LearnSettings after_clauses(const Report& clauses, const LearnSettings& settings) {
    LearnSettings part = settings;
    if (settings.time_limit > 0)
        part.time_limit = std::max(settings.time_limit - clauses.seconds, 0.1);
    if (!clauses.fits)
        return part;
    part.max_work = settings.max_work > 0 ? std::min(settings.max_work, kLookWork) : kLookWork;
    if (settings.time_limit > 0)
        part.time_limit = std::min(part.time_limit, kLookSeconds);
    return part;
}

bool is_settled(const Report& clauses, const Problem& problem) {
    const ClauseBias& bias = problem.database->bias;
    return clauses.fits && !is_small(problem) && clauses.training.negatives >= kFewNegatives &&
           (!problem.recursion_wanted || is_recursive(clauses.program)) && !bias.invention;
}

Report better_report(Report clauses, Report hierarchy, const Problem& problem) {
    const auto bits = [&](const Report& report) {
        return program_bits(report.program, static_cast<int>(problem.inputs().size()));
    };
    // error_bits() are as few for a program that is always wrong as for one that never is
    const auto cost = [](const Report& report) {
        return static_cast<double>(report.training.false_positives +
                                   report.training.false_negatives + size(report.program));
    };
    const double seconds = clauses.seconds + hierarchy.seconds;
    const bool first = clauses.fits != hierarchy.fits ? clauses.fits
                       : clauses.fits                 ? bits(clauses) < bits(hierarchy)
                                                      : cost(clauses) < cost(hierarchy);
    Report& chosen = first ? clauses : hierarchy;
    Report& other = first ? hierarchy : clauses;
    chosen.trials += other.trials;
    chosen.iterations += other.iterations;
    chosen.restarts += other.restarts;
    chosen.seconds = seconds;
    if (first)
        chosen.model = other.model;
    return std::move(chosen);
}

}  // namespace hri::learning
