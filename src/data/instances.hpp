// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sparse data with numbered constants, and the instances that are made of them.

#include "hri/data.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::data {

struct IndexedDataset {
    int constants = 0;
    std::vector<std::string> names;        ///< empty: 0, 1, 2, ...
    std::vector<std::vector<Fact>> facts;  ///< [input], sorted, without duplicates

    struct Labelled {
        std::int32_t first = 0;
        std::int32_t second = 0;
        bool positive = false;
        auto operator<=>(const Labelled&) const = default;
    };

    std::vector<Labelled> examples;  ///< of the target, without contradictions
    std::vector<Labelled> held_out;

    std::string name_of(std::int32_t constant) const {
        return names.empty() ? std::to_string(constant) : names[static_cast<std::size_t>(constant)];
    }
};

/// Fills problem.training (and evaluation) with one instance or several, and tells of a split in
/// problem.notes. Throws Error at `place` where one instance would be too large.
void make_instances(Problem& problem, const IndexedDataset& data, const ReadOptions& options,
                    bool evaluation, const Place& place);

}  // namespace hri::data
