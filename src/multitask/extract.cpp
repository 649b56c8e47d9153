// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"

#include <algorithm>

namespace hri {

namespace {

/// By predicate, whether an image has it.
std::vector<char> occurring(const SceneSet& scenes) {
    std::vector<char> occurs(scenes.predicates().size(), 0);
    for (std::uint32_t p = 0; p < scenes.unary(); ++p)
        occurs[p] = scenes.with_name(p).empty() ? 0 : 1;
    for (std::size_t i = 0; i < scenes.size(); ++i)
        for (const SceneRelation& relation : scenes[i].relations)
            occurs[relation.predicate] = 1;
    return occurs;
}

}  // namespace

Program extract(const Multitask& learned, std::size_t i, const SceneSet& training) {
    const Model model = learned.model(i);
    const Hierarchy& h = model.hierarchy;
    std::vector<char> occurs = occurring(training);
    occurs.erase(occurs.begin() + learned.targets[i].target);  // as model.inputs
    const std::vector<float> alpha = unification(model);
    const auto score = [&](std::size_t slot, int p) {
        const int input = p - 2;  // True and False come first
        const bool is_absent =
            input >= 0 && p < h.first_auxiliary() && occurs[static_cast<std::size_t>(input)] == 0;
        return is_absent ? -1.0F
                         : alpha[slot * static_cast<std::size_t>(h.predicates()) +
                                 static_cast<std::size_t>(p)];
    };
    Matches matches;
    for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
        const std::vector<int>& candidates = h.slots[slot].candidates;
        matches.push_back(
            *std::max_element(candidates.begin(), candidates.end(),
                              [&](int a, int b) { return score(slot, a) < score(slot, b); }));
    }
    return simplified(extract(model, matches));
}

}  // namespace hri
