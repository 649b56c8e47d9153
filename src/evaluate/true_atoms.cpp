// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"

#include "datalog/evaluate.hpp"
#include "evaluate/bits/rule_plan.hpp"
#include "logic/dependencies.hpp"

namespace hri {
namespace {

// Inputs that the target reaches, and what is known of predicates that rules define.
std::vector<datalog::Relation> load(const Program& whole, const Program& used,
                                    const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    const std::vector<bool> skipped = logic::without_facts(whole);
    const std::vector<bool> reached = logic::reachable_predicates(used);
    std::vector<datalog::Relation> relations =
        datalog::empty_relations(used.vocabulary, static_cast<std::size_t>(instance.constants));
    for (std::size_t i = 0; i < inputs.size() && i < instance.facts.size(); ++i) {
        const std::optional<Predicate> p = used.vocabulary.find(inputs[i]);
        if (!p || skipped[p->id] || !reached[p->id]) {
            continue;
        }
        datalog::Batch batch(inputs[i].arity);
        for (const Fact& fact : instance.facts[i]) {
            if (fact.value >= 0.5F) {
                batch.add(datalog::key_of(inputs[i].arity > 0 ? fact.first : 0,
                                          inputs[i].arity > 1 ? fact.second : 0));
            }
        }
        relations[p->id].advance(batch);
        relations[p->id].settle();
    }
    return relations;
}

}  // namespace

std::vector<Fact> true_atoms(const Program& program, const Instance& instance, int steps,
                             std::size_t max_atoms) {
    if (program.vocabulary[program.target].arity > 2) {
        evaluation::refuse_large_arity(program);
    }
    const Program used = logic::used_part(program);
    std::vector<datalog::Relation> relations = load(program, used, instance);
    datalog::EvaluateSettings settings;
    settings.constants = static_cast<std::size_t>(instance.constants);
    for (const std::string& name : used.vocabulary.constants()) {
        settings.numbers.push_back(instance.find(name));
    }
    settings.steps = steps;
    settings.limits.atoms = max_atoms;
    datalog::evaluate(used, relations, settings);
    std::vector<Fact> atoms;
    relations[used.target.id].each([&](datalog::Tuple tuple) {
        atoms.push_back({tuple.empty() ? 0 : tuple[0], tuple.size() < 2 ? 0 : tuple[1]});
    });
    return atoms;
}

}  // namespace hri
