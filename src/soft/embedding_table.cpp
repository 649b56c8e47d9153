// SPDX-License-Identifier: Apache-2.0
#include "hri/priors.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace hri {
namespace {

struct Cell {
    std::string_view text;
    int column = 0;  // from 1
};

std::vector<Cell> cells(std::string_view line) {
    const bool tabs = line.find('\t') != std::string_view::npos;
    const std::string_view separators = tabs ? "\t\r" : " \r";
    std::vector<Cell> result;
    std::size_t at = line.find_first_not_of(separators);
    std::size_t counted = 0;  // bytes whose characters are counted
    std::ptrdiff_t characters = 0;
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
        const std::string_view passed = line.substr(counted, at - counted);
        characters += std::count_if(passed.begin(), passed.end(), base::begins_character);
        counted = at;
        result.push_back({line.substr(at, end - at), static_cast<int>(characters) + 1});
        at = line.find_first_not_of(separators, end);
    }
    return result;
}

float number(const Cell& cell, const Place& place) {
    float value = 0;
    const char* end = cell.text.data() + cell.text.size();
    const auto result = std::from_chars(cell.text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) {
        throw Error(fmt::format("expected a number, found '{}'", cell.text),
                    {place.file, place.line, cell.column});
    }
    constexpr float kMax = 1e15F;  // whose squares a float still holds, summed over thousands
    if (std::abs(value) > kMax) {
        throw Error(fmt::format("expected a number from -1e15 to 1e15, found '{}'", cell.text),
                    {place.file, place.line, cell.column}, "scale the table");
    }
    return value;
}

/// The predicate's name: "in front of" gives in_front_of, "cow(type)" gives cow.
std::string predicate_name(std::string_view text) {
    const std::size_t end = text.find('(');
    std::string name(end == 0 ? text : text.substr(0, end));
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

}  // namespace

EmbeddingTable read_embedding_table(const std::filesystem::path& path, TableOrder order) {
    const std::string content = read_file(path);
    base::require_utf8(content, path.string());
    std::string_view rest = content;
    EmbeddingTable table;
    std::vector<std::string> names;
    std::vector<std::vector<float>> vectors;
    Place place{path.string(), 0, 1};
    while (!rest.empty()) {
        ++place.line;
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<Cell> line = cells(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty()) {
            continue;
        }
        const int found = static_cast<int>(line.size()) - 1;
        if (found == 0 || (table.dimension != 0 && found != table.dimension)) {
            throw Error(
                table.dimension == 0
                    ? fmt::format("expected a name and its vector, found '{}' alone", line[0].text)
                    : fmt::format("expected a name and {} numbers, found {} after '{}'",
                                  table.dimension, found, line[0].text),
                place, "all vectors have the same dimension");
        }
        table.dimension = found;
        std::vector<float>& vector = vectors.emplace_back();
        for (std::size_t i = 1; i < line.size(); ++i) {
            vector.push_back(number(line[i], place));
        }
        names.push_back(predicate_name(line[0].text));
    }
    if (names.empty()) {
        throw Error("there is no vector in the table", {path.string(), 1, 1},
                    "each line holds a name and the numbers of its vector");
    }
    if (order == TableOrder::sorted) {
        std::sort(names.begin(), names.end());
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        table.rows.try_emplace(names[i], std::move(vectors[i]));
    }
    return table;
}

std::optional<std::vector<float>> EmbeddingTable::find(const std::string& name) const {
    const auto whole = rows.find(name);
    if (whole != rows.end()) {
        return whole->second;
    }
    std::vector<float> sum(static_cast<std::size_t>(dimension), 0.0F);
    int words = 0;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("_ -", at), name.size());
        const auto word = rows.find(name.substr(at, end - at));
        if (word != rows.end()) {
            ++words;
            for (std::size_t k = 0; k < sum.size(); ++k) {
                sum[k] += word->second[k];
            }
        }
        at = end + 1;
    }
    if (words == 0) {
        return std::nullopt;
    }
    for (float& x : sum) {
        x /= static_cast<float>(words);
    }
    return sum;
}

}  // namespace hri
