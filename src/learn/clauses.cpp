// SPDX-License-Identifier: Apache-2.0

// Clauses of a problem's database, as a strategy of its own and as the portfolio's first.

#include "learn/constraints.hpp"
#include "learn/strategies.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace hri::learning {

namespace {

// Data so small are learned by the hierarchy too, which may invent predicates.
constexpr std::int64_t kSmallPairs = 20'000;
constexpr std::size_t kMaxSmallInputs = 12;
constexpr std::int64_t kLookWork = 1'500'000;  // programs tried for something shorter than clauses
constexpr double kLookSeconds = 10;
constexpr double kShare = 0.5;          // of the time, where the hierarchy could learn it too
constexpr double kDeclaredShare = 0.8;  // ... where a bias asks for clauses
constexpr double kExplains = 0.9;       // of the bits of the labels alone: fewer explain something
constexpr std::int64_t kMinNegatives = 5;

std::int64_t positives_of(const ExampleTable& table) {
    return std::count_if(table.positive.begin(), table.positive.end(),
                         [](char p) { return p != 0; });
}

/// A bias that bounds clauses or says how they are run, and asks for no invention.
bool asks_for_clauses(const ClauseBias& bias) {
    return !bias.invention && (!bias.directions.empty() || !bias.single_types.empty() ||
                               bias.max_variables || bias.max_body || bias.max_clauses);
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

double clause_share(const Problem& problem) {
    const Database& database = *problem.database;
    if (problem.training.empty() || !database.computed.empty())
        return 1;
    // the hierarchy sees no wide relations
    const bool is_wide = std::any_of(database.tables.begin(), database.tables.end(),
                                     [](const FactTable& t) { return t.symbol.arity > 2; });
    return is_wide || asks_for_clauses(database.bias) ? kDeclaredShare : kShare;
}

Report learn_by_clauses(const Problem& problem, const Options& options,
                        const LearnSettings& settings, const ClauseShape& shape) {
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
    clause.first_fit = settings.stop == StopRule::first_fit;
    clause.checkpoint = settings.checkpoint;
    clause.resume = settings.resume;
    clause.negation = options.negation;
    clause.linked = shape.linked;
    clause.max_body = shape.max_body;
    if (settings.interrupt != nullptr)
        clause.stop = [&] { return settings.interrupt->load(); };
    if (settings.progress)
        clause.progress = [&](const Program& best, std::int64_t errors, std::int64_t tested) {
            LearnProgress now;
            now.fraction = settings.time_limit > 0 ? seconds() / settings.time_limit : 0;
            now.errors = errors;
            now.trials = tested;
            now.program = errors < 0 ? "" : to_text(best);
            settings.progress(now);
        };
    const Vetoes vetoes(problem.target(), settings.constraints);
    if (!vetoes.empty())
        clause.verdict = [&](const Program& one) { return vetoes.verdict(one); };
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
    return pairs <= kSmallPairs && problem.inputs().size() <= kMaxSmallInputs;
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

bool is_settled(const Report& clauses, const Problem& problem, StopRule stop) {
    const ClauseBias& bias = problem.database->bias;
    if (!clauses.fits)
        return false;
    if (stop == StopRule::first_fit)
        return true;
    if (bias.invention || (problem.recursion_wanted && !is_recursive(clauses.program)))
        return false;
    return asks_for_clauses(bias) ||
           (!is_small(problem) && clauses.training.negatives >= kMinNegatives);
}

namespace {

/// Bits of the program, of the constants that it names, and of its errors. A program that is wrong
/// more often than one answer for all examples takes as many bits as none, and more.
double description(const Report& report, const Problem& problem) {
    const double names =
        std::log2(std::max(2.0, static_cast<double>(problem.database->constants.size())));
    double bits = program_bits(report.program, static_cast<int>(problem.inputs().size())) +
                  error_bits(report.training);
    for (const Rule& rule : report.program.rules)
        for (const Atom& atom : rule.body)
            for (const Term& term : atom.arguments)
                bits += term.is_variable() ? 0 : names;
    if (problem.database->unlisted_negative)  // there "everything is false" is nearly always right
        return bits;
    const Score& score = report.training;
    const auto all = static_cast<double>(score.positives + score.negatives);
    const auto most = static_cast<double>(std::max(score.positives, score.negatives));
    return score.accuracy * all < most ? bits + report.baseline_bits : bits;
}

}  // namespace

bool prefers_clauses(const Report& clauses, const Report& hierarchy, const Problem& problem) {
    const double by_clauses = description(clauses, problem);
    const double by_hierarchy = description(hierarchy, problem);
    // Clauses that fit may list wrong labels. A program that does not fit is taken instead only if
    // it explains something.
    const bool explains = by_hierarchy < kExplains * hierarchy.baseline_bits;
    bool first = by_clauses < by_hierarchy;
    if (clauses.fits != hierarchy.fits)
        first = clauses.fits && (first || !explains);
    else if (!clauses.fits && !explains)  // hidden examples priced the clauses, not these bits
        first = first || clauses.training.accuracy > hierarchy.training.accuracy;
    return first;
}

Report better_report(Report clauses, Report hierarchy, bool first) {
    const double seconds = clauses.seconds + hierarchy.seconds;
    Report& chosen = first ? clauses : hierarchy;
    Report& other = first ? hierarchy : clauses;
    const bool was_cut =
        other.stop_reason == StopReason::time_limit || other.stop_reason == StopReason::interrupted;
    if (first && was_cut && chosen.stop_reason == StopReason::finished)
        chosen.stop_reason = other.stop_reason;
    chosen.trials += other.trials;
    chosen.iterations += other.iterations;
    chosen.restarts += other.restarts;
    chosen.seconds = seconds;
    if (first)
        chosen.model = other.model;
    return std::move(chosen);
}

}  // namespace hri::learning
