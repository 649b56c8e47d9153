// SPDX-License-Identifier: Apache-2.0

// Proofs and failed attempts.

#include "hri/explain.hpp"

#include "hri/comparisons.hpp"
#include "hri/derive.hpp"
#include "hri/fields.hpp"

#include "evaluate/proof_search.hpp"
#include "evaluate/top_down.hpp"
#include "evaluate/tree.hpp"
#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"
#include "logic/range_restricted_program.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>
#include <set>

namespace hri {
namespace {

using datalog::kOpen;
using evaluation::Binding;
using evaluation::FactBase;
using evaluation::ground;
using evaluation::ProofSearch;

constexpr int kDeepestAttempt = 6;

/// The sign of an input that stands for a comparison (ComparisonFacts): `>= 18`, `< of numbers`.
struct ComparedInput {
    std::string sign;
    std::string bound;  // empty where two variables are compared
};

std::optional<ComparedInput> compared(const PredicateSymbol& symbol) {
    const std::size_t blank = symbol.name.find(' ');
    if (blank == std::string::npos || !is_comparison({symbol.name.substr(0, blank), 2})) {
        return std::nullopt;
    }
    const std::string rest = symbol.name.substr(blank + 1);
    if (symbol.arity == 2 && rest == "of numbers") {
        return ComparedInput{symbol.name.substr(0, blank), ""};
    }
    return symbol.arity == 1 ? std::optional(ComparedInput{symbol.name.substr(0, blank), rest})
                             : std::nullopt;
}

/// Proofs and attempts as trees of text.
class Explainer {
  public:
    Explainer(const Program& program, const FactBase& facts)
        : search_(program, facts), facts_(facts) {}

    Predicate find(const GroundAtom& atom) const {
        const PredicateSymbol symbol{atom.predicate, static_cast<int>(atom.arguments.size())};
        const std::optional<Predicate> found = vocabulary().find(symbol);
        if (!found) {
            std::vector<std::string> names;
            for (const PredicateSymbol& known : vocabulary().symbols()) {
                names.push_back(logic::indicator(known));
            }
            throw Error("neither the program nor the data know " + logic::indicator(symbol), {},
                        "did you mean " + nearest(logic::indicator(symbol), names) + "?");
        }
        return *found;
    }

    Reason explained(Predicate p, const std::vector<std::int32_t>& tuple) {
        return search_.holds(p, tuple) ? proof(p, tuple) : attempt(p, tuple, 0);
    }

