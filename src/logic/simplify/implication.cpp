// SPDX-License-Identifier: Apache-2.0
#include "logic/simplify/implication.hpp"

#include <algorithm>

namespace hri::simplify {
namespace {

constexpr std::int64_t kWorkPerQuestion = 50'000;

// Longer rules are left alone: the search below is recursive and its tables are quadratic.
bool is_small(const Rule& rule) { return rule.body.size() <= 64 && variable_count(rule) <= 64; }

// Maps the variables of one rule to the terms of another.
class Subsumption {
  public:
    Subsumption(const Rule& general, const Rule& special, std::int64_t& work)
        : general_(general),
          special_(special),
          work_(work),
          binding_(static_cast<std::size_t>(variable_count(general)), kUnbound) {}

    bool holds() { return match(general_.head, special_.head) && match_from(0); }

  private:
    static constexpr std::int32_t kUnbound = INT32_MIN;

    bool match_from(std::size_t position) {
        if (position == general_.body.size()) {
            return true;
        }
        const Atom& wanted = general_.body[position];
        for (const Atom& atom : special_.body) {
            if (--work_ < 0 || --left_ < 0) {
                return false;
            }
            const std::size_t before = trail_.size();
            if (match(wanted, atom) && match_from(position + 1)) {
                return true;
            }
            while (trail_.size() > before) {
                binding_[trail_.back()] = kUnbound;
                trail_.pop_back();
            }
        }
        return false;
    }

    bool match(const Atom& wanted, const Atom& atom) {
        if (wanted.predicate != atom.predicate) {
            return false;
        }
        for (std::size_t i = 0; i < wanted.arguments.size(); ++i) {
            const Term term = wanted.arguments[i];
            const std::int32_t to = atom.arguments[i].code;
            if (!term.is_variable()) {
                if (term.code != to) {
                    return false;
                }
                continue;
            }
            const auto variable = static_cast<std::size_t>(term.index());
            if (binding_[variable] == kUnbound) {
                binding_[variable] = to;
                trail_.push_back(variable);
            } else if (binding_[variable] != to) {
                return false;
            }
        }
        return true;
    }

