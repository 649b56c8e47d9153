// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many targets over images on the processor, phase by phase: what CudaImages is tested against.

#include "soft/cuda/image_batch.hpp"

#include <algorithm>

namespace hri::soft {

class HostImages {
  public:
    explicit HostImages(const ImageSetup& setup) : buffers_(setup.buffer_bytes) {
        for (const int i : setup.plan_at)
            plans_.push_back(i < 0 ? PlanView{} : setup.plans[static_cast<std::size_t>(i)].view());
        tables_.sizes = setup.sizes;
        tables_.plans = plans_.data();
        tables_.images = setup.images.data();
        tables_.names = setup.names.data();
        tables_.relations = setup.relations.data();
        tables_.target = setup.targets.data();
        const auto targets = setup.targets.size();
        gradient_.resize(targets * static_cast<std::size_t>(setup.sizes.background_count()));
        own_sum_.resize(targets * static_cast<std::size_t>(setup.sizes.own_count()));
        tables_.gradient = gradient_.data();
        tables_.own_sum = own_sum_.data();
    }

    void set(const ImageNumbers& numbers) {
        numbers_ = numbers;
        numbers_.each(tables_, [](std::vector<float>& of, float*& at) { at = of.data(); });
    }

    void get(ImageNumbers& numbers) const { numbers = numbers_; }

    void train(const std::vector<ImageRound>& rounds) {
        const HostExecutor run;
        for (const ImageRound& round : rounds) {
            std::fill(gradient_.begin(), gradient_.end(), 0.0F);
            for (std::size_t i = 0; i < round.jobs.size(); ++i) {
                const std::size_t j = i % round.steps.size();
                if (round.jobs[i].image < 0)
                    continue;
                begin(round.jobs[i], round.steps[j]);
                train_job(run, work_, round.is_first && j == 0);
            }
            step_table(round.shared);
        }
    }

    /// (targets, columns)
    const std::vector<float>& values(const ImageContests& contests) {
        values_.assign(numbers_.loss.size() * static_cast<std::size_t>(contests.columns), 0.0F);
        objects_ = contests.objects;
        tables_.objects = objects_.data();
        tables_.values = values_.data();
        tables_.columns = contests.columns;
        for (const ImageJob& job : contests.jobs) {
            begin(job, contests.step);
            value_job(HostExecutor{}, work_);
        }
        return values_;
    }

    /// A step of the targets that were valued last.
    void step(const ImageSlopes& slopes, const ImageContests& contests) {
        tables_.slopes = slopes.slopes.data();
        std::fill(gradient_.begin(), gradient_.end(), 0.0F);
        std::fill(own_sum_.begin(), own_sum_.end(), 0.0F);
        for (const ImageJob& job : slopes.jobs) {
            begin(job, contests.step);
            slope_job(HostExecutor{}, work_);
        }
        const int own = tables_.sizes.own_count();
        for (int t = 0; t < tables_.sizes.targets; ++t)
            for (int i = 0; i < own; ++i)
                phases::step_own(tables_, t, i, tables_.own_sum[t * own + i], contests.step);
        step_table(contests.shared);
    }

  private:
    void begin(const ImageJob& job, const DenseIteration& now) {
        std::fill(buffers_.begin(), buffers_.end(), std::byte{0xA5});  // poisoned
        begin_job(work_, tables_, job, now, buffers_.data(), nullptr, 0);
    }

    void step_table(const DenseIteration& now) {
        for (int i = 0;
             tables_.sizes.trains_predicates != 0 && i < tables_.sizes.background_count(); ++i)
            phases::step_background(tables_, i, now);
    }

    std::vector<PlanView> plans_;
    std::vector<std::byte> buffers_;
    std::vector<float> gradient_, own_sum_, values_;
    std::vector<std::uint32_t> objects_;
    ImageNumbers numbers_;
    ImageTables tables_{};
    ImageWork work_{};
};

}  // namespace hri::soft
