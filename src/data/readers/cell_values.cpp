// SPDX-License-Identifier: Apache-2.0
#include "data/readers/cell_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace hri::data {
namespace {

/// The number of `count` digits from `at` on; -1 where other characters stand there.
int digits(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    if (at + count > text.size()) {
        return -1;
    }
    for (std::size_t i = at; i < at + count; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return -1;
        }
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

std::optional<std::int64_t> days_of(int year, int month, int day) {
    constexpr std::array<int, 12> kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1 || month < 1 || month > 12 || day < 1) {
        return std::nullopt;
    }
    const auto length = [&](int m) {
        return kLengths.at(static_cast<std::size_t>(m - 1)) + (m == 2 && is_leap(year) ? 1 : 0);
    };
    if (day > length(month)) {
        return std::nullopt;
    }
    const std::int64_t before = year - 1;
    std::int64_t days = 365 * before + before / 4 - before / 100 + before / 400;
    for (int m = 1; m < month; ++m) {
        days += length(m);
    }
    return days + day - 1 - 719'162;  // 0001-01-01 to 1970-01-01
}

/// The offset from Greenwich in seconds: nothing, Z, +01, +0100 or +01:00.
std::optional<int> zone_in(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z") {
        return 0;
    }
    const int hours = digits(text, 1, 2);
    const std::string_view rest = text.size() > 3 ? text.substr(3) : std::string_view();
    const int minutes =
        rest.empty() ? 0
                     : digits(rest, rest[0] == ':' ? 1 : 0, rest.size() - (rest[0] == ':' ? 1 : 0));
    if ((text[0] != '+' && text[0] != '-') || hours < 0 || hours > 15 || minutes < 0 ||
        minutes > 59) {
        return std::nullopt;
    }
    const int seconds = 3600 * hours + 60 * minutes;
    return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
    if (text.size() > 1 && text[0] == '+') {
        text.remove_prefix(1);
    }
    double value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    const bool begins =
        !text.empty() && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
    if (!begins || parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> days_in(std::string_view text) {
    if (text.size() != 10) {
        return std::nullopt;
    }
    if (text[2] == '.' && text[5] == '.') {
        return days_of(digits(text, 6, 4), digits(text, 3, 2), digits(text, 0, 2));
    }
    if (text[4] == text[7] && (text[4] == '-' || text[4] == '/')) {
        return days_of(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
    }
    return std::nullopt;
}

std::optional<double> seconds_in(std::string_view text) {
    const std::optional<std::int64_t> days = days_in(text.substr(0, 10));
    if (!days || text.size() < 16 || (text[10] != ' ' && text[10] != 'T') || text[13] != ':') {
        return std::nullopt;
    }
    const int hours = digits(text, 11, 2);
    const int minutes = digits(text, 14, 2);
    double seconds = 0;
    std::size_t end = 16;
    if (text.size() > 16 && text[16] == ':') {
        end = std::min(text.find_first_not_of("0123456789.", 17), text.size());
        const std::optional<double> given = number_in(text.substr(17, end - 17));
        if (!given || digits(text, 17, 2) < 0) {
            return std::nullopt;
        }
        seconds = *given;
    }
    const std::optional<int> zone = zone_in(text.substr(end));
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds > 60 || !zone) {
        return std::nullopt;
    }
    return 86'400.0 * static_cast<double>(*days) + 3600 * hours + 60 * minutes + seconds - *zone;
}

std::optional<bool> truth_in(std::string_view text) {
    constexpr std::array<std::string_view, 5> kYes = {"1", "yes", "true", "t", "y"};
    constexpr std::array<std::string_view, 5> kNo = {"0", "no", "false", "f", "n"};
    std::string word(text.substr(0, 6));
    std::transform(word.begin(), word.end(), word.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (std::find(kYes.begin(), kYes.end(), word) != kYes.end()) {
        return true;
    }
    return std::find(kNo.begin(), kNo.end(), word) != kNo.end() ? std::optional(false)
                                                                : std::nullopt;
}

std::string number_name(double value) {
    constexpr double kExact = 9'007'199'254'740'992;  // integers up to here are exact
    if (value == std::floor(value) && std::abs(value) <= kExact) {
        return std::to_string(static_cast<std::int64_t>(value));
    }
    std::string name = fmt::format("{}", value);
    const std::size_t exponent = name.find('e');
    if (exponent != std::string::npos && name.find('.') == std::string::npos) {
        name.insert(exponent, ".0");  // 1.0e20 as Prolog has it
    }
    return name;
}

}  // namespace hri::data
