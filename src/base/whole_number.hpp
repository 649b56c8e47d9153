// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace hri::base {

/// The whole number that a JSON value is. Throws nlohmann's exception where it is none of type T:
/// its own conversion would take 1e20 for any.
template <class T, class Json>
T whole_number(const Json& json) {
    if (json.is_number_unsigned()) {
        if (const auto value = json.template get<std::uint64_t>(); std::in_range<T>(value))
            return static_cast<T>(value);
    } else if (json.is_number_integer()) {
        if (const auto value = json.template get<std::int64_t>(); std::in_range<T>(value))
            return static_cast<T>(value);
    }
    throw Json::out_of_range::create(406, "expected a whole number", &json);
}

}  // namespace hri::base
