// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"

#include "hypotheses/program_space.hpp"
#include "train/targets/image_programs.hpp"

#include <algorithm>
#include <map>

namespace hri {

namespace {

constexpr std::size_t kMaxImages = 500;

/// What takes part in the softmax of an image. The target is no predicate of its own model.
class Present {
  public:
    explicit Present(const Hierarchy& hierarchy)
        : h_(hierarchy), is_here_(static_cast<std::size_t>(h_.predicates())) {}

    void look_at(const Scene& scene, std::uint32_t target) {
        std::fill(is_here_.begin(), is_here_.end(), 1);
        std::fill_n(is_here_.begin() + 2, h_.inputs, 0);  // after True and False
        const auto see = [&](std::uint32_t p) {
            if (p != target)
                is_here_[2 + p - (p > target ? 1 : 0)] = 1;
        };
        for (const SceneLabel& name : scene.names)
            see(name.predicate);
        for (const SceneRelation& relation : scene.relations)
            see(relation.predicate);
    }

    bool operator()(int p) const { return is_here_[static_cast<std::size_t>(p)] != 0; }

  private:
    const Hierarchy& h_;
    std::vector<char> is_here_;
};

/// Calls visit(scene) for the images with a target, at most kMaxImages.
template <class Visit>
void each_image(const SceneSet& scenes, std::uint32_t target, Visit visit) {
    const std::span<const std::uint32_t> images = scenes.with_name(target);
    const std::size_t stride = images.size() / kMaxImages + 1;
    for (std::size_t i = 0; i < images.size(); i += stride)
        visit(scenes[images[i]]);
}

/// Of a target's model: the weights of each slot's match, averaged over images with the target.
/// Only what is in an image takes part in its softmax, so that a rare predicate may match best of
/// all and yet nearly never.
std::vector<float> mean_matches(const Model& model, const SceneSet& scenes, std::uint32_t target) {
    const Hierarchy& h = model.hierarchy;
    const auto width = static_cast<std::size_t>(h.predicates());
    const std::vector<float> alpha = unification(model);
    std::vector<float> sum(alpha.size(), 0.0F);
    Present is_here(h);
    each_image(scenes, target, [&](const Scene& scene) {
        is_here.look_at(scene, target);
        for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
            const float* row = alpha.data() + slot * width;
            float total = 0;
            for (const int p : h.slots[slot].candidates)
                total += is_here(p) ? row[p] : 0.0F;
            for (const int p : h.slots[slot].candidates)
                if (is_here(p) && total > 0)
                    sum[slot * width + static_cast<std::size_t>(p)] += row[p] / total;
        }
    });
    return sum;
}

/// The same matches for all programs that differ only where the target does not reach.
void forget_unreached(const hypotheses::ProgramSpace& space, hypotheses::Reached& reached,
                      Matches& matches) {
    const Hierarchy& h = space.hierarchy();
    reached.find(space, matches);
    for (std::size_t a = 0; a < h.auxiliaries.size(); ++a)
        if (!reached.contains(static_cast<int>(a)))
            for (const int slot : h.auxiliaries[a].slots)
                matches[static_cast<std::size_t>(slot)] =
                    h.slots[static_cast<std::size_t>(slot)].candidates.front();
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

std::vector<training::ImageProgram> training::image_programs(const Multitask& learned,
                                                             std::size_t i,
                                                             const SceneSet& scenes) {
    const Model model = learned.model(i);
    const Hierarchy& h = model.hierarchy;
    const auto width = static_cast<std::size_t>(h.predicates());
    const std::vector<float> alpha = unification(model);
    const hypotheses::ProgramSpace space(model);
    hypotheses::Reached reached;
    Present is_here(h);
    std::map<Matches, int> images;
    const std::uint32_t target = learned.targets[i].target;
    each_image(scenes, target, [&](const Scene& scene) {
        is_here.look_at(scene, target);
        Matches matches;
        for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
            const float* row = alpha.data() + slot * width;
            const auto weight = [&](int p) { return is_here(p) ? row[p] : -1.0F; };
            const std::vector<int>& candidates = h.slots[slot].candidates;
            matches.push_back(
                *std::max_element(candidates.begin(), candidates.end(),
                                  [&](int a, int b) { return weight(a) < weight(b); }));
        }
        forget_unreached(space, reached, matches);
        ++images[matches];
    });
    std::vector<ImageProgram> programs;
    programs.reserve(images.size());
    for (const auto& [matches, count] : images)
        programs.push_back({simplified(extract(model, matches)), count});
    return programs;
}

}  // namespace hri
