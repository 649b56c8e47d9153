// SPDX-License-Identifier: Apache-2.0
#include "learn/all_examples.hpp"

#include "hri/comparisons.hpp"

#include "learn/evidence.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>

namespace hri::learning {

namespace {

constexpr std::size_t kMaxHeld = 20'000'000;  // atoms that are counted one by one

/// Labels of a table's rows, in a list.
void list(const ExampleTable& table, bool forget, std::vector<LabelledAtom>& into) {
    const auto arity = static_cast<std::size_t>(table.target.arity);
    for (std::size_t r = 0; r < table.positive.size(); ++r) {
        const Label label = table.positive[r] != 0 ? Label::positive : Label::negative;
        into.push_back({arity > 0 ? table.cells[r * arity] : 0,
                        arity > 1 ? table.cells[r * arity + 1] : 0,
                        forget ? Label::unlabelled : label});
    }
}

/// The whole database as one instance, its labels in a list. What was learned from is not judged.
Instance whole(const Database& database, bool held_out) {
    Schema schema;
    Instance instance;
    schema.target = database.examples.target;
    instance.constants = static_cast<int>(database.constants.size());
    instance.names.assign(database.constants.begin(), database.constants.end());
    for (const FactTable& table : database.tables) {
        if (table.symbol == schema.target)
            continue;
        schema.inputs.push_back(table.symbol);
        std::vector<Fact>& facts = instance.facts.emplace_back();
        const auto arity = static_cast<std::size_t>(table.symbol.arity);
        for (std::size_t r = 0; r < table.rows(); ++r)
            facts.push_back({arity > 0 ? table.cells[r * arity] : 0,
                             arity > 1 ? table.cells[r * arity + 1] : 0,
                             table.values.empty() ? 1.0F : table.values[r]});
    }
    instance.schema = std::make_shared<const Schema>(std::move(schema));
    list(held_out ? database.held_out : database.examples, false, instance.listed);
    if (held_out)
        list(database.examples, true, instance.listed);
    std::sort(instance.listed.begin(), instance.listed.end());
    const auto same = [](const LabelledAtom& a, const LabelledAtom& b) {
        return a.first == b.first && a.second == b.second;
    };
    instance.listed.erase(std::unique(instance.listed.begin(), instance.listed.end(), same),
                          instance.listed.end());
    instance.unlisted = Label::negative;
    return instance;
}

bool is_narrow(const Database& database) {
    return database.computed.empty() && database.examples.target.arity <= 2 &&
           std::all_of(database.tables.begin(), database.tables.end(),
                       [](const FactTable& table) { return table.symbol.arity <= 2; });
}

}  // namespace

bool needs_all_examples(const Problem& problem) {
    return problem.database &&
           (problem.sampled || is_split(problem) || problem.database->unlisted_negative);
}

std::optional<Score> score_on_all(const Program& program, const Problem& problem, bool held_out,
                                  int threads) {
    const Database& database = *problem.database;
    if (!problem.training.empty() && !has_all_inputs(problem))
        return std::nullopt;
    if (!database.unlisted_negative || !is_narrow(database) || is_recursive(program))
        return search::score_on_examples(program, database,
                                         held_out ? database.held_out : database.examples, threads);
    const Instance instance = whole(database, held_out);
    Scorer scorer;
    try {
        const ComparisonFacts comparisons(program);
        scorer.add(instance, problem.target().arity,
                   true_atoms(comparisons.program(), comparisons.with_facts(instance), kToFixpoint,
                              kMaxHeld));
    } catch (const Error&) {  // it holds of too much
        return search::score_on_examples(program, database,
                                         held_out ? database.held_out : database.examples, threads);
    }
    return scorer.score();
}

void judge_by_all(Report& report, const Problem& problem, int threads) {
    const std::optional<Score> training = score_on_all(report.program, problem, false, threads);
    if (!training)
        return;
    report.training = *training;
    // what holds of parts may fail on the whole, and the other way round
    const bool parts = is_split(problem) && training->positives > 0 && training->negatives > 0;
    report.fits =
        (report.fits || parts) && training->false_negatives + training->false_positives == 0;
    report.bits = program_bits(report.program, static_cast<int>(problem.inputs().size())) +
                  error_bits(*training);
    Score nothing = *training;
    nothing.false_negatives = nothing.positives;
    nothing.false_positives = 0;
    report.baseline_bits = error_bits(nothing);
    if (!report.fits && report.stop_reason == StopReason::fits)
        report.stop_reason = StopReason::finished;
    if (is_split(problem) && !problem.sampled && !problem.database->unlisted_negative)
        report.evidence = evidence_of(covered_rows(report.program, *problem.database, threads),
                                      evaluation::target_rules(report.program).size());
    if (!problem.database->held_out.positive.empty())
        report.evaluation = score_on_all(report.program, problem, true, threads);
}

}  // namespace hri::learning
