// SPDX-License-Identifier: Apache-2.0
#pragma once

// Listed atoms as the truth values of all.

#include "hri/evaluate.hpp"

namespace hri::test {

inline Truth truth_of(const std::vector<Fact>& atoms, const Program& program, int constants) {
    const auto n = static_cast<std::size_t>(constants);
    const int arity = program.vocabulary[program.target].arity;
    Truth truth(arity == 2 ? n * n : arity == 1 ? n : 1, 0);
    for (const Fact& atom : atoms) {
        truth[static_cast<std::size_t>(atom.first) * (arity == 2 ? n : 1) +
              static_cast<std::size_t>(atom.second)] = 1;
    }
    return truth;
}

}  // namespace hri::test