  private:
    const Vocabulary& vocabulary() const { return search_.vocabulary(); }

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
        if (!search_.is_derived(p) || search_.value_of(p, tuple) >= 0.5) {
            reason.because = compared(vocabulary()[p]) ? "holds" : "a fact";
            reason.value = search_.value_of(p, tuple);
            return reason;
        }
        const ProofSearch::Proof found = search_.prove(p, tuple);
        reason.because = "by " + written(*found.rule);
        for (const Atom& atom : found.rule->body) {
            if (atom.predicate != search_.constants()) {
                reason.body.push_back(proof(atom.predicate, ground(atom, found.binding)));
            }
        }
        return reason;
    }

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
        if (!search_.is_derived(p)) {
            const double value = search_.value_of(p, tuple);
            reason.value = value;
            reason.because = compared(vocabulary()[p]) ? "does not hold"
                             : value > 0               ? "a fact that is too weak"
                                                       : "no such fact";
            return reason;
        }
        const ProofSearch::Attempt best = search_.nearest(p, tuple);
        if (best.rule == nullptr) {
            reason.because = search_.has_rules(p) ? "no rule's head fits" : "no rule defines it";
            return reason;
        }
        reason.because = "not by " + written(*best.rule);
        on_the_way_.insert({p, tuple});
        for (std::size_t i = 0; i < best.rule->body.size(); ++i) {
            const Atom& atom = best.rule->body[i];
            if (!best.fails[i]) {
                if (atom.predicate != search_.constants()) {
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

    std::string written(Predicate p, const std::vector<std::int32_t>& tuple) const {
        if (is_equality(vocabulary()[p])) {
            const auto name = [&](std::size_t i) {
                return prolog::quoted(facts_.name_of(tuple[i]));
            };
            return name(0) + (vocabulary().is_negated(p) ? " \\= " : " = ") + name(1);
        }
        if (const auto comparison = compared(vocabulary()[p])) {
            return written(vocabulary()[p], *comparison,
                           [&](std::size_t i) { return prolog::quoted(facts_.name_of(tuple[i])); });
        }
        return (vocabulary().is_negated(p) ? "\\+ " : "") +
               evaluation::ground_atom(prolog::quoted_predicate(vocabulary()[p].name), tuple,
                                       facts_);
    }

    template <class Name>
    static std::string written(const PredicateSymbol& symbol, const ComparedInput& comparison,
                               const Name& name) {
        return (symbol.negated ? "\\+ " : "") + name(0) + " " + comparison.sign + " " +
               (comparison.bound.empty() ? name(1) : comparison.bound);
    }

    /// Bound variables by their constants, others by their names.
    std::string written(const Atom& atom, const Binding& binding) const {
        const auto argument = [&](Term term) {
            const auto index = static_cast<std::size_t>(term.index());
            const std::int32_t constant = !term.is_variable() ? term.index()
                                          : binding.empty()   ? kOpen
                                                              : binding[index];
            return constant == kOpen ? logic::variable_name(index)
                                     : prolog::quoted(facts_.name_of(constant));
        };
        const PredicateSymbol& symbol = vocabulary()[atom.predicate];
        if (is_equality(symbol)) {
            return argument(atom.arguments[0]) + (symbol.negated ? " \\= " : " = ") +
                   argument(atom.arguments[1]);
        }
        if (const auto comparison = compared(symbol)) {
            return written(symbol, *comparison,
                           [&](std::size_t i) { return argument(atom.arguments[i]); });
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
            if (atom.predicate != search_.constants()) {
                text += separator;
                text += written(atom, {});
                separator = ", ";
            }
        }
        return text;
    }

    ProofSearch search_;
    const FactBase& facts_;
    std::set<std::pair<Predicate, std::vector<std::int32_t>>> on_the_way_;
};

Explanation explained(const Program& program, const FactBase& facts, const GroundAtom& atom) {
    Program asked = program;
    const auto p_of_program =
        program.vocabulary.find({atom.predicate, static_cast<int>(atom.arguments.size())});
    if (p_of_program && logic::defined_predicates(program)[p_of_program->id]) {
        asked.target = *p_of_program;  // its rules count even if the target does not use them
    }
    Explainer explainer(asked, facts);
    const Predicate p = explainer.find(atom);
    Explanation explanation;
    explanation.reason = explainer.explained(p, evaluation::constants_of(facts, atom));
    explanation.holds = explanation.reason.holds;
    explanation.value = explanation.holds ? 1 : 0;
    return explanation;
}

/// Computed predicates as facts: of the answers that a proof of the atom, or the search for one,
/// asked for.
Database with_answers(const Program& program, const Database& database, const GroundAtom& atom) {
    const evaluation::DatabaseIndex index(database);
    const std::vector<std::int32_t> tuple = evaluation::constants_of(FactBase(database), atom);
    Program asked = program;
    asked.target = asked.vocabulary.intern({atom.predicate, static_cast<int>(tuple.size())});
    evaluation::TopDown(index, asked, evaluation::constant_numbers(database)).holds(tuple);
    Database result = database;
    result.computed.clear();
    for (FactTable& table : index.answered()) {
        result.tables.push_back(std::move(table));
    }
    return result;
}

}  // namespace

Explanation explain(const Program& program, const Instance& instance, const GroundAtom& atom) {
    return explained(program, FactBase(instance), atom);
}

Explanation explain(const Program& program, const Database& database, const GroundAtom& atom) {
    const Database facts =
        is_over_facts(program, database) ? database : with_answers(program, database, atom);
    const ComparisonFacts comparisons(program);
    if (comparisons.empty()) {
        return explained(program, FactBase(facts), atom);
    }
    const Database compared = comparisons.with_facts(facts);
    return explained(comparisons.program(), FactBase(compared), atom);
}

}  // namespace hri
