// SPDX-License-Identifier: Apache-2.0
#include "rl/program_ppo.hpp"

#include "base/index.hpp"
#include "hypotheses/program_space.hpp"
#include "rl/advantage.hpp"
#include "rl/match_prior.hpp"
#include "rl/program_reward.hpp"
#include "soft/unification.hpp"
#include "train/adam.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace hri::rl {
namespace {

using base::at;

constexpr std::uint64_t kPrograms = 15;    // stream of random numbers
constexpr double kFirstTemperature = 0.3;  // of unification
constexpr double kLastTemperature = 0.005;
constexpr double kImitationHeat = 0.3;  // of the weights of imitated programs, falls to 0
constexpr double kLastHeat = 1e-3;
constexpr std::size_t kImitated = 60;  // programs
constexpr double kGoodShare = 0.2;     // of an update's programs is played to the end, and
constexpr double kMargin = 0.5;        // those that may be worse by so much
constexpr double kWorstReward = -6;

/// A program, with the probability that each of its slots had to take its match.
struct Drawn {
    Matches matches;
    std::vector<int> slots;
    std::vector<double> probabilities;
    double reward = 0;  // less what its length costs
    double advantage = 0;
};

class ProgramPpo {
  public:
    ProgramPpo(Model& model, Judge& judge, const RlSettings& settings, std::uint64_t seed)
        : model_(model),
          h_(model.hierarchy),
          space_(model),
          reward_(model, judge),
          settings_(settings),
          random_(seed, kPrograms),
          prior_(match_prior(model)),
          unification_(h_, model.parameters.dimension, model.options.similarity),
          adam_(model.parameters.slots.size(), model.options.learning_rate_rules) {}

    /// The mean reward of its programs.
    double update(int u) {
        const double done =
            settings_.program_updates <= 1 ? 1.0 : u / (settings_.program_updates - 1.0);
        temperature_ = static_cast<float>(kFirstTemperature *
                                          std::pow(kLastTemperature / kFirstTemperature, done));
        explore_ = settings_.program_exploration * (1 - done);
        heat_ = kImitationHeat * (1 - done) + kLastHeat;
        unify();
        std::vector<double> rewards;
        drawn_.clear();
        for (int i = 0; i < settings_.drawn_programs; ++i) {
            drawn_.push_back(draw());
            rewards.push_back(drawn_.back().reward);
        }
        std::vector<double> scaled = rewards;
        normalise(scaled);
        double mean = 0;
        for (std::size_t i = 0; i < rewards.size(); ++i) {
            drawn_[i].advantage = scaled[i];
            mean += rewards[i] / static_cast<double>(rewards.size());
        }
        for (int pass = 0; pass < settings_.passes; ++pass) {
            improve();
        }
        const auto good =
            rewards.begin() +
            static_cast<std::ptrdiff_t>((1 - kGoodShare) * static_cast<double>(rewards.size() - 1));
        std::nth_element(rewards.begin(), good, rewards.end());
        min_reward_ = std::max(min_reward_, *good - kMargin);
        return mean;
    }

  private:
    void unify() {
        const Parameters& p = model_.parameters;
        unification_.forward(p.predicates.data(), p.slots.data(), nullptr, temperature_);
    }

    std::size_t cell(int slot, int predicate) const {
        return at(slot) * at(h_.predicates()) + at(predicate);
    }

    /// A program by the scores, with its reward. It is given up where it cannot reach
    /// `min_reward_`.
    Drawn draw() {
        Drawn program;
        program.matches.assign(h_.slots.size(), Hierarchy::kTrue);
        reached_.assign(h_.auxiliaries.size(), 0);
        draw_slot(program, h_.target_slot());
        used_.find(space_, program.matches);
        program.reward =
            std::max(-reward_.cost({&program.matches, &used_, -1}, -min_reward_), min_reward_);
        remember(program);
        return program;
    }

