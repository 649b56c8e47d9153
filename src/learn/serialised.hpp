// SPDX-License-Identifier: Apache-2.0
#pragma once

// Training runs as texts, to be sent from one rank to another.

#include "hri/train.hpp"

#include <map>
#include <string>

namespace hri::learning {

/// Training results by restart, as text and back.
std::string serialised(const std::map<int, TrainResult>& runs);
std::map<int, TrainResult> deserialised(const std::string& text);

}  // namespace hri::learning
