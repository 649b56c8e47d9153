// SPDX-License-Identifier: Apache-2.0
#include "datalog/evaluate.hpp"

#include "datalog/run_rule.hpp"
#include "logic/dependencies.hpp"

#include <algorithm>
#include <numeric>

namespace hri::datalog {
namespace {

class Evaluation {
  public:
    Evaluation(const Program& program, std::vector<Relation>& relations,
               const EvaluateSettings& settings)
        : program_(program), relations_(relations), settings_(settings), budget_(settings.limits) {
        std::vector<bool> defined = logic::defined_predicates(program);
        if (program.target.id < defined.size()) {
            defined[program.target.id] = true;
        }
        for (const Rule& rule : program.rules) {
            refuse_large_arity(rule.head);
            std::for_each(rule.body.begin(), rule.body.end(),
                          [this](const Atom& atom) { refuse_large_arity(atom); });
            rules_.push_back(resolve(rule, program.vocabulary, defined, settings.numbers));
        }
    }

    void run() {
        if (settings_.steps >= 0) {
            run_steps();
        } else if (settings_.rounds != nullptr && !logic::has_negation(program_)) {
            std::vector<std::size_t> all(rules_.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            run_rounds(all, -1);
        } else {
            run_components();
        }
        if (settings_.rounds != nullptr) {
            settings_.rounds->finish();
        }
    }

  private:
    void refuse_large_arity(const Atom& atom) const {
        if (atom.arguments.size() > kMaxArity) {
            throw Error("the predicate " + program_.vocabulary[atom.predicate].name +
                        " takes more than " + std::to_string(kMaxArity) + " arguments");
        }
    }

    void run_components() {
        const logic::Components found = logic::components(program_);
        std::vector<std::vector<std::size_t>> rules_of(found.members.size());
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            rules_of[static_cast<std::size_t>(found.of[rules_[r].head.predicate])].push_back(r);
        }
        for (std::size_t c = 0; c < rules_of.size(); ++c) {
            run_rounds(rules_of[c], found.recursive[c] ? -1 : 1);
        }
    }

    void run_steps() {
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
            run_rounds(together, settings_.steps);
        }
        run_target();
    }

    // Once more from the last state, beside what it held of before.
    void run_target() {
        const std::uint32_t target = program_.target.id;
        Batch derived(relations_[target].arity(), budget_.max_atoms());
        for (const ResolvedRule& rule : rules_) {
            if (rule.head.predicate == target) {
                run_rule(rule, kNoDelta, settings_.constants, relations_, budget_, derived);
            }
        }
        grow(target, derived);
        relations_[target].settle();
    }

    // Synchronous rounds until nothing is new.
    void run_rounds(const std::vector<std::size_t>& rules, int max_rounds) {
        std::vector<std::uint32_t> heads;
        for (const std::size_t r : rules) {
            heads.push_back(rules_[r].head.predicate);
        }
        std::sort(heads.begin(), heads.end());
        heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
        std::vector<Batch> derived;
        for (const std::uint32_t head : heads) {
            derived.emplace_back(relations_[head].arity(), budget_.max_atoms());
        }
        const auto into = [&](const ResolvedRule& rule) -> Batch& {
            const auto at = std::lower_bound(heads.begin(), heads.end(), rule.head.predicate);
            return derived[static_cast<std::size_t>(at - heads.begin())];
        };
        bool grows = true;
        for (int round = 0; grows && round != max_rounds; ++round) {
            for (const std::size_t r : rules) {
                run_once(rules_[r], round == 0, into(rules_[r]));
            }
            if (settings_.rounds != nullptr) {
                settings_.rounds->advance();
            }
            grows = false;
            for (std::size_t h = 0; h < heads.size(); ++h) {
                grows = grow(heads[h], derived[h]) || grows;
            }
        }
        for (const std::uint32_t head : heads) {
            relations_[head].settle();
        }
    }

    // From everything at first, then from what is new in one of the body's atoms.
    void run_once(const ResolvedRule& rule, bool first, Batch& derived) {
        if (first) {
            run_rule(rule, kNoDelta, settings_.constants, relations_, budget_, derived);
            return;
        }
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            if (!rule.body[i].negated && relations_[rule.body[i].predicate].size(Part::delta) > 0) {
                run_rule(rule, i, settings_.constants, relations_, budget_, derived);
            }
        }
    }

    bool grow(std::uint32_t head, Batch& derived) {
        Relation& relation = relations_[head];
        if (!relation.advance(derived)) {
            return false;
        }
        refuse_more(relation.size(), budget_.max_atoms());
        budget_.spend_derived(relation.size(Part::delta));
        if (settings_.rounds != nullptr) {
            settings_.rounds->note(head, relation);
        }
        return true;
    }

    const Program& program_;
    std::vector<Relation>& relations_;
    const EvaluateSettings& settings_;
    Budget budget_;
    std::vector<ResolvedRule> rules_;  // [rule of the program]
};

}  // namespace

std::vector<Relation> empty_relations(const Vocabulary& vocabulary, std::size_t constants) {
    std::vector<Relation> relations;
    for (const PredicateSymbol& symbol : vocabulary.symbols()) {
        relations.emplace_back(symbol.arity, constants);
    }
    return relations;
}

void evaluate(const Program& program, std::vector<Relation>& relations,
              const EvaluateSettings& settings) {
    Evaluation(program, relations, settings).run();
}

}  // namespace hri::datalog
