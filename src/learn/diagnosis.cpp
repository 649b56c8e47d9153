// SPDX-License-Identifier: Apache-2.0
#include "hri/diagnosis.hpp"

#include "hri/evaluate.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "learn/evidence.hpp"
#include "logic/prolog/terms.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace hri {
namespace {

constexpr std::size_t kMaxExamples = 10;
constexpr double kMuchShorter = 0.85;         // than a list of the examples
constexpr std::int64_t kTriedTests = 20'000;  // clauses of a quick look
constexpr double kTriedSeconds = 1.5;
constexpr double kTriedShare = 0.03;  // ... of the time limit at most
constexpr std::size_t kMaxFactsForNegation = 200'000;
constexpr double kNearly = 0.95;       // of the time limit: it was reached
constexpr double kHelps = 0.7;         // of the errors: fewer are left
constexpr double kNoiseAtMost = 0.25;  // a program that errs more often explains nothing

std::string atom_text(const PredicateSymbol& target, const Instance& instance, std::size_t atom) {
    const auto n = static_cast<std::size_t>(instance.constants);
    const auto name = [&](std::size_t constant) {
        return prolog::quoted(instance.name_of(static_cast<int>(constant)));
    };
    std::string predicate = prolog::quoted_predicate(target.name);
    switch (target.arity) {
        case 0:
            return predicate;
        case 1:
            return fmt::format("{}({})", predicate, name(atom));
        default:
            return fmt::format("{}({},{})", predicate, name(atom / n), name(atom % n));
    }
}

void add_wrong(Diagnosis& diagnosis, const std::string& atom, bool positive) {
    if (++diagnosis.wrong_count <= kMaxExamples) {
        diagnosis.wrong.push_back({atom, positive});
    }
}

/// Adds the wrong examples of clauses. The database judges constants, numbers and any arity.
void add_wrong_of_clauses(Diagnosis& diagnosis, const Report& report, const Database& database) {
    const ExampleTable& examples = database.examples;
    const std::vector<char> says = search::answers_on_examples(report.program, database, examples);
    const auto arity = static_cast<std::size_t>(examples.target.arity);
    for (std::size_t row = 0; row < says.size(); ++row) {
        const std::span<const std::int32_t> tuple(examples.cells.data() + row * arity, arity);
        const bool positive = examples.positive[row] != 0;
        if ((says[row] != 0) == positive) {
            continue;
        }
        std::string atom = prolog::quoted_predicate(examples.target.name);
        for (std::size_t i = 0; i < arity; ++i) {
            atom += (i == 0 ? "(" : ",") +
                    prolog::quoted(database.constants[static_cast<std::size_t>(tuple[i])]);
        }
        add_wrong(diagnosis, arity == 0 ? atom : atom + ")", positive);
    }
}

void add_wrong_examples(Diagnosis& diagnosis, const Report& report, const Problem& problem) {
    evaluation::CompiledProgram compiled(report.program, problem.inputs());
    Truth truth;
    for (const Instance& instance : problem.training.instances) {
        compiled.evaluate(instance, kToFixpoint, truth);
        for (std::size_t atom = 0; atom < truth.size(); ++atom) {
            const Label label = instance.labels[atom];
            const bool positive = label == Label::positive;
            if (label == Label::unlabelled || positive == (truth[atom] != 0)) {
                continue;
            }
            add_wrong(diagnosis,
                      diagnosis.wrong_count < kMaxExamples
                          ? atom_text(problem.target(), instance, atom)
                          : "",
                      positive);
        }
    }
}

constexpr const char* kNoNegatives =
    "there are no negative examples: give some, or {closed_world=true}, which makes "
    "unlisted atoms negative";

/// The parts of clauses that the run did not allow.
enum class Extra { none, negation, recursion, constants, numbers, bounds };

/// The data with a bias that allows more.
Database allowing(Extra extra, const Database& database) {
    constexpr int kMore = 2;
    Database result = database;
    ClauseBias& bias = result.bias;
    bias.recursion = bias.recursion || extra == Extra::recursion;
    if (extra == Extra::bounds) {
        bias.max_body = bias.max_body ? std::optional(*bias.max_body + kMore) : std::nullopt;
        bias.max_variables =
            bias.max_variables ? std::optional(*bias.max_variables + kMore) : std::nullopt;
        bias.max_clauses.reset();
    }
    return result;
}

search::Wanted wanted(Extra extra, Extra asked, RuleTerms given) {
    return extra == asked              ? search::Wanted::always
           : given == RuleTerms::never ? search::Wanted::never
                                       : search::Wanted::automatic;
}

/// Whether a quick look at clauses with more leaves fewer errors.
bool helps(Extra extra, const Report& report, const Problem& problem,
           const LearnSettings& settings) {
    if (!problem.database || problem.sampled || problem.database->unlisted_negative ||
        report.stop_reason == StopReason::interrupted || !settings.constraints.empty())
        return false;
    std::size_t facts = 0;
    for (const FactTable& table : problem.database->tables)
        facts += table.rows();
    const Score& before = report.training;
    if (facts > kMaxFactsForNegation || before.positives == 0 || before.negatives == 0)
        return false;
    search::ClauseSettings quick;
    quick.seed = settings.seed;
    quick.threads = settings.threads;
    quick.max_tests = kTriedTests;
    quick.negation = extra == Extra::negation;
    quick.constants = wanted(extra, Extra::constants, settings.constants_in_rules);
    quick.thresholds = wanted(extra, Extra::numbers, settings.numbers_in_rules);
    if (settings.interrupt != nullptr)
        quick.stop = [&] { return settings.interrupt->load(); };
    quick.time_limit = settings.time_limit > 0
                           ? std::min(kTriedSeconds, kTriedShare * settings.time_limit)
                           : kTriedSeconds;
    const auto learned = [&] {
        search::ClauseResult result =
            search::learn_clauses(allowing(extra, *problem.database), quick);
        if (extra == Extra::recursion && !is_recursive(result.program))
            result.training = before;  // it was not recursion that helped
        return result;
    };
    const Score after = learned().training;
    return static_cast<double>(after.false_positives + after.false_negatives) <
           kHelps * static_cast<double>(before.false_positives + before.false_negatives);
}

/// The least errors of a bound on a number for each example.
std::int64_t errors_by_bound(const ExampleTable& examples,
                             const std::vector<std::int64_t>& number) {
    std::map<std::int64_t, std::int64_t> gain;  // [number]: positives less negatives
    std::int64_t positives = 0;
    for (std::size_t row = 0; row < examples.positive.size(); ++row) {
        const bool positive = examples.positive[row] != 0;
        positives += positive ? 1 : 0;
        gain[number[static_cast<std::size_t>(examples.cells[row])]] += positive ? 1 : -1;
    }
    std::int64_t wrong = positives;  // where nothing is called true
    const auto all = static_cast<std::int64_t>(examples.positive.size());
    std::int64_t least = std::min(wrong, all - wrong);
    for (auto at = gain.rbegin(); at != gain.rend(); ++at) {
        wrong -= at->second;
        least = std::min({least, wrong, all - wrong});
    }
    return least;
}

/// The relation whose facts have to be counted, if a count leaves fewer errors.
std::optional<std::string> counts_help(const Report& report, const Problem& problem) {
    const Database& database = *problem.database;
    const ExampleTable& examples = database.examples;
    std::int64_t least =
        static_cast<std::int64_t>(kHelps * static_cast<double>(report.training.false_positives +
                                                               report.training.false_negatives));
    std::optional<std::string> best;
    if (examples.target.arity != 1 || database.unlisted_negative || problem.sampled)
        return best;
    for (const FactTable& table : database.tables) {
        for (std::size_t a = 0; table.symbol.arity == 2 && a < 2; ++a) {
            std::vector<std::int64_t> number(database.constants.size(), 0);
            for (std::size_t i = a; i < table.cells.size(); i += 2)
                ++number[static_cast<std::size_t>(table.cells[i])];
            const std::int64_t errors = errors_by_bound(examples, number);
            if (errors < least) {
                least = errors;
                best = fmt::format("{}({})", prolog::quoted_predicate(table.symbol.name),
                                   a == 0 ? "X,_" : "_,X");
            }
        }
    }
    return best;
}

std::optional<std::string> hint_on_counts(const Report& report, const Problem& problem) {
    const std::optional<std::string> relation =
        problem.database ? counts_help(report, problem) : std::nullopt;
    return relation ? std::optional(fmt::format("the number of {} facts says more: "
                                                "{{aggregates=true}} counts in tables",
                                                *relation))
                    : std::nullopt;
}

constexpr const char* kNegation = "rules with \"not\" make fewer errors here: {negation=true}";

/// Whether each predicate of the hierarchy has one rule: no proto-rule ends in `| ~R`.
bool has_one_rule_each(const ProtoRules& rules) {
    return !rules.empty() && std::none_of(rules.begin(), rules.end(), [](const ProtoRule& rule) {
        return to_text(rule).find('|') != std::string::npos;
    });
}

std::vector<std::string> advice(const Report& report, const Problem& problem,
                                const LearnSettings& settings) {
    std::vector<std::string> lines;
    const Options& options = report.model.options;
    const Score& training = report.training;
    const double share = 1 - training.accuracy;
    if (training.negatives == 0) {
        lines.emplace_back(kNoNegatives);
    }
    if (settings.lri) {
        lines.push_back(
            fmt::format("more restarts ({{restarts={}}}), steps ({{train_steps={}}}) or other "
                        "templates ({{templates=rlri}}) may help, or the hierarchy instead of LRI",
                        4 * settings.restarts, 2 * options.train_steps));
    } else if (settings.strategy == Strategy::gradient) {
        lines.push_back(fmt::format(
            "more restarts ({{restarts={}}}), steps ({{train_steps={}}}) or auxiliaries "
            "({{auxiliaries={}}}) may help, or {{strategy=portfolio}}",
            4 * settings.restarts, 2 * options.train_steps, options.auxiliaries + 1));
    } else if (!settings.grow) {
        lines.emplace_back(
            "layers and auxiliaries grow by themselves unless {grow=false} forbids it");
    } else if (settings.strategy == Strategy::search &&
               helps(Extra::none, report, problem, settings)) {
        lines.emplace_back(
            "clauses with constants and numbers make fewer errors here: {strategy=portfolio}");
        return lines;
    } else if (const auto hint = hint_on_counts(report, problem)) {
        lines.push_back(*hint);
        return lines;
    } else if (!options.negation && helps(Extra::negation, report, problem, settings)) {
        lines.emplace_back(kNegation);
        return lines;
    } else if (has_one_rule_each(report.model.protorules)) {
        lines.emplace_back("a predicate has one rule where no proto-rule ends in | ~R: {rules=R*}");
        return lines;
    } else if (report.stop_reason == StopReason::time_limit) {
        lines.push_back(
            fmt::format("more time may help: {{time_limit={:.0f}}}", 4 * settings.time_limit));
    }
    if (!problem.training.fixed() && !problem.database)  // generated labels are right
        return lines;
    if (share > 0 && share < kNoiseAtMost && report.bits < kMuchShorter * report.baseline_bits) {
        lines.push_back(
            fmt::format("if about {:.0f} % of the labels may be wrong, this program "
                        "may be right",
                        std::max(100 * share, 1.0)));
    } else if (report.bits >= report.baseline_bits) {
        lines.emplace_back(
            options.negation
                ? "the program says no more than a list of the examples would: facts that tell "
                  "them apart may be missing"
                : "the program says no more than a list of the examples would: the rule may need "
                  "\"not\" ({negation=true}), or facts that tell them apart may be missing");
    }
    return lines;
}

/// What the language of the clauses lacked comes before doubt about labels: those are doubted only
/// where the search came to its end and the clauses say much more than a list of examples.
std::vector<std::string> advice_on_clauses(const Report& report, const Problem& problem,
                                           const LearnSettings& settings) {
    std::vector<std::string> lines;
    const ClauseBias& bias = problem.database->bias;
    const double share = 1 - report.training.accuracy;
    const auto tried = [&](Extra extra) { return helps(extra, report, problem, settings); };
    const bool is_bounded = bias.max_body || bias.max_variables || bias.max_clauses;
    const std::string bounds =
        fmt::format("{}{}{}", bias.max_body ? fmt::format(" max_body({})", *bias.max_body) : "",
                    bias.max_variables ? fmt::format(" max_vars({})", *bias.max_variables) : "",
                    bias.max_clauses ? fmt::format(" max_clauses({})", *bias.max_clauses) : "");
    if (const auto hint = hint_on_counts(report, problem))
        lines.push_back(*hint);
    else if (tried(Extra::negation))
        lines.emplace_back(kNegation);
    if (settings.constants_in_rules == RuleTerms::never && tried(Extra::constants))
        lines.emplace_back(
            "clauses that name constants make fewer errors here: {constants_in_rules=always}");
    if (settings.numbers_in_rules == RuleTerms::never && tried(Extra::numbers))
        lines.emplace_back(
            "clauses that compare numbers make fewer errors here: {numbers_in_rules=always}");
    if (is_bounded && tried(Extra::bounds))
        lines.push_back("clauses beyond the bias's bounds make fewer errors here:" + bounds);
    if (!bias.recursion && tried(Extra::recursion))
        lines.emplace_back("enable_recursion in the bias lets clauses call the target");
    if (!lines.empty())  // something is missing: no reason to doubt labels
        return lines;
    if (report.stop_reason == StopReason::time_limit)
        lines.push_back(
            fmt::format("longer clauses were not all tried: {{time_limit={:.0f}}} "
                        "gives more time",
                        4 * settings.time_limit));
    if (is_bounded)
        lines.push_back("the bias bounds clauses, and more may be needed:" + bounds);
    if (report.bits >= report.baseline_bits)
        lines.emplace_back(
            "the program says no more than a list of the examples would: facts that "
            "tell them apart may be missing");
    else if (share < kNoiseAtMost && report.bits < kMuchShorter * report.baseline_bits)
        lines.push_back(
            fmt::format("if about {:.0f} % of the labels may be wrong, this program may be right",
                        std::max(100 * share, 1.0)));
    return lines;
}

}  // namespace

