// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small random knowledge graphs.

#include "hri/graph.hpp"
#include "hri/random.hpp"

#include <string>
#include <vector>

namespace hri::test {

/// Triples over e0, e1, ... and r0, r1, ...; some with equal ends where `loops`.
inline GraphData random_graph(std::uint64_t seed, int entities, int relations, int triples,
                              bool loops = true) {
    GraphData data;
    data.name = "random";
    for (int i = 0; i < entities; ++i) {
        data.entities.intern("e" + std::to_string(i));
    }
    for (int i = 0; i < relations; ++i) {
        data.relations.intern("r" + std::to_string(i));
    }
    Random random(seed);
    const auto draw = [&](std::vector<Triple>& into, int count) {
        for (int i = 0; i < count; ++i) {
            const auto head = static_cast<std::uint32_t>(random.below(entities));
            const auto tail = static_cast<std::uint32_t>(random.below(entities));
            if (head != tail || loops) {
                into.push_back({head, static_cast<std::uint32_t>(random.below(relations)), tail});
            }
        }
    };
    draw(data.training, triples);
    draw(data.valid, triples / 8);
    draw(data.test, triples / 8);
    return data;
}

}  // namespace hri::test
