// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"

#include "train/targets/image_objective.hpp"

#include <algorithm>

namespace hri {

SceneScores soft_scores(const SceneSet& scenes, const Multitask& learned) {
    Options options = learned.options;
    options.skip_pairs = 0;
    options.train_steps = options.eval_steps > 0 ? options.eval_steps : options.train_steps;
    const double temperature = options.temperature_schedule == Schedule::constant
                                   ? options.temperature
                                   : options.final_temperature;
    const auto objective = std::make_shared<training::ImageObjective>(
        options, make_protorules(options), options.dimension, scenes.predicates().size());
    const training::NoiseLevels no_noise{0, 0, 0, temperature};
    return [&scenes, &learned, objective, no_noise](std::size_t image, std::uint32_t hidden,
                                                    std::span<float> scores) {
        const Scene scene = scenes[image];
        auto to = scores.begin();
        for (const TargetParameters& target : learned.targets) {
            const std::vector<float>& background =
                target.background.empty() ? learned.background : target.background;
            objective->loss(scene, target.target,
                            {background.data(), target.auxiliaries.data(), target.slots.data()},
                            no_noise, 0, hidden);
            const bool joint = !target.calibration.empty();
            for (const float value : objective->target())
                *to++ = joint ? target.calibration[0] + target.calibration[1] * value : value;
        }
    };
}

}  // namespace hri
