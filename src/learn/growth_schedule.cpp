// SPDX-License-Identifier: Apache-2.0
#include "learn/growth_schedule.hpp"

#include <algorithm>

namespace hri::learning {

std::deque<HierarchySize> growth_schedule(const Problem& problem, const Options& options,
                                          bool grow) {
    std::deque<HierarchySize> levels;
    const auto add = [&](int layers, int auxiliaries, int weight = 1) {
        Options grown = options;
        grown.layers = layers;
        grown.auxiliaries = auxiliaries;
        levels.push_back(
            {grown, hypotheses::ProgramSpace(problem.inputs(), problem.target(), grown), weight});
    };
    const int layers = options.layers;
    const int copies = options.auxiliaries;
    if (!grow) {
        add(layers, copies);
        return levels;
    }
    const int fewer = std::max(layers - 1, 1);
    if (fewer < layers)
        add(fewer, copies);
    add(layers, copies);
    add(fewer, copies + 1, 3);
    add(layers, copies + 1);
    add(layers + 2, copies + 1);
    add(layers + 2, copies + 2);
    return levels;
}

}  // namespace hri::learning
