// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs that program search moves through: those of a hierarchy, with one predicate in every
// slot.

#include "hri/model.hpp"

#include "hypotheses/plan.hpp"

#include <cstdint>
#include <vector>

namespace hri::hypotheses {

/// A hierarchy without embeddings, made ready for search.
struct ProgramSpace {
    /// Layers, auxiliaries, proto-rules and recursion as the options say.
    ProgramSpace(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                 const Options& options);
    /// The hierarchy of a model.
    explicit ProgramSpace(const Model& model);

    Model skeleton;                      ///< its parameters are empty
    std::vector<Plan> plans;             ///< [proto-rule]
    std::vector<std::string> constants;  ///< of the proto-rules
    std::vector<int> auxiliary_of;       ///< [slot] that it belongs to; -1: the target's

    const Hierarchy& hierarchy() const { return skeleton.hierarchy; }

    int auxiliaries() const { return static_cast<int>(hierarchy().auxiliaries.size()); }

    int slots() const { return static_cast<int>(hierarchy().slots.size()); }

    const Plan& plan(int auxiliary) const {
        return plans[static_cast<std::size_t>(
            hierarchy().auxiliaries[static_cast<std::size_t>(auxiliary)].protorule)];
    }

    /// The auxiliary behind a predicate; negative for True, False and inputs.
    int auxiliary(int predicate) const {
        return hierarchy().positive(predicate) - hierarchy().first_auxiliary();
    }

  private:
    void compile_plans();
};

/// The auxiliaries that a program uses, in the order in which they can be computed.
struct Reached {
    std::vector<int> auxiliaries;         ///< ascending: lower layers first
    std::vector<std::uint8_t> is_member;  ///< [auxiliary]
    std::vector<std::uint8_t> recursive;  ///< [layer]: some member matches one of its own layer

    void find(const ProgramSpace& space, const Matches& matches);

    bool contains(int auxiliary) const {
        return is_member[static_cast<std::size_t>(auxiliary)] != 0;
    }

  private:
    std::vector<int> open_;
};

/// Atoms of the program as it stands, heads included, True left out, rules with False left out.
int atoms(const ProgramSpace& space, const Matches& matches, const Reached& reached);

}  // namespace hri::hypotheses
