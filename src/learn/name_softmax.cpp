// SPDX-License-Identifier: Apache-2.0

// A softmax over the names of objects: the soft reading of rules, in which every body has a weight
// for every name, blended with the valuations of soft models.

#include "hri/random.hpp"
#include "hri/scene_rules.hpp"

#include "evaluate/scene_bodies.hpp"
#include "evaluate/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

namespace hri {

namespace {

using evaluation::BodyKind;
using evaluation::NamedObject;
using evaluation::SceneBodies;
using evaluation::Softmax;

/// Bodies by number. 0 stands for what is true of all objects.
class BodyNumbers {
  public:
    BodyNumbers() = default;

    BodyNumbers(const SceneBodies& bodies, const std::vector<NamedObject>& objects,
                const NameSoftmaxSettings& settings) {
        if (!settings.use_bodies)
            return;
        std::unordered_map<std::uint64_t, std::int64_t> counts;
        for (const NamedObject& object : objects)
            for (const SceneBody body : object.bodies)
                ++counts[body.code];
        std::vector<std::pair<std::int64_t, std::uint64_t>> kept;  // the most frequent first
        for (const auto& [code, count] : counts)
            if (count >=
                (bodies.parts({code}).kind == BodyKind::neighbour ? 1 : settings.min_covered))
                kept.emplace_back(-count, code);
        std::sort(kept.begin(), kept.end());
        kept.resize(std::min(kept.size(), settings.max_bodies));
        for (const auto& [count, code] : kept)
            numbers_.emplace(code, numbers_.size() + 1);
    }

    std::size_t size() const { return numbers_.size() + 1; }

    std::vector<std::size_t> of(const std::vector<SceneBody>& bodies) const {
        std::vector<std::size_t> all = {0};
        for (const SceneBody body : bodies)
            if (const auto found = numbers_.find(body.code); found != numbers_.end())
                all.push_back(found->second);
        return all;
    }

  private:
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

/// `count` of the images, drawn at random, ascending.
std::vector<std::uint32_t> drawn(std::span<const std::uint32_t> images, std::size_t count,
                                 std::uint64_t seed) {
    std::vector<std::uint32_t> all(images.begin(), images.end());
    if (all.size() > count) {
        Random(seed, Random::kData).shuffle(all);
        all.resize(count);
        std::sort(all.begin(), all.end());
    }
    return all;
}

/// The valuations of one object for all targets, from those of all objects of its image.
std::vector<float> column(std::span<const float> values, std::size_t objects, std::size_t object,
                          std::size_t targets) {
    std::vector<float> of_object(targets);
    for (std::size_t t = 0; t < targets; ++t)
        of_object[t] = values[t * objects + object];
    return of_object;
}

void add_values(std::vector<Softmax::Example>& examples, const std::vector<NamedObject>& objects,
                const SceneSet& scenes, std::span<const std::uint32_t> targets,
                const SceneScores& soft) {
    std::vector<float> values;
    for (std::size_t e = 0; e < objects.size(); ++e) {
        const NamedObject& object = objects[e];
        const auto n = static_cast<std::size_t>(scenes[object.image].objects);
        const bool is_same =
            e > 0 && objects[e - 1].image == object.image && objects[e - 1].target == object.target;
        if (!is_same) {  // else of the same image with the same name hidden
            values.assign(targets.size() * n, 0.0F);
            soft(object.image, targets[object.target], values);
        }
        examples[e].values = column(values, n, object.object, targets.size());
    }
}

/// Logarithms of probabilities.
void normalise(std::span<float> logits) {
    const float most = *std::max_element(logits.begin(), logits.end());
    float sum = 0;
    for (const float logit : logits)
        sum += std::exp(logit - most);
    for (float& logit : logits)
        logit -= most + std::log(sum);
}

/// Weights of bodies come from all images. Then those of the valuations, which take longer to
/// compute, are learned from some images, and with them the others' go on.
Softmax learned(const SceneSet& scenes, std::span<const std::uint32_t> training,
                std::span<const std::uint32_t> targets, const NameSoftmaxSettings& settings,
                const SceneScores& soft, const SceneBodies& bodies, BodyNumbers& numbers) {
    const auto objects_of_targets = [&](std::span<const std::uint32_t> images) {
        std::vector<NamedObject> objects =
            evaluation::named_objects(scenes, images, targets, bodies);
        std::erase_if(objects,
                      [&](const NamedObject& object) { return object.target == targets.size(); });
        return objects;
    };
    const auto examples_of = [&](std::vector<NamedObject>& objects) {
        std::vector<Softmax::Example> examples;
        for (NamedObject& object : objects) {
            examples.push_back({numbers.of(object.bodies), object.target});
            object.bodies = {};
        }
        return examples;
    };
    std::vector<NamedObject> objects = objects_of_targets(training);
    numbers = BodyNumbers(bodies, objects, settings);
    Softmax softmax(numbers.size(), targets.size());
    softmax.learn(examples_of(objects), settings.epochs, settings.seed);
    if (soft) {
        objects = objects_of_targets(drawn(training, settings.max_images, settings.seed));
        std::vector<Softmax::Example> examples = examples_of(objects);
        add_values(examples, objects, scenes, targets, soft);
        softmax.learn(examples, settings.epochs, settings.seed + 1, 1);
    }
    return softmax;
}

}  // namespace

SceneScores softmax_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                           std::span<const std::uint32_t> targets,
                           const NameSoftmaxSettings& settings, const SceneScores& soft) {
    const auto bodies = std::make_shared<SceneBodies>(scenes.predicates(), settings.bodies);
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    const auto numbers = std::make_shared<BodyNumbers>();
    const auto softmax = std::make_shared<Softmax>(
        learned(scenes, training, own, settings, soft, *bodies, *numbers));
    return [=, &scenes](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
        const Scene scene = scenes[image];
        const auto n = static_cast<std::size_t>(scene.objects);
        std::vector<float> values;
        if (soft) {
            values.assign(scores.size(), 0.0F);
            soft(image, hidden, values);
        }
        std::vector<float> logits(own.size());
        evaluation::each_view(
            *bodies, scene, own, hidden,
            [&](const auto& of_objects, const std::vector<std::size_t>& of_targets) {
                for (std::size_t object = 0; object < n; ++object) {
                    softmax->logits(
                        logits, numbers->of(of_objects[object]),
                        soft ? column(values, n, object, own.size()) : std::vector<float>{});
                    normalise(logits);
                    for (const std::size_t t : of_targets)
                        scores[t * n + object] = logits[t];
                }
            });
    };
}

}  // namespace hri
