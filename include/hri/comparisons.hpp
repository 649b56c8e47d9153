// SPDX-License-Identifier: Apache-2.0
#pragma once

// Comparisons of numbers as facts, for evaluators that know facts alone.
//
//   const ComparisonFacts comparisons(program);
//   true_atoms(comparisons.program(), comparisons.with_facts(instance));

#include "hri/data.hpp"
#include "hri/database.hpp"
#include "hri/logic.hpp"

#include <vector>

namespace hri {

class ComparisonFacts {
  public:
    explicit ComparisonFacts(const Program& program);

    /// Whether there are any.
    bool empty() const { return used_.empty(); }

    /// Y >= 18 is the input '>= 18'(Y); a comparison of two variables is a binary input.
    const Program& program() const { return program_; }

    /// The instance with those inputs. Throws Error where two variables are compared and there are
    /// too many numbers.
    Instance with_facts(const Instance& instance) const;

    /// The database with those tables.
    Database with_facts(const Database& database) const;

    /// The instances with those inputs. A generator's need this object as long as they are drawn.
    Source with_facts(const Source& source) const;

  private:
    struct Used {
        PredicateSymbol symbol;  // of the input
        std::string sign;
        double bound = 0;  // of a unary one
    };

    Predicate input_of(const std::string& sign, const double* bound, const std::string& name);
    std::vector<Fact> facts_of(const Used& used, const std::vector<double>& numbers) const;

    Program program_;
    std::vector<Used> used_;
};

}  // namespace hri
