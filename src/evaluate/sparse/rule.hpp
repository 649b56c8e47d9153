// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a rule is run over sparse relations.
//
// Body atoms are joined one after the other, the one first that leaves the fewest bindings. A
// variable that neither the head nor a later atom needs is dropped at once, and bindings that have
// become equal are kept once: p(X) :- q(X,Y), r(Y,Z) looks whether a row of r is empty, and no
// more. Bindings pass through the atoms in blocks, so that what lies between two atoms stays small.

#include "hri/logic.hpp"

#include "evaluate/sparse/relation.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace hri::evaluation {

/// A rule over the constants of an instance, without equalities.
struct SparseRule {
    /// An argument: a variable, or constant -1 - argument of the instance.
    using Argument = std::int32_t;

    struct Goal {
        std::uint32_t predicate = 0;  ///< of the vocabulary, never a negated one
        int arity = 0;
        bool negated = false;
        bool equality = false;  ///< only negated
        std::array<Argument, 2> arguments{};
    };

    Goal head;
    std::vector<Goal> body;
    int variables = 0;
    bool possible = true;  ///< the instance has its constants
};

/// `constants` [constant of the program] of the instance, -1: it lacks it.
SparseRule sparse_rule(const Rule& rule, const Vocabulary& vocabulary,
                       const std::vector<bool>& defined, const std::vector<int>& constants);

/// Throws Error where a predicate holds of too much.
void refuse_more(std::size_t atoms, std::size_t most);

/// What rules derive: kept sorted from time to time, so that duplicates do not pile up.
class Derived {
  public:
    explicit Derived(std::size_t most) : most_(most) {}

    void add(Key key) {
        keys_.push_back(key);
        if (keys_.size() >= next_sort_) {
            condense();
        }
    }

    std::vector<Key>& keys() { return keys_; }

  private:
    void condense();  // throws Error where there are too many

    std::size_t most_;
    std::size_t next_sort_ = std::size_t{1} << 22U;
    std::vector<Key> keys_;
};

constexpr std::size_t kNoDelta = SIZE_MAX;

/// Adds the heads of all bindings. With `delta`, that body atom ranges over its relation's delta,
/// those after it over what is old. `relations` [predicate of the vocabulary].
void run_rule(const SparseRule& rule, std::size_t delta, std::size_t constants,
              const std::vector<SparseRelation>& relations, Derived& out);

}  // namespace hri::evaluation
