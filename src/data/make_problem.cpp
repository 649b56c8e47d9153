// SPDX-License-Identifier: Apache-2.0

// Facts and examples that are in memory already.

#include "data/raw_dataset.hpp"

namespace hri {
namespace {

using data::RawDataset;

/// Calls each(table, tuple, row) for every row.
template <class Each>
void for_rows(RawDataset& into, const NamedTuples& tuples, const Place& place, Each each) {
    const auto arity = static_cast<std::size_t>(tuples.symbol.arity);
    if (arity > data::kMaxArityRead) {
        throw Error(data::described(tuples.symbol) + " has too many arguments, expected at most " +
                        std::to_string(data::kMaxArityRead),
                    place);
    }
    if (tuples.cells.size() != tuples.values.size() * arity) {
        throw Error(data::described(tuples.symbol) + " has " +
                        std::to_string(tuples.values.size()) + " rows and " +
                        std::to_string(tuples.cells.size()) + " cells",
                    place, "each row takes as many cells as the predicate has arguments");
    }
    data::check_name(tuples.symbol.name, place);
    const int table = into.table(tuples.symbol, place);
    std::vector<std::int32_t> tuple(arity);
    for (std::size_t row = 0; row < tuples.values.size(); ++row) {
        for (std::size_t i = 0; i < arity; ++i) {
            tuple[i] = into.constants.intern(tuples.cells[row * arity + i]);
        }
        each(table, tuple, row);
    }
}

}  // namespace

Problem make_problem(const InMemoryData& data, const ReadOptions& options) {
    RawDataset into;
    into.progress = options.progress;
    into.name = data.name;
    into.no_examples = {data.from};
    into.hint_no_target = "give positive examples, or name the target";
    const auto place = [&](const char* part, const NamedTuples& tuples) {
        return Place{data.from + ": " + part + " " + data::described(tuples.symbol)};
    };
    for (const NamedTuples& tuples : data.facts) {
        const Place here = place("facts of", tuples);
        into.tables[static_cast<std::size_t>(into.table(tuples.symbol, here))].given = true;
        for_rows(into, tuples, here,
                 [&](int table, const std::vector<std::int32_t>& tuple, std::size_t row) {
                     const float value = tuples.values[row];
                     if (!(value > 0 && value <= 1)) {
                         throw Error("expected valuations above 0 and up to 1, found " +
                                         std::to_string(value),
                                     here);
                     }
                     into.add_fact(table, tuple, value);
                 });
    }
    for (const bool positive : {true, false}) {
        for (const NamedTuples& tuples : positive ? data.positive : data.negative) {
            const Place here = place(positive ? "positive" : "negative", tuples);
            for_rows(into, tuples, here,
                     [&](int table, const std::vector<std::int32_t>& tuple, std::size_t) {
                         into.add_example(table, here, tuple, positive);
                     });
        }
    }
    for (const std::string& constant : data.constants) {
        into.extra_constants.push_back(into.constants.intern(constant));
    }
    if (data.target) {
        into.heads.push_back({*data.target, {data.from}, {data.from}});
    }
    return build_problem(std::move(into), options);
}

}  // namespace hri
