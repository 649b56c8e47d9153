// SPDX-License-Identifier: Apache-2.0
#pragma once

// Literals that clauses are searched for, up to the names of variables and their order.

#include "hri/logic.hpp"

namespace hri::logic {

class ClausePattern {
  public:
    enum class Kind {
        whole,  ///< clauses with these literals and no other
        part,   ///< clauses with these literals and perhaps more
    };

    /// `any_head`: the head may have another name, as an invented predicate's may.
    ClausePattern(const Vocabulary& vocabulary, Rule rule, Kind kind, bool any_head)
        : vocabulary_(vocabulary), rule_(std::move(rule)), kind_(kind), any_head_(any_head) {}

    Kind kind() const { return kind_; }

    bool any_head() const { return any_head_; }

    /// Different variables stand for different variables, and different literals for different
    /// ones.
    bool matches(const Vocabulary& vocabulary, const Rule& rule) const;

  private:
    Vocabulary vocabulary_;
    Rule rule_;
    Kind kind_;
    bool any_head_;
};

}  // namespace hri::logic
