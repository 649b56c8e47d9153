// SPDX-License-Identifier: Apache-2.0
#include "rl/refine.hpp"

#include "rl/state_extensions.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace hri::rl {
namespace {

// How a slot is matched anew.
constexpr double kFromScores = 0.3;     // by the learned scores; else by the prior:
constexpr double kFalseDisjunct = 0.6;  // a disjunct is False,
constexpr double kTrueConjunct = 0.2;   // a second conjunct True,
constexpr double kInput = 0.5;          // else an input, else any candidate
constexpr double kRenew = 0.7;    // a new match that is an unused auxiliary gets new slots too
constexpr double kAnother = 0.4;  // one more slot changes in the same program

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kHeat = 0.2;           // of annealing at the beginning, falls to 0
constexpr double kAtomCost = 0.005;     // reward that a longer program must gain for each body atom
constexpr double kUniformCost = 0.015;  // reward that the uniform choice may lose at the start
constexpr double kSame = 1e-9;
constexpr int kMaxLength = 1000;
constexpr int kMaxMeanings = 200'000;  // kept at a time

class Refinement {
  public:
    Refinement(const Model& model, const TransitionGraph& world, const RefineSettings& settings)
        : model_(model),
          h_(model.hierarchy),
          world_(world),
          settings_(settings),
          scores_(unification(model)),
          meanings_(world, model),
          random_(settings.seed, Random::kSearch),
          role_(h_.slots.size(), Role::other) {
        for (const Auxiliary& aux : h_.auxiliaries) {
            const auto conjoined = model.protorules[at(aux.protorule)].body.size();
            for (std::size_t i = 0; i < aux.slots.size(); ++i) {
                role_[at(aux.slots[i])] = i >= conjoined ? Role::disjunct
                                          : i == 1       ? Role::second
                                                         : Role::other;
            }
        }
    }

    Refined run() {
        Candidate now = tried(best_matches(model_));
        Candidate best = now;
        int bettered = 0;
        while (evaluations_ < settings_.evaluations && !settings_.stopped()) {
            if (needed_ >= 0 && evaluations_ - bettered >= settings_.patience) {
                break;
            }
            Candidate next = tried(changed(now.matches));
            // Annealing: a loss x is taken with probability exp(-x / heat).
            const double heat =
                kHeat * (1 - static_cast<double>(evaluations_) / settings_.evaluations);
            if (next.score < now.score + heat * std::log(1 - random_.uniform())) {
                continue;
            }
            now = std::move(next);
            if (now.score > best.score + kSame) {
                best = now;
                bettered = evaluations_;
            }
        }
        if (settings_.evaluations > 0) {
            prune(best);
        }
        return {best.matches, best.trial, best.score, evaluations_, needed_};
    }

  private:
    enum class Role { other, second, disjunct };

    struct Candidate {
        std::vector<int> matches;
        PolicyValue trial;
        double score = 0;
    };

    Candidate tried(std::vector<int> matches) {
        ++evaluations_;
        if (meanings_.size() > kMaxMeanings) {
            meanings_ = StateExtensions(world_, model_);
            trials_.clear();
        }
        const std::vector<bool> seen = reached(matches);
        const int target = matches[at(h_.target_slot())];
        const int meaning = meanings_.of(matches, seen)[at(target)];
        const auto [known, fresh] = trials_.emplace(meaning, PolicyValue{});
        if (fresh) {
            known->second = try_policy(world_, [&](int state, int i) {
                return meanings_.holds(meaning, world_.states[at(state)].actions[at(i)], state);
            });
        }
        const PolicyValue& trial = known->second;
        if (needed_ < 0 && accepted(trial, world_)) {
            needed_ = evaluations_;
        }
        const double score = trial.reward() - kAtomCost * length(matches);
        return {std::move(matches), trial, score};
    }

    /// Body atoms with input predicates, all unfolded: what a reader has to take in. A recursive
    /// predicate counts once.
    int length(const std::vector<int>& matches) {
        lengths_.assign(h_.auxiliaries.size(), -1);
        return length_of(matches[at(h_.target_slot())], matches);
    }

    int length_of(int p, const std::vector<int>& matches) {
        if (p < h_.first_auxiliary()) {
            return p < 2 ? 0 : 1;
        }
        const std::size_t a = at(p - h_.first_auxiliary());
        if (lengths_[a] < 0) {
            lengths_[a] = 0;
            int sum = 0;
            for (const int slot : h_.auxiliaries[a].slots) {
                sum = std::min(sum + length_of(matches[at(slot)], matches), kMaxLength);
            }
            lengths_[a] = sum;
        }
        return lengths_[a];
    }

