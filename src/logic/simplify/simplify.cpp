// SPDX-License-Identifier: Apache-2.0
#include "logic/range_restricted.hpp"
#include "logic/simplify/implication.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hri {
namespace simplify {
namespace {

// Elementary matches that one call of simplified() may try: some tenths of a second.
constexpr std::int64_t kWork = 20'000'000;

simplify::SimplifierState draft_of(const Program& program) {
    simplify::SimplifierState state;
    state.symbols = program.vocabulary.symbols();
    state.invented.assign(state.symbols.size(), false);
    state.invented[program.target.id] = true;
    state.target = program.target;
    state.work = kWork;
    for (std::uint32_t p = 0; p < state.symbols.size(); ++p) {
        state.positive.push_back(program.vocabulary.positive(Predicate{p}));
    }
    for (const Rule& rule : program.rules) {
        state.invented[rule.head.predicate.id] = true;
        state.rules.push_back(rule);
        number_variables(state.rules.back());
    }
    simplify::pin(state);
    return state;
}

// Names the predicates in the order in which the target's definition mentions them, and puts the
// rules in the same order.
class Naming {
  public:
    Naming(const simplify::SimplifierState& state, const Vocabulary& old)
        : draft_(state), old_(old), rules_of_(state.symbols.size()) {
        for (const Rule& rule : state.rules) {
            rules_of_[rule.head.predicate.id].push_back(&rule);
        }
        for (std::uint32_t p = 0; p < state.symbols.size(); ++p) {
            if (!is_invented(Predicate{p}) && !state.is_negated(Predicate{p})) {
                taken_.insert(state.symbols[p].name);
            }
        }
    }

    Program run() {
        program_.target = known(draft_.target);
        std::size_t next = 0;
        while (next < order_.size()) {  // naming a rule may add predicates
            for (const Rule* rule : rules_of_[order_[next++].id]) {
                program_.rules.push_back(named(*rule));
            }
        }
        return std::move(program_);
    }

  private:
    bool is_invented(Predicate p) const { return draft_.invented[p.id] && p != draft_.target; }

    /// Negated atoms come last.
    Rule named(const Rule& rule) {
        Rule result;
        result.head = named(rule.head);
        for (const bool negated : {false, true}) {
            for (const Atom& atom : rule.body) {
                if (draft_.is_negated(atom.predicate) == negated) {
                    result.body.push_back(named(atom));
                }
            }
        }
        return result;
    }

    Atom named(const Atom& atom) {
        Atom result{known(atom.predicate), atom.arguments};
        for (Term& term : result.arguments) {
            if (!term.is_variable()) {
                const std::string& name = old_.constants()[static_cast<std::size_t>(term.index())];
                term = Term::constant(program_.vocabulary.intern_constant(name));
            }
        }
        return result;
    }

    Predicate known(Predicate p) {
        if (draft_.is_negated(p)) {
            PredicateSymbol symbol = program_.vocabulary[known(draft_.positive[p.id])];
            symbol.negated = true;
            return program_.vocabulary.intern(symbol);
        }
        const auto [entry, added] = ids_.try_emplace(p);
        if (added) {
            PredicateSymbol symbol = draft_.symbols[p.id];
            if (is_invented(p)) {
                symbol.name = fresh_name();
            }
            entry->second = program_.vocabulary.intern(symbol);
            order_.push_back(p);
        }
        return entry->second;
    }

    std::string fresh_name() {
        std::string name;
        do {
            name = "aux" + std::to_string(++last_);
        } while (taken_.contains(name));
        return name;
    }

