// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model file as bytes in memory: what save_model writes and load_model reads.

#include "hri/model.hpp"

#include <string>

namespace hri {

std::string model_to_bytes(const Model& model, const std::string& file_name);
/// Checks everything; throws Error on damage.
Model model_from_bytes(std::string bytes, const std::string& file_name);

}  // namespace hri
