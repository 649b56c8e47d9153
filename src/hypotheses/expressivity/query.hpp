// SPDX-License-Identifier: Apache-2.0
#pragma once

// A conjunctive query: the meaning of an auxiliary predicate with all rules unfolded.
//
//   (0, 1) <- Q(0,2), R(2,1)      variables of the head first, the others are existential
//
// Equal(X,Y) makes X and Y one variable, so that the head (0, 0) is the diagonal. A domain is never
// empty: an existential variable that no atom mentions says nothing and is dropped.

#include "hri/expressivity.hpp"
#include "hri/protorules.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace hri::expressivity {

struct QueryAtom {
    std::int8_t symbol = 0;
    std::int8_t first = -1;  // -1: it has no such argument
    std::int8_t second = -1;
    auto operator<=>(const QueryAtom&) const = default;
};

struct Query {
    bool falsity = false;           // then all else is empty
    std::vector<std::int8_t> head;  // variables
    std::vector<QueryAtom> atoms;   // sorted by symbol
    auto operator<=>(const Query&) const = default;

    int arity() const { return static_cast<int>(head.size()); }
};

/// Atoms and equalities over numbered variables, from which a query is made.
class QueryBuilder {
  public:
    int fresh() {
        parent_.push_back(static_cast<std::int8_t>(parent_.size()));
        return static_cast<int>(parent_.size()) - 1;
    }

    void equate(int a, int b) { parent_[index(find(a))] = find(b); }

    void add(const QueryAtom& atom) { atoms_.push_back(atom); }

    void add(int symbol, const std::vector<int>& arguments);

    /// The query in canonical form: two queries that differ in the names of existential variables
    /// and the order of atoms become equal.
    Query query(const std::vector<int>& head);

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    std::int8_t find(int variable) const {
        auto v = static_cast<std::int8_t>(variable);
        while (parent_[index(v)] != v) {
            v = parent_[index(v)];
        }
        return v;
    }

    std::vector<std::int8_t> parent_;
    std::vector<QueryAtom> atoms_;
};

/// The number of different head variables.
int head_variables(const Query& query);

/// Whether the atoms of `from` can be mapped to atoms of `to`, variables to variables. With
/// `keep_heads`, head to head: then every answer of `to` is one of `from`.
bool maps_into(const Query& from, const Query& to, bool keep_heads);

/// An equivalent query without superfluous atoms.
Query core(Query query);

/// Whether `part` can be a piece of `whole` that is put together from pieces by identifying head
/// variables alone: its atoms are different atoms of `whole`, and an existential variable of `part`
/// is one of `whole` that occurs nowhere else.
bool is_piece_of(const Query& part, const Query& whole);

/// The conjunction of a proto-rule's body atoms whose slots match these queries, under its head.
/// Lower arities ignore the last arguments.
Query conjunction(const std::vector<int>& head, const std::vector<ProtoAtom>& atoms,
                  const std::vector<const Query*>& slots);

}  // namespace hri::expressivity
