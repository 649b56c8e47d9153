// SPDX-License-Identifier: Apache-2.0
#include "data/build_database.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace hri::data {
namespace {

/// Of a closed world, negative examples are written out up to so many.
constexpr std::size_t kMaxClosedWorld = 250'000;

using Row = std::vector<std::int32_t>;

Row renumbered(std::span<const std::int32_t> row, const std::vector<std::int32_t>& numbers) {
    Row result;
    for (const std::int32_t cell : row) {
        result.push_back(numbers[static_cast<std::size_t>(cell)]);
    }
    return result;
}

/// Sorted, without duplicates; of rows that differ in their valuation alone the largest stays.
FactTable fact_table(const RawDataset::Table& table, const std::vector<std::int32_t>& numbers) {
    const auto arity = static_cast<std::size_t>(table.symbol.arity);
    std::map<Row, float> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        float& value = rows[renumbered({table.cells.data() + row * arity, arity}, numbers)];
        value = std::max(value, table.values[row]);
    }
    FactTable result;
    result.symbol = table.symbol;
    for (const auto& [row, value] : rows) {
        result.cells.insert(result.cells.end(), row.begin(), row.end());
        result.values.push_back(value);
    }
    const bool crisp = std::all_of(result.values.begin(), result.values.end(),
                                   [](float value) { return value == 1.0F; });
    if (crisp && arity > 0) {
        result.values.clear();
    }
    return result;
}

/// Positive wins over negative.
ExampleTable example_table(const RawDataset& data, int target,
                           const std::vector<std::int32_t>& numbers, bool held_out) {
    ExampleTable result;
    result.target = data.tables[static_cast<std::size_t>(target)].symbol;
    std::map<Row, char> rows;
    for (const RawDataset::Example& example : data.examples) {
        if (example.table == target && example.held_out == held_out) {
            char& positive = rows[renumbered(data.cells(example), numbers)];
            positive = positive != 0 || example.positive ? 1 : 0;
        }
    }
    for (const auto& [row, positive] : rows) {
        result.cells.insert(result.cells.end(), row.begin(), row.end());
        result.positive.push_back(positive);
    }
    return result;
}

/// Tuples that no example lists become negative ones.
void close_world(ExampleTable& examples, std::size_t constants) {
    const auto arity = static_cast<std::size_t>(examples.target.arity);
    double all = 1;
    for (std::size_t i = 0; i < arity; ++i) {
        all *= static_cast<double>(constants);
    }
    if (all > static_cast<double>(kMaxClosedWorld) || all == 0) {
        return;
    }
    std::set<Row> known;
    for (std::size_t row = 0; row < examples.positive.size(); ++row) {
        const auto begin = examples.cells.begin() + static_cast<std::ptrdiff_t>(row * arity);
        known.emplace(begin, begin + static_cast<std::ptrdiff_t>(arity));
    }
    Row row(arity, 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(all); ++i) {
        std::size_t rest = i;
        for (std::size_t a = arity; a-- > 0; rest /= constants) {
            row[a] = static_cast<std::int32_t>(rest % constants);
        }
        if (known.count(row) == 0) {
            examples.cells.insert(examples.cells.end(), row.begin(), row.end());
            examples.positive.push_back(0);
        }
    }
}

}  // namespace

std::shared_ptr<Database> build_database(const RawDataset& data, int target,
                                         const std::vector<int>& inputs, bool closed_world) {
    std::vector<int> tables = inputs;
    if (data.tables[static_cast<std::size_t>(target)].rows() > 0) {
        tables.push_back(target);
    }
    std::vector<bool> used(static_cast<std::size_t>(data.constants.size()), false);
    const auto use = [&](std::span<const std::int32_t> cells) {
        for (const std::int32_t cell : cells) {
            used[static_cast<std::size_t>(cell)] = true;
        }
    };
    for (const int index : tables) {
        use(data.tables[static_cast<std::size_t>(index)].cells);
    }
    for (const RawDataset::Example& example : data.examples) {
        if (example.table == target) {
            use(data.cells(example));
        }
    }
    use(data.extra_constants);
    Constants::Numbering numbering = data.constants.numbered(used);

    auto result = std::make_shared<Database>();
    const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    for (std::size_t i = numbering.names.size(); i < count; ++i) {
        numbering.names.push_back(std::to_string(i));
    }
    result->constants = std::move(numbering.names);
    for (const std::string& name : result->constants) {
        result->numbers.push_back(prolog::number_of(name));
    }
    if (std::all_of(result->numbers.begin(), result->numbers.end(),
                    [](double number) { return std::isnan(number); })) {
        result->numbers.clear();
    }
    for (const int index : tables) {
        result->tables.push_back(
            fact_table(data.tables[static_cast<std::size_t>(index)], numbering.renumbered));
    }
    result->examples = example_table(data, target, numbering.renumbered, false);
    result->held_out = example_table(data, target, numbering.renumbered, true);
    if (closed_world) {
        close_world(result->examples, count);
    }
    result->bias = data.bias;
    for (const auto& [symbol, types] : data.types) {
        if (data.several_types.count(symbol) == 0) {
            result->bias.types.emplace(symbol, types);
        }
    }
    result->bias.directions = data.directions;
    return result;
}

}  // namespace hri::data
