// SPDX-License-Identifier: Apache-2.0
#include "evaluate/redundant_rules.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

namespace hri::evaluation {
namespace {

constexpr std::size_t kCompared = 64;  // whose predictions are compared
constexpr std::size_t kBands = 4;      // rules that agree in one band share a cluster
constexpr std::size_t kRows = 4;       // hashes of a band
constexpr std::size_t kBins = kBands * kRows;
constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

/// The least hash of a rule's pairs, by bin: one hash of a pair says both bin and value.
using Sketch = std::array<std::uint32_t, kBins>;

/// An empty bin takes the next one that is not empty. False where all are empty.
bool fill_empty_bins(Sketch& sketch) {
    const Sketch sparse = sketch;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        for (std::size_t next = 1; sketch[bin] == kEmpty; ++next) {
            if (next == kBins) {
                return false;
            }
            sketch[bin] = sparse[(bin + next) % kBins];
        }
    }
    return true;
}

std::vector<Sketch> sketches_of(const RuleIndex& index) {
    Sketch empty;
    empty.fill(kEmpty);
    std::vector<Sketch> sketches(index.size(), empty);
    GraphWalk walk(index.graph());
    std::vector<Hit> hits;
    const std::span<const std::uint32_t> subjects = index.graph().subjects(index.query());
    const std::size_t count = std::min(subjects.size(), kCompared);
    for (std::size_t i = 0; i < count; ++i) {
        index.hits(subjects[i * subjects.size() / count], walk, hits);
        for (const Hit& hit : hits) {
            const std::uint64_t hash = base::mixed((std::uint64_t{hit.entity} << 8U) + i);
            std::uint32_t& least = sketches[hit.rule][hash % kBins];
            least = std::min(least, static_cast<std::uint32_t>(hash >> 33U));
        }
    }
    return sketches;
}

}  // namespace

std::vector<std::uint32_t> redundancy_clusters(const RuleIndex& index) {
    std::vector<std::uint32_t> parent(index.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t rule) {
        while (parent[rule] != rule) {
            rule = parent[rule] = parent[parent[rule]];
        }
        return rule;
    };
    std::vector<Sketch> sketches = sketches_of(index);
    std::unordered_map<std::uint64_t, std::uint32_t> first_with;  // by band and its hashes
    for (std::uint32_t rule = 0; rule < sketches.size(); ++rule) {
        if (!fill_empty_bins(sketches[rule])) {
            continue;
        }
        for (std::size_t band = 0; band < kBands; ++band) {
            std::uint64_t key = band;
            for (std::size_t row = 0; row < kRows; ++row) {
                key = base::mixed(key ^ sketches[rule][band * kRows + row]);
            }
            const auto [known, fresh] = first_with.try_emplace(key, rule);
            const std::uint32_t a = root(known->second);
            const std::uint32_t b = root(rule);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    for (std::uint32_t rule = 0; rule < parent.size(); ++rule) {
        parent[rule] = root(rule);
    }
    return parent;
}

}  // namespace hri::evaluation
