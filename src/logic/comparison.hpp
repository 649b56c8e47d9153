// SPDX-License-Identifier: Apache-2.0
#pragma once

// Goals that compare two numbers.

#include "hri/logic.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hri::logic {

/// X < Y, X =< Y, X > Y, X >= Y, X =:= Y or X =\= Y: built in, and false of what is no number.
inline bool is_comparison(const PredicateSymbol& symbol) {
    constexpr auto kNames = std::to_array<std::string_view>({"<", "=<", ">", ">=", "=:=", "=\\="});
    return symbol.arity == 2 &&
           std::find(kNames.begin(), kNames.end(), symbol.name) != kNames.end();
}

}  // namespace hri::logic
