// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/scene_rules.hpp"

#include <string>
#include <vector>

namespace hri::search {

/// The program as Prolog; a comment before each of its rules says its confidence. All rules are the
/// target's.
std::string with_confidences(const Program& program, double otherwise,
                             const std::vector<RuleConfidence>& rules);

}  // namespace hri::search
