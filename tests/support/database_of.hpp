// SPDX-License-Identifier: Apache-2.0
#pragma once

// Databases of facts written as text: "edge(a,b). size(b,3)."

#include "hri/database.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace hri::test {

inline std::int32_t constant_of(Database& data, const std::string& name) {
    for (std::size_t c = 0; c < data.constants.size(); ++c)
        if (data.constants[c] == name)
            return static_cast<std::int32_t>(c);
    data.constants.push_back(name);
    char* end = nullptr;
    const double number = std::strtod(name.c_str(), &end);
    data.numbers.push_back(*end == '\0' ? number : std::nan(""));
    return static_cast<std::int32_t>(data.constants.size()) - 1;
}

/// Atoms without functions, each with a full stop.
inline std::vector<std::pair<std::string, std::vector<std::string>>> atoms_of(
    const std::string& text) {
    std::vector<std::pair<std::string, std::vector<std::string>>> atoms;
    std::string word;
    bool inside = false;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0)
            continue;
        if (c == '(') {
            atoms.push_back({word, {}});
            word.clear();
            inside = true;
        } else if (inside && (c == ',' || c == ')')) {
            atoms.back().second.push_back(word);
            word.clear();
            inside = c == ',';
        } else if (c != '.' || inside) {
            word += c;
        }
    }
    return atoms;
}

inline Database database_of(const std::string& facts) {
    Database data;
    for (const auto& [name, arguments] : atoms_of(facts)) {
        const PredicateSymbol symbol{name, static_cast<int>(arguments.size())};
        auto table = std::find_if(data.tables.begin(), data.tables.end(),
                                  [&](const FactTable& t) { return t.symbol == symbol; });
        if (table == data.tables.end())
            table = data.tables.insert(data.tables.end(), FactTable{symbol, {}, {}});
        for (const std::string& argument : arguments)
            table->cells.push_back(constant_of(data, argument));
    }
    return data;
}

inline void add_examples(Database& data, bool positive, const std::string& atoms) {
    for (const auto& [name, arguments] : atoms_of(atoms)) {
        for (const std::string& argument : arguments)
            data.examples.cells.push_back(constant_of(data, argument));
        data.examples.positive.push_back(positive ? 1 : 0);
    }
}

}  // namespace hri::test