    const simplify::SimplifierState& draft_;
    const Vocabulary& old_;
    std::vector<std::vector<const Rule*>> rules_of_;
    std::set<std::string> taken_;
    Program program_;
    std::map<Predicate, Predicate> ids_;
    std::vector<Predicate> order_;  // old ids
    int last_ = 0;
};

}  // namespace

void number_variables(Rule& rule) {
    std::map<std::int32_t, std::int32_t> numbers;
    const auto number = [&](Atom& atom) {
        for (Term& term : atom.arguments) {
            if (term.is_variable()) {
                const auto next = static_cast<std::int32_t>(numbers.size());
                term = Term::variable(numbers.try_emplace(term.index(), next).first->second);
            }
        }
    };
    number(rule.head);
    for (Atom& atom : rule.body) {
        number(atom);
    }
}

std::int32_t variable_count(const Rule& rule) {
    std::int32_t count = 0;
    const auto look = [&count](const Atom& atom) {
        for (const Term term : atom.arguments) {
            count = std::max(count, term.code + 1);  // constants have negative codes
        }
    };
    look(rule.head);
    for (const Atom& atom : rule.body) {
        look(atom);
    }
    return count;
}

bool resolve_equalities(simplify::SimplifierState& state) {
    std::vector<Rule> kept;
    for (const Rule& rule : state.rules) {
        Rule resolved = rule;
        if (logic::resolve_equality(resolved, state.symbols)) {
            number_variables(resolved);
            kept.push_back(std::move(resolved));
        }
    }
    const bool changed = kept != state.rules;
    state.rules = std::move(kept);
    return changed;
}

bool drop_dead_rules(simplify::SimplifierState& state) {
    const std::size_t before = state.rules.size();
    // what can ever be true: inputs, and what follows from them
    std::vector<bool> possible(state.symbols.size());
    for (std::size_t p = 0; p < possible.size(); ++p) {
        const PredicateSymbol& symbol = state.symbols[p];
        possible[p] = !state.invented[p] && !(symbol.name == "false" && symbol.arity == 0);
    }
    const auto can_fire = [&](const Rule& rule) {
        return std::all_of(rule.body.begin(), rule.body.end(),
                           [&](const Atom& atom) { return possible[atom.predicate.id]; });
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const Rule& rule : state.rules) {
            if (!possible[rule.head.predicate.id] && can_fire(rule)) {
                possible[rule.head.predicate.id] = changed = true;
            }
        }
    }
    std::erase_if(state.rules, [&](const Rule& rule) { return !can_fire(rule); });

    std::vector<bool> reached(state.symbols.size(), false);
    reached[state.target.id] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Rule& rule : state.rules) {
            for (const Atom& atom : rule.body) {
                const std::uint32_t used = state.positive[atom.predicate.id].id;
                if (reached[rule.head.predicate.id] && !reached[used]) {
                    reached[used] = changed = true;
                }
            }
        }
    }
    std::erase_if(state.rules, [&](const Rule& rule) { return !reached[rule.head.predicate.id]; });
    return state.rules.size() < before;
}

bool drop_implied(simplify::SimplifierState& state) {
    bool changed = false;
    simplify::Implication implication(state);
    for (std::size_t i = state.rules.size(); i-- > 0;) {
        if (implication.holds(state.rules[i], i)) {
            state.rules.erase(state.rules.begin() + static_cast<std::ptrdiff_t>(i));
            changed = true;
        }
    }
    for (Rule& rule : state.rules) {
        for (std::size_t i = rule.body.size(); i-- > 0;) {
            Rule shorter = rule;
            shorter.body.erase(shorter.body.begin() + static_cast<std::ptrdiff_t>(i));
            number_variables(shorter);
            if (implication.holds(shorter)) {
                rule = std::move(shorter);
                changed = true;
            }
        }
    }
    return changed;
}

}  // namespace simplify

Program simplified(Program program) {  // NOLINT(performance-unnecessary-value-param)
    using namespace simplify;
    SimplifierState state = draft_of(program);
    while (resolve_equalities(state) || drop_dead_rules(state) || resolve_negations(state) ||
           drop_implied(state) || merge_equal_predicates(state) || replace_target_alias(state) ||
           drop_idle_arguments(state) || inline_one_auxiliary(state)) {
        pin(state);
    }
    return Naming(state, program.vocabulary).run();
}

}  // namespace hri
