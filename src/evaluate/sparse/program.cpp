// SPDX-License-Identifier: Apache-2.0
#include "evaluate/sparse/program.hpp"

#include "evaluate/bits/rule_plan.hpp"
#include "logic/dependencies.hpp"

#include <algorithm>

namespace hri::evaluation {

SparseProgram::SparseProgram(const Program& program, const Instance& instance,
                             std::size_t max_atoms)
    : program_(logic::used_part(program)),
      defined_(logic::defined_predicates(program)),
      constants_(static_cast<std::size_t>(instance.constants)),
      max_atoms_(max_atoms) {
    defined_[program.target.id] = true;
    load(instance);
    std::vector<int> constants;
    for (const std::string& name : program_.vocabulary.constants()) {
        constants.push_back(instance.find(name));
    }
    for (const Rule& rule : program_.rules) {
        rules_.push_back(sparse_rule(rule, program_.vocabulary, defined_, constants));
    }
}

void SparseProgram::load(const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    relations_.assign(static_cast<std::size_t>(program_.vocabulary.size()),
                      SparseRelation(constants_));
    const std::vector<bool> reached = logic::reachable_predicates(program_);
    for (std::size_t i = 0; i < inputs.size() && i < instance.facts.size(); ++i) {
        const std::optional<Predicate> p = program_.vocabulary.find(inputs[i]);
        if (!p || defined_[p->id] || !reached[p->id]) {
            continue;
        }
        std::vector<Key> keys;
        for (const Fact& fact : instance.facts[i]) {
            if (fact.value >= 0.5F) {
                keys.push_back(
                    key_of(inputs[i].arity > 0 ? static_cast<std::uint32_t>(fact.first) : 0,
                           inputs[i].arity > 1 ? static_cast<std::uint32_t>(fact.second) : 0));
            }
        }
        relations_[p->id].advance(keys);
        relations_[p->id].settle();
    }
}

std::vector<Key> SparseProgram::run(int steps) {
    if (steps < 0) {
        run_to_fixpoint();
    } else {
        run_steps(steps);
    }
    return relations_[program_.target.id].keys();
}

void SparseProgram::run_to_fixpoint() {
    const logic::Components found = logic::components(program_);
    std::vector<std::vector<std::size_t>> rules_of(found.members.size());
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        rules_of[static_cast<std::size_t>(found.of[rules_[r].head.predicate])].push_back(r);
    }
    for (std::size_t c = 0; c < rules_of.size(); ++c) {
        run_rounds(rules_of[c], found.recursive[c] ? -1 : 1);
    }
}

void SparseProgram::run_steps(int steps) {
    const std::vector<int> stratum = logic::strata(program_);
    const bool target_in_bodies =
        std::any_of(program_.rules.begin(), program_.rules.end(), [this](const Rule& rule) {
            return std::any_of(rule.body.begin(), rule.body.end(), [this](const Atom& atom) {
                return atom.predicate == program_.target;
            });
        });
    const int last = *std::max_element(stratum.begin(), stratum.end());
    for (int s = 0; s <= last; ++s) {
        std::vector<std::size_t> together;
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            const std::uint32_t head = rules_[r].head.predicate;
            if (stratum[head] == s && (target_in_bodies || head != program_.target.id)) {
                together.push_back(r);
            }
        }
        run_rounds(together, steps);
    }
    run_target();
}

// Once more from the last state, beside what it held of before.
void SparseProgram::run_target() {
    Derived derived(max_atoms_);
    for (const SparseRule& rule : rules_) {
        if (rule.head.predicate == program_.target.id) {
            run_rule(rule, kNoDelta, constants_, relations_, derived);
        }
    }
    relations_[program_.target.id].advance(derived.keys());
}

// Synchronous rounds until nothing is new.
void SparseProgram::run_rounds(const std::vector<std::size_t>& rules, int max_rounds) {
    std::vector<std::uint32_t> heads;
    for (const std::size_t r : rules) {
        heads.push_back(rules_[r].head.predicate);
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    std::vector<Derived> derived(heads.size(), Derived(max_atoms_));
    const auto into = [&](const SparseRule& rule) -> Derived& {
        const auto at = std::lower_bound(heads.begin(), heads.end(), rule.head.predicate);
        return derived[static_cast<std::size_t>(at - heads.begin())];
    };
    bool grows = true;
    for (int round = 0; grows && round != max_rounds; ++round) {
        for (const std::size_t r : rules) {
            const SparseRule& rule = rules_[r];
            if (round == 0) {
                run_rule(rule, kNoDelta, constants_, relations_, into(rule));
                continue;
            }
            for (std::size_t i = 0; i < rule.body.size(); ++i) {
                if (!rule.body[i].negated &&
                    relations_[rule.body[i].predicate].size(Part::delta) > 0) {
                    run_rule(rule, i, constants_, relations_, into(rule));
                }
            }
        }
        grows = false;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            SparseRelation& relation = relations_[heads[h]];
            grows = relation.advance(derived[h].keys()) || grows;
            refuse_more(relation.size(Part::all), max_atoms_);
        }
    }
    for (const std::uint32_t head : heads) {
        relations_[head].settle();
    }
}

}  // namespace hri::evaluation

namespace hri {

std::vector<Fact> true_atoms(const Program& program, const Instance& instance, int steps,
                             std::size_t max_atoms) {
    evaluation::refuse_large_arity(program);
    std::vector<Fact> atoms;
    for (const evaluation::Key key :
         evaluation::SparseProgram(program, instance, max_atoms).run(steps)) {
        atoms.push_back({static_cast<std::int32_t>(evaluation::first_of(key)),
                         static_cast<std::int32_t>(evaluation::second_of(key))});
    }
    return atoms;
}

}  // namespace hri
