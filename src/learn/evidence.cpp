// SPDX-License-Identifier: Apache-2.0
#include "learn/evidence.hpp"

#include "hri/fields.hpp"

#include "data/views.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::learning {

std::vector<ClauseEvidence> evidence_of(const std::vector<evaluation::CoveredExample>& examples,
                                        std::size_t rules) {
    std::vector<ClauseEvidence> evidence(rules);
    for (const evaluation::CoveredExample& example : examples) {
        for (const int rule : example.rules) {
            ClauseEvidence& own = evidence[static_cast<std::size_t>(rule)];
            ++(example.positive ? own.positives : own.negatives);
        }
        if (example.positive && example.rules.size() == 1)
            ++evidence[static_cast<std::size_t>(example.rules.front())].only;
    }
    return evidence;
}

std::set<PredicateSymbol> predicates_of(const Problem& problem) {
    std::set<PredicateSymbol> known(problem.inputs().begin(), problem.inputs().end());
    if (problem.database) {
        for (const FactTable& table : problem.database->tables)
            known.insert(table.symbol);
        for (const ComputedPredicate& computed : problem.database->computed)
            known.insert(computed.symbol);
    }
    return known;
}

std::vector<MissingPredicate> unknown_predicates(const Problem& problem, const Program& program) {
    std::set<PredicateSymbol> known = predicates_of(problem);
    std::vector<std::string> names;
    for (const PredicateSymbol& symbol : known)
        names.push_back(symbol.name);
    for (const Rule& rule : program.rules)
        known.insert(program.vocabulary[rule.head.predicate]);
    std::vector<MissingPredicate> unknown;
    for (const PredicateSymbol& symbol : program.vocabulary.symbols())
        if (!symbol.negated && !is_equality(symbol) && !is_comparison(symbol) &&
            known.count(symbol) == 0)
            unknown.push_back({fmt::format("{}/{}", symbol.name, symbol.arity),
                               names.empty() ? "" : nearest(symbol.name, names)});
    return unknown;
}

bool is_split(const Problem& problem) {
    return problem.database && problem.training.instances.size() > 1;
}

bool has_all_inputs(const Problem& problem) {
    const Database& database = *problem.database;
    const auto is_in = [](const auto& list, const PredicateSymbol& symbol) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& one) { return one.symbol == symbol; });
    };
    const Program views = data::views_of(problem);
    return std::all_of(problem.inputs().begin(), problem.inputs().end(),
                       [&](const PredicateSymbol& input) {
                           return views.vocabulary.find(input) || is_in(database.tables, input) ||
                                  is_in(database.computed, input);
                       });
}

bool needs_database(const Program& program, const Problem& problem) {
    if (!problem.database || problem.training.empty())
        return problem.database != nullptr;
    if (is_split(problem) && !problem.database->unlisted_negative && has_all_inputs(problem))
        return true;
    const std::set<PredicateSymbol> of_instances(problem.inputs().begin(), problem.inputs().end());
    const std::set<PredicateSymbol> known = predicates_of(problem);
    return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            const PredicateSymbol& symbol =
                program.vocabulary[program.vocabulary.positive(atom.predicate)];
            return is_comparison(symbol) ||
                   (known.count(symbol) != 0 && of_instances.count(symbol) == 0);
        });
    });
}

std::vector<evaluation::CoveredExample> covered_rows(const Program& program,
                                                     const Database& database, int threads) {
    const ExampleTable& examples = database.examples;
    const std::vector<char> says =
        search::answers_on_examples(program, database, examples, threads);
    std::vector<evaluation::CoveredExample> rows;
    for (std::size_t row = 0; row < says.size(); ++row)
        rows.push_back({0, static_cast<int>(row), examples.positive[row] != 0, says[row] != 0, {}});
    const std::vector<int> rules = evaluation::target_rules(program);
    for (std::size_t r = 0; r < rules.size(); ++r) {
        const std::vector<char> covers = search::answers_on_examples(
            evaluation::alone(program, rules[r]), database, examples, threads);
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (covers[row] != 0)
                rows[row].rules.push_back(static_cast<int>(r));
    }
    return rows;
}

}  // namespace hri::learning
