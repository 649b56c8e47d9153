// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks beyond Blocksworld, each in a file of its own.

#include "hri/rl.hpp"

namespace hri::rl {

RlTask doors_task();
RlTask hanoi_task();
RlTask loot_task();
RlTask sorting_task();

/// Throws Error unless `size` lies between the two.
int checked_size(int size, int least, int most, const std::string& things);

}  // namespace hri::rl
