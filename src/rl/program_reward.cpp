// SPDX-License-Identifier: Apache-2.0
#include "rl/program_reward.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace hri::rl {
namespace {

using base::at;

constexpr double kUniformCost = 0.015;  // reward that the uniform choice may lose at the start
constexpr double kEqual = 1e-9;
constexpr int kMaxLength = 1000;
constexpr int kMaxMeanings = 200'000;  // kept at a time
constexpr int kSample = 512;           // states

}  // namespace

bool accepted(const PolicyValue& trial, const Judge& judge) {
    return trial.complete && trial.first >= judge.best() - kEqual &&
           trial.uniform >= judge.best() - kUniformCost && trial.solved == judge.starts();
}

ProgramReward::ProgramReward(const Model& model, Judge& judge)
    : model_(model),
      h_(model.hierarchy),
      judge_(judge),
      sample_(judge.sample(kSample)),
      meanings_(sample_.states(), model) {}

double ProgramReward::cost(const search::Candidate& candidate, double max) {
    ++evaluations_;
    const double of_length = kAtomCost * length(*candidate.matches);
    const PolicyValue& trial = value(candidate, of_length - max);
    if (needed_ < 0 && accepted(trial, judge_)) {
        needed_ = evaluations_;
    }
    return of_length - trial.reward();
}

const PolicyValue& ProgramReward::value(const search::Candidate& candidate, double least) {
    if (meanings_.size() > kMaxMeanings) {
        meanings_ = StateExtensions(sample_.states(), model_);
        trials_.clear();
    }
    const int target = (*candidate.matches)[at(h_.target_slot())];
    const int meaning = meanings_.of(*candidate.matches, candidate.reached->is_member)[at(target)];
    const auto [known, fresh] = trials_.emplace(meaning, PolicyValue{});
    if (fresh || (!known->second.complete && known->second.reward() >= least)) {
        known->second = judge_.play(asks(*candidate.matches, meaning), least);
    }
    return known->second;
}

/// The actions that the program asks for: known in the states of the sample, found by running it
/// elsewhere.
Judge::Asks ProgramReward::asks(const Matches& matches, int meaning) {
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
        asked_.assign(
            model_.target.arity == 1 ? at(facts.constants) : at(facts.constants * facts.constants),
            0);
        for (const int atom : sample_[state].actions) {
            asked_[at(atom)] = meanings_.holds(meaning, atom, state) ? 1 : 0;
        }
        return asked_;
    };
}

int ProgramReward::length(const Matches& matches) {
    lengths_.assign(h_.auxiliaries.size(), -1);
    return length_of(matches[at(h_.target_slot())], matches);
}

int ProgramReward::length_of(int p, const Matches& matches) {
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

}  // namespace hri::rl
