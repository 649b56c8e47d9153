// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a program backwards from an atom over the facts of a database: any arity, computed
// predicates, comparisons, negation, recursion. Goals of predicates with rules are tabled, so that
// cycles end.
//
//   TopDown run(index, program);
//   run.holds(tuple) ...

#include "hri/logic.hpp"

#include "evaluate/database_index.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::evaluation {

/// Names of constants and their numbers; of a database as it was when this was made.
using ConstantNumbers = std::unordered_map<std::string, std::int32_t>;
ConstantNumbers constant_numbers(const Database& database);

struct TopDownLimits {
    std::int64_t steps = 2'000'000;  ///< literals tried for one atom
    int depth = 3'000;               ///< goals within goals
};

class TopDown {
  public:
    TopDown(const DatabaseIndex& index, const Program& program, const ConstantNumbers& names,
            TopDownLimits limits = {});

    /// Whether the target holds of the tuple. With `hide` the tuple itself is no known fact.
    bool holds(std::span<const std::int32_t> tuple, bool hide = false);

    /// Whether the last answer was cut short by a limit.
    bool gave_up() const { return gave_up_; }

    /// Literals tried so far.
    std::int64_t steps() const { return all_steps_; }

  private:
    struct Goal;

    struct Literal {
        enum class Kind : std::uint8_t { facts, defined, comparison, equality, absent };
        Kind kind = Kind::absent;
        bool negated = false;
        int predicate = -1;   // facts: of the index
        int definition = -1;  // defined
        Comparison comparison = Comparison::none;
        std::vector<std::int32_t> terms;  // variables from 0, constants as -2 - number
        double bounds[2] = {0, 0};        // numbers of constants
        std::uint32_t in = 0;             // arguments that must be bound
    };

    struct CompiledRule {
        std::vector<std::int32_t> head;
        std::vector<Literal> body;
        int variables = 0;
        std::map<std::uint64_t, std::vector<int>> orders;  // of literals, by the bound variables
    };

    struct Definition {
        std::vector<CompiledRule> rules;
        int arity = 0;
        int facts = -1;  // known ones
        std::uint32_t in = 0;
    };

    struct Table {
        std::vector<std::int32_t> answers;
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> met;
        bool complete = false;
        int depth = -1;        // of the call under way
        std::int64_t ran = 0;  // when its rules last did
    };

    const std::vector<int>& order_of(CompiledRule& rule, std::uint64_t bound);
    double cost_of(const Literal& literal, std::uint64_t bound) const;
    Table& answer(int definition, const std::vector<std::int32_t>& pattern);
    void run_rules(int definition, const std::vector<std::int32_t>& pattern, Table& table);
    bool solve(CompiledRule& rule, const std::vector<int>& order, std::size_t at,
               std::vector<std::int32_t>& values, const std::vector<std::int32_t>& pattern,
               Table& table);
    bool match_rows(CompiledRule& rule, const std::vector<int>& order, std::size_t at,
                    std::vector<std::int32_t>& values, const std::vector<std::int32_t>& pattern,
                    Table& table, const Literal& literal, std::span<const std::int32_t> rows,
                    bool may_hide);
    bool is_true(const Literal& literal, const std::vector<std::int32_t>& values);
    bool add(Table& table, const std::int32_t* row, int arity);
    bool is_hidden(const std::int32_t* row) const;

    std::int32_t value_of(std::int32_t term, const std::vector<std::int32_t>& values) const {
        return term >= 0 ? values[static_cast<std::size_t>(term)] : -2 - term;
    }

    const DatabaseIndex& index_;
    TopDownLimits limits_;
    std::vector<Definition> definitions_;
    int target_ = -1;        // its definition
    int target_facts_ = -1;  // its known facts
    bool is_flat_ = true;    // no literal is of a predicate with rules: nothing is tabled
    Table flat_;             // complete: the atom holds
    std::map<std::pair<int, std::vector<std::int32_t>>, Table> tables_;
    std::vector<Table*> open_;  // answered, not yet complete
    int depth_ = 0;
    int lowest_ = 0;  // depth of the lowest call under way that was asked again
    std::int64_t added_ = 0;
    std::int64_t runs_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t all_steps_ = 0;
    bool gave_up_ = false;
    bool hide_ = false;
    std::vector<std::int32_t> hidden_;
};

}  // namespace hri::evaluation
