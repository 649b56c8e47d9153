// SPDX-License-Identifier: Apache-2.0
#pragma once

// The version of hri.
//
//   std::cout << "hri " << hri::version() << '\n';

#include <string_view>

namespace hri {

/// The version of the linked library: "MAJOR.MINOR.PATCH".
std::string_view version();

}  // namespace hri
