// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which atoms of a target a clause covers, over the facts of many instances or images.
//
//   Literals over variables:   f(X) <- has_car(X,Y) & long(Y)     {{has_car, 0, 1}, {long, 1, 1}}
//   Variables 0 (and 1) are the arguments of the target.

#include "hri/data.hpp"
#include "hri/evaluate.hpp"
#include "hri/scenes.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hri::evaluation {

/// An atom of an input predicate over constants, or over the variables of a clause.
struct Literal {
    int predicate = 0;
    int first = 0;
    int second = 0;  ///< unary: as the first
    auto operator<=>(const Literal&) const = default;
};

/// The body of a clause.
using Clause = std::vector<Literal>;
using Bits = std::vector<std::uint64_t>;

/// An atom of the target. Its constants are numbered as in the index of the facts.
struct Example {
    int instance = 0;
    int first = 0;
    int second = 0;
};

/// The facts of one predicate by one of its arguments. Memory grows with the facts alone.
class FactColumn {
  public:
    /// `pairs`: key and value; values of one key keep their order. Keys are below `constants`.
    FactColumn(const std::vector<std::pair<int, int>>& pairs, int constants);

    std::span<const int> values(int key) const {
        std::size_t row = static_cast<std::size_t>(key);
        if (!is_dense_) {
            row = find(key);
            if (row == keys_.size() || keys_[row] != key)
                return {};
        }
        return {values_.data() + starts_[row], values_.data() + starts_[row + 1]};
    }

  private:
    std::size_t find(int key) const;  // the first row whose key is not less

    bool is_dense_;            // every constant has a row
    std::vector<int> keys_;    // of rows, ascending; empty where dense
    std::vector<int> starts_;  // [row]: of its values
    std::vector<int> values_;
};

/// Facts of many instances or images. All constants are numbered in one row, instance by instance.
class FactIndex {
  public:
    FactIndex(const std::vector<PredicateSymbol>& predicates,
              const std::vector<const Instance*>& instances);
    FactIndex(const SceneSet& scenes, const std::vector<std::uint32_t>& images);

    int constants() const { return starts_.back(); }

    int instances() const { return static_cast<int>(starts_.size()) - 1; }

    /// The first constant of an instance; those of the next follow its last.
    int start(int instance) const { return starts_[static_cast<std::size_t>(instance)]; }

    /// The instances in which the predicate holds of anything, ascending.
    const std::vector<int>& instances_with(int predicate) const {
        return with_[static_cast<std::size_t>(predicate)];
    }

    /// Of one instance, by predicate and first argument.
    std::vector<Literal> literals(int instance) const;

    std::span<const int> seconds(int predicate, int first) const {
        return by_first_[static_cast<std::size_t>(predicate)].values(first);
    }

    std::span<const int> firsts(int predicate, int second) const {
        return by_second_[static_cast<std::size_t>(predicate)].values(second);
    }

    bool holds(int predicate, int first, int second) const;

  private:
    void build(const std::vector<std::vector<std::pair<int, int>>>& facts);

    std::vector<int> starts_ = {0};       // [instance], and the end
    std::vector<FactColumn> by_first_;    // [predicate]
    std::vector<FactColumn> by_second_;   // [predicate]
    std::vector<std::vector<int>> with_;  // [predicate]
};

/// Finds constants for the variables of a clause, by backtracking over its literals in their order.
/// One thread at a time.
class Matcher {
  public:
    Matcher(const FactIndex& facts, int target_arity, std::size_t max_variables,
            std::int64_t max_steps)
        : facts_(facts),
          target_arity_(target_arity),
          max_steps_(max_steps),
          values_(max_variables) {}

    /// Nothing where it takes more than `max_steps` literals to find out.
    std::optional<bool> covers(const Clause& clause, const Example& example);

    /// Literals that the last match has tried.
    std::int64_t steps() const { return steps_; }

  private:
    bool solve(const Clause& clause, std::size_t at, int instance);
    bool solve_unbound(const Clause& clause, std::size_t at, int instance);

    const FactIndex& facts_;
    int target_arity_;
    std::int64_t max_steps_;
    std::int64_t steps_ = 0;
    std::vector<int> values_;  // of variables; -1: none yet
};

/// The literals that the head's variables reach, in an order in which each shares a variable with
/// the head or one before it; those without a new variable come as soon as they can.
Clause connected(Clause clause, int target_arity);

/// The examples of one target. The index of the facts has to outlive them.
struct LabelledAtoms {
    const FactIndex* facts = nullptr;
    PredicateSymbol target;
    std::vector<Example> examples;          ///< by instance
    std::vector<std::size_t> starts = {0};  ///< [instance]: its first example; and the end
    Bits positive;                          ///< [example]
};

/// The labels of instances that were indexed first to last; of the `others`, which were indexed
/// after them, the negative ones alone.
LabelledAtoms labelled_atoms(const FactIndex& facts, const PredicateSymbol& target,
                             const std::vector<Instance>& instances,
                             const std::vector<Instance>& others);

/// All objects of indexed images; those that have the name are positive.
LabelledAtoms labelled_objects(const FactIndex& facts, const PredicateSymbol& target, int name);

/// The examples that a clause covers. Threads may call it at once.
Bits covered(const LabelledAtoms& atoms, const Clause& clause);

inline std::int64_t errors(const Score& score) {
    return score.false_positives + score.false_negatives;
}

/// How a program's target agrees with the labels at its fixpoint. It may stop, with what it has
/// counted, as soon as there are more than `max_errors`.
Score coverage_score(const Program& program, const std::vector<PredicateSymbol>& inputs,
                     const std::vector<Instance>& instances, std::int64_t max_errors = INT64_MAX);

}  // namespace hri::evaluation
