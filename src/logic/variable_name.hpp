// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace hri::logic {

/// X, Y, Z, U, V, W, X1, X2, ...
std::string variable_name(std::size_t i);

}  // namespace hri::logic
