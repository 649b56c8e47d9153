// SPDX-License-Identifier: Apache-2.0

// Baselines over the neighbours of objects: naive Bayes and logistic regression.

#include "hri/random.hpp"
#include "hri/recall.hpp"

#include "evaluate/neighbours.hpp"
#include "evaluate/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace hri {
namespace {

using evaluation::each_neighbour;
using evaluation::names_of;
using evaluation::Neighbours;
using evaluation::Softmax;

constexpr double kPseudoCount = 0.1;  // of each neighbour of each target, for naive Bayes
constexpr int kEpochs = 10;

/// Features by number: 0 is always there, then relations with their direction, then neighbours.
class Features {
  public:
    explicit Features(const SceneSet& scenes)
        : unary_(scenes.unary()), sides_(2 * (scenes.predicates().size() - unary_)) {}

    std::size_t size() const { return 1 + sides_ * (1 + unary_); }

    /// [object]: what it shows where no object's name `hidden` is known. Each feature stands once.
    std::vector<std::vector<std::size_t>> of(const Scene& scene, std::uint32_t hidden) const {
        std::vector<std::vector<std::size_t>> all(static_cast<std::size_t>(scene.objects), {0});
        const auto side = [&](std::uint32_t relation, bool outwards) {
            return 2 * std::size_t{relation - unary_} + (outwards ? 1 : 0);
        };
        for (const auto& [relation, subject, object] : scene.relations) {
            all[subject].push_back(1 + side(relation, true));
            all[object].push_back(1 + side(relation, false));
        }
        each_neighbour(
            scene, names_of(scene),
            [&](std::uint32_t object, std::uint32_t relation, bool outwards, std::uint32_t name) {
                if (name != hidden) {
                    all[object].push_back(1 + sides_ + side(relation, outwards) * unary_ + name);
                }
            });
        for (std::vector<std::size_t>& features : all) {
            std::sort(features.begin(), features.end());
            features.erase(std::unique(features.begin(), features.end()), features.end());
        }
        return all;
    }

  private:
    std::uint32_t unary_;
    std::size_t sides_;  // relations and their directions
};

}  // namespace

SceneScores bayes_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                         std::span<const std::uint32_t> targets) {
    auto neighbours = std::make_shared<Neighbours>(evaluation::counted(scenes, training, targets));
    const std::vector<std::size_t> place = evaluation::places_of(scenes, targets);
    std::vector<double> objects(targets.size(), 1);  // one more than there are
    for (const std::uint32_t image : training) {
        for (const SceneLabel& name : scenes[image].names) {
            if (place[name.predicate] < targets.size()) {
                ++objects[place[name.predicate]];
            }
        }
    }
    std::vector<double> seen(targets.size(), 0);  // neighbours of all objects of a target
    double kinds = 0;
    for (auto relation = scenes.unary(); relation < scenes.predicates().size(); ++relation) {
        for (const bool outwards : {false, true}) {
            for (std::uint32_t name = 0; name < scenes.unary(); ++name) {
                ++kinds;
                const auto counts = neighbours->counts(relation, outwards, name);
                for (std::size_t t = 0; t < targets.size(); ++t) {
                    seen[t] += counts[t];
                }
            }
        }
    }
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    return [=, &scenes](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
        const Scene scene = scenes[image];
        const auto n = static_cast<std::size_t>(scene.objects);
        for (std::size_t t = 0; t < own.size(); ++t) {
            std::fill_n(scores.begin() + static_cast<std::ptrdiff_t>(t * n), n,
                        static_cast<float>(std::log(objects[t])));
        }
        each_neighbour(
            scene, names_of(scene),
            [&](std::uint32_t object, std::uint32_t relation, bool outwards, std::uint32_t name) {
                if (name == hidden) {
                    return;
                }
                const auto counts = neighbours->counts(relation, outwards, name);
                for (std::size_t t = 0; t < own.size(); ++t) {
                    if (!(hidden == kHideOwnLabel && name == own[t])) {
                        scores[t * n + object] += static_cast<float>(std::log(
                            (counts[t] + kPseudoCount) / (seen[t] + kPseudoCount * kinds)));
                    }
                }
            });
    };
}

SceneScores logistic_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                            std::span<const std::uint32_t> targets, std::uint64_t seed) {
    const Features features(scenes);
    const std::vector<std::size_t> place = evaluation::places_of(scenes, targets);
    std::vector<Softmax::Example> shown;
    for (const std::uint32_t image : training) {
        const Scene scene = scenes[image];
        // names stand in ascending order: those of one target one after the other
        std::vector<std::vector<std::size_t>> of_objects;
        for (std::size_t i = 0; i < scene.names.size(); ++i) {
            const SceneLabel& name = scene.names[i];
            if (place[name.predicate] == targets.size()) {
                continue;
            }
            if (of_objects.empty() || name.predicate != scene.names[i - 1].predicate) {
                of_objects = features.of(scene, name.predicate);
            }
            shown.push_back({of_objects[name.object], place[name.predicate]});
        }
    }
    auto softmax = std::make_shared<Softmax>(features.size(), targets.size());
    softmax->learn(shown, kEpochs, seed);
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    return [=, &scenes](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
        const Scene scene = scenes[image];
        const auto n = static_cast<std::size_t>(scene.objects);
        std::vector<float> logits(own.size());
        const auto fill = [&](std::uint32_t unknown, std::size_t first, std::size_t last) {
            const auto of_objects = features.of(scene, unknown);
            for (std::size_t object = 0; object < n; ++object) {
                softmax->logits(logits, of_objects[object]);
                for (std::size_t t = first; t < last; ++t) {
                    scores[t * n + object] = logits[t];
                }
            }
        };
        if (hidden != kHideOwnLabel) {
            fill(hidden, 0, own.size());
            return;
        }
        for (std::size_t t = 0; t < own.size(); ++t) {
            fill(own[t], t, t + 1);
        }
    };
}

}  // namespace hri
