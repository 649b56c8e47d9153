// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/logic.hpp"

#include <vector>

namespace hri::logic {

/// The rules of all programs, each of which has another target, in one. The target is the first
/// program's; what the programs invented is renamed aux1, aux2, ..., so that none shares it.
Program merged(const std::vector<Program>& programs);

}  // namespace hri::logic
