// SPDX-License-Identifier: Apache-2.0
#pragma once

// The atoms that a program derives from data, with the rule and the binding behind each.

#include "hri/logic.hpp"

#include "datalog/evaluate.hpp"
#include "evaluate/fact_base.hpp"
#include "logic/range_restricted_program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hri::evaluation {

using Binding = std::vector<std::int32_t>;  // [variable of a rule], kOpen: not bound

/// The atom's arguments, kOpen where a variable is not bound.
std::vector<std::int32_t> ground(const Atom& atom, const Binding& binding);

class ProofSearch {
  public:
    struct Proof {
        const Rule* rule = nullptr;
        Binding binding;
    };

    struct Attempt {
        const Rule* rule = nullptr;  ///< none: no rule's head fits
        Binding binding;
        std::vector<bool> fails;  ///< [body atom]
        std::size_t failures = SIZE_MAX;
    };

    /// Throws Error where the program derives too much.
    ProofSearch(const Program& program, const FactBase& facts);

    /// The symbols of the range-restricted program and of the inputs.
    const Vocabulary& vocabulary() const { return restricted_.program.vocabulary; }

    /// The predicate of all constants, where a rule needs it.
    std::optional<Predicate> constants() const { return restricted_.constants; }

    bool is_derived(Predicate p) const { return restricted_.derived[p.id]; }

    bool has_rules(Predicate p) const;

    bool holds(Predicate p, datalog::Tuple tuple) const { return relations_[p.id].contains(tuple); }

    /// A fact's valuation; 0 where there is none.
    double value_of(Predicate p, datalog::Tuple tuple) const;

    /// The last step of a lowest proof of an atom that rules derive.
    Proof prove(Predicate p, datalog::Tuple tuple) const;

    /// The rule and the binding under which the fewest body atoms fail.
    Attempt nearest(Predicate p, datalog::Tuple tuple) const;

  private:
    void load(Predicate p, std::size_t input);
    void fill(Predicate p);
    void derive();
    std::optional<Rule> over_the_data(Rule rule) const;
    template <class Use>
    bool any(Predicate p, std::vector<std::int32_t>& pattern, const Use& use) const;
    bool bind_body(const Rule& rule, std::vector<bool> done, int round, Binding& binding) const;
    std::size_t cheapest(const Rule& rule, const std::vector<bool>& done, int round,
                         const Binding& binding) const;
    bool fail_exactly(Attempt& attempt, std::size_t at, std::size_t failures,
                      std::int64_t& work) const;

    logic::RangeRestricted restricted_;
    const FactBase& facts_;
    std::vector<Rule> rules_;                   // over the constants of the data
    std::vector<datalog::Relation> relations_;  // [predicate]; not of negated ones
    datalog::Rounds rounds_;
    std::map<Predicate, std::size_t> inputs_;  // number among those of the data
    std::vector<bool> without_facts_;          // [predicate]
};

}  // namespace hri::evaluation
