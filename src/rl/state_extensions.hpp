// SPDX-License-Identifier: Apache-2.0
#pragma once

// Extensions of predicates in many states at once. A meaning is a number; predicates that
// hold of the same constants in the same states share it, and what a proto-rule makes of meanings
// is computed once.
//
// A predicate is a table of atoms, and an atom a row of bits, one per state:
//   out[x,y] |= left[x,z] & right[z,y]     for all x, y, z, 64 states in one operation

#include "hri/model.hpp"

#include "rl/state_table.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace hri::rl {

class StateExtensions {
  public:
    StateExtensions(const std::vector<State>& states, const Model& model);

    /// The meaning of each predicate of the model, auxiliaries the reached ones only (else -1), if
    /// slots match these predicates: at the fixpoint.
    const std::vector<int>& of(const std::vector<int>& matches,
                               const std::vector<std::uint8_t>& reached);

    bool holds(int meaning, int atom, int state) const {
        const Word word =
            tables_[static_cast<std::size_t>(meaning)]
                   [static_cast<std::size_t>(atom) * words_ + static_cast<std::size_t>(state) / 64];
        return (word >> (static_cast<unsigned>(state) % 64U) & 1U) != 0;
    }

    int size() const { return static_cast<int>(tables_.size()); }

  private:
    using Word = std::uint64_t;
    using Table = std::vector<Word>;  // (n^arity, words)

    int intern(const Table& table);
    int applied(const Auxiliary& aux, const std::vector<int>& matches);
    void conjoin(Table& out, const std::vector<int>& head, const std::vector<ProtoAtom>& atoms,
                 const int* meanings, const int* arities) const;
    std::size_t cells(int arity) const;

    const Model* model_;
    int constants_;
    std::size_t words_;  // of a row
    std::vector<Table> tables_;
    std::map<Table, int> numbers_;
    std::map<std::vector<int>, int> applications_;  // [proto-rule, meanings of its slots]
    std::vector<int> given_;                        // of True, False and the inputs
    std::vector<int> current_;                      // by predicate
    std::vector<int> key_, arities_;
};

}  // namespace hri::rl
