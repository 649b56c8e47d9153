// SPDX-License-Identifier: Apache-2.0
#pragma once

// Training runs of one problem side by side. The batch does the iterations; the host draws their
// instances, and looks at the models between rounds of iterations.
//
//   BatchTraining training(std::move(starts), problem, seeds, settings);
//   soft::CudaBatch batch(..., training.constants());
//   std::vector<TrainResult> results = training.run(batch);

#include "hri/train.hpp"

#include "base/thread_pool.hpp"
#include "soft/cuda/batch.hpp"
#include "soft/dense.hpp"
#include "train/run_iterations.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hri::training {

class BatchTraining {
  public:
    /// The models differ in nothing but their parameters.
    BatchTraining(std::vector<Model> starts, const Problem& problem,
                  const std::vector<std::uint64_t>& seeds, const TrainSettings& settings);

    /// The constants of the largest instance of the first round.
    int constants() const { return drawn_.packed.constants(); }

    /// `Batch`: CudaBatch or HostBatch.
    template <class Batch>
    std::vector<TrainResult> run(Batch& batch) {
        for (std::size_t m = 0; m < runs_.size(); ++m)
            batch.set(static_cast<int>(m), runs_[m].result.model.parameters, runs_[m].seed);
        while (!active_.empty()) {
            batch.start(next_round());
            const int first = iteration_;
            iteration_ += static_cast<int>(drawn_.iterations);
            const Drawn now = std::move(drawn_);
            draw(iteration_);
            take(batch.finish(), now.iterations);
            const bool looks = must_look(first, iteration_);
            for (const int m : active_)
                if (looks)
                    batch.get(m, run_of(m).result.model.parameters);
            look(first);
        }
        return results(batch);
    }

  private:
    struct Run {
        TrainResult result = {};
        std::uint64_t seed = 0;
        Random data{0};
        Random check{0};
        Instance scratch = {};
        soft::DenseInstance<float> dense = {};
        soft::PackedInstances drawn = {};
        MovingMean mean = {};
        bool is_over = false;
    };

    /// The instances of a round.
    struct Drawn {
        std::size_t iterations = 0;
        soft::PackedInstances packed;
        std::vector<int> first;  // [model]: its first one's number; or of all (fixed)
        bool is_list = false;    // of all instances of a fixed source
        bool are_kept = false;   // those of the round before
    };

    Run& run_of(int m) { return runs_[static_cast<std::size_t>(m)]; }

    const Options& options() const { return runs_.front().result.model.options; }

    int last_iteration() const;
    std::size_t round_length(int first) const;
    soft::DenseIteration iteration_at(int whole) const;
    void draw(int first);
    void draw_for(Run& run, int first, std::size_t count);
    soft::BatchRound next_round() const;
    void take(const std::vector<soft::BatchOutcome>& outcomes, std::size_t count);
    bool must_look(int first, int end) const;
    void look(int first);
    void stop(Run& run, StopReason reason);
    void each_active(const std::function<void(Run&)>& work);
    double seconds() const;

    template <class Batch>
    std::vector<TrainResult> results(Batch& batch) {
        std::vector<TrainResult> all;
        for (std::size_t m = 0; m < runs_.size(); ++m) {
            TrainResult& result = runs_[m].result;
            batch.get(static_cast<int>(m), result.model.parameters);
            result.final_loss = runs_[m].mean.mean();
            result.seconds = seconds() / static_cast<double>(runs_.size());
            if constexpr (requires { batch.bytes(); })
                result.device_bytes = static_cast<std::int64_t>(batch.bytes());
            all.push_back(std::move(result));
        }
        return all;
    }

    const Problem& problem_;
    const TrainSettings& settings_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    base::ThreadPool crew_;
    std::vector<Run> runs_;
    std::vector<int> active_;
    std::vector<int> columns_;
    std::vector<std::string> constants_;
    int iteration_ = 0;  // next one
    Drawn drawn_;        // for the next round
};

}  // namespace hri::training
