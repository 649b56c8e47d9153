// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes the clauses of a program over many instances or images, by one literal or clause at a
// time: the best single change, until none makes the description cheaper.

#include "hri/evaluate.hpp"
#include "hri/logic.hpp"

#include "data/instance_database.hpp"
#include "evaluate/database_index.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hri::search {

/// The objective that a refinement minimises: the cost of the rules and of their errors.
using ProgramCost = std::function<double(const Program& rules, const Score& score)>;

/// The facts that clauses are refined on. Several threads may refine at once.
class RefinementData {
  public:
    explicit RefinementData(data::InstanceDatabase facts);

    const evaluation::DatabaseIndex& index() const { return index_; }

    /// The predicates of the data. The one that marks the place of constants is left out.
    const std::vector<PredicateSymbol>& predicates() const { return predicates_; }

    /// Whether an atom over a constant and its instance.
    const PredicateSymbol& membership() const { return index_.symbol(index_.predicates() - 1); }

    int instance_of(std::int32_t constant) const {
        return instances_[static_cast<std::size_t>(constant)];
    }

    /// The instances in which the predicate holds of anything, ascending.
    const std::vector<int>& instances_with(std::size_t predicate) const { return with_[predicate]; }

    /// All constants of the data as examples; those that have the name are positive.
    ExampleTable labelled_constants(std::size_t name) const;

  private:
    std::vector<PredicateSymbol> predicates_;
    std::vector<std::int32_t> instances_;  // [constant]
    std::vector<std::vector<int>> with_;   // [predicate]
    Database database_;
    evaluation::DatabaseIndex index_;
};

struct RefinedClauses {
    Program program;  ///< simplified
    double cost = 0;
    double cost_before = 0;
};

/// Rules of the start's other predicates are put in their places; clauses that are too long then
/// are left out.
RefinedClauses refine_clauses(const RefinementData& data, const ExampleTable& examples,
                              const Program& start, const ProgramCost& cost,
                              const std::function<bool()>& stop);

}  // namespace hri::search
