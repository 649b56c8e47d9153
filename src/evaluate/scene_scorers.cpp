// SPDX-License-Identifier: Apache-2.0

// Scorers of objects that need no training: programs and the baseline Freq. Choices of images.

#include "hri/recall.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "evaluate/neighbours.hpp"

#include <algorithm>
#include <numeric>

namespace hri {

using evaluation::each_neighbour;
using evaluation::names_of;
using evaluation::Neighbours;

SceneScores program_scores(const SceneSet& scenes, std::span<const std::uint32_t> targets,
                           const std::vector<Program>& programs) {
    auto compiled = std::make_shared<std::vector<evaluation::CompiledProgram>>();
    for (const Program& program : programs) {
        compiled->emplace_back(program, scenes.predicates());
    }
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    return
        [&scenes, compiled, own](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
            Instance instance =
                scene_instance(scenes, image, hidden == kHideOwnLabel ? own[0] : hidden);
            const auto objects = static_cast<std::size_t>(instance.constants);
            Truth truth;
            for (std::size_t t = 0; t < own.size(); ++t) {
                if (hidden == kHideOwnLabel && t > 0) {
                    instance = scene_instance(scenes, image, own[t]);
                }
                (*compiled)[t].evaluate(instance, kToFixpoint, truth);
                std::copy(truth.begin(), truth.end(),
                          scores.begin() + static_cast<std::ptrdiff_t>(t * objects));
            }
        };
}

SceneScores freq_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                        std::span<const std::uint32_t> targets, bool all_partners) {
    auto neighbours = std::make_shared<Neighbours>(evaluation::counted(scenes, training, targets));
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    return [&scenes, neighbours, own, all_partners](std::size_t image, std::uint32_t hidden,
                                                    std::span<float> scores) {
        const Scene scene = scenes[image];
        const auto objects = static_cast<std::size_t>(scene.objects);
        each_neighbour(
            scene, names_of(scene),
            [&](std::uint32_t object, std::uint32_t relation, bool outwards, std::uint32_t name) {
                if (name == hidden) {
                    return;
                }
                const auto counts = neighbours->counts(relation, outwards, name);
                const auto most = std::max_element(counts.begin(), counts.end());
                for (std::size_t t = 0; t < own.size(); ++t) {
                    const bool votes =
                        all_partners || counts.begin() + static_cast<std::ptrdiff_t>(t) == most;
                    if (votes && !(hidden == kHideOwnLabel && name == own[t])) {
                        scores[t * objects + object] += static_cast<float>(counts[t]);
                    }
                }
            });
    };
}

std::vector<std::vector<std::uint32_t>> scene_folds(std::size_t images, int count,
                                                    std::uint64_t seed) {
    std::vector<std::uint32_t> order(images);
    std::iota(order.begin(), order.end(), 0U);
    Random random(seed, Random::kData);
    random.shuffle(order);
    std::vector<std::vector<std::uint32_t>> folds(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < images; ++i) {
        folds[i % folds.size()].push_back(order[i]);
    }
    for (std::vector<std::uint32_t>& fold : folds) {
        std::sort(fold.begin(), fold.end());
    }
    return folds;
}

SceneSet select_scenes(const SceneSet& scenes, std::span<const std::uint32_t> images) {
    std::vector<SceneData> selected;
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        selected.push_back({std::string(scene.image),
                            scene.objects,
                            {scene.names.begin(), scene.names.end()},
                            {scene.relations.begin(), scene.relations.end()}});
    }
    return make_scenes(scenes.predicates(), selected,
                       {scenes.targets().begin(), scenes.targets().end()}, scenes.origin());
}

SceneSet renamed_scenes(const SceneSet& scenes,
                        const std::map<std::uint32_t, std::uint32_t>& instead) {
    std::vector<SceneData> all;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        SceneData& image =
            all.emplace_back(SceneData{std::string(scene.image),
                                       scene.objects,
                                       {},
                                       {scene.relations.begin(), scene.relations.end()}});
        for (const auto& [name, object] : scene.names) {
            const auto other = instead.find(name);
            image.names.push_back({other == instead.end() ? name : other->second, object});
        }
        std::sort(image.names.begin(), image.names.end());
        image.names.erase(std::unique(image.names.begin(), image.names.end()), image.names.end());
    }
    return make_scenes(scenes.predicates(), all, {scenes.targets().begin(), scenes.targets().end()},
                       scenes.origin());
}

SceneSet scenes_around(const SceneSet& scenes, std::uint32_t target, int min_facts, int max_facts) {
    std::vector<SceneData> kept;
    for (const std::uint32_t image : scenes.with_name(target)) {
        const Scene scene = scenes[image];
        std::vector<bool> is_target(static_cast<std::size_t>(scene.objects), false);
        for (const SceneLabel& name : scene.names) {
            if (name.predicate == target) {
                is_target[name.object] = true;
            }
        }
        SceneData data{std::string(scene.image), 0, {}, {}};
        std::map<std::uint32_t, std::uint32_t> number;
        const auto numbered = [&](std::uint32_t object) {
            return number.emplace(object, static_cast<std::uint32_t>(number.size())).first->second;
        };
        for (const auto& [relation, subject, object] : scene.relations) {
            if (is_target[subject] || is_target[object]) {
                const std::uint32_t from = numbered(subject);
                data.relations.push_back({relation, from, numbered(object)});
            }
        }
        for (const SceneLabel& name : scene.names) {
            if (const auto found = number.find(name.object); found != number.end()) {
                data.names.push_back({name.predicate, found->second});
            }
        }
        data.objects = static_cast<int>(number.size());
        const auto facts = static_cast<int>(data.names.size() + data.relations.size());
        if (facts >= min_facts && facts <= max_facts) {
            kept.push_back(std::move(data));
        }
    }
    return make_scenes(scenes.predicates(), kept, {target}, scenes.origin());
}

}  // namespace hri
