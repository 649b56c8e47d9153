// SPDX-License-Identifier: Apache-2.0
#pragma once

// The plan by which a rule is run over bit rows.
//
// Each variable has a row: the constants that it may still be. Body atoms with one open variable
// restrict its row. An existential variable that shares atoms with one other open variable is
// eliminated: its row becomes a restriction of the other's, as a sum of rows. Where that is not
// possible, a loop binds a variable to each constant of its row. So p(X,Y) :- q(X,Z), r(Z,Y) runs
// as
//
//   for x in all:  Z = row(q, x);  Y = sum of row(r, z) for z in Z;  p[x] |= Y
//
// and bodies without cycles never loop more than once.

#include "hri/logic.hpp"

#include <cstdint>
#include <vector>

namespace hri::evaluation {

/// A row of n bits: an operation's operand. `at` is a slot if >= 0 and constant -1 - at of the
/// program otherwise.
struct Operand {
    enum class Kind : std::uint8_t {
        all,         ///< every constant
        row,         ///< register `index`
        unary,       ///< predicate `index`
        binary,      ///< row `at` of predicate `index`
        transposed,  ///< column `at` of predicate `index`
        diagonal     ///< the constants c with index(c, c)
    };
    Kind kind = Kind::all;
    int index = 0;
    int at = 0;
};

/// Rows of a binary predicate, indexed by the variable that an elimination runs over.
struct Matrix {
    int predicate = 0;
    bool transposed = false;
};

struct Operation {
    enum class Kind : std::uint8_t {
        check,    ///< ground atom `predicate(first, second)`: if false, back to the innermost loop
        meet,     ///< out = operands[0] & operands[1] & ...
        scatter,  ///< out = base & sum over z in row `in` of the meet of matrices[k][z]
        gather,   ///< out = those v in base where row `in` meets the meet of matrices[k][v]
        loop      ///< binds `slot` to each constant of row `in` and runs the rest
    };
    // An empty `out` means: back to the innermost loop.
    Kind kind = Kind::meet;
    int out = 0;
    int in = 0;
    int slot = 0;
    bool is_head = false;  // loop: over a variable of the head
    Operand base;
    std::vector<Operand> operands;
    std::vector<Matrix> matrices;
    int predicate = 0;
    int arity = 0;
    int first = 0;  // slot or -1 - constant
    int second = 0;
};

/// An argument of the head when the operations are done.
struct HeadArgument {
    bool is_row = false;  ///< every constant of row `at`; otherwise slot `at` or constant -1 - at
    int at = 0;
};

struct RulePlan {
    std::vector<Operation> operations;
    int head = 0;  ///< predicate
    std::vector<HeadArgument> arguments;
    bool diagonal = false;  ///< both arguments are the same variable, whose row is arguments[0]
    int rows = 0;           ///< registers
    int slots = 0;
    /// Only meets and eliminations by one matrix, with one loop at the most, over the head's first
    /// argument, and the last argument a row: run_straight() runs it where a row is a word.
    bool straight = false;
    std::vector<int> body;       ///< predicates that it reads, each once
    std::vector<int> constants;  ///< of the program: where one is missing the rule does not fire
};

constexpr std::size_t kMaxStraight = 8;  // operations of a straight plan, and operands of a meet

/// Throws Error where a predicate takes more than two arguments.
void refuse_large_arity(const Program& program);

/// Predicates get the numbers in `number_of` [predicate of the vocabulary]; arities are at most 2.
RulePlan plan_rule(const Rule& rule, const std::vector<int>& number_of);

}  // namespace hri::evaluation
