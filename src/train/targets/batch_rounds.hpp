// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rounds of many targets whose images a batch works off: CudaImages on a GPU, HostImages in loops.
//
//   BatchRounds<soft::CudaImages> rounds(setup, jobs, contests);
//   rounds.train_alone(first, last);        // rounds
//   rounds.train_jointly(round);
//   rounds.store();                         // into training

#include "soft/cuda/image_batch.hpp"
#include "train/targets/contests.hpp"
#include "train/targets/image_objective.hpp"
#include "train/targets/image_sampler.hpp"
#include "train/targets/training.hpp"

#include <utility>
#include <vector>

namespace hri::training {

/// Noise and temperature of one round.
NoiseLevels noise_levels(const Options& options, int round, int rounds);

/// The rounds of a run as jobs of a batch, and its numbers as a batch has them.
class RoundJobs {
  public:
    RoundJobs(const Options& options, const MultitaskSettings& settings, const ImageSampler& draws,
              Contests& contests, Training& training, int first_joint)
        : options_(options),
          settings_(settings),
          draws_(draws),
          contests_(contests),
          training_(training),
          first_joint_(first_joint) {}

    soft::ImageNumbers numbers() const;
    void keep(const soft::ImageNumbers& numbers);

    soft::ImageRound alone(int round) const;
    /// The contests of the round.
    soft::ImageContests contests(int round) const;
    void pick(int round);
    /// Turns the valuations of the objects into slopes, and takes a step of the calibration.
    void compete(const std::vector<float>& values, const soft::ImageContests& contests,
                 soft::ImageSlopes& slopes);

  private:
    soft::DenseIteration iteration(int round, long steps) const;

    const Options& options_;
    const MultitaskSettings& settings_;
    const ImageSampler& draws_;
    Contests& contests_;
    Training& training_;
    int first_joint_;
};

template <class Batch>
class BatchRounds {
  public:
    BatchRounds(const soft::ImageSetup& setup, RoundJobs jobs)
        : jobs_(std::move(jobs)), batch_(setup) {
        batch_.set(jobs_.numbers());
    }

    /// Returns before they are done.
    void train_alone(int first, int last) {
        std::vector<soft::ImageRound> rounds;
        for (int round = first; round < last; ++round)
            rounds.push_back(jobs_.alone(round));
        batch_.train(rounds);
    }

    void train_jointly(int round) {
        jobs_.pick(round);
        const soft::ImageContests contests = jobs_.contests(round);
        soft::ImageSlopes slopes;
        jobs_.compete(batch_.values(contests), contests, slopes);
        batch_.step(slopes, contests);
    }

    /// `with_losses`: those of targets that train alone.
    void store(bool with_losses) {
        soft::ImageNumbers numbers = jobs_.numbers();
        const std::vector<float> joint_losses = numbers.loss;
        batch_.get(numbers);
        if (!with_losses)
            numbers.loss = joint_losses;
        jobs_.keep(numbers);
    }

  private:
    RoundJobs jobs_;
    Batch batch_;
};

}  // namespace hri::training
