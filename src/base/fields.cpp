// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace hri {
namespace {

/// Insertions, deletions, replacements and exchanges of neighbours between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

/// The whole text as a number.
template <class Number>
void read_number(Number& value, const FieldInfo& field, const std::string& text) {
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end ||
        !std::isfinite(static_cast<double>(value))) {
        throw Error(fmt::format("{}: expected {}, found '{}'", field.name, field.expected, text));
    }
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
    name = name.substr(0, 100);  // nobody means that much, and the cost grows with the length
    std::string best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    const std::string as_key = ":" + std::string(name);
    for (const std::string& candidate : names) {
        // keys of tables have a prefix: customers:7
        const std::size_t distance =
            candidate.ends_with(as_key) ? 0 : edit_distance(name, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

Error unknown_field(std::string_view name, const std::vector<std::string>& names,
                    const Place& place) {
    return Error(fmt::format("there is no option '{}'", name), place,
                 fmt::format("did you mean {}?", nearest(name, names)));
}

namespace base {

std::string show(std::int64_t value) { return std::to_string(value); }

std::string show(std::uint64_t value) { return std::to_string(value); }

std::string show(double value) { return fmt::format("{}", value); }

void read(std::int64_t& value, const FieldInfo& field, const std::string& text) {
    read_number(value, field, text);
}

void read(std::uint64_t& value, const FieldInfo& field, const std::string& text) {
    read_number(value, field, text);
}

void read(double& value, const FieldInfo& field, const std::string& text) {
    read_number(value, field, text);
}

std::string expected_number(bool integer, const std::string& min, const std::string& max) {
    const char* noun = integer ? "an integer" : "a number";
    return max.empty() ? fmt::format("{} of {} or more", noun, min)
                       : fmt::format("{} from {} to {}", noun, min, max);
}

void refuse_value(const FieldInfo& field, const std::string& value) {
    throw Error(fmt::format("{}: expected {}, found {}", field.name, field.expected, value));
}

void refuse_choice(const FieldInfo& field, const std::string& text) {
    const std::vector<std::string> choices =
        field.choices.empty() ? std::vector<std::string>{"true", "false"} : field.choices;
    throw Error(fmt::format("{}: '{}' is not one of {}", field.name, text, joined(choices, ", ")),
                {}, fmt::format("did you mean {}?", nearest(text, choices)));
}

void refuse_empty(const FieldInfo& field) {
    throw Error(field.name + ": expected a name, found nothing");
}

std::string joined(const std::vector<std::string>& texts, const std::string& separator) {
    return fmt::format("{}", fmt::join(texts, separator));
}

std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) {
            found.push_back(text.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return found;
}

}  // namespace base
}  // namespace hri
