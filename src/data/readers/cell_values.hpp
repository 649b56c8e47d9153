// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of the text of one cell: a number, a day, a moment, true or false.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hri::data {

/// Nothing where the text is no number: no spaces, no thousands separators, no names.
std::optional<double> number_in(std::string_view text);

/// Days since 1970-01-01 of 2024-02-29, 2024/02/29 or 29.02.2024.
std::optional<std::int64_t> days_in(std::string_view text);

/// Seconds since 1970-01-01 00:00 of 2024-02-29 13:45, 2024-02-29T13:45:01.5Z or with +01:00.
std::optional<double> seconds_in(std::string_view text);

/// 0 or 1, no or yes, n or y, false or true, f or t, in any case.
std::optional<bool> truth_in(std::string_view text);

/// One name for each number, which Prolog reads: 1.50 and 1.5 are 1.5, 2.0 is 2.
std::string number_name(double value);

}  // namespace hri::data
