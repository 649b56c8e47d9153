// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loop that all training runs share, whatever the model: iterations, the curve, progress, and
// the reasons to stop.

#include "hri/train.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace hri::training {

/// Mean of the latest values.
class MovingMean {
  public:
    void add(double value) { latest_[static_cast<std::size_t>(count_++) % latest_.size()] = value; }

    double mean() const {
        const auto filled = std::min<std::size_t>(static_cast<std::size_t>(count_), latest_.size());
        double sum = 0;
        for (std::size_t i = 0; i < filled; ++i)
            sum += latest_[i];
        return filled == 0 ? 0.0 : sum / static_cast<double>(filled);
    }

  private:
    std::array<double, 20> latest_{};
    long count_ = 0;
};

/// `step(i)` does iteration i and gives its loss; `point()` gives what the curve says of it;
/// `is_done(i, loss)` may end the run after it. Fills everything of `run` but last_instance_mse.
template <class Step, class Point, class IsDone>
void run_iterations(TrainRun& run, int total, const TrainSettings& settings, Step step, Point point,
                    IsDone is_done) {
    using Clock = std::chrono::steady_clock;
    constexpr int kLookUp = 16;         // iterations between looks at the clock and the interrupt
    constexpr double kMaxUnseen = 0.1;  // seconds of them
    constexpr double kMaxUntold = 0.2;  // seconds without progress
    int next_look = 0;
    double last_look = 0;
    double last_told = 0;
    const auto started = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - started).count();
    };
    const int report_every = std::max(1, total / 200);
    MovingMean mean;
    bool stopped = false;
    const auto stop = [&](StopReason reason) {
        run.stop_reason = reason;
        stopped = true;
    };
    int i = 0;
    for (; i < total && !stopped; ++i) {
        const double loss = step(i);
        mean.add(loss);
        if (settings.log_every > 0 && (i % settings.log_every == 0 || i + 1 == total)) {
            CurvePoint now = point();
            now.iteration = i;
            now.loss = mean.mean();
            run.curve.push_back(std::move(now));
        }
        if (settings.progress && i % report_every == 0)
            settings.progress({i, total, mean.mean()});
        if (is_done(i, loss))
            stop(StopReason::fits);
        if (i < next_look || stopped)
            continue;
        const double now = seconds();
        if (settings.interrupt != nullptr && settings.interrupt->load())
            stop(StopReason::interrupted);
        else if (settings.time_limit > 0 && now > settings.time_limit)
            stop(StopReason::time_limit);
        next_look = i + (now - last_look > kMaxUnseen ? 1 : kLookUp);
        last_look = now;
        if (settings.progress && now - last_told > kMaxUntold) {
            settings.progress({i, total, mean.mean()});
            last_told = now;
        }
    }
    run.iterations = i;
    run.final_loss = mean.mean();
    run.seconds = seconds();
}

}  // namespace hri::training