    /// The auxiliaries that the target reaches.
    std::vector<bool> reached(const std::vector<int>& matches) const {
        std::vector<bool> seen(h_.auxiliaries.size(), false);
        std::vector<int> open{matches[at(h_.target_slot())]};
        while (!open.empty()) {
            const int p = open.back();
            open.pop_back();
            const int a = p - h_.first_auxiliary();
            if (a < 0 || seen[at(a)]) {
                continue;
            }
            seen[at(a)] = true;
            for (const int slot : h_.auxiliaries[at(a)].slots) {
                open.push_back(matches[at(slot)]);
            }
        }
        return seen;
    }

    std::vector<int> used_slots(const std::vector<int>& matches) const {
        const std::vector<bool> seen = reached(matches);
        std::vector<int> slots;
        for (std::size_t a = 0; a < seen.size(); ++a) {
            if (seen[a]) {
                const std::vector<int>& its = h_.auxiliaries[a].slots;
                slots.insert(slots.end(), its.begin(), its.end());
            }
        }
        slots.push_back(h_.target_slot());
        return slots;
    }

    std::vector<int> changed(const std::vector<int>& matches) {
        std::vector<int> next = matches;
        do {
            const std::vector<int> slots = used_slots(next);
            const int slot = slots[at(random_.below(static_cast<int>(slots.size())))];
            rematch(next, slot, reached(next));
        } while (random_.chance(kAnother));
        return next;
    }

    void rematch(std::vector<int>& matches, int slot, const std::vector<bool>& seen) {
        const int p = draw(slot);
        matches[at(slot)] = p;
        const int a = p - h_.first_auxiliary();
        if (a >= 0 && !seen[at(a)] && random_.chance(kRenew)) {
            for (const int inner : h_.auxiliaries[at(a)].slots) {
                rematch(matches, inner, seen);
            }
        }
    }

    int draw(int slot) {
        const std::vector<int>& candidates = h_.slots[at(slot)].candidates;
        if (settings_.use_scores && random_.chance(kFromScores)) {
            const float* row = scores_.data() + slot * h_.predicates();
            double left = random_.uniform();
            for (const int p : candidates) {
                left -= static_cast<double>(row[p]);
                if (left < 0) {
                    return p;
                }
            }
        }
        const bool constants = candidates.front() == Hierarchy::kTrue;
        if (constants && role_[at(slot)] == Role::disjunct && random_.chance(kFalseDisjunct)) {
            return Hierarchy::kFalse;
        }
        if (constants && role_[at(slot)] == Role::second && random_.chance(kTrueConjunct)) {
            return Hierarchy::kTrue;
        }
        const auto is_input = [&](int p) { return p >= 2 && p < h_.first_auxiliary(); };
        const auto first = std::find_if(candidates.begin(), candidates.end(), is_input);
        const auto inputs =
            static_cast<int>(std::count_if(candidates.begin(), candidates.end(), is_input));
        if (inputs > 0 && random_.chance(kInput)) {
            return *(first + random_.below(inputs));
        }
        return candidates[at(random_.below(static_cast<int>(candidates.size())))];
    }

    /// Each used slot takes False, True or an input where that betters the score: what training
    /// does not need, other starts rarely do.
    void prune(Candidate& best) {
        for (bool again = true; again && !settings_.stopped();) {
            again = false;
            for (const int slot : used_slots(best.matches)) {
                for (const int p : h_.slots[at(slot)].candidates) {
                    if (p >= h_.first_auxiliary() || p == best.matches[at(slot)]) {
                        continue;
                    }
                    std::vector<int> matches = best.matches;
                    matches[at(slot)] = p;
                    Candidate next = tried(std::move(matches));
                    if (next.score > best.score + kSame) {
                        best = std::move(next);
                        again = true;
                    }
                }
            }
        }
    }

    const Model& model_;
    const Hierarchy& h_;
    const TransitionGraph& world_;
    const RefineSettings& settings_;
    std::vector<float> scores_;  // (slots, predicates)
    StateExtensions meanings_;
    std::unordered_map<int, PolicyValue> trials_;  // by the target's meaning
    Random random_;
    std::vector<Role> role_;    // by slot
    std::vector<int> lengths_;  // by auxiliary
    int evaluations_ = 0;
    int needed_ = -1;
};

}  // namespace

bool accepted(const PolicyValue& trial, const TransitionGraph& world) {
    return trial.first >= world.best - kSame && trial.uniform >= world.best - kUniformCost &&
           trial.solved == world.size();
}

Refined refine(const Model& model, const TransitionGraph& world, const RefineSettings& settings) {
    return Refinement(model, world, settings).run();
}

}  // namespace hri::rl
