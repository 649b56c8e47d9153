// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/logic.hpp"

namespace hri::logic {

/// Predicates with one rule that does not call itself, but for the target, replaced by their bodies
/// where they are called, as long as no rule gets longer than 8 atoms. The meaning at the fixpoint
/// stays.
Program unfolded(Program program);

}  // namespace hri::logic
