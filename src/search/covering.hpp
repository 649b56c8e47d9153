// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules one after the other, for targets that need several long ones.
//
// A rule begins as everything that holds around one positive example. Atoms are dropped as long as
// no negative example is covered; of many rules made so, in random orders, the one that covers most
// stays, and the next begins at an example that none covers yet. Where labels may be wrong, atoms
// are dropped and taken back as the description of rule and errors gets shorter.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <cstdint>
#include <functional>

namespace hri::search {

/// The program of such rules over these instances, which cover no negative example of the others
/// either; without rules where none covers two examples. For targets with arguments.
Program learn_by_covering(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                          const std::vector<Instance>& instances,
                          const std::vector<Instance>& others, std::uint64_t seed,
                          const std::function<bool()>& stop);

/// The same with rules that may cover negative examples, each of which saves more bits of errors
/// than it takes.
Program learn_by_tolerant_covering(const std::vector<PredicateSymbol>& inputs,
                                   const PredicateSymbol& target,
                                   const std::vector<Instance>& instances, std::uint64_t seed,
                                   const std::function<bool()>& stop);

}  // namespace hri::search
