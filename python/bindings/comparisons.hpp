// SPDX-License-Identifier: Apache-2.0
#pragma once

// Comparisons of numbers, as facts that evaluators know.
//
//   const Comparisons comparisons(program);
//   evaluate(comparisons.program(), comparisons.with_facts(instance));

#include "bind.hpp"

namespace hri::python {

class Comparisons {
  public:
    explicit Comparisons(const Program& program);

    bool empty() const { return inputs_.empty(); }

    /// Y >= 18 is '>= 18'(Y); a comparison of two variables is a binary input.
    const Program& program() const { return program_; }

    /// The instance with these inputs; the same where there are none.
    Instance with_facts(Instance instance) const;
    Source with_facts(const Source& source) const;

  private:
    struct Input {
        PredicateSymbol symbol;
        std::string sign;
        double bound = 0;  // of a unary one
    };

    Predicate input(const std::string& sign, const std::string& bound);

    Program program_;
    std::vector<Input> inputs_;
};

}  // namespace hri::python
