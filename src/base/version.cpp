// SPDX-License-Identifier: Apache-2.0
#include "hri/version.hpp"

namespace hri {

std::string_view version() { return HRI_VERSION; }

}  // namespace hri
