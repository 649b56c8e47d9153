// SPDX-License-Identifier: Apache-2.0
#include "search/instance_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hri::search {

namespace {

constexpr double kArgumentBits = 1;   // of an atom, beside which predicate it has
constexpr double kSimplified = 0.67;  // share of atoms that stay when a program is simplified

}  // namespace

void InstanceObjective::add(const Instance& instance) {
    std::unique_ptr<InstanceState> world;
    if (worlds_.size() >= kMax && worlds_.front()->constants() == instance.constants) {
        world = std::move(worlds_.front());
        worlds_.erase(worlds_.begin());
    } else {
        world = InstanceState::make(space_, instance.constants);
    }
    world->load(instance);
    worlds_.push_back(std::move(world));
    totals_.positives = totals_.negatives = 0;
    pairs_ = 0;
    for (const auto& w : worlds_) {
        pairs_ += std::int64_t{w->constants()} * w->constants();
        totals_.positives += w->positives();
        totals_.negatives += w->negatives();
    }
    const std::int64_t positives = totals_.positives;
    const std::int64_t negatives = totals_.negatives;
    // Positives weigh as much as negatives, all together.
    constexpr std::int64_t kScale = 16;
    positive_weight_ = negative_weight_ = kScale;
    if (positives > 0 && negatives > positives)
        positive_weight_ = std::max(kScale * negatives / positives, kScale);
    if (negatives > 0 && positives > negatives)
        negative_weight_ = std::max(kScale * positives / negatives, kScale);
}

double InstanceObjective::cost(const Candidate& candidate, double max) {
    if (keep_ != Keep::errors)
        trial_size_ = hypotheses::atoms(space_, *candidate.matches, *candidate.reached);
    if (keep_ == Keep::size && trial_size_ > size_)
        return std::numeric_limits<double>::infinity();
    std::int64_t cost = 0;
    Errors errors;
    for (std::size_t w = 0; w < worlds_.size(); ++w) {
        const Errors more = worlds_[w]->judge(candidate);
        cost += positive_weight_ * more.false_negatives + negative_weight_ * more.false_positives;
        errors += more;
        if (keep_ != Keep::bits && static_cast<double>(cost) > max) {
            if (w > 0)  // the world that tells most goes first
                std::swap(worlds_[w], worlds_[w / 2]);
            return static_cast<double>(cost);
        }
    }
    return keep_ == Keep::bits ? description(errors) : static_cast<double>(cost);
}

void InstanceObjective::forget() {
    for (const auto& world : worlds_)
        world->forget_all();
}

void InstanceObjective::accept(const Candidate& candidate) {
    for (const auto& world : worlds_)
        world->accept(candidate);
    size_ = trial_size_;
}

/// Bits of a program of that size and of what it gets wrong in all instances, if they are like
/// those looked at.
double InstanceObjective::description(const Errors& errors) const {
    Score score = totals_;
    score.false_positives = errors.false_positives;
    score.false_negatives = errors.false_negatives;
    const double atom = kSimplified * (std::log2(space_.hierarchy().predicates()) + kArgumentBits);
    const double share = static_cast<double>(worlds_.size()) /
                         static_cast<double>(std::max(instances_, worlds_.size()));
    return atom * trial_size_ + error_bits(score) / share;
}

}  // namespace hri::search
