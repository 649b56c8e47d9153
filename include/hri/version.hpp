// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which hri this is.
//
//   std::cout << "hri " << hri::version() << '\n';

#include <string_view>

namespace hri {

/// Of the library that was linked: "MAJOR.MINOR.PATCH".
std::string_view version();

}  // namespace hri
