// SPDX-License-Identifier: Apache-2.0
// Definitions in the place of names: p(X,Y) :- q(X,Z), r(Z,Y) with q(X,Y) :- s(Y,X) becomes
// p(X,Y) :- s(Z,X), r(Z,Y).

#include "logic/range_restricted.hpp"
#include "logic/simplify/implication.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace hri::simplify {
namespace {

constexpr std::size_t kMaxRules = 64;  // that one definition may become

enum class Resolution { made, impossible, unsafe };

// Replaces the body atom at `position` by the body of `definition`.
// Unsafe: an atom with a constant is false where the constant does not exist, which the resulting
// rule must still say by mentioning it.
Resolution resolve(const Rule& rule, std::size_t position, const Rule& definition, Rule& result) {
    const Atom& call = rule.body[position];
    const std::int32_t shift = variable_count(rule);
    std::vector<Term> value(static_cast<std::size_t>(shift + variable_count(definition)));
    for (std::size_t i = 0; i < value.size(); ++i) {
        value[i] = Term::variable(static_cast<std::int32_t>(i));
    }
    const auto shifted = [shift](Term term) {
        return term.is_variable() ? Term::variable(term.index() + shift) : term;
    };
    const auto resolved = [&value](Term term) {
        while (term.is_variable() && value[static_cast<std::size_t>(term.index())] != term) {
            term = value[static_cast<std::size_t>(term.index())];
        }
        return term;
    };
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Term left = resolved(call.arguments[i]);
        const Term right = resolved(shifted(definition.head.arguments[i]));
        if (left == right) {
            continue;
        }
        if (right.is_variable()) {
            value[static_cast<std::size_t>(right.index())] = left;
        } else if (left.is_variable()) {
            value[static_cast<std::size_t>(left.index())] = right;
        } else {
            return Resolution::impossible;
        }
    }
    const auto add = [&](const Atom& atom, bool of_definition) {
        Atom instance{atom.predicate, {}};
        for (const Term term : atom.arguments) {
            instance.arguments.push_back(resolved(of_definition ? shifted(term) : term));
        }
        const bool again =
            std::find(result.body.begin(), result.body.end(), instance) != result.body.end();
        if (!again) {
            result.body.push_back(std::move(instance));
        }
    };
    result = {};
    add(rule.head, false);
    result.head = std::move(result.body.back());
    result.body.clear();
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (i != position) {
            add(rule.body[i], false);
            continue;
        }
        for (const Atom& atom : definition.body) {
            add(atom, true);
        }
    }
    for (const std::vector<Term>* terms : {&call.arguments, &definition.head.arguments}) {
        for (const Term term : *terms) {
            if (!term.is_variable() && !logic::mentions(result, term)) {
                return Resolution::unsafe;
            }
        }
    }
    number_variables(result);
    return Resolution::made;
}

std::optional<std::size_t> position_of(const Rule& rule, Predicate p) {
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (rule.body[i].predicate == p) {
            return i;
        }
    }
    return std::nullopt;
}

