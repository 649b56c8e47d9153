// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where positive examples stand alone, "everything is true" explains them. Strangers make learning
// look for a reason: constants beside each instance that have nothing to do with its own.

#include "hri/data.hpp"

#include <cstdint>
#include <optional>

namespace hri::learning {

/// The problem with unrelated constants. For a binary target they repeat some of the instance's
/// constants and what facts say of them; that the target holds between one of them and one of the
/// instance's is a negative example. For a unary one, or where no input relates constants, it is
/// one constant without facts, of which the target does not hold. Nothing where data have as many
/// negative examples as positive ones or as atoms without a label.
std::optional<Problem> add_unrelated_constants(const Problem& problem);

/// The problem with the examples that clauses are learned from. Where a target of two or more
/// arguments has no negative ones, or too few of a closed world, they are drawn: positive ones with
/// one argument exchanged, by chance or along two facts. Of very many examples it is a sample.
/// Nothing where the examples are right as they are.
std::optional<Problem> drawn_examples(const Problem& problem, std::uint64_t seed);

}  // namespace hri::learning
