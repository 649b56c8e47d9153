// SPDX-License-Identifier: Apache-2.0
#include "rl/refine.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "rl/state_extensions.hpp"
#include "search/matches_search.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

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
constexpr int kSample = 512;           // states

/// The cost of a policy: what its length costs less its reward. Programs that mean the same in a
/// sample of states are taken for the same.
class Reward final : public search::MatchesObjective {
  public:
    Reward(const Model& model, Judge& judge)
        : model_(model),
          h_(model.hierarchy),
          judge_(judge),
          sample_(judge.sample(kSample)),
          meanings_(sample_.states(), model) {}

    double cost(const search::Candidate& candidate, double max) override {
        ++evaluations_;
        const double of_length = kAtomCost * length(*candidate.matches);
        const PolicyValue& trial = value(candidate, of_length - max);
        if (needed_ < 0 && accepted(trial, judge_)) {
            needed_ = evaluations_;
        }
        return of_length - trial.reward();
    }

    /// How the policy does, of whatever length; not played to the end where its reward cannot reach
    /// `least`.
    const PolicyValue& value(const search::Candidate& candidate, double least = kNone) {
        if (meanings_.size() > kMaxMeanings) {
            meanings_ = StateExtensions(sample_.states(), model_);
            trials_.clear();
        }
        const int target = (*candidate.matches)[at(h_.target_slot())];
        const int meaning =
            meanings_.of(*candidate.matches, candidate.reached->is_member)[at(target)];
        const auto [known, fresh] = trials_.emplace(meaning, PolicyValue{});
        if (fresh || (!known->second.complete && known->second.reward() >= least)) {
            known->second = judge_.play(asks(*candidate.matches, meaning), least);
        }
        return known->second;
    }

    int evaluations() const { return evaluations_; }

    /// Evaluations up to the first accepted policy; -1: there was none.
    int needed() const { return needed_; }

  private:
    static constexpr double kNone = -1e9;

    /// What the program asks for: known in the states of the sample, found by running it elsewhere.
    Judge::Asks asks(const Matches& matches, int meaning) {
        compiled_.reset();
        return [this, &matches, meaning](const Instance& facts) -> const Asked& {
            const int state = sample_.find(facts);
            if (state < 0) {
                if (!compiled_) {
                    compiled_.emplace(extract(model_, matches), facts.inputs());
                }
                compiled_->evaluate(facts, kToFixpoint, asked_);
                return asked_;
            }
            asked_.assign(model_.target.arity == 1 ? at(facts.constants)
                                                   : at(facts.constants * facts.constants),
                          0);
            for (const int atom : sample_[state].actions) {
                asked_[at(atom)] = meanings_.holds(meaning, atom, state) ? 1 : 0;
            }
            return asked_;
        };
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

    const Model& model_;
    const Hierarchy& h_;
    Judge& judge_;
    StateTable sample_;
    StateExtensions meanings_;
    using Asked = std::vector<std::uint8_t>;
    Asked asked_;
    std::optional<evaluation::CompiledProgram> compiled_;  // of the program that is judged
    std::unordered_map<int, PolicyValue> trials_;          // by the target's meaning
    std::vector<int> lengths_;                             // by auxiliary
    int evaluations_ = 0;
    int needed_ = -1;
};

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
    enum class Role { other, second, disjunct };

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
        if (use_scores_ && random.chance(kFromScores)) {
            const float* row = scores_.data() + slot * h_.predicates();
            double left = random.uniform();
            for (const int p : candidates) {
                left -= static_cast<double>(row[p]);
                if (left < 0) {
                    return p;
                }
            }
        }
        const bool constants = candidates.front() == Hierarchy::kTrue;
        if (constants && role_[at(slot)] == Role::disjunct && random.chance(kFalseDisjunct)) {
            return Hierarchy::kFalse;
        }
        if (constants && role_[at(slot)] == Role::second && random.chance(kTrueConjunct)) {
            return Hierarchy::kTrue;
        }
        const auto is_input = [&](int p) { return p >= 2 && p < h_.first_auxiliary(); };
        const auto first = std::find_if(candidates.begin(), candidates.end(), is_input);
        const auto inputs =
            static_cast<int>(std::count_if(candidates.begin(), candidates.end(), is_input));
        if (inputs > 0 && random.chance(kInput)) {
            return *(first + random.below(inputs));
        }
        return candidates[at(random.below(static_cast<int>(candidates.size())))];
    }

    const Hierarchy& h_;
    const hypotheses::ProgramSpace& space_;
    bool use_scores_;
    std::vector<float> scores_;  // (slots, predicates)
    std::vector<Role> role_;     // by slot
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
    Reward objective_;
    Rematching moves_;
    search::MatchesSearch search_;
    Matches best_;
    double cost_ = 0;  // of the best
    hypotheses::Reached reached_;
};

}  // namespace

bool accepted(const PolicyValue& trial, const Judge& judge) {
    return trial.complete && trial.first >= judge.best() - kSame &&
           trial.uniform >= judge.best() - kUniformCost && trial.solved == judge.starts();
}

Refined refine(const Model& model, Judge& judge, const RefineSettings& settings) {
    return Refinement(model, judge, settings).run();
}

}  // namespace hri::rl
