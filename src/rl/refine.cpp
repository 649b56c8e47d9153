// SPDX-License-Identifier: Apache-2.0
#include "rl/refine.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace hri {
namespace {

// How a slot is matched anew.
constexpr double kFromScores = 0.3;     // by the learned scores; else by the prior:
constexpr double kFalseDisjunct = 0.6;  // a disjunct is False,
constexpr double kTrueConjunct = 0.2;   // a second conjunct True,
constexpr double kInput = 0.5;          // else an input, else any candidate
constexpr double kRenew = 0.7;    // a new match that is an unused auxiliary gets new slots too
constexpr double kAnother = 0.4;  // one more slot changes in the same program

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kWorst = -1e9;
constexpr double kSameScore = 0.005;   // what chance may do: a quarter of a move
constexpr double kHeat = 0.05;         // at the beginning, falls to 0
constexpr int kMostRepeats = 300'000;  // programs that were known already

void write_matches(Model& model, const std::vector<int>& matches) {
    const int d = model.parameters.dimension;
    for (std::size_t s = 0; s < matches.size(); ++s) {
        std::copy_n(model.parameters.predicates.begin() + matches[s] * d, d,
                    model.parameters.slots.begin() + static_cast<std::ptrdiff_t>(s) * d);
    }
}

class Refinement {
  public:
    Refinement(const Model& model, const RefineSettings& settings)
        : model_(model),
          h_(model.hierarchy),
          settings_(settings),
          scores_(unification(model)),
          hard_(model),
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
        std::vector<int> matches = best_matches(model_);
        std::vector<int> used = used_part(matches);
        Trial trial = play(matches, kWorst);
        std::vector<int> kept = matches;
        Trial best = trial;
        int repeated = 0;
        while (!settings_.best_possible(best) && evaluations_ < settings_.evaluations &&
               repeated < kMostRepeats && !settings_.stopped()) {
            std::vector<int> next = changed(matches);
            std::vector<int> next_used = used_part(next);
            if (next_used == used) {
                matches = std::move(next);  // the same program
                ++repeated;
                continue;
            }
            // Annealing: a loss x is taken with probability exp(-x / heat).
            const double heat =
                kHeat * (1 - static_cast<double>(evaluations_) / settings_.evaluations);
            const double needed = trial.score() + heat * std::log(1 - random_.uniform());
            const auto known = known_.find(next_used);
            if (known != known_.end() && known->second < needed) {
                ++repeated;
                continue;
            }
            const Trial found = play(next, needed);
            known_[next_used] = found.score();
            if (found.score() >= needed) {
                matches = std::move(next);
                used = std::move(next_used);
                trial = found;
                if (trial.score() > best.score()) {
                    kept = matches;
                    best = trial;
                }
            }
        }
        prune(kept, best);
        return {hardened(model_, kept), best, evaluations_};
    }

  private:
    enum class Role { other, second, disjunct };

    Program program_of(const std::vector<int>& matches) {
        write_matches(hard_, matches);
        return extract(hard_);
    }

    Trial play(const std::vector<int>& matches, double needed) {
        ++evaluations_;
        return settings_.play(program_of(matches), needed);
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

    /// Matches with -1 for slots that do not matter.
    std::vector<int> used_part(const std::vector<int>& matches) const {
        const std::vector<bool> seen = reached(matches);
        std::vector<int> used = matches;
        for (std::size_t a = 0; a < seen.size(); ++a) {
            if (!seen[a]) {
                for (const int slot : h_.auxiliaries[a].slots) {
                    used[at(slot)] = -1;
                }
            }
        }
        return used;
    }

    std::vector<int> used_slots(const std::vector<int>& matches) const {
        const std::vector<int> used = used_part(matches);
        std::vector<int> slots;
        for (std::size_t s = 0; s < used.size(); ++s) {
            if (used[s] >= 0) {
                slots.push_back(static_cast<int>(s));
            }
        }
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
        if (random_.chance(kFromScores)) {
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

    /// Each used slot takes False, True or an input where the program gets shorter and plays no
    /// worse, chance aside: what training does not need, other starts rarely do.
    void prune(std::vector<int>& matches, Trial& trial) {
        int length = size(simplified(program_of(matches)));
        for (bool again = true; again && !settings_.stopped();) {
            again = false;
            for (const int slot : used_slots(matches)) {
                for (const int p : h_.slots[at(slot)].candidates) {
                    if (p >= h_.first_auxiliary() || p == matches[at(slot)]) {
                        continue;
                    }
                    std::vector<int> next = matches;
                    next[at(slot)] = p;
                    const int shorter = size(simplified(program_of(next)));
                    if (shorter >= length) {
                        continue;
                    }
                    const Trial found = play(next, trial.score() - kSameScore);
                    if (found.score() >= trial.score() - kSameScore) {
                        matches = std::move(next);
                        trial = found;
                        length = shorter;
                        again = true;
                        break;
                    }
                }
            }
        }
    }

    const Model& model_;
    const Hierarchy& h_;
    const RefineSettings& settings_;
    std::vector<float> scores_;  // (slots, predicates)
    Model hard_;                 // with the matches of the program that is tried
    std::map<std::vector<int>, double>
        known_;  // [used part]: the score, or a bound where it is below what was needed
    Random random_;
    std::vector<Role> role_;  // by slot
    int evaluations_ = 0;
};

}  // namespace

Model hardened(const Model& model, const std::vector<int>& matches) {
    Model result = model;
    write_matches(result, matches);
    return result;
}

std::vector<int> best_matches(const Model& model) {
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> scores = unification(model);
    std::vector<int> matches;
    for (std::size_t s = 0; s < h.slots.size(); ++s) {
        const float* row = scores.data() + s * at(h.predicates());
        const std::vector<int>& candidates = h.slots[s].candidates;
        matches.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                            [&](int a, int b) { return row[a] < row[b]; }));
    }
    return matches;
}

Refined refine(const Model& model, const RefineSettings& settings) {
    return Refinement(model, settings).run();
}

}  // namespace hri
