// SPDX-License-Identifier: Apache-2.0
#pragma once

// Evaluation: the atoms that a program makes true on an instance.
//
//   Truth truth = evaluate(program, instance);      // at its fixpoint
//   Truth after = evaluate(program, instance, 4);   // after 4 synchronous steps
//   std::vector<Fact> atoms = true_atoms(program, instance);   // where they are
//   few

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <cstdint>
#include <vector>

namespace hri {

/// The target's atoms in row-major order: 0 or 1 each, n^arity of them.
using Truth = std::vector<std::uint8_t>;

constexpr int kToFixpoint = -1;

/// Runs the program's rules by forward chaining. Input facts count as true from 0.5 on. The
/// program's predicates are matched with those of the instance's schema by name and arity, its
/// constants with the instance's by name (one that the instance lacks makes its atom
/// false). A predicate that the data lack is false. Throws Error where a predicate takes more than
/// two arguments. With steps >= 0 all invented predicates are updated together `steps` times from
/// the previous step's values, and the target is computed once from the last state, as the soft
/// model does it. A target that occurs in a body is updated in each step too. To run one program
/// often: symbolic/compiled_program.hpp.
Truth evaluate(const Program& program, const Instance& instance, int steps = kToFixpoint);

/// From this number of constants on, evaluate() and score_program() run sparse relations instead of
/// bit-sets.
constexpr int kSparseConstants = 4096;

/// The most atoms of one predicate in true_atoms(): about 3 GiB.
constexpr std::size_t kMaxDerived = 100'000'000;

/// The target's true atoms, sorted; the same as evaluate() tells, in time and memory that grow with
/// what is true and not with what could be: for a million constants. Throws Error where a predicate
/// holds of more than `max_atoms` tuples.
std::vector<Fact> true_atoms(const Program& program, const Instance& instance,
                             int steps = kToFixpoint, std::size_t max_atoms = kMaxDerived);

/// Predictions in [0, 1] compared with labels; unlabelled atoms do not count.
struct Score {
    double mse = 0;
    double accuracy = 0;   ///< after rounding
    double precision = 0;  ///< 1 where nothing is predicted positive
    double recall = 0;     ///< 1 where nothing is positive
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
    std::int64_t false_positives = 0;
    std::int64_t false_negatives = 0;
};

/// Bits to write a program down for somebody who knows the input predicates: for each atom which
/// predicate it has and which variable or constant each argument is, and where rules end.
double program_bits(const Program& program, int inputs);

/// Bits to correct the predictions: how many of those predicted positive are wrong and which ones,
/// and the same for the negative.
double error_bits(const Score& score);

/// Adds up predictions over instances.
class Scorer {
  public:
    void add(const std::vector<Label>& labels, const Truth& truth);
    void add(const std::vector<Label>& labels, const std::vector<float>& valuations);
    /// `atoms`: the true ones, sorted. Labels may be listed.
    void add(const Instance& instance, int target_arity, const std::vector<Fact>& atoms);
    Score score() const;

  private:
    void add(Label label, double prediction, std::int64_t count = 1);
    double squared_error_ = 0;
    std::int64_t true_positives_ = 0;
    std::int64_t true_negatives_ = 0;
    std::int64_t false_positives_ = 0;
    std::int64_t false_negatives_ = 0;
};

}  // namespace hri
