// SPDX-License-Identifier: Apache-2.0
#include "train/targets/batch_rounds.hpp"

#include "train/annealing.hpp"
#include "train/noise.hpp"

#include <algorithm>
#include <cmath>

namespace hri::training {

NoiseLevels noise_levels(const Options& options, int round, int rounds) {
    return {gaussian_scale(options.predicate_noise, options.predicate_noise_halving, round),
            gaussian_scale(options.slot_noise, options.slot_noise_half_life, round),
            gumbel_scale(options.gumbel, round, rounds), temperature_at(options, round, rounds)};
}

soft::ImageNumbers RoundJobs::numbers() const {
    soft::ImageNumbers numbers;
    numbers.background = training_.learned.background;
    numbers.background_mean = training_.background_adam.mean();
    numbers.background_square = training_.background_adam.square();
    const auto append = [](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (std::size_t t = 0; t < settings_.targets.size(); ++t) {
        const TargetParameters& target = training_.learned.targets[t];
        TargetAdam& adam = training_.target_adam[t];
        append(numbers.auxiliaries, target.auxiliaries);
        append(numbers.auxiliary_mean, adam.auxiliaries.mean());
        append(numbers.auxiliary_square, adam.auxiliaries.square());
        append(numbers.slots, target.slots);
        append(numbers.slot_mean, adam.slots.mean());
        append(numbers.slot_square, adam.slots.square());
        numbers.loss.push_back(target.loss);
    }
    return numbers;
}

void RoundJobs::keep(const soft::ImageNumbers& numbers) {
    training_.learned.background = numbers.background;
    training_.background_adam.mean() = numbers.background_mean;
    training_.background_adam.square() = numbers.background_square;
    for (std::size_t t = 0; t < settings_.targets.size(); ++t) {
        TargetParameters& target = training_.learned.targets[t];
        TargetAdam& adam = training_.target_adam[t];
        const auto take = [&](std::vector<float>& to, const std::vector<float>& from) {
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(t * to.size()), to.size(),
                        to.begin());
        };
        take(target.auxiliaries, numbers.auxiliaries);
        take(adam.auxiliaries.mean(), numbers.auxiliary_mean);
        take(adam.auxiliaries.square(), numbers.auxiliary_square);
        take(target.slots, numbers.slots);
        take(adam.slots.mean(), numbers.slot_mean);
        take(adam.slots.square(), numbers.slot_square);
        target.loss = numbers.loss[t];
    }
}

/// The arguments of a step, with its number for these parameters.
soft::DenseIteration RoundJobs::iteration(int round, long steps) const {
    const NoiseLevels noise = noise_levels(options_, round, settings_.rounds);
    const auto bias = [](double beta, long power) {
        return 1 - std::pow(beta, static_cast<double>(power));
    };
    soft::DenseIteration now;
    now.temperature = noise.temperature;
    now.predicate_noise = options_.train_predicates ? noise.predicate_noise : 0;
    now.slot_noise = noise.slot_noise;
    now.gumbel = noise.gumbel;
    now.slot_rate = options_.learning_rate_rules / bias(0.9, steps);
    now.predicate_rate = options_.learning_rate / bias(0.9, steps);
    now.correction = 1 / std::sqrt(bias(0.999, steps));
    return now;
}

soft::ImageRound RoundJobs::alone(int round) const {
    soft::ImageRound result;
    const int images = settings_.positives + settings_.randoms;
    std::vector<std::uint32_t> picked;
    for (std::size_t t = 0; t < settings_.targets.size(); ++t) {
        draws_.pick(picked, t, round);
        const std::uint64_t seed = seed_of(settings_.seed, t, static_cast<std::uint64_t>(round));
        for (int j = 0; j < images; ++j) {
            soft::ImageJob job;
            if (static_cast<std::size_t>(j) < picked.size())
                job.image = static_cast<int>(picked[static_cast<std::size_t>(j)]);
            job.target = static_cast<int>(t);
            job.seed = seed + static_cast<std::uint64_t>(j);
            result.jobs.push_back(job);
        }
    }
    for (int j = 0; j < images; ++j)
        result.steps.push_back(iteration(round, long{round} * images + j + 1));
    result.shared = iteration(round, round + 1);
    result.is_first = round == 0;
    return result;
}

soft::ImageContests RoundJobs::contests(int round) const {
    soft::ImageContests result;
    for (const Contest& contest : contests_.contests()) {
        result.objects.insert(result.objects.end(), contest.objects.begin(), contest.objects.end());
        result.columns += static_cast<int>(contest.objects.size());
    }
    for (std::size_t t = 0; t < settings_.targets.size(); ++t) {
        const std::uint64_t seed = seed_of(settings_.seed, t, static_cast<std::uint64_t>(round));
        for (const Contest& contest : contests_.contests()) {
            soft::ImageJob job;
            job.image = static_cast<int>(contest.image);
            job.target = static_cast<int>(t);
            job.hidden = settings_.targets[contest.target];
            job.column = job.object_first = static_cast<int>(contest.start);
            job.object_last = job.object_first + static_cast<int>(contest.objects.size());
            job.seed = seed + contest.start;
            result.jobs.push_back(job);
        }
    }
    const long images = settings_.positives + settings_.randoms;
    const long joint = round - first_joint_ + 1;
    result.step = iteration(round, images * first_joint_ + joint);
    result.shared = iteration(round, first_joint_ + joint);
    return result;
}

void RoundJobs::pick(int round) { contests_.pick(round, training_.learned.targets); }

void RoundJobs::compete(const std::vector<float>& values, const soft::ImageContests& contests,
                        soft::ImageSlopes& slopes) {
    contests_.values() = values;
    std::vector<TargetParameters>& targets = training_.learned.targets;
    contests_.compete(targets);
    const std::size_t count = contests_.contests().size();
    const auto columns = static_cast<std::size_t>(contests.columns);
    for (std::size_t t = 0; t < targets.size(); ++t) {
        training_.target_adam[t].calibration.step(targets[t].calibration.data(),
                                                  contests_.calibration_slopes(t));
        slopes.first.push_back(static_cast<int>(slopes.jobs.size()));
        slopes.slopes.insert(slopes.slopes.end(), contests_.slopes_of(t),
                             contests_.slopes_of(t) + columns);
        for (std::size_t i = 0; i < count; ++i)
            if (contests_.matters(t, contests_.contests()[i]))
                slopes.jobs.push_back(contests.jobs[t * count + i]);
    }
    slopes.first.push_back(static_cast<int>(slopes.jobs.size()));
}

}  // namespace hri::training
