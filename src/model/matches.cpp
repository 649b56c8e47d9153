// SPDX-License-Identifier: Apache-2.0
#include "model/matches.hpp"

#include <algorithm>

namespace hri {

Model hardened(const Model& model, const std::vector<int>& matches) {
    Model result = model;
    const int d = model.parameters.dimension;
    for (std::size_t s = 0; s < matches.size(); ++s) {
        std::copy_n(model.parameters.predicates.begin() + matches[s] * d, d,
                    result.parameters.slots.begin() + static_cast<std::ptrdiff_t>(s) * d);
    }
    return result;
}

std::vector<int> best_matches(const Model& model) {
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> scores = unification(model);
    std::vector<int> matches;
    for (std::size_t s = 0; s < h.slots.size(); ++s) {
        const float* row = scores.data() + s * static_cast<std::size_t>(h.predicates());
        const std::vector<int>& candidates = h.slots[s].candidates;
        matches.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                            [&](int a, int b) { return row[a] < row[b]; }));
    }
    return matches;
}

}  // namespace hri
