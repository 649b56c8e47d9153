// SPDX-License-Identifier: Apache-2.0

// Proofs and failed attempts.

#include "hri/explain.hpp"

#include "datalog/relation.hpp"
#include "evaluate/tree.hpp"
#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"
#include "logic/range_restricted_program.hpp"
#include "logic/simplify/state.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace hri {
namespace {

using datalog::kUnbound;
using datalog::Matcher;
using datalog::Relation;
using logic::RangeRestricted;

constexpr int kDeepestAttempt = 6;
constexpr std::int64_t kWorkPerAttempt = 2'000'000;

/// The rules over the instance's own constants, and everything that they derive.
class ProofState {
  public:
    ProofState(const Program& program, const Instance& instance)
        : restricted_(logic::range_restricted(program)), instance_(instance) {
        const std::vector<PredicateSymbol>& inputs = instance.inputs();
        Vocabulary& vocabulary = restricted_.program.vocabulary;
        for (const PredicateSymbol& input : inputs) {
            vocabulary.intern(input);
        }
        restricted_.derived.resize(static_cast<std::size_t>(vocabulary.size()), false);
        for (const PredicateSymbol& symbol : vocabulary.symbols()) {
            relations_.emplace_back(symbol.arity);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            load(*vocabulary.find(inputs[i]), instance.facts[i]);
        }
        for (std::int32_t c = 0; restricted_.constants && c < instance.constants; ++c) {
            relations_[restricted_.constants->id].add(std::array{c});
        }
        if (const std::optional<Predicate> equality = vocabulary.find({"=", 2})) {
            for (std::int32_t c = 0; values_.count(*equality) == 0 && c < instance.constants; ++c) {
                relations_[equality->id].add(std::array{c, c});
            }
        }
        for (const Rule& rule : restricted_.program.rules) {
            if (std::optional<Rule> here = over_the_instance(rule)) {
                rules_.push_back(std::move(*here));
            }
        }
        if (!(logic::has_negation(restricted_.program) ? derive_in_order()
                                                       : datalog::derive(rules_, relations_, {}))) {
            throw Error("the program derives too much to explain", {}, "take a smaller instance");
        }
    }

    Predicate find(const GroundAtom& atom) const {
        const PredicateSymbol symbol{atom.predicate, static_cast<int>(atom.arguments.size())};
        const std::optional<Predicate> found = restricted_.program.vocabulary.find(symbol);
        if (!found) {
            std::vector<std::string> names;
            for (const PredicateSymbol& known : restricted_.program.vocabulary.symbols()) {
                names.push_back(logic::indicator(known));
            }
            throw Error("neither the program nor the data know " + logic::indicator(symbol), {},
                        "did you mean " + nearest(logic::indicator(symbol), names) + "?");
        }
        return *found;
    }

    Reason explained(Predicate p, const std::vector<std::int32_t>& tuple) {
        return relations_[p.id].contains(tuple) ? proof(p, tuple) : attempt(p, tuple, 0);
    }

  private:
    const Vocabulary& vocabulary() const { return restricted_.program.vocabulary; }

    /// What is negated before what negates it.
    bool derive_in_order() {
        const logic::Components found = logic::components(restricted_.program);
        int round = 1;
        for (const std::vector<std::uint32_t>& members : found.members) {
            if (vocabulary().is_negated(Predicate{members.front()})) {
                add_complement(Predicate{members.front()}, round++);
                continue;
            }
            std::vector<Rule> own;
            std::copy_if(rules_.begin(), rules_.end(), std::back_inserter(own), [&](const Rule& r) {
                return std::find(members.begin(), members.end(), r.head.predicate.id) !=
                       members.end();
            });
            if (!own.empty() && !datalog::derive(own, relations_, {}, round)) {
                return false;
            }
            for (const std::uint32_t p : members) {
                round = std::max(round, relations_[p].rounds());
            }
        }
        return true;
    }

