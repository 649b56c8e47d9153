// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where positive examples stand alone, "everything is true" explains them. Strangers make learning
// look for a reason: constants beside each instance that have nothing to do with its own.

#include "hri/data.hpp"

#include <optional>

namespace hri::learning {

/// The problem with strangers. For a binary target they repeat some of the instance's constants and
/// what facts say of them; that the target holds between one of them and one of the instance's is a
/// negative example. For a unary one, or where no input relates constants, it is one constant
/// without facts, of which the target does not hold. Nothing where data have as many negative
/// examples as positive ones or as atoms without a label.
std::optional<Problem> add_unrelated_constants(const Problem& problem);

}  // namespace hri::learning
