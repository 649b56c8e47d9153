// SPDX-License-Identifier: Apache-2.0

// Proofs and failed attempts.

#include "hri/explain.hpp"

#include "hri/options.hpp"

#include "datalog/evaluate.hpp"
#include "evaluate/tree.hpp"
#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"
#include "logic/range_restricted_program.hpp"
#include "logic/simplify/state.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace hri {
namespace {

using datalog::kOpen;
using datalog::Relation;
using datalog::Tuple;
using logic::RangeRestricted;

constexpr int kDeepestAttempt = 6;
constexpr std::int64_t kWorkPerAttempt = 2'000'000;
constexpr std::size_t kMaxDerivedToExplain = 2'000'000;
constexpr std::size_t kMaxBindingsToExplain = 200'000'000;

using Binding = std::vector<std::int32_t>;  // [variable of a rule], kOpen: not bound

/// Binds an atom's variables to a tuple; false where they disagree, and then nothing is bound.
bool bind_to(const Atom& atom, Tuple tuple, Binding& binding, std::vector<std::int32_t>& bound) {
    const std::size_t before = bound.size();
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        const Term term = atom.arguments[i];
        std::int32_t have = term.index();
        if (term.is_variable()) {
            std::int32_t& value = binding[static_cast<std::size_t>(term.index())];
            if (value == kOpen) {
                value = tuple[i];
                bound.push_back(term.index());
            }
            have = value;
        }
        if (have != tuple[i]) {
            while (bound.size() > before) {
                binding[static_cast<std::size_t>(bound.back())] = kOpen;
                bound.pop_back();
            }
            return false;
        }
    }
    return true;
}

void unbind(Binding& binding, const std::vector<std::int32_t>& bound) {
    for (const std::int32_t variable : bound) {
        binding[static_cast<std::size_t>(variable)] = kOpen;
    }
}

Binding empty_binding(const Rule& rule) {
    return Binding(static_cast<std::size_t>(simplify::variable_count(rule)), kOpen);
}

