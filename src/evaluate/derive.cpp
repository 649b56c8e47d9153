// SPDX-License-Identifier: Apache-2.0
#include "hri/derive.hpp"

#include "hri/comparisons.hpp"
#include "hri/error.hpp"

#include "datalog/evaluate.hpp"
#include "evaluate/top_down.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace hri {
namespace {

/// [predicate of the vocabulary]: whether rules define it.
std::vector<char> heads(const Program& program) {
    std::vector<char> is_head(static_cast<std::size_t>(program.vocabulary.size()), 0);
    for (const Rule& rule : program.rules)
        is_head[rule.head.predicate.id] = 1;
    return is_head;
}

void load(const Database& database, const Vocabulary& vocabulary,
          std::vector<datalog::Relation>& relations) {
    constexpr float kTrue = 0.5F;
    for (const FactTable& table : database.tables) {
        const std::optional<Predicate> p = vocabulary.find(table.symbol);
        if (!p)
            continue;
        datalog::Batch batch(table.symbol.arity);
        const auto width = static_cast<std::size_t>(table.symbol.arity);
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (table.values.empty() || table.values[row] >= kTrue)
                batch.add(datalog::Tuple(table.cells.data() + row * width, width));
        relations[p->id].advance(batch);
        relations[p->id].settle();
    }
}

}  // namespace

const FactTable* find_table(const Database& database, const PredicateSymbol& symbol) {
    const auto found = std::find_if(database.tables.begin(), database.tables.end(),
                                    [&](const FactTable& table) { return table.symbol == symbol; });
    return found == database.tables.end() ? nullptr : &*found;
}

bool is_over_facts(const Program& program, const Database& database) {
    const std::vector<char> is_head = heads(program);
    return std::all_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return std::all_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            const Predicate p = program.vocabulary.positive(atom.predicate);
            return is_head[p.id] != 0 ||
                   std::none_of(database.computed.begin(), database.computed.end(),
                                [&](const ComputedPredicate& computed) {
                                    return computed.symbol == program.vocabulary[p];
                                });
        });
    });
}

Database with_derived(const Program& program, const Database& database, std::size_t max_atoms) {
    if (!is_over_facts(program, database))
        throw Error("the program calls predicates that SWI-Prolog computes", {},
                    "ask for single atoms");
    const ComparisonFacts comparisons(program);
    const Program& over_facts = comparisons.program();
    const Vocabulary& vocabulary = over_facts.vocabulary;
    datalog::EvaluateSettings settings;
    settings.constants = database.constants.size();
    settings.limits.atoms = max_atoms;
    const evaluation::ConstantNumbers names = evaluation::constant_numbers(database);
    for (const std::string& name : vocabulary.constants()) {
        const auto found = names.find(name);
        settings.numbers.push_back(found == names.end() ? -1 : found->second);
    }
    std::vector<datalog::Relation> relations =
        datalog::empty_relations(vocabulary, settings.constants);
    Database result = database;
    load(comparisons.empty() ? database : comparisons.with_facts(database), vocabulary, relations);
    datalog::evaluate(over_facts, relations, settings);
    const std::vector<char> is_head = heads(over_facts);
    for (std::size_t id = 0; id < is_head.size(); ++id) {
        if (is_head[id] == 0)
            continue;
        const PredicateSymbol& symbol = vocabulary[Predicate{static_cast<std::uint32_t>(id)}];
        FactTable derived{symbol, {}, {}};
        relations[id].each([&](datalog::Tuple tuple) {
            derived.cells.insert(derived.cells.end(), tuple.begin(), tuple.begin() + symbol.arity);
            if (symbol.arity == 0)
                derived.values.push_back(1);
        });
        if (const FactTable* known = find_table(result, symbol))
            result.tables[static_cast<std::size_t>(known - result.tables.data())] =
                std::move(derived);
        else if (derived.rows() > 0)
            result.tables.push_back(std::move(derived));
    }
    return result;
}

}  // namespace hri
