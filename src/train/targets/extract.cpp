// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"

#include <algorithm>

namespace hri {

namespace {

constexpr std::size_t kMaxImages = 500;

/// The weights of each slot's match, averaged over the images with the target.
/// Only predicates of an image take part in its softmax. So a rare predicate may have the best
/// match of all and yet hardly ever take part.
std::vector<float> mean_matches(const Model& model, const SceneSet& scenes, std::uint32_t target) {
    const Hierarchy& h = model.hierarchy;
    const auto width = static_cast<std::size_t>(h.predicates());
    const std::vector<float> alpha = unification(model);
    std::vector<float> sum(alpha.size(), 0.0F);
    const std::span<const std::uint32_t> images = scenes.with_name(target);
    const std::size_t stride = images.size() / kMaxImages + 1;
    std::vector<char> present(width);
    const auto input = [&](std::uint32_t p) {  // True and False come first, the target is none
        return 2 + p - (p > target ? 1 : 0);
    };
    for (std::size_t i = 0; i < images.size(); i += stride) {
        std::fill(present.begin(), present.end(), 1);
        std::fill_n(present.begin() + 2, h.inputs, 0);
        const Scene scene = scenes[images[i]];
        for (const SceneLabel& name : scene.names)
            if (name.predicate != target)
                present[input(name.predicate)] = 1;
        for (const SceneRelation& relation : scene.relations)
            present[input(relation.predicate)] = 1;
        for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
            const float* row = alpha.data() + slot * width;
            float total = 0;
            for (const int p : h.slots[slot].candidates)
                total += present[static_cast<std::size_t>(p)] != 0 ? row[p] : 0.0F;
            for (const int p : h.slots[slot].candidates)
                if (present[static_cast<std::size_t>(p)] != 0 && total > 0)
                    sum[slot * width + static_cast<std::size_t>(p)] += row[p] / total;
        }
    }
    return sum;
}

}  // namespace

Program extract(const Multitask& learned, std::size_t i, const SceneSet& training) {
    const Model model = learned.model(i);
    if (training.with_name(learned.targets[i].target).empty()) {  // nothing was learned of it
        Program never;
        never.target = never.vocabulary.intern(model.target);
        const Atom head{never.target, {Term::variable(0)}};
        never.rules.push_back({head, {head}});
        return simplified(never);
    }
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> weights = mean_matches(model, training, learned.targets[i].target);
    Matches matches;
    for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
        const std::vector<int>& candidates = h.slots[slot].candidates;
        const float* row = weights.data() + slot * static_cast<std::size_t>(h.predicates());
        matches.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                            [&](int a, int b) { return row[a] < row[b]; }));
    }
    return simplified(extract(model, matches));
}

}  // namespace hri