    void draw_slot(Drawn& program, int slot) {
        const std::vector<int>& candidates = h_.slots[at(slot)].candidates;
        const float* score = unification_.alpha().data() + cell(slot, 0);
        const std::vector<double>& prior = prior_[at(slot)];
        const auto probability = [&](int k) {
            return explore_ * prior[at(k)] +
                   (1 - explore_) * static_cast<double>(score[candidates[at(k)]]);
        };
        const int k = drawn_index(static_cast<int>(candidates.size()), probability, random_);
        program.matches[at(slot)] = candidates[at(k)];
        program.slots.push_back(slot);
        program.probabilities.push_back(probability(k));
        const int a = space_.auxiliary(candidates[at(k)]);
        if (a >= 0 && reached_[at(a)] == 0) {
            reached_[at(a)] = 1;
            for (const int inner : h_.auxiliaries[at(a)].slots) {
                draw_slot(program, inner);
            }
        }
    }

    /// Keeps the best programs, one of those with equal reward.
    void remember(const Drawn& program) {
        if (settings_.program_imitation > 0 && program.reward > min_reward_) {
            best_.emplace(-program.reward, program);
            if (best_.size() > kImitated) {
                best_.erase(std::prev(best_.end()));
            }
        }
    }

    void improve() {
        unify();
        d_alpha_.assign(unification_.alpha().size(), 0.0F);
        const double clip = settings_.clip;
        for (const Drawn& program : drawn_) {
            for (std::size_t i = 0; i < program.slots.size(); ++i) {
                const int slot = program.slots[i];
                const std::size_t c = cell(slot, program.matches[at(slot)]);
                const double ratio =
                    static_cast<double>(unification_.alpha()[c]) / program.probabilities[i];
                const double clipped = std::clamp(ratio, 1 - clip, 1 + clip);
                if (ratio * program.advantage <= clipped * program.advantage) {
                    d_alpha_[c] -= static_cast<float>(program.advantage / program.probabilities[i] /
                                                      settings_.drawn_programs);
                }
            }
        }
        imitate();
        Parameters& p = model_.parameters;
        d_predicates_.resize(p.predicates.size());
        d_slots_.resize(p.slots.size());
        unification_.backward(d_predicates_.data(), d_slots_.data(), d_alpha_.data());
        adam_.step(p.slots.data(), d_slots_.data());
    }

    void imitate() {
        constexpr double kMinScore = 1e-30;
        double sum = 0;
        const auto weight = [&](const Drawn& program) {
            return std::exp((program.reward - best_.begin()->second.reward) / heat_);
        };
        for (const auto& [cost, program] : best_) {
            sum += weight(program);
        }
        for (const auto& [cost, program] : best_) {
            const double share = settings_.program_imitation * weight(program) / sum;
            for (const int slot : program.slots) {
                const std::size_t c = cell(slot, program.matches[at(slot)]);
                const auto score = static_cast<double>(unification_.alpha()[c]);
                d_alpha_[c] -= static_cast<float>(share / std::max(score, kMinScore));
            }
        }
    }

    Model& model_;
    const Hierarchy& h_;
    hypotheses::ProgramSpace space_;
    ProgramReward reward_;
    const RlSettings& settings_;
    Random random_;
    std::vector<std::vector<double>> prior_;
    soft::Unification<float> unification_;
    training::Adam<float> adam_;

    float temperature_ = 1;
    double explore_ = 0;  // the probability that a slot takes its match by the prior
    double heat_ = 1;
    double min_reward_ = kWorstReward;  // reward of programs that are worth playing
    std::vector<Drawn> drawn_;
    std::map<double, Drawn> best_;  // by what they cost
    std::vector<std::uint8_t> reached_;
    hypotheses::Reached used_;
    std::vector<float> d_alpha_, d_predicates_, d_slots_;
};

}  // namespace

ProgramPpoResult run_program_ppo(Model start, Judge& judge, const RlSettings& settings,
                                 std::uint64_t seed,
                                 const std::function<bool(int update, double reward)>& go_on) {
    ProgramPpoResult result;
    result.model = std::move(start);
    ProgramPpo ppo(result.model, judge, settings, seed);
    while (result.updates < settings.program_updates) {
        const double reward = ppo.update(result.updates);
        ++result.updates;
        result.programs += settings.drawn_programs;
        if (!go_on(result.updates, reward / PolicyValue::kParts)) {
            break;
        }
    }
    result.model.options.temperature = kLastTemperature;
    result.model.options.final_temperature = kLastTemperature;
    return result;
}

}  // namespace hri::rl
