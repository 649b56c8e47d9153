// SPDX-License-Identifier: Apache-2.0
#include "data/raw_dataset.hpp"

#include <algorithm>
#include <array>

namespace hri::data {

std::string described(const PredicateSymbol& symbol) {
    return symbol.name + "/" + std::to_string(symbol.arity);
}

bool is_glue(std::string_view name) {
    constexpr std::array<std::string_view, 10> kGlue = {",",  ";",  ":-",  "?-", "-->",
                                                        "->", "::", "[|]", "{}", "|"};
    return std::find(kGlue.begin(), kGlue.end(), name) != kGlue.end();
}

namespace {

bool is_truth_value(const PredicateSymbol& symbol) {
    return symbol.arity == 0 &&
           (symbol.name == "true" || symbol.name == "false" || symbol.name == "fail");
}

}  // namespace

void check_name(const std::string& name, const Place& place) {
    if (is_glue(name)) {
        throw Error("a relation cannot be called '" + name + "'", place, "rename it");
    }
}

std::string warning_at(const Place& place, const std::string& message) {
    return Error(message, place).what();
}

int RawDataset::table(const PredicateSymbol& symbol, const Place& place) {
    if (is_equality(symbol) || is_comparison(symbol) || is_truth_value(symbol)) {
        throw Error(
            "a relation cannot be called '" + data::described(symbol) + "', which is built in",
            place, "rename it");
    }
    const auto [known, is_new] = index_.try_emplace(symbol, static_cast<int>(tables.size()));
    if (is_new) {
        tables.push_back({symbol, place, false, {}, {}});
    }
    return known->second;
}

void RawDataset::add_fact(int table, const std::vector<std::int32_t>& tuple, float value) {
    Table& into = tables[static_cast<std::size_t>(table)];
    into.given = true;
    into.cells.insert(into.cells.end(), tuple.begin(), tuple.end());
    into.values.push_back(value);
    count();
}

void RawDataset::count() {
    constexpr std::int64_t kBetween = 10'000;
    if (++read_ % kBetween == 0 && progress) {
        progress({"facts", read_, 0});
    }
}

void RawDataset::add_example(int table, const Place& place, const std::vector<std::int32_t>& tuple,
                             bool positive, bool held_out) {
    if (example_files.empty() || example_files.back() != place.file) {
        example_files.push_back(place.file);
    }
    examples.push_back({table, example_cells.size(), positive, held_out, place.line, place.column,
                        static_cast<int>(example_files.size()) - 1});
    example_cells.insert(example_cells.end(), tuple.begin(), tuple.end());
    count();
}

std::span<const std::int32_t> RawDataset::cells(const Example& example) const {
    const int arity = tables[static_cast<std::size_t>(example.table)].symbol.arity;
    return {example_cells.data() + example.begin, static_cast<std::size_t>(arity)};
}

Place RawDataset::place(const Example& example) const {
    return {example_files[static_cast<std::size_t>(example.file)], example.line, example.column};
}

void RawDataset::add_types(const Declaration& of, std::vector<std::string> given) {
    described.push_back(of);
    const auto [known, is_new] = types.try_emplace(of.symbol, given);
    if (!is_new && known->second != given) {
        several_types.insert(of.symbol);
        known->second = std::move(given);
    }
}

void RawDataset::add_directions(const Declaration& of, std::vector<std::string> given) {
    described.push_back(of);
    const auto [known, is_new] = directions.try_emplace(of.symbol, given);
    const auto needs_less = [](const std::vector<std::string>& a,
                               const std::vector<std::string>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i] == "in" && b[i] == "out") {
                return false;
            }
        }
        return true;
    };
    if (!is_new && needs_less(given, known->second)) {  // of several, the one that asks for least
        known->second = std::move(given);
    }
}

}  // namespace hri::data