    void add_complement(Predicate p, int round) {
        const Predicate of = vocabulary().positive(p);
        const int arity = relations_[p.id].arity();
        const auto n = static_cast<std::int32_t>(instance_.constants);
        for (std::int32_t x = 0; x < (arity == 0 ? 1 : n); ++x) {
            for (std::int32_t y = 0; y < (arity == 2 ? n : 1); ++y) {
                const std::array<std::int32_t, 2> cells{x, y};
                const datalog::Tuple tuple(cells.data(), static_cast<std::size_t>(arity));
                const bool holds =
                    is_equality(vocabulary()[of]) ? x == y : relations_[of.id].contains(tuple);
                if (!holds) {
                    relations_[p.id].add(tuple, round);
                }
            }
        }
    }

    void load(Predicate p, const std::vector<Fact>& facts) {
        if (restricted_.derived[p.id]) {
            return;  // facts of what rules define do not count
        }
        const auto arity = static_cast<std::size_t>(relations_[p.id].arity());
        for (const Fact& fact : facts) {
            if (fact.value >= 0.5F) {
                const std::array<std::int32_t, 2> cells{fact.first, fact.second};
                relations_[p.id].add(datalog::Tuple(cells.data(), arity));
            }
        }
        values_[p] = &facts;
    }

    /// A rule with the instance's constants; none where it lacks one.
    std::optional<Rule> over_the_instance(Rule rule) const {
        const auto translate = [this](Atom& atom) {
            for (Term& term : atom.arguments) {
                if (!term.is_variable()) {
                    const auto known = evaluation::find_constant(
                        instance_, restricted_.program.vocabulary
                                       .constants()[static_cast<std::size_t>(term.index())]);
                    if (!known) {
                        return false;
                    }
                    term = Term::constant(*known);
                }
            }
            return true;
        };
        const bool possible =
            translate(rule.head) && std::all_of(rule.body.begin(), rule.body.end(), translate);
        return possible ? std::optional<Rule>(std::move(rule)) : std::nullopt;
    }

    Reason proof(Predicate p, const std::vector<std::int32_t>& tuple) {
        Reason reason;
        reason.atom = written(p, tuple);
        if (vocabulary().is_negated(p)) {
            const Predicate of = vocabulary().positive(p);
            reason.because = is_equality(vocabulary()[p]) ? "they differ" : "by failure";
            if (!is_equality(vocabulary()[p])) {
                reason.body.push_back(attempt(of, tuple, kDeepestAttempt));
            }
            return reason;
        }
        const int round = relations_[p.id].round_of(tuple);
        if (round == 0) {
            reason.because = "a fact";
            reason.value = value_of(p, tuple);
            return reason;
        }
        std::int64_t work = INT64_MAX;
        Matcher matcher(relations_, work);
        for (const Rule& rule : rules_) {
            std::vector<std::int32_t> binding = empty_binding(rule);
            std::vector<std::int32_t> bound;
            if (rule.head.predicate != p || !Matcher::bind(rule.head, tuple, binding, bound)) {
                continue;
            }
            std::vector<datalog::Range> below;
            for (const Atom& atom : rule.body) {
                below.push_back({0, relations_[atom.predicate.id].rows_before(round)});
            }
            if (matcher.match(rule.body, below, binding, [] { return true; })) {
                reason.because = "by " + written(rule);
                for (const Atom& atom : rule.body) {
                    if (atom.predicate != restricted_.constants) {
                        reason.body.push_back(proof(atom.predicate, ground(atom, binding)));
                    }
                }
                return reason;
            }
        }
        return reason;  // not reached: what was derived has a rule
    }

    struct Attempt {
        const Rule* rule = nullptr;
        std::vector<std::int32_t> binding;
        std::vector<bool> fails;  // [body atom]
        std::size_t failures = SIZE_MAX;
    };

