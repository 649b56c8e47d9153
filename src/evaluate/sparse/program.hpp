// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program on one instance of many constants, over sparse relations. Recursion is semi-naive: a
// round looks only at what the last one found.
//
//   std::vector<Fact> atoms = true_atoms(program, instance);   // hri/evaluate.hpp

#include "hri/evaluate.hpp"

#include "evaluate/sparse/rule.hpp"

#include <vector>

namespace hri::evaluation {

class SparseProgram {
  public:
    SparseProgram(const Program& program, const Instance& instance, std::size_t max_atoms);

    /// The target's tuples, sorted.
    std::vector<Key> run(int steps);

  private:
    void load(const Instance& instance);
    void run_to_fixpoint();
    void run_steps(int steps);
    void run_rounds(const std::vector<std::size_t>& rules, int max_rounds);
    void run_target();

    Program program_;  // what the target reaches
    std::vector<bool> defined_;
    std::size_t constants_;
    std::size_t max_atoms_;
    std::vector<SparseRelation> relations_;  // [predicate of the vocabulary]
    std::vector<SparseRule> rules_;          // [rule of program_]
};

}  // namespace hri::evaluation
