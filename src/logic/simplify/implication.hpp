// SPDX-License-Identifier: Apache-2.0
#pragma once

// Does a rule follow from others?
//
// Both questions freeze the rule's body: its variables become constants, its body atoms facts.
// Rules that derive the head from these facts derive it on every instance where the rule fires.
// (Sagiv: Optimizing Datalog programs, 1987.) The answer false may also mean that the search was
// cut short.

#include "logic/simplify/state.hpp"

#include <cstdint>
#include <vector>

namespace hri::simplify {

/// theta-subsumption: one application of `general` does what `special` does.
bool subsumes(const Rule& general, const Rule& special, std::int64_t& work);

/// Sets of rules of one predicate that subsume each other rule by rule.
bool equivalent(const std::vector<Rule>& left, const std::vector<Rule>& right, std::int64_t& work);

/// Uniform containment: the draft's rules, all but `without`, do together what `rule` does.
class Implication {
  public:
    static constexpr std::size_t kAllRules = SIZE_MAX;

    explicit Implication(SimplifierState& state) : draft_(state) {}

    bool holds(const Rule& rule, std::size_t without = kAllRules);

  private:
    struct Table {  // of the facts of one predicate
        std::vector<std::uint8_t> facts;
        bool relevant = false;
    };

    void find_relevant(Predicate goal, std::size_t without);
    void freeze(const Rule& rule);
    std::int32_t element(Term term) const;
    std::uint8_t* fact(const Atom& atom);
    bool apply(const Rule& rule);
    bool apply_from(const Rule& rule, std::size_t position);
    bool derive(const Rule& rule, std::size_t argument);

    SimplifierState& draft_;
    std::vector<Table> tables_;
    std::vector<std::int32_t> constants_;  // of the frozen rule
    std::int32_t variables_ = 0;           // elements of the domain: variables, then constants
    std::int32_t domain_ = 0;
    std::vector<std::int32_t> binding_;  // [variable of the applied rule] element or -1
    std::vector<std::vector<std::size_t>> rules_of_;
};

}  // namespace hri::simplify
