// SPDX-License-Identifier: Apache-2.0
#include "rl/refine.hpp"

#include "base/index.hpp"
#include "rl/match_prior.hpp"
#include "rl/program_reward.hpp"
#include "search/matches_search.hpp"

#include <algorithm>
#include <utility>

namespace hri::rl {
namespace {

// Probabilities of changes to the match of a slot.
constexpr double kFromScores = 0.3;  // by the learned scores; else by the prior
constexpr double kRenew = 0.7;       // a new match that is an unused auxiliary gets new slots too
constexpr double kAnother = 0.4;     // one more slot changes in the same program

using base::at;

constexpr double kHeat = 0.2;  // of annealing at the beginning, falls to 0
constexpr double kSame = 1e-9;

/// Slots that the target reaches, in the order of the auxiliaries; its own is the last.
std::vector<int> used_slots(const Hierarchy& h, const hypotheses::Reached& reached) {
    std::vector<int> slots;
    for (const int a : reached.auxiliaries) {
        const std::vector<int>& its = h.auxiliaries[at(a)].slots;
        slots.insert(slots.end(), its.begin(), its.end());
    }
    slots.push_back(h.target_slot());
    return slots;
}

/// Some used slots take another match, by the learned scores or by the prior.
class Rematching final : public search::MatchesMoves {
  public:
    Rematching(const Model& model, const hypotheses::ProgramSpace& space, bool use_scores)
        : h_(model.hierarchy),
          space_(space),
          use_scores_(use_scores),
          scores_(unification(model)),
          prior_(match_prior(model)) {}

    void change(Matches& matches, const hypotheses::Reached& /*reached*/, Random& random,
                Change& change) override {
        do {
            reached_.find(space_, matches);
            const std::vector<int> slots = used_slots(h_, reached_);
            rematch(matches, slots[at(random.below(static_cast<int>(slots.size())))], random,
                    change);
        } while (random.chance(kAnother));
    }

  private:
    void rematch(Matches& matches, int slot, Random& random, Change& change) {
        const int p = draw(slot, random);
        change.set(matches, slot, p);
        const int a = p - h_.first_auxiliary();
        if (a >= 0 && !reached_.contains(a) && random.chance(kRenew)) {
            for (const int inner : h_.auxiliaries[at(a)].slots) {
                rematch(matches, inner, random, change);
            }
        }
    }

    int draw(int slot, Random& random) {
        const std::vector<int>& candidates = h_.slots[at(slot)].candidates;
        const float* score = scores_.data() + slot * h_.predicates();
        const std::vector<double>& prior = prior_[at(slot)];
        const bool by_scores = use_scores_ && random.chance(kFromScores);
        const auto probability = [&](int k) {
            return by_scores ? static_cast<double>(score[candidates[at(k)]]) : prior[at(k)];
        };
        return candidates[at(
            drawn_index(static_cast<int>(candidates.size()), probability, random))];
    }

    const Hierarchy& h_;
    const hypotheses::ProgramSpace& space_;
    bool use_scores_;
    std::vector<float> scores_;  // (slots, predicates)
    std::vector<std::vector<double>> prior_;
    hypotheses::Reached reached_;
};

/// Annealing, then pruning.
class Refinement {
  public:
    Refinement(const Model& model, Judge& judge, const RefineSettings& settings)
        : settings_(settings),
          space_(model),
          random_(settings.seed, Random::kSearch),
          objective_(model, judge),
          moves_(model, space_, settings.use_scores),
          search_(space_, objective_, moves_, random_),
          best_(best_matches(model)) {}

    Refined run() {
        search_.start(best_);
        cost_ = search_.cost();
        int bettered = 0;
        while (objective_.evaluations() < settings_.evaluations && !settings_.stopped()) {
            if (objective_.needed() >= 0 &&
                objective_.evaluations() - bettered >= settings_.patience) {
                break;
            }
            const double done =
                static_cast<double>(objective_.evaluations() + 1) / settings_.evaluations;
            search_.step(kHeat * (1 - done));
            if (search_.cost() < cost_ - kSame) {
                best_ = search_.matches();
                cost_ = search_.cost();
                bettered = objective_.evaluations();
            }
        }
        if (settings_.evaluations > 0) {
            prune();
        }
        reached_.find(space_, best_);
        return {best_, objective_.value({&best_, &reached_, -1}), -cost_, objective_.evaluations(),
                objective_.needed()};
    }

  private:
    /// Each used slot takes False, True or an input where that betters the score: what training
    /// does not need, other starts rarely do.
    void prune() {
        const Hierarchy& h = space_.hierarchy();
        for (bool again = true; again && !settings_.stopped();) {
            again = false;
            reached_.find(space_, best_);
            for (const int slot : used_slots(h, reached_)) {
                for (const int p : h.slots[at(slot)].candidates) {
                    if (p >= h.first_auxiliary() || p == best_[at(slot)]) {
                        continue;
                    }
                    const int old = std::exchange(best_[at(slot)], p);
                    reached_.find(space_, best_);
                    const double cost = objective_.cost({&best_, &reached_, -1}, cost_);
                    if (cost < cost_ - kSame) {
                        cost_ = cost;
                        again = true;
                    } else {
                        best_[at(slot)] = old;
                    }
                }
            }
        }
    }

    const RefineSettings& settings_;
    hypotheses::ProgramSpace space_;
    Random random_;
    ProgramReward objective_;
    Rematching moves_;
    search::MatchesSearch search_;
    Matches best_;
    double cost_ = 0;  // of the best
    hypotheses::Reached reached_;
};

}  // namespace

Refined refine(const Model& model, Judge& judge, const RefineSettings& settings) {
    return Refinement(model, judge, settings).run();
}

}  // namespace hri::rl
