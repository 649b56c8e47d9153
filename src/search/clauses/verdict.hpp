// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hri::search {

/// The verdict of a user on a clause.
enum class ClauseVerdict : std::uint8_t {
    allowed,
    refused,             ///< but a longer one with its literals may do
    refused_with_longer  ///< and all longer ones
};

}  // namespace hri::search
