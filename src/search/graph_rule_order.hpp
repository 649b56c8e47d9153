// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/graph.hpp"

namespace hri::search {

/// The order of falling confidence; ties are in a fixed order.
bool comes_before(const GraphRule& a, const GraphRule& b);

}  // namespace hri::search