std::string why_it_stopped(const Report& report, const LearnSettings& settings) {
    if (report.stop_reason == StopReason::interrupted)
        return "interrupted";
    const bool by_restarts = report.strategy == Strategy::gradient;
    if (settings.time_limit > 0 && report.seconds >= kNearly * settings.time_limit)
        return fmt::format("the time limit of {:g} s was reached", settings.time_limit);
    if (settings.max_work > 0 && report.trials >= settings.max_work)
        return "the limit of work was reached";
    if (report.stop_reason == StopReason::time_limit)
        return "clauses used up their share of the time limit, and hierarchies gave nothing better "
               "for a while";
    if (report.fits && settings.stop == StopRule::first_fit && !by_restarts)
        return "the first program that fits was wanted";
    if (by_restarts)
        return report.fits ? "a restart fits" : "all restarts were made";
    const bool clauses_alone = report.by_clauses && report.restarts == 1;
    if (report.fits)
        return clauses_alone ? "no shorter clauses fit" : "nothing shorter was found for a while";
    return clauses_alone ? "no clauses in reach are better"
                         : "nothing better was found for a while";
}

Diagnosis diagnose(const Report& report, const Problem& problem, const LearnSettings& settings) {
    Diagnosis diagnosis;
    if (!report.fits) {
        if (report.by_clauses || learning::needs_database(report.program, problem)) {
            add_wrong_of_clauses(diagnosis, report, *problem.database);
            diagnosis.hints = advice_on_clauses(report, problem, settings);
        } else {
            add_wrong_examples(diagnosis, report, problem);
            diagnosis.hints = advice(report, problem, settings);
        }
    } else if (report.training.negatives == 0) {
        // then the program that calls everything true is as good as any
        diagnosis.hints = {kNoNegatives};
    }
    return diagnosis;
}

}  // namespace hri
