// SPDX-License-Identifier: Apache-2.0
#include "data/build_database.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace hri::data {
namespace {

/// The most negative examples that are written out for a closed world.
constexpr std::size_t kMaxClosedWorld = 250'000;

using Row = std::vector<std::int32_t>;

/// The rows of a table in their order, equal ones beside each other.
std::vector<std::uint32_t> sorted_rows(const std::vector<std::int32_t>& cells, std::size_t arity,
                                       std::size_t rows) {
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        const auto* left = cells.data() + x * arity;
        const auto* right = cells.data() + y * arity;
        return std::lexicographical_compare(left, left + arity, right, right + arity);
    });
    return order;
}

/// Calls `take` with each different row and its places in the order.
template <class Take>
void for_each_row(const std::vector<std::int32_t>& cells, std::size_t arity, std::size_t rows,
                  const Take& take) {
    const std::vector<std::uint32_t> order = sorted_rows(cells, arity, rows);
    for (std::size_t begin = 0; begin < rows;) {
        const auto* row = cells.data() + order[begin] * arity;
        std::size_t end = begin + 1;
        while (end < rows && std::equal(row, row + arity, cells.data() + order[end] * arity)) {
            ++end;
        }
        take(std::span(row, arity), std::span(order).subspan(begin, end - begin));
        begin = end;
    }
}

/// Sorted, without duplicates; of rows that differ in their valuation alone the largest stays.
FactTable fact_table(const RawDataset::Table& table, const std::vector<std::int32_t>& numbers) {
    const auto arity = static_cast<std::size_t>(table.symbol.arity);
    std::vector<std::int32_t> cells;
    cells.reserve(table.cells.size());
    for (const std::int32_t cell : table.cells) {
        cells.push_back(numbers[static_cast<std::size_t>(cell)]);
    }
    FactTable result;
    result.symbol = table.symbol;
    for_each_row(cells, arity, table.rows(), [&](auto row, auto places) {
        result.cells.insert(result.cells.end(), row.begin(), row.end());
        float value = 0;
        for (const std::uint32_t place : places) {
            value = std::max(value, table.values[place]);
        }
        result.values.push_back(value);
    });
    const bool crisp = std::all_of(result.values.begin(), result.values.end(),
                                   [](float value) { return value == 1.0F; });
    if (crisp && arity > 0) {
        result.values = {};
    }
    return result;
}

/// Positive wins over negative.
ExampleTable example_table(const RawDataset& data, int target,
                           const std::vector<std::int32_t>& numbers, bool held_out) {
    ExampleTable result;
    result.target = data.tables[static_cast<std::size_t>(target)].symbol;
    std::vector<std::int32_t> cells;
    std::vector<char> positive;
    for (const RawDataset::Example& example : data.examples) {
        if (example.table == target && example.held_out == held_out) {
            for (const std::int32_t cell : data.cells(example)) {
                cells.push_back(numbers[static_cast<std::size_t>(cell)]);
            }
            positive.push_back(example.positive ? 1 : 0);
        }
    }
    const auto arity = static_cast<std::size_t>(result.target.arity);
    for_each_row(cells, arity, positive.size(), [&](auto row, auto places) {
        result.cells.insert(result.cells.end(), row.begin(), row.end());
        result.positive.push_back(std::any_of(places.begin(), places.end(),
                                              [&](auto place) { return positive[place] != 0; })
                                      ? 1
                                      : 0);
    });
    return result;
}

/// False where they are too many.
bool close_world(ExampleTable& examples, std::size_t constants) {
    const auto arity = static_cast<std::size_t>(examples.target.arity);
    double all = 1;
    for (std::size_t i = 0; i < arity; ++i) {
        all *= static_cast<double>(constants);
    }
    if (all > static_cast<double>(kMaxClosedWorld) || all == 0) {
        return all == 0;
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
    return true;
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
        result->unlisted_negative = !close_world(result->examples, count);
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
