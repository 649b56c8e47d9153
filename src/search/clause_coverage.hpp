// SPDX-License-Identifier: Apache-2.0
#pragma once

// Clauses over scenes, and which objects of many images they hold of.

#include "hri/multitask.hpp"

#include <cstdint>
#include <vector>

namespace hri::search {

constexpr std::size_t kMaxBody = 5;  // atoms of a clause
constexpr int kMaxVariables = 16;

/// An atom over the predicates of the scenes; variable 0 is the head's.
struct SceneAtom {
    std::uint32_t predicate;
    int first;
    int second;  // -1: unary
    auto operator<=>(const SceneAtom&) const = default;
};

using Clause = std::vector<SceneAtom>;
using Bits = std::vector<std::uint64_t>;

/// All objects of some images in one row, and which images have which predicate.
class ClauseCoverage {
  public:
    ClauseCoverage(const SceneSet& scenes, const RefineRulesSettings& settings);

    std::size_t objects() const { return objects_; }

    /// Numbers of the images that have the predicate.
    const std::vector<std::uint32_t>& with(std::uint32_t p) const { return with_[p]; }

    Bits none() const { return Bits((objects_ + 63) / 64, 0); }

    Bits labelled(std::uint32_t target) const { return covered({{target, 0, -1}}); }

    /// The objects that the clause holds of.
    Bits covered(const Clause& clause) const;

  private:
    struct Place {
        std::uint32_t image;
        std::size_t first;  // object
    };

    std::vector<std::uint32_t> images_of(const Clause& clause) const;

    const SceneSet& scenes_;
    std::vector<Place> scenes_at_;
    std::vector<std::vector<std::uint32_t>> with_;  // [predicate]
    std::size_t objects_ = 0;
};

/// The clauses of a program's target, with its other predicates' rules put in their places; those
/// that are too long are left out.
std::vector<Clause> clauses_of(const Program& program, const SceneSet& scenes);

}  // namespace hri::search
