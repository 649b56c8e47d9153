// SPDX-License-Identifier: Apache-2.0
#include "hri/diagnosis.hpp"

#include "hri/evaluate.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "logic/prolog/terms.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <vector>

namespace hri {
namespace {

constexpr std::size_t kMaxExamples = 10;
constexpr double kMuchShorter = 0.8;          // than a list of the examples
constexpr std::int64_t kTriedTests = 20'000;  // clauses with negation, to see whether they help
constexpr double kTriedSeconds = 2;
constexpr double kTriedShare = 0.05;  // ... of the time limit at most
constexpr std::size_t kFewFacts = 200'000;
constexpr double kHelps = 0.7;         // of the errors: fewer are left
constexpr double kNoiseAtMost = 0.25;  // a program that errs more often explains nothing

std::string atom_text(const PredicateSymbol& target, const Instance& instance, std::size_t atom) {
    const auto n = static_cast<std::size_t>(instance.constants);
    const auto name = [&](std::size_t constant) {
        return prolog::quoted(instance.name_of(static_cast<int>(constant)));
    };
    const std::string predicate = prolog::quoted_predicate(target.name);
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

/// Of clauses, which may have constants, numbers and any arity: by the database.
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

/// Whether a quick look with negation leaves fewer errors.
bool negation_helps(const Report& report, const Problem& problem, const LearnSettings& settings) {
    if (!problem.database || problem.sampled || problem.database->unlisted_negative ||
        report.stop_reason == StopReason::interrupted || !settings.constraints.empty())
        return false;
    std::size_t facts = 0;
    for (const FactTable& table : problem.database->tables)
        facts += table.rows();
    const Score& before = report.training;
    if (facts > kFewFacts || before.positives == 0 || before.negatives == 0)
        return false;
    search::ClauseSettings quick;
    quick.seed = settings.seed;
    quick.threads = settings.threads;
    quick.max_tests = kTriedTests;
    quick.negation = true;
    if (settings.interrupt != nullptr)
        quick.stop = [&] { return settings.interrupt->load(); };
    quick.time_limit = settings.time_limit > 0
                           ? std::min(kTriedSeconds, kTriedShare * settings.time_limit)
                           : kTriedSeconds;
    const Score after = search::learn_clauses(*problem.database, quick).training;
    return static_cast<double>(after.false_positives + after.false_negatives) <
           kHelps * static_cast<double>(before.false_positives + before.false_negatives);
}

constexpr const char* kNegation = "rules with \"not\" make fewer errors here: {negation=true}";

/// Of proto-rules without `| ~R` a predicate of the hierarchy has one rule.
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
    } else if (!options.negation && negation_helps(report, problem, settings)) {
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
    if (share > 0 && share < kNoiseAtMost && report.bits < report.baseline_bits) {
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
    if (negation_helps(report, problem, settings))
        lines.emplace_back(kNegation);
    else if (report.stop_reason == StopReason::time_limit)
        lines.push_back(
            fmt::format("longer clauses were not all tried: {{time_limit={:.0f}}} "
                        "gives more time",
                        4 * settings.time_limit));
    if (bias.max_body || bias.max_variables)
        lines.push_back(fmt::format(
            "the bias allows clauses of {} and {}; more may be needed",
            bias.max_body ? fmt::format("max_body({})", *bias.max_body) : std::string("any length"),
            bias.max_variables ? fmt::format("max_vars({})", *bias.max_variables)
                               : std::string("any variables")));
    if (!bias.recursion)
        lines.emplace_back("enable_recursion in the bias lets clauses call the target");
    if (settings.constants_in_rules == RuleTerms::never)
        lines.emplace_back("{constants_in_rules=always} lets clauses name constants");
    if (settings.numbers_in_rules == RuleTerms::never)
        lines.emplace_back("{numbers_in_rules=always} lets clauses compare numbers");
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

Diagnosis diagnose(const Report& report, const Problem& problem, const LearnSettings& settings) {
    Diagnosis diagnosis;
    if (!report.fits) {
        if (report.by_clauses) {
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