// Without rules that another one of them makes superfluous.
void drop_subsumed(std::vector<Rule>& rules, std::int64_t& work) {
    for (std::size_t i = rules.size(); i-- > 0;) {
        const Rule& rule = rules[i];
        bool idle = std::find(rule.body.begin(), rule.body.end(), rule.head) != rule.body.end();
        for (std::size_t j = 0; j < rules.size() && !idle; ++j) {
            idle = j != i && subsumes(rules[j], rule, work);
        }
        if (idle) {
            rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

struct Use {
    std::size_t rule;
    std::vector<Rule> becomes;
};

struct Inlining {
    Predicate predicate;
    std::ptrdiff_t growth = 0;  // of the program
    std::vector<Use> uses;
};

class Inliner {
  public:
    explicit Inliner(SimplifierState& state)
        : draft_(state), rules_of_(state.symbols.size()), users_of_(state.symbols.size()) {
        for (std::size_t i = 0; i < state.rules.size(); ++i) {
            const Rule& rule = state.rules[i];
            rules_of_[rule.head.predicate.id].push_back(i);
            for (const Atom& atom : rule.body) {
                std::vector<std::size_t>& users = users_of_[atom.predicate.id];
                if (users.empty() || users.back() != i) {
                    users.push_back(i);
                }
            }
        }
    }

    std::optional<Inlining> best() {
        std::optional<Inlining> found;
        for (std::uint32_t p = 0; p < draft_.symbols.size(); ++p) {
            if (!draft_.is_auxiliary(Predicate{p}) || rules_of_[p].empty() || draft_.work <= 0) {
                continue;
            }
            std::optional<Inlining> candidate = inlined(Predicate{p});
            if (candidate && candidate->growth <= 0 &&
                (!found || candidate->growth < found->growth)) {
                found = std::move(candidate);
            }
        }
        return found;
    }

    void apply(const Inlining& inlining) {
        std::vector<Rule> rules;
        auto use = inlining.uses.begin();
        for (std::size_t i = 0; i < draft_.rules.size(); ++i) {
            if (use != inlining.uses.end() && use->rule == i) {
                rules.insert(rules.end(), use->becomes.begin(), use->becomes.end());
                ++use;
            } else if (draft_.rules[i].head.predicate != inlining.predicate) {
                rules.push_back(std::move(draft_.rules[i]));
            }
        }
        draft_.rules = std::move(rules);
    }

  private:
    std::optional<Inlining> inlined(Predicate p) {
        Inlining result{p, 0, {}};
        for (const std::size_t i : rules_of_[p.id]) {
            if (position_of(draft_.rules[i], p)) {
                return std::nullopt;  // recursive
            }
            result.growth -= static_cast<std::ptrdiff_t>(size(draft_.rules[i]));
        }
        for (const std::size_t i : users_of_[p.id]) {
            std::optional<std::vector<Rule>> becomes = unfolded(draft_.rules[i], p);
            if (!becomes) {
                return std::nullopt;
            }
            result.growth -= static_cast<std::ptrdiff_t>(size(draft_.rules[i]));
            for (const Rule& rule : *becomes) {
                result.growth += static_cast<std::ptrdiff_t>(size(rule));
            }
            result.uses.push_back({i, std::move(*becomes)});
        }
        return result;
    }

    // The rule with p's definition in the place of p, in all combinations.
    std::optional<std::vector<Rule>> unfolded(const Rule& rule, Predicate p) {
        std::vector<Rule> open{rule};
        std::vector<Rule> done;
        while (!open.empty()) {
            const Rule next = std::move(open.front());
            open.erase(open.begin());
            const std::optional<std::size_t> position = position_of(next, p);
            if (!position) {
                done.push_back(next);
                continue;
            }
            for (const std::size_t i : rules_of_[p.id]) {
                Rule made;
                draft_.work -= static_cast<std::int64_t>(next.body.size() + 1);
                switch (resolve(next, *position, draft_.rules[i], made)) {
                    case Resolution::made:
                        open.push_back(std::move(made));
                        break;
                    case Resolution::impossible:
                        break;
                    case Resolution::unsafe:
                        return std::nullopt;
                }
            }
            if (open.size() + done.size() > kMaxRules) {
                return std::nullopt;
            }
        }
        drop_subsumed(done, draft_.work);
        return done;
    }

    SimplifierState& draft_;
    std::vector<std::vector<std::size_t>> rules_of_;  // [predicate]
    std::vector<std::vector<std::size_t>> users_of_;
};

}  // namespace

bool inline_one_auxiliary(SimplifierState& state) {
    Inliner inliner(state);
    const std::optional<Inlining> best = inliner.best();
    if (best) {
        inliner.apply(*best);
    }
    return best.has_value();
}

}  // namespace hri::simplify
