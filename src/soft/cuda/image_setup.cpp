// SPDX-License-Identifier: Apache-2.0
#include "hri/error.hpp"

#include "soft/cuda/image_batch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace hri::soft {

namespace {

Hierarchy hierarchy_of(const ProtoRules& protorules, int names, int relations,
                       const Options& options) {
    std::vector<PredicateSymbol> inputs(static_cast<std::size_t>(names), {"name", 1});
    inputs.resize(static_cast<std::size_t>(names + relations), {"relation", 2});
    return make_hierarchy(protorules, inputs, 1, options);
}

/// Facts are sorted by predicate.
template <class Facts>
int kinds_of(const Facts& facts) {
    int count = 0;
    for (std::size_t i = 0; i < facts.size(); ++i)
        count += i == 0 || facts[i].predicate != facts[i - 1].predicate ? 1 : 0;
    return count;
}

/// Pairs of predicates, auxiliaries among them, by what each costs beside its cells.
float cost_of(int objects, int predicates) {
    constexpr float kAuxiliaries = 9;
    constexpr float kCells = 30;
    const float wide = static_cast<float>(predicates) + kAuxiliaries;
    const auto n = static_cast<float>(objects);
    return wide * wide * (n * n + kCells);
}

std::size_t bytes_of_job(const DensePlan& plan, int objects) {
    ImageWork work{};
    work.w.plan = plan.view();
    set_constants(work.w.plan, objects);
    MemoryPiece memory, none;
    place_image(work, memory);
    place_buffers(work.w, memory, none, 0);
    constexpr std::size_t kAlignment = 256;
    return (memory.used + kAlignment) / kAlignment * kAlignment;
}

}  // namespace

std::vector<int> longest_first(const std::vector<ImageFacts>& images,
                               const std::vector<ImageJob>& jobs, const std::vector<int>& first) {
    std::vector<std::pair<float, int>> costs;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
        float cost = 0;
        for (int j = first[i]; j < first[i + 1]; ++j)
            if (const int image = jobs[static_cast<std::size_t>(j)].image; image >= 0)
                cost += images[static_cast<std::size_t>(image)].cost;
        costs.emplace_back(-cost, static_cast<int>(i));
    }
    std::sort(costs.begin(), costs.end());
    std::vector<int> order;
    for (const auto& [cost, i] : costs)
        order.push_back(i);
    return order;
}

ImageSetup make_image_setup(const SceneSet& scenes, const ProtoRules& protorules,
                            const Options& options, const std::vector<std::uint32_t>& targets,
                            int max_objects, bool hides_another, int chunk) {
    ImageSetup setup;
    setup.targets = targets;
    std::set<std::pair<int, int>> shapes;
    int largest = 1;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        ImageFacts facts;
        facts.objects = scene.objects;
        facts.name_first = static_cast<int>(setup.names.size());
        facts.relation_first = static_cast<int>(setup.relations.size());
        if (scene.objects <= max_objects && scene.objects > 0) {
            setup.names.insert(setup.names.end(), scene.names.begin(), scene.names.end());
            setup.relations.insert(setup.relations.end(), scene.relations.begin(),
                                   scene.relations.end());
            const int names = kinds_of(scene.names);
            const int relations = kinds_of(scene.relations);
            if (names + relations > kMaxPresent)
                throw Error(fmt::format("an image with {} names and relations is too large for "
                                        "the GPU",
                                        names + relations),
                            {}, "use {device=cpu}, or a smaller {max_objects}");
            for (int less = 0; less <= (hides_another ? 2 : 1) && less <= names; ++less)
                shapes.emplace(names - less, relations);
            largest = std::max(largest, scene.objects);
            facts.cost = cost_of(scene.objects, names + relations);
        }
        facts.name_last = static_cast<int>(setup.names.size());
        facts.relation_last = static_cast<int>(setup.relations.size());
        setup.images.push_back(facts);
    }
    int max_names = 0;
    int max_relations = 0;
    for (const auto& [names, relations] : shapes) {
        max_names = std::max(max_names, names);
        max_relations = std::max(max_relations, relations);
    }
    Options present = options;
    present.mask_absent = false;  // all that is in an image is present
    ImageSizes& sizes = setup.sizes;
    sizes.predicates = static_cast<int>(scenes.predicates().size());
    sizes.targets = static_cast<int>(targets.size());
    sizes.dimension = options.dimension;
    sizes.plan_stride = max_relations + 1;
    sizes.trains_predicates = options.train_predicates ? 1 : 0;
    setup.plan_at.assign(static_cast<std::size_t>((max_names + 1) * sizes.plan_stride), -1);
    for (const auto& [names, relations] : shapes) {
        const Hierarchy hierarchy = hierarchy_of(protorules, names, relations, present);
        sizes.auxiliaries = static_cast<int>(hierarchy.auxiliaries.size());
        sizes.slots = static_cast<int>(hierarchy.slots.size());
        setup.plan_at[static_cast<std::size_t>(names * sizes.plan_stride + relations)] =
            static_cast<int>(setup.plans.size());
        setup.plans.push_back(make_dense_plan(hierarchy, protorules, present, options.dimension,
                                              {largest, options.train_steps, chunk, 1}));
        setup.buffer_bytes =
            std::max(setup.buffer_bytes, bytes_of_job(setup.plans.back(), largest));
    }
    return setup;
}

}  // namespace hri::soft