    /// The rule and the binding under which the fewest body atoms fail.
    Reason attempt(Predicate p, const std::vector<std::int32_t>& tuple, int depth) {
        Reason reason;
        reason.atom = written(p, tuple);
        reason.holds = false;
        reason.value = 0;
        if (vocabulary().is_negated(p)) {
            reason.because =
                is_equality(vocabulary()[p]) ? "they are equal" : "what it denies holds";
            if (!is_equality(vocabulary()[p])) {
                reason.body.push_back(proof(vocabulary().positive(p), tuple));
            }
            return reason;
        }
        if (!restricted_.derived[p.id]) {
            const double value = value_of(p, tuple);
            reason.value = value;
            reason.because = value > 0 ? "a fact that is too weak" : "no such fact";
            return reason;
        }
        Attempt best;
        bool has_rules = false;
        for (const Rule& rule : rules_) {
            has_rules = has_rules || rule.head.predicate == p;
            Attempt candidate;
            candidate.rule = &rule;
            candidate.binding = empty_binding(rule);
            std::vector<std::int32_t> bound;
            if (rule.head.predicate != p ||
                !Matcher::bind(rule.head, tuple, candidate.binding, bound)) {
                continue;
            }
            const std::size_t most = std::min(rule.body.size(), best.failures);
            for (std::size_t failures = 1; failures <= most; ++failures) {
                std::int64_t work = kWorkPerAttempt;
                candidate.fails.assign(rule.body.size(), false);
                if (fail_exactly(candidate, 0, failures, work)) {
                    candidate.failures = failures;
                    const bool longer = best.rule == nullptr || failures < best.failures ||
                                        rule.body.size() > best.rule->body.size();
                    if (longer) {
                        best = candidate;
                    }
                    break;
                }
            }
        }
        if (best.rule == nullptr) {
            reason.because = has_rules ? "no rule's head fits" : "no rule defines it";
            return reason;
        }
        reason.because = "not by " + written(*best.rule);
        on_the_way_.insert({p, tuple});
        for (std::size_t i = 0; i < best.rule->body.size(); ++i) {
            const Atom& atom = best.rule->body[i];
            if (!best.fails[i]) {
                if (atom.predicate != restricted_.constants) {
                    Reason holds = proof(atom.predicate, ground(atom, best.binding));
                    holds.body.clear();
                    reason.body.push_back(std::move(holds));
                }
                continue;
            }
            reason.body.push_back(failed(atom, best.binding, depth));
        }
        on_the_way_.erase({p, tuple});
        return reason;
    }

    Reason failed(const Atom& atom, const std::vector<std::int32_t>& binding, int depth) {
        const std::vector<std::int32_t> tuple = ground(atom, binding);
        const bool open = std::find(tuple.begin(), tuple.end(), kUnbound) != tuple.end();
        if (!open && on_the_way_.count({atom.predicate, tuple}) == 0 && depth < kDeepestAttempt) {
            return attempt(atom.predicate, tuple, depth + 1);
        }
        Reason reason;
        reason.atom = written(atom, binding);
        reason.holds = false;
        reason.value = 0;
        reason.because = open ? "no such atom" : "fails";
        return reason;
    }

    /// Chooses bindings under which all atoms from `at` on hold but for `failures` of them, which
    /// do not.
    bool fail_exactly(Attempt& attempt, std::size_t at, std::size_t failures, std::int64_t& work) {
        const std::vector<Atom>& body = attempt.rule->body;
        if (body.size() - at < failures || --work < 0) {
            return false;
        }
        if (at == body.size()) {
            return true;
        }
        const Atom& atom = body[at];
        const Relation& relation = relations_[atom.predicate.id];
        const std::vector<std::int32_t> like = ground(atom, attempt.binding);
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < like.size(); ++i) {
            mask |= like[i] == kUnbound ? 0U : std::uint32_t{1} << i;
        }
        const bool held = relation.any(mask, like, 0, relation.size(), [&](std::size_t row) {
            std::vector<std::int32_t> bound;
            if (!Matcher::bind(atom, relation[row], attempt.binding, bound)) {
                return --work < 0;
            }
            if (fail_exactly(attempt, at + 1, failures, work)) {
                return true;
            }
            for (const std::int32_t variable : bound) {
                attempt.binding[static_cast<std::size_t>(variable)] = kUnbound;
            }
            return work < 0;
        });
        if (held && work >= 0) {
            return true;
        }
        attempt.fails[at] = true;
        if (failures > 0 && fail_exactly(attempt, at + 1, failures - 1, work)) {
            return true;
        }
        attempt.fails[at] = false;
        return false;
    }

