// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/graph.hpp"

namespace hri::search {

/// By falling confidence; then in an order of their own.
bool comes_before(const GraphRule& a, const GraphRule& b);

}  // namespace hri::search
