// SPDX-License-Identifier: Apache-2.0
#pragma once

// Errors of a hierarchy's programs on a working set of instances: as weighted errors, or as
// bits of a description.

#include "hri/evaluate.hpp"

#include "search/matches_search.hpp"

#include <memory>
#include <vector>

namespace hri::search {

class InstanceObjective final : public MatchesObjective {
  public:
    /// The measure that a change must not increase.
    enum class Keep {
        errors,
        size,  ///< and errors
        bits   ///< of the program and its errors
    };

    /// `instances`: how many the working set stands for.
    InstanceObjective(const hypotheses::ProgramSpace& space, Keep keep, std::size_t instances)
        : space_(space), keep_(keep), instances_(instances) {}

    /// Another instance, in the place of the oldest where there are many.
    void add(const Instance& instance);

    void set_keep(Keep keep) { keep_ = keep; }

    /// Atoms of the incumbent, unless errors alone count.
    int size() const { return size_; }

    void set_size(int size) { size_ = size; }

    /// Pairs of constants that a candidate is judged on.
    std::int64_t pairs() const { return pairs_; }

    /// Instances that it can have at most.
    static constexpr std::size_t kMax = 40;

    double cost(const Candidate& candidate, double max) override;
    void accept(const Candidate& candidate) override;
    void forget() override;

  private:
    double description(const Errors& errors) const;

    const hypotheses::ProgramSpace& space_;
    Keep keep_;
    std::size_t instances_;
    std::vector<std::unique_ptr<InstanceState>> worlds_;
    Score totals_;  // examples of the working set
    std::int64_t positive_weight_ = 1;
    std::int64_t negative_weight_ = 1;
    std::int64_t pairs_ = 0;
    int size_ = 0;
    int trial_size_ = 0;
};

}  // namespace hri::search
