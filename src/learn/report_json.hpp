// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hri::learning {

/// Rates in percent, counts as they are.
nlohmann::ordered_json score_json(const Score& score);
nlohmann::ordered_json curve_json(const std::vector<CurvePoint>& curve);
nlohmann::ordered_json report_json(const Report& report);

/// Two spaces of indentation; names that are not UTF-8 get replacement characters.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace hri::learning
