// SPDX-License-Identifier: Apache-2.0
#include "train/targets/contests.hpp"

#include "hri/random.hpp"

#include "evaluate/neighbours.hpp"
#include "evaluate/softmax.hpp"
#include "train/targets/image_sampler.hpp"

#include <algorithm>
#include <cmath>

namespace hri::training {

namespace {

constexpr float kSmall = 0.05F;           // slopes by valuations that are passed over
constexpr std::uint64_t kContests = ~0U;  // a stream of random numbers, beside those of targets

}  // namespace

Contests::Contests(const SceneSet& scenes, const std::vector<std::uint32_t>& targets,
                   const MultitaskSettings& settings)
    : scenes_(scenes),
      seed_(settings.seed),
      count_(settings.positives + settings.randoms),
      hardness_(settings.hardness),
      place_(evaluation::places_of(scenes, targets)) {
    std::vector<double> objects(targets.size(), 0.5);
    double all = 0.5 * static_cast<double>(targets.size());
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        bool any = false;
        for (const SceneLabel& name : scene.names)
            if (const std::size_t target = place_[name.predicate]; target < targets.size()) {
                ++objects[target];
                ++all;
                any = true;
            }
        if (any && scene.objects <= settings.max_objects)
            images_.push_back(static_cast<std::uint32_t>(i));
    }
    for (const double count : objects)
        log_frequency_.push_back(static_cast<float>(std::log(count / all)));
}

std::vector<double> Contests::chances(const std::vector<TargetParameters>& targets) const {
    std::vector<double> chances(targets.size(), 1);
    double highest = 0;
    for (const TargetParameters& target : targets)
        highest = std::max(highest, static_cast<double>(target.loss));
    for (std::size_t t = 0; t < targets.size() && highest > 0; ++t)
        chances[t] = 1 - hardness_ + hardness_ * static_cast<double>(targets[t].loss) / highest;
    return chances;
}

void Contests::pick(int round, const std::vector<TargetParameters>& targets) {
    const std::vector<double> chance = chances(targets);
    Random random(seed_of(seed_, kContests, static_cast<std::uint64_t>(round)), Random::kData);
    contests_.clear();
    columns_ = 0;
    std::vector<SceneLabel> named;
    int refused = 0;
    while (contests_.size() < static_cast<std::size_t>(count_)) {
        Contest contest;
        contest.image =
            images_[static_cast<std::size_t>(random.below(static_cast<int>(images_.size())))];
        const Scene scene = scenes_[contest.image];
        named.clear();
        for (const SceneLabel& name : scene.names)
            if (place_[name.predicate] < log_frequency_.size())
                named.push_back(name);
        const std::uint32_t chosen =
            named[static_cast<std::size_t>(random.below(static_cast<int>(named.size())))].predicate;
        contest.target = place_[chosen];
        constexpr int kMaxRefused = 1000;
        if (hardness_ > 0 && refused < kMaxRefused && random.uniform() > chance[contest.target]) {
            ++refused;
            continue;
        }
        for (const SceneLabel& name : named)
            if (name.predicate == chosen)
                contest.objects.push_back(name.object);
        contest.start = columns_;
        columns_ += contest.objects.size();
        contests_.push_back(std::move(contest));
    }
    values_.assign(log_frequency_.size() * columns_, 0.0F);
}

float Contests::compete(std::vector<TargetParameters>& targets) {
    slopes_.assign(values_.size(), 0.0F);
    calibration_slopes_.assign(2 * targets.size(), 0.0F);
    std::vector<float> shares(targets.size());
    float sum = 0;
    for (const Contest& contest : contests_) {
        float loss = 0;
        for (std::size_t j = contest.start; j < contest.start + contest.objects.size(); ++j) {
            for (std::size_t t = 0; t < targets.size(); ++t)
                shares[t] = targets[t].calibration[0] +
                            targets[t].calibration[1] * values_[t * columns_ + j];
            evaluation::to_shares(std::span(shares));
            for (std::size_t t = 0; t < targets.size(); ++t) {
                const bool is_name = t == contest.target;
                const float slope = shares[t] - (is_name ? 1.0F : 0.0F);
                if (is_name)
                    loss -= std::log(std::max(shares[t], 1e-30F));
                slopes_[t * columns_ + j] = slope * targets[t].calibration[1];
                calibration_slopes_[2 * t] += slope;
                calibration_slopes_[2 * t + 1] += slope * values_[t * columns_ + j];
            }
        }
        sum += loss;
        constexpr float kKept = 0.9F;
        float& mean = targets[contest.target].loss;
        mean = kKept * mean + (1 - kKept) * loss / static_cast<float>(contest.objects.size());
    }
    return sum / static_cast<float>(columns_);
}

bool Contests::matters(std::size_t target, const Contest& contest) const {
    const float* slopes = slopes_of(target) + contest.start;
    return std::any_of(slopes, slopes + contest.objects.size(),
                       [&](float slope) { return std::abs(slope) > kSmall; });
}

}  // namespace hri::training