/// The atom's arguments, kOpen where a variable is not bound.
std::vector<std::int32_t> ground(const Atom& atom, const Binding& binding) {
    std::vector<std::int32_t> tuple;
    for (const Term term : atom.arguments) {
        tuple.push_back(term.is_variable() ? binding[static_cast<std::size_t>(term.index())]
                                           : term.index());
    }
    return tuple;
}

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
        const auto constants = static_cast<std::size_t>(instance.constants);
        relations_ = datalog::empty_relations(vocabulary, constants);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            load(*vocabulary.find(inputs[i]), instance.facts[i]);
        }
        if (restricted_.constants) {
            fill(*restricted_.constants);
        }
        const std::optional<Predicate> equality = vocabulary.find({"=", 2});
        if (equality && values_.count(*equality) == 0) {
            fill(*equality);
        }
        for (const Rule& rule : restricted_.program.rules) {
            if (std::optional<Rule> here = over_the_instance(rule)) {
                rules_.push_back(std::move(*here));
            }
        }
        derive();
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

    void derive() {
        const Program program{vocabulary(), restricted_.program.target, rules_};
        datalog::EvaluateSettings settings;
        settings.constants = static_cast<std::size_t>(instance_.constants);
        settings.limits.derived = kMaxDerivedToExplain;
        settings.limits.bindings = kMaxBindingsToExplain;
        settings.rounds = &rounds_;
        try {
            datalog::evaluate(program, relations_, settings);
        } catch (const datalog::LimitReached&) {
            throw Error("the program derives too much to explain", {}, "take a smaller instance");
        }
    }

    /// Every constant, or every pair of a constant with itself.
    void fill(Predicate p) {
        datalog::Batch batch(relations_[p.id].arity());
        for (std::int32_t c = 0; c < instance_.constants; ++c) {
            batch.add(datalog::key_of(c, relations_[p.id].arity() == 2 ? c : 0));
        }
        relations_[p.id].advance(batch);
        relations_[p.id].settle();
    }

    /// Calls use(tuple) for what the predicate holds of and the pattern allows, until it returns
    /// true; says whether it did.
    template <class Use>
    bool any(Predicate p, std::vector<std::int32_t>& pattern, const Use& use) const {
        if (!vocabulary().is_negated(p)) {
            return relations_[p.id].any(pattern, use);
        }
        const auto open = std::find(pattern.begin(), pattern.end(), kOpen);
        if (open == pattern.end()) {
            const bool denied = is_equality(vocabulary()[p])
                                    ? pattern[0] == pattern[1]
                                    : relations_[vocabulary().positive(p).id].contains(pattern);
            return !denied && use(Tuple(pattern));
        }
        bool stopped = false;
        for (std::int32_t c = 0; c < instance_.constants && !stopped; ++c) {
            *open = c;
            stopped = any(p, pattern, use);
        }
        *open = kOpen;
        return stopped;
    }

    void load(Predicate p, const std::vector<Fact>& facts) {
        if (restricted_.derived[p.id]) {
            return;  // facts of what rules define do not count
        }
        const int arity = relations_[p.id].arity();
        datalog::Batch batch(arity);
        for (const Fact& fact : facts) {
            if (fact.value >= 0.5F) {
                batch.add(datalog::key_of(arity > 0 ? fact.first : 0, arity > 1 ? fact.second : 0));
            }
        }
        relations_[p.id].advance(batch);
        relations_[p.id].settle();
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
        const int round = rounds_.of(p.id, tuple);
        if (round == 0) {
            reason.because = "a fact";
            reason.value = value_of(p, tuple);
            return reason;
        }
        for (const Rule& rule : rules_) {
            Binding binding = empty_binding(rule);
            std::vector<std::int32_t> bound;
            if (rule.head.predicate != p || !bind_to(rule.head, tuple, binding, bound) ||
                !prove(rule, std::vector<bool>(rule.body.size(), false), round, binding)) {
                continue;
            }
            reason.because = "by " + written(rule);
            for (const Atom& atom : rule.body) {
                if (atom.predicate != restricted_.constants) {
                    reason.body.push_back(proof(atom.predicate, ground(atom, binding)));
                }
            }
            return reason;
        }
        return reason;  // not reached: what was derived has a rule
    }

    /// Binds the variables of the atoms that are not done so that they hold before a round. What
    /// holds since earlier rounds is tried first.
    bool prove(const Rule& rule, std::vector<bool> done, int round, Binding& binding) const {
        const std::size_t at = cheapest(rule, done, round, binding);
        if (at == rule.body.size()) {
            return true;
        }
        const Atom& atom = rule.body[at];
        done[at] = true;
        std::vector<std::pair<int, std::vector<std::int32_t>>> candidates;
        std::vector<std::int32_t> pattern = ground(atom, binding);
        any(atom.predicate, pattern, [&](Tuple tuple) {
            const int since = rounds_.of(atom.predicate.id, tuple);
            if (since < round) {
                candidates.push_back({since, {tuple.begin(), tuple.end()}});
            }
            return false;
        });
        std::sort(candidates.begin(), candidates.end());
        return std::any_of(candidates.begin(), candidates.end(), [&](const auto& candidate) {
            std::vector<std::int32_t> bound;
            if (bind_to(atom, candidate.second, binding, bound) &&
                prove(rule, done, round, binding)) {
                return true;
            }
            unbind(binding, bound);
            return false;
        });
    }

    /// The atom to go on with: fewest open arguments, then fewest tuples before the round. What is
    /// negated waits until it is ground.
    std::size_t cheapest(const Rule& rule, const std::vector<bool>& done, int round,
                         const Binding& binding) const {
        std::size_t best = rule.body.size();
        std::tuple<bool, std::size_t, std::size_t> least{};
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            if (done[i]) {
                continue;
            }
            const Predicate p = rule.body[i].predicate;
            const std::vector<std::int32_t> pattern = ground(rule.body[i], binding);
            const auto open =
                static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), kOpen));
            const bool all_open = open > 0 && open == pattern.size();
            const std::size_t tuples = restricted_.derived[p.id]
                                           ? rounds_.derived_before(p.id, round)
                                           : relations_[p.id].size();
            const std::tuple cost{vocabulary().is_negated(p) && open > 0,
                                  tuples == 0 ? 0
                                  : all_open  ? open + datalog::kMaxArity
                                              : open,
                                  tuples};
            if (best == rule.body.size() || cost < least) {
                best = i;
                least = cost;
            }
        }
        return best;
    }

    struct Attempt {
        const Rule* rule = nullptr;
        Binding binding;
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
            if (rule.head.predicate != p || !bind_to(rule.head, tuple, candidate.binding, bound)) {
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

    Reason failed(const Atom& atom, const Binding& binding, int depth) {
        const std::vector<std::int32_t> tuple = ground(atom, binding);
        const bool open = std::find(tuple.begin(), tuple.end(), kOpen) != tuple.end();
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
        std::vector<std::int32_t> pattern = ground(atom, attempt.binding);
        const bool held = any(atom.predicate, pattern, [&](Tuple tuple) {
            std::vector<std::int32_t> bound;
            if (!bind_to(atom, tuple, attempt.binding, bound)) {
                return --work < 0;
            }
            if (fail_exactly(attempt, at + 1, failures, work)) {
                return true;
            }
            unbind(attempt.binding, bound);
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
    std::string written(const Atom& atom, const Binding& binding) const {
        const auto argument = [&](Term term) {
            const auto index = static_cast<std::size_t>(term.index());
            const std::int32_t constant = !term.is_variable() ? term.index()
                                          : binding.empty()   ? kOpen
                                                              : binding[index];
            return constant == kOpen ? logic::variable_name(index)
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
    std::vector<Relation> relations_;  // [predicate]; not of negated ones
    datalog::Rounds rounds_;
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