    static std::vector<std::int32_t> empty_binding(const Rule& rule) {
        return std::vector<std::int32_t>(static_cast<std::size_t>(simplify::variable_count(rule)),
                                         kUnbound);
    }

    static std::vector<std::int32_t> ground(const Atom& atom,
                                            const std::vector<std::int32_t>& binding) {
        std::vector<std::int32_t> tuple;
        for (const Term term : atom.arguments) {
            tuple.push_back(term.is_variable() ? binding[static_cast<std::size_t>(term.index())]
                                               : term.index());
        }
        return tuple;
    }

    double value_of(Predicate p, const std::vector<std::int32_t>& tuple) const {
        const auto facts = values_.find(p);
        for (std::size_t i = 0; facts != values_.end() && i < facts->second->size(); ++i) {
            const Fact& fact = (*facts->second)[i];
            if ((tuple.empty() || fact.first == tuple[0]) &&
                (tuple.size() < 2 || fact.second == tuple[1])) {
                return static_cast<double>(fact.value);
            }
        }
        return 0;
    }

    std::string written(Predicate p, const std::vector<std::int32_t>& tuple) const {
        if (is_equality(vocabulary()[p])) {
            const auto name = [&](std::size_t i) {
                return prolog::quoted(instance_.name_of(tuple[i]));
            };
            return name(0) + (vocabulary().is_negated(p) ? " \\= " : " = ") + name(1);
        }
        return (vocabulary().is_negated(p) ? "\\+ " : "") +
               evaluation::ground_atom(
                   prolog::quoted_predicate(restricted_.program.vocabulary[p].name), tuple,
                   instance_);
    }

    /// Bound variables by their constants, others by their names.
    std::string written(const Atom& atom, const std::vector<std::int32_t>& binding) const {
        const auto argument = [&](Term term) {
            const auto index = static_cast<std::size_t>(term.index());
            const std::int32_t constant = !term.is_variable() ? term.index()
                                          : binding.empty()   ? kUnbound
                                                              : binding[index];
            return constant == kUnbound ? logic::variable_name(index)
                                        : prolog::quoted(instance_.name_of(constant));
        };
        const PredicateSymbol& symbol = vocabulary()[atom.predicate];
        if (is_equality(symbol)) {
            return argument(atom.arguments[0]) + (symbol.negated ? " \\= " : " = ") +
                   argument(atom.arguments[1]);
        }
        std::string text = (symbol.negated ? "\\+ " : "") + prolog::quoted_predicate(symbol.name);
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            text += (i == 0 ? "(" : ",") + argument(atom.arguments[i]);
        }
        return atom.arguments.empty() ? text : text + ")";
    }

    std::string written(const Rule& rule) const {
        std::string text = written(rule.head, {});
        std::string_view separator = " :- ";
        for (const Atom& atom : rule.body) {
            if (atom.predicate != restricted_.constants) {
                text += separator;
                text += written(atom, {});
                separator = ", ";
            }
        }
        return text;
    }

    RangeRestricted restricted_;
    const Instance& instance_;
    std::vector<Rule> rules_;
    std::vector<Relation> relations_;                       // [predicate]
    std::map<Predicate, const std::vector<Fact>*> values_;  // of inputs
    std::set<std::pair<Predicate, std::vector<std::int32_t>>> on_the_way_;
};

}  // namespace

Explanation explain(const Program& program, const Instance& instance, const GroundAtom& atom) {
    Program asked = program;
    const auto p_of_program =
        program.vocabulary.find({atom.predicate, static_cast<int>(atom.arguments.size())});
    if (p_of_program && logic::defined_predicates(program)[p_of_program->id]) {
        asked.target = *p_of_program;  // its rules count even if the target does not use them
    }
    ProofState world(asked, instance);
    const Predicate p = world.find(atom);
    Explanation explanation;
    explanation.reason = world.explained(p, evaluation::constants_of(instance, atom));
    explanation.holds = explanation.reason.holds;
    explanation.value = explanation.holds ? 1 : 0;
    return explanation;
}

}  // namespace hri
