// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a program means, word for word: a ground atom is true after a step if some rule has a
// grounding whose head it is and whose body atoms were true before. The oracle for the evaluator
// with bit-sets. A negated predicate is known once what it negates is: strata run in turn.

#include "hri/evaluate.hpp"

#include "logic/dependencies.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hri::test {

class NaiveEvaluator {
  public:
    NaiveEvaluator(const Program& program, int constants, const std::vector<std::string>& names)
        : program_(program), n_(constants) {
        for (int p = 0; p < program.vocabulary.size(); ++p) {
            state_.push_back(
                std::vector<bool>(cells(program.vocabulary.symbols()[index(p)].arity), false));
        }
        for (const Rule& rule : program.rules) {
            defined_[rule.head.predicate.id] = true;
        }
        for (const std::string& name : program.vocabulary.constants()) {
            constants_.push_back(-1);
            for (int c = 0; c < n_; ++c) {
                const std::string known = names.empty() ? std::to_string(c) : names[index(c)];
                if (known == name) {
                    constants_.back() = c;
                }
            }
        }
    }

    NaiveEvaluator(const Program& program, const Instance& instance)
        : NaiveEvaluator(program, instance.constants, instance.names) {
        const std::vector<PredicateSymbol>& inputs = instance.inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            for (const Fact& fact : instance.facts[i]) {
                const std::vector<std::int32_t> both{fact.first, fact.second};
                if (fact.value >= 0.5F) {
                    add_fact(inputs[i], {both.begin(), both.begin() + inputs[i].arity});
                }
            }
        }
    }

    /// Facts of the target and of invented predicates do not count.
    void add_fact(const PredicateSymbol& symbol, const std::vector<std::int32_t>& tuple) {
        const std::optional<Predicate> p = program_.vocabulary.find(symbol);
        if (!p || logic::without_facts(program_)[p->id] ||
            (symbol.name == "false" && symbol.arity == 0)) {
            return;
        }
        int cell = 0;
        for (const std::int32_t constant : tuple) {
            cell = cell * n_ + constant;
        }
        state_[p->id][index(cell)] = true;
    }

    Truth run(int steps) {
        const std::size_t target = program_.target.id;
        if (steps == kToFixpoint) {
            const std::vector<int> stratum = strata();
            for (int s = 0; s <= *std::max_element(stratum.begin(), stratum.end()); ++s) {
                negate();
                while (step(true, &stratum, s)) {
                }
            }
        } else {
            // a target that occurs in no body is not part of the state
            bool in_bodies = false;
            for (const Rule& rule : program_.rules) {
                for (const Atom& atom : rule.body) {
                    in_bodies = in_bodies || atom.predicate.id == target;
                }
            }
            for (int i = 0; i < steps; ++i) {
                step(in_bodies);
            }
            step(true);
        }
        return Truth(state_[target].begin(), state_[target].end());
    }

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    std::size_t cells(int arity) const {
        std::size_t result = 1;
        for (int i = 0; i < arity; ++i) {
            result *= index(n_);
        }
        return result;
    }

    // -1: a constant that the instance lacks.
    int cell(const Atom& atom, const std::map<int, int>& grounding) const {
        int result = 0;
        for (const Term term : atom.arguments) {
            const int value =
                term.is_variable() ? grounding.at(term.index()) : constants_[index(term.index())];
            if (value < 0) {
                return -1;
            }
            result = result * n_ + value;
        }
        return result;
    }

    /// [predicate] how many negations lie below it.
    std::vector<int> strata() const {
        std::vector<int> stratum(state_.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            const auto raise = [&](std::uint32_t p, int to) {
                changed = changed || stratum[p] < to;
                stratum[p] = std::max(stratum[p], to);
            };
            for (std::uint32_t p = 0; p < stratum.size(); ++p) {
                const std::uint32_t of = program_.vocabulary.positive(Predicate{p}).id;
                raise(p, stratum[of] + (of != p ? 1 : 0));
            }
            for (const Rule& rule : program_.rules) {
                for (const Atom& atom : rule.body) {
                    raise(rule.head.predicate.id, stratum[atom.predicate.id]);
                }
            }
        }
        return stratum;
    }

    void negate() {
        for (std::uint32_t p = 0; p < state_.size(); ++p) {
            const std::uint32_t of = program_.vocabulary.positive(Predicate{p}).id;
            for (std::size_t i = 0; of != p && i < state_[p].size(); ++i) {
                const bool equal = static_cast<int>(i) % (n_ + 1) == 0;
                state_[p][i] =
                    is_equality(program_.vocabulary[Predicate{p}]) ? !equal : !state_[of][i];
            }
            for (int c = 0; of == p && is_equality(program_.vocabulary[Predicate{p}]) && c < n_;
                 ++c) {
                state_[p][index(c * n_ + c)] = true;
            }
        }
    }

    bool step(bool with_target, const std::vector<int>* stratum = nullptr, int now = 0) {
        std::vector<std::vector<bool>> next = state_;
        for (const Rule& rule : program_.rules) {
            if (stratum != nullptr && (*stratum)[rule.head.predicate.id] != now) {
                continue;
            }
            if (rule.head.predicate == program_.target && !with_target) {
                continue;
            }
            std::map<int, int> grounding;
            const auto note = [&](const Atom& atom) {
                for (const Term term : atom.arguments) {
                    if (term.is_variable()) {
                        grounding[term.index()] = 0;
                    }
                }
            };
            note(rule.head);
            std::for_each(rule.body.begin(), rule.body.end(), note);
            ground(rule, grounding, grounding.begin(), next);
        }
        const bool changed = next != state_;
        state_ = std::move(next);
        return changed;
    }

    void ground(const Rule& rule, std::map<int, int>& grounding,
                std::map<int, int>::iterator variable, std::vector<std::vector<bool>>& next) const {
        if (variable != grounding.end()) {
            const auto following = std::next(variable);
            for (variable->second = 0; variable->second < n_; ++variable->second) {
                ground(rule, grounding, following, next);
            }
            return;
        }
        for (const Atom& atom : rule.body) {
            const int c = cell(atom, grounding);
            if (c < 0 || !state_[atom.predicate.id][index(c)]) {
                return;
            }
        }
        const int c = cell(rule.head, grounding);
        if (c >= 0) {
            next[rule.head.predicate.id][index(c)] = true;
        }
    }

    const Program& program_;
    int n_;
    std::map<std::uint32_t, bool> defined_;
    std::vector<int> constants_;
    std::vector<std::vector<bool>> state_;  // [predicate][row-major cell]
};

inline Truth naive_evaluate(const Program& program, const Instance& instance,
                            int steps = kToFixpoint) {
    return NaiveEvaluator(program, instance).run(steps);
}

}  // namespace hri::test
