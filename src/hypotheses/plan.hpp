// SPDX-License-Identifier: Apache-2.0
#pragma once

// A proto-rule compiled to what inference does with matrices.
//
// Every predicate is an n x n matrix V[i,j]; a unary one repeats its value along j. A body atom
// reads its predicate through a View, two conjoined atoms meet elementwise or join over a shared
// variable, existential variables are reduced by max, and the result is placed under the head.

#include "hri/protorules.hpp"

#include <optional>
#include <vector>

namespace hri::hypotheses {

/// The view by which an atom turns V into a matrix U over the body's two axes.
struct View {
    enum class Reduce {
        none,           // U[i,j] = V[i,j]
        rows,           // U[i,j] = max_k V[i,k]
        columns,        // U[i,j] = max_k V[k,i]
        diagonal,       // U[i,j] = V[i,i]
        all,            // U[i,j] = max_kl V[k,l]
        all_diagonal,   // U[i,j] = max_k V[k,k]
        row,            // U[i,j] = V[c,i] of a constant c
        column,         // U[i,j] = V[i,c]
        any_of_row,     // U[i,j] = max_k V[c,k]
        any_of_column,  // U[i,j] = max_k V[k,c]
        cell,           // U[i,j] = V[c,d]
    };
    Reduce reduce = Reduce::none;
    bool transposed = false;  // then i and j change places in U
    int first = -1;           // c, or -1: number among constants_of() all rules
    int second = -1;          // c of a column, d of a cell
    bool operator==(const View&) const = default;

    /// Whether U of a predicate of that arity does not depend on j.
    bool constant_along_second(int arity) const;

    bool is_identity() const { return reduce == Reduce::none && !transposed; }
};

/// One side of a rule's body: which body slot is read through which view.
struct Operand {
    int slot = 0;  // index among the proto-rule's slots
    View view;
};

enum class Combine {
    single,  // U1
    meet,    // and(U1[i,j], U2[i,j])
    join,    // max_k and(U1[i,k], U2[k,j])
};

struct Plan {
    Combine combine = Combine::single;
    Operand left;
    Operand right;  // unused by single
    bool reduce =
        false;  // over the first axis, where the existential variable is: w[j] = max_i W[i,j]
    bool reduce_all = false;  // then also over j
    // Where W (or w) goes: V[x,y] = W[x,y] or w[x]; W[y,x] or w[y]; on the diagonal only, W[x,x] or
    // w[x].
    enum class Head { direct, transposed, diagonal } head = Head::direct;
    std::optional<Operand> disjunct;
    Head disjunct_head = Head::direct;  // direct or diagonal
};

/// `constants`: constants_of() all rules. Expects at most two conjoined atoms.
Plan compile(const ProtoRule& rule, const std::vector<std::string>& constants = {});

}  // namespace hri::hypotheses
