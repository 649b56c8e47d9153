// SPDX-License-Identifier: Apache-2.0
#pragma once

// The growth of the time of a training iteration with the number of constants.

#include "json.hpp"
#include "output.hpp"

namespace hri::cli {

/// Times Grandparent in NLM's setting from 9 to 160 constants, prints it with fitted exponents and
/// adds it to the table's JSON as "growth".
void add_growth(Json& table);

}  // namespace hri::cli