    const Rule& general_;
    const Rule& special_;
    std::int64_t& work_;
    std::int64_t left_ = kWorkPerQuestion;
    std::vector<std::int32_t> binding_;
    std::vector<std::size_t> trail_;
};

bool all_subsumed(const std::vector<Rule>& general, const std::vector<Rule>& special,
                  std::int64_t& work) {
    return std::all_of(special.begin(), special.end(), [&](const Rule& rule) {
        return std::any_of(general.begin(), general.end(),
                           [&](const Rule& candidate) { return subsumes(candidate, rule, work); });
    });
}

}  // namespace

bool subsumes(const Rule& general, const Rule& special, std::int64_t& work) {
    return is_small(general) && Subsumption(general, special, work).holds();
}

bool equivalent(const std::vector<Rule>& left, const std::vector<Rule>& right, std::int64_t& work) {
    return all_subsumed(left, right, work) && all_subsumed(right, left, work);
}

bool Implication::holds(const Rule& rule, std::size_t without) {
    if (!is_small(rule) || draft_.work <= 0) {
        return false;
    }
    const std::int64_t reserve = draft_.work - std::min(draft_.work, kWorkPerQuestion);
    draft_.work -= reserve;  // what is left is for this question
    freeze(rule);
    find_relevant(rule.head.predicate, without);
    const std::uint8_t* goal = fact(rule.head);
    bool changed = true;
    while (*goal == 0 && changed && draft_.work > 0) {
        changed = false;
        for (std::size_t i = 0; i < draft_.rules.size(); ++i) {
            const Rule& other = draft_.rules[i];
            if (i != without && tables_[other.head.predicate.id].relevant && is_small(other)) {
                changed = apply(other) || changed;
            }
        }
    }
    const bool derived = *goal != 0;
    draft_.work = std::max<std::int64_t>(draft_.work, 0) + reserve;
    return derived;
}

// The predicates that can help to derive the goal.
void Implication::find_relevant(Predicate goal, std::size_t without) {
    rules_of_.resize(tables_.size());
    for (std::vector<std::size_t>& rules : rules_of_) {
        rules.clear();
    }
    for (std::size_t i = 0; i < draft_.rules.size(); ++i) {
        if (i != without) {
            rules_of_[draft_.rules[i].head.predicate.id].push_back(i);
        }
    }
    draft_.work -= static_cast<std::int64_t>(tables_.size() + draft_.rules.size());
    std::vector<Predicate> open{goal};
    tables_[goal.id].relevant = true;
    while (!open.empty()) {
        const Predicate p = open.back();
        open.pop_back();
        for (const std::size_t i : rules_of_[p.id]) {
            for (const Atom& atom : draft_.rules[i].body) {
                if (!tables_[atom.predicate.id].relevant) {
                    tables_[atom.predicate.id].relevant = true;
                    open.push_back(atom.predicate);
                }
            }
        }
    }
}

// Only the rule's own constants exist: an instance where it fires need not have others.
void Implication::freeze(const Rule& rule) {
    constants_.clear();
    const auto note = [this](const Atom& atom) {
        for (const Term term : atom.arguments) {
            if (!term.is_variable() &&
                std::find(constants_.begin(), constants_.end(), term.index()) == constants_.end()) {
                constants_.push_back(term.index());
            }
        }
    };
    note(rule.head);
    for (const Atom& atom : rule.body) {
        note(atom);
    }
    variables_ = variable_count(rule);
    // instances have at least one constant
    domain_ = std::max(variables_ + static_cast<std::int32_t>(constants_.size()), 1);
    tables_.resize(draft_.symbols.size());
    for (std::size_t p = 0; p < tables_.size(); ++p) {
        std::size_t cells = 1;
        for (int i = 0; i < draft_.symbols[p].arity; ++i) {
            cells *= static_cast<std::size_t>(domain_);
        }
        tables_[p].facts.assign(cells, 0);
        tables_[p].relevant = false;
        draft_.work -= static_cast<std::int64_t>(cells / 64);
    }
    binding_.clear();
    for (std::int32_t v = 0; v < variables_; ++v) {
        binding_.push_back(v);
    }
    for (const Atom& atom : rule.body) {
        *fact(atom) = 1;
    }
}

// -1: unbound, or a constant that does not exist.
std::int32_t Implication::element(Term term) const {
    if (term.is_variable()) {
        return binding_[static_cast<std::size_t>(term.index())];
    }
    const auto known = std::find(constants_.begin(), constants_.end(), term.index());
    return known == constants_.end()
               ? -1
               : variables_ + static_cast<std::int32_t>(known - constants_.begin());
}

// The place of a ground atom.
std::uint8_t* Implication::fact(const Atom& atom) {
    std::int32_t index = 0;
    for (const Term term : atom.arguments) {
        index = index * domain_ + element(term);
    }
    return &tables_[atom.predicate.id].facts[static_cast<std::size_t>(index)];
}

// Adds what one rule derives. True if that is new.
bool Implication::apply(const Rule& rule) {
    const auto lacks = [this](Term term) { return !term.is_variable() && element(term) < 0; };
    const auto mentions_missing = [&](const Atom& atom) {
        return std::any_of(atom.arguments.begin(), atom.arguments.end(), lacks);
    };
    if (mentions_missing(rule.head) ||
        std::any_of(rule.body.begin(), rule.body.end(), mentions_missing)) {
        return false;
    }
    binding_.assign(static_cast<std::size_t>(variable_count(rule)), -1);
    return apply_from(rule, 0);
}

bool Implication::apply_from(const Rule& rule, std::size_t position) {
    if (--draft_.work < 0) {
        return false;
    }
    if (position == rule.body.size()) {
        return derive(rule, 0);
    }
    const Atom& atom = rule.body[position];
    for (const Term term : atom.arguments) {
        if (element(term) < 0) {  // bind the first unbound variable and come back
            std::int32_t& bound = binding_[static_cast<std::size_t>(term.index())];
            bool changed = false;
            for (bound = 0; bound < domain_; ++bound) {
                changed = apply_from(rule, position) || changed;
            }
            bound = -1;
            return changed;
        }
    }
    return *fact(atom) != 0 && apply_from(rule, position + 1);
}

// A variable of the head alone stands for everything.
bool Implication::derive(const Rule& rule, std::size_t argument) {
    for (std::size_t i = argument; i < rule.head.arguments.size(); ++i) {
        const Term term = rule.head.arguments[i];
        if (element(term) < 0) {
            std::int32_t& bound = binding_[static_cast<std::size_t>(term.index())];
            bool changed = false;
            for (bound = 0; bound < domain_; ++bound) {
                changed = derive(rule, i + 1) || changed;
            }
            bound = -1;
            return changed;
        }
    }
    std::uint8_t* place = fact(rule.head);
    const bool is_new = *place == 0;
    *place = 1;
    return is_new;
}

}  // namespace hri::simplify
