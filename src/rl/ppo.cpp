// SPDX-License-Identifier: Apache-2.0
#include "rl/ppo.hpp"

#include "rl/advantage.hpp"
#include "rl/best_moves.hpp"
#include "rl/critic.hpp"
#include "rl/policy.hpp"
#include "train/adam.hpp"
#include "train/noise.hpp"

#include <algorithm>
#include <cmath>

namespace hri::rl {
namespace {

// Noise below it is drawn once per update: it changes no choice.
constexpr double kNegligibleNoise = 1e-3;
constexpr double kValueClip = 0.2;
constexpr int kImitatedStates = 10;     // per pass
constexpr std::uint64_t kActions = 11;  // streams of random numbers
constexpr std::uint64_t kOrders = 12;

struct Trajectory {
    std::vector<int> states;  // one more than steps: what follows the last one
    std::vector<int> actions;
    std::vector<int> draws;  // of noise
    std::vector<double> log_probabilities;
    std::vector<double> rewards;
    bool solved = false;
    bool from_training = false;

    double reward() const {
        double sum = 0;
        for (const double r : rewards) {
            sum += r;
        }
        return sum;
    }
};

/// One draw of all noise.
struct Draw {
    std::vector<float> predicates, slots;
    std::vector<float> gumbel;  // empty: none
    std::vector<std::vector<float>>
        probabilities;                         // by state, of its actions; empty: not known yet
    std::vector<std::vector<Sample>> samples;  // by state: those that were chosen with it
};

class Ppo {
  public:
    Ppo(Model& model, const Starts& starts, const std::vector<PredicateSymbol>& inputs,
        const RlSettings& settings, std::uint64_t seed)
        : model_(model),
          starts_(starts),
          anywhere_(starts.anywhere()),
          settings_(settings),
          columns_(soft::columns_of(inputs, model.inputs)),
          policy_(model.hierarchy, model.protorules, model.parameters.dimension, model.options),
          critic_(inputs, settings.critic_hidden, seed),
          predicate_adam_(model.parameters.predicates.size(), model.options.learning_rate),
          slot_adam_(model.parameters.slots.size(), model.options.learning_rate_rules),
          critic_adam_(critic_.parameters().size(), settings.critic_rate),
          noise_(model.hierarchy, seed),
          actions_(seed, kActions),
          orders_(seed, kOrders) {}

    UpdateNews update(int u) {
        set_noise(u);
        used_ = nullptr;
        states_.clear();
        dense_.clear();
        trajectories_.clear();
        for (int i = 0; i < settings_.trajectories; ++i) {
            trajectories_.push_back(collect());
        }
        remember();
        estimate();
        for (int pass = 0; pass < settings_.passes; ++pass) {
            improve_policy();
            improve_critic();
        }
        return news(u);
    }

  private:
    void set_noise(int u) {
        const Options& o = model_.options;
        predicate_scale_ = o.train_predicates ? training::gaussian_scale(
                                                    o.predicate_noise, o.predicate_noise_halving, u)
                                              : 0.0;
        slot_scale_ = training::gaussian_scale(o.slot_noise, o.slot_noise_half_life, u);
        gumbel_scale_ = u < settings_.gumbel_updates
                            ? training::gumbel_scale(o.gumbel, u, settings_.gumbel_updates)
                            : 0.0;
        temperature_ = static_cast<float>(training::temperature_at(o, u, o.iterations));
        const bool noisy =
            std::max({predicate_scale_, slot_scale_, gumbel_scale_}) > kNegligibleNoise;
        fresh_ = noisy && settings_.noise_draws == 0;
        draws_.resize(static_cast<std::size_t>(noisy ? std::max(settings_.noise_draws, 1) : 1));
        for (Draw& draw : draws_) {
            draw_noise(draw);
        }
    }

    void draw_noise(Draw& draw) {
        const Parameters& p = model_.parameters;
        zero_predicates_.assign(p.predicates.size(), 0.0F);
        zero_slots_.assign(p.slots.size(), 0.0F);
        noise_.add_gaussian(draw.predicates, zero_predicates_, p.dimension, 2, 2, predicate_scale_);
        noise_.add_gaussian(draw.slots, zero_slots_, p.dimension, 0, 0, slot_scale_);
        const float* gumbel = noise_.gumbel(gumbel_scale_, model_.options.gumbel_convention);
        draw.gumbel.clear();
        if (gumbel != nullptr) {
            const std::size_t scores = model_.hierarchy.slots.size() *
                                       static_cast<std::size_t>(model_.hierarchy.predicates());
            draw.gumbel.assign(gumbel, gumbel + scores);
        }
        draw.probabilities.clear();
    }

    /// The policy at the current parameters with this noise.
    void use(const Draw& draw) {
        used_ = &draw;
        const Parameters& p = model_.parameters;
        noisy_predicates_ = p.predicates;
        for (std::size_t i = 0; i < noisy_predicates_.size(); ++i) {
            noisy_predicates_[i] += draw.predicates[i];
        }
        noisy_slots_ = p.slots;
        for (std::size_t i = 0; i < noisy_slots_.size(); ++i) {
            noisy_slots_[i] += draw.slots[i];
        }
        policy_.set(noisy_predicates_.data(), noisy_slots_.data(),
                    draw.gumbel.empty() ? nullptr : draw.gumbel.data(), temperature_);
    }

    int number_of_state() {
        const int known = states_.size();
        const int state = states_.add(now_->facts(), now_->actions());
        if (state == known) {
            dense_.emplace_back();
            soft::make_dense(dense_.back(), now_->facts(), columns_, model_.inputs,
                             model_.target.arity);
        }
        return state;
    }

    /// A random start where the settings ask for one, else the training start.
    void begin() {
        at_training_ = !actions_.chance(settings_.random_starts) ||
                       !starts_.begin_anywhere(*anywhere_, actions_);
        now_ = at_training_ ? &starts_.training() : anywhere_.get();
        if (at_training_) {
            now_->reset(actions_);
        }
    }

    Trajectory collect() {
        Trajectory trajectory;
        begin();
        trajectory.from_training = at_training_;
        trajectory.states.push_back(number_of_state());
        for (;;) {
            const int state = trajectory.states.back();
            const std::vector<int>& actions = states_[state].actions;
            const int drawn = actions_.below(static_cast<int>(draws_.size()));
            const std::vector<float>& p =
                probabilities(draws_[static_cast<std::size_t>(drawn)], state);
            const int chosen = sampled(p);
            trajectory.draws.push_back(drawn);
            trajectory.actions.push_back(chosen);
            trajectory.log_probabilities.push_back(
                std::log(static_cast<double>(p[static_cast<std::size_t>(chosen)])));
            const StepResult result = now_->step(actions[static_cast<std::size_t>(chosen)]);
            trajectory.rewards.push_back(result.reward);
            trajectory.states.push_back(number_of_state());
            if (result.done) {
                trajectory.solved = result.solved;
                return trajectory;
            }
        }
    }

    const std::vector<float>& probabilities(Draw& draw, int state) {
        if (fresh_) {
            draw_noise(draw);
        }
        const auto s = static_cast<std::size_t>(state);
        if (draw.probabilities.size() <= s) {
            draw.probabilities.resize(s + 1);
        }
        std::vector<float>& p = draw.probabilities[s];
        if (p.empty()) {
            if (&draw != used_ || fresh_) {
                use(draw);
            }
            policy_probabilities(p, policy_.valuations(dense_[s]), states_[state].actions,
                                 static_cast<float>(settings_.policy_temperature));
        }
        return p;
    }

    int sampled(const std::vector<float>& p) {
        double left = actions_.uniform();
        for (std::size_t i = 0; i + 1 < p.size(); ++i) {
            left -= static_cast<double>(p[i]);
            if (left < 0) {
                return static_cast<int>(i);
            }
        }
        // Rounding may leave a rest: the last action that is possible at all.
        std::size_t last = p.size() - 1;
        while (last > 0 && p[last] < 1e-6F) {
            --last;
        }
        return static_cast<int>(last);
    }

    /// Keeps the moves of solved episodes that led to the most reward seen from their state.
    void remember() {
        if (settings_.imitation <= 0) {
            return;
        }
        for (const Trajectory& t : trajectories_) {
            if (!t.solved) {
                continue;
            }
            double to_go = t.rewards.back();
            for (std::size_t i = t.actions.size() - 1; i-- > 0;) {
                to_go += t.rewards[i];
                best_moves_.add(states_[t.states[i]], dense_[static_cast<std::size_t>(t.states[i])],
                                t.actions[i], to_go);
            }
        }
    }

    /// The gradient of imitation, of some remembered states.
    void imitate() {
        if (best_moves_.size() == 0) {
            return;
        }
        const int count = std::min(kImitatedStates, best_moves_.size());
        const auto weight = static_cast<float>(settings_.imitation / count);
        use(draws_[0]);
        for (int i = 0; i < count; ++i) {
            const BestMoves::Entry& state = best_moves_.any(actions_);
            if (settings_.imitation_negatives > 0) {
                policy_.add_labels(state.dense, state.actions, state.good,
                                   static_cast<float>(settings_.imitation_negatives), weight);
            } else {
                policy_.add_imitation(state.dense, state.actions, state.good,
                                      static_cast<float>(settings_.imitation_temperature), weight);
            }
        }
        collect_gradient();
    }

    /// Values before the update, advantages, returns; samples by state.
    void estimate() {
        const std::vector<float>& values = critic_.forward(states_.states(), orders_);
        old_values_ = values;
        std::vector<double> merged;
        for (const Trajectory& t : trajectories_) {
            std::vector<double> of_states;
            for (const int state : t.states) {
                of_states.push_back(static_cast<double>(values[static_cast<std::size_t>(state)]));
            }
            if (t.solved) {
                of_states.back() = 0;
            }
            const std::vector<double> found =
                advantages(t.rewards, of_states, settings_.discount, settings_.gae_lambda);
            merged.insert(merged.end(), found.begin(), found.end());
        }
        std::vector<double> scaled = merged;
        normalise(scaled);
        for (Draw& draw : draws_) {
            draw.samples.assign(static_cast<std::size_t>(states_.size()), {});
        }
        returns_.assign(static_cast<std::size_t>(states_.size()), {});
        count_ = 0;
        for (const Trajectory& t : trajectories_) {
            for (std::size_t i = 0; i < t.actions.size(); ++i, ++count_) {
                const auto state = static_cast<std::size_t>(t.states[i]);
                draws_[static_cast<std::size_t>(t.draws[i])].samples[state].push_back(
                    {t.states[i], t.actions[i], t.log_probabilities[i], scaled[count_]});
                returns_[state].push_back(merged[count_] + static_cast<double>(values[state]));
            }
        }
    }

    void improve_policy() {
        Parameters& p = model_.parameters;
        d_predicates_.assign(p.predicates.size(), 0.0F);
        d_slots_.assign(p.slots.size(), 0.0F);
        const PolicySettings settings{settings_.policy_temperature, settings_.clip};
        const float weight = 1.0F / static_cast<float>(count_);
        const auto lambda = static_cast<float>(model_.options.regularisation);
        for (std::size_t d = 0; d < draws_.size(); ++d) {
            Draw& draw = draws_[d];
            use(draw);
            for (std::size_t s = 0; s < draw.samples.size(); ++s) {
                const std::vector<int>& actions = states_[static_cast<int>(s)].actions;
                if (draw.samples[s].empty()) {
                    continue;
                }
                if (!fresh_) {
                    policy_.add(dense_[s], actions, draw.samples[s], settings, weight);
                    continue;
                }
                for (const Sample& sample : draw.samples[s]) {
                    draw_noise(draw);
                    use(draw);
                    policy_.add(dense_[s], actions, {sample}, settings, weight);
                    collect_gradient();
                }
                use(draw);
            }
            if (d + 1 == draws_.size()) {
                policy_.add_spread(lambda);
            }
            collect_gradient();
        }
        imitate();
        const double decay = settings_.weight_decay;
        if (model_.options.train_predicates) {
            shrink(p.predicates, 1 - decay * model_.options.learning_rate,
                   static_cast<std::size_t>(2 * p.dimension));
            predicate_adam_.step(p.predicates.data(), d_predicates_.data());
        }
        shrink(p.slots, 1 - decay * model_.options.learning_rate_rules, 0);
        slot_adam_.step(p.slots.data(), d_slots_.data());
    }

    void collect_gradient() {
        part_predicates_.resize(d_predicates_.size());
        part_slots_.resize(d_slots_.size());
        policy_.gradient(part_predicates_.data(), part_slots_.data());
        for (std::size_t i = 0; i < d_predicates_.size(); ++i) {
            d_predicates_[i] += part_predicates_[i];
        }
        for (std::size_t i = 0; i < d_slots_.size(); ++i) {
            d_slots_[i] += part_slots_[i];
        }
    }

    /// value = old + clamp(new - old), mean square distance to the returns.
    void improve_critic() {
        const std::vector<float>& values = critic_.forward(states_.states(), orders_);
        std::vector<float> d_values(values.size(), 0.0F);
        for (std::size_t s = 0; s < values.size(); ++s) {
            const double old = static_cast<double>(old_values_[s]);
            const double change = static_cast<double>(values[s]) - old;
            if (std::abs(change) > kValueClip) {
                continue;
            }
            for (const double target : returns_[s]) {
                d_values[s] +=
                    static_cast<float>(2 * (old + change - target) / static_cast<double>(count_));
            }
        }
        critic_.backward(d_values);
        shrink(critic_.parameters(), 1 - settings_.weight_decay * settings_.critic_rate, 0);
        critic_adam_.step(critic_.parameters().data(), critic_.gradient().data());
    }

    static void shrink(std::vector<float>& parameters, double factor, std::size_t first) {
        for (std::size_t i = first; i < parameters.size(); ++i) {
            parameters[i] *= static_cast<float>(factor);
        }
    }

    UpdateNews news(int u) const {
        UpdateNews news;
        news.update = u;
        for (const Trajectory& t : trajectories_) {
            news.reward += t.reward() / static_cast<double>(trajectories_.size());
            const int moves = static_cast<int>(t.actions.size()) - 1;
            news.solved += t.solved ? 1 : 0;
            news.mean_moves += t.solved ? moves : 0;
            if (t.from_training) {
                news.best = std::max(news.best, t.reward());
            }
        }
        news.mean_moves /= std::max(news.solved, 1);
        return news;
    }

    Model& model_;
    const Starts& starts_;
    std::unique_ptr<Environment> anywhere_;
    Environment* now_ = nullptr;  // of the episode
    bool at_training_ = true;     // it began at the training start
    const RlSettings& settings_;
    std::vector<int> columns_;
    SoftPolicy<float> policy_;
    Critic<float> critic_;
    training::Adam<float> predicate_adam_, slot_adam_, critic_adam_;
    training::Noise noise_;
    Random actions_, orders_;

    // the noise of now
    double predicate_scale_ = 0, slot_scale_ = 0, gumbel_scale_ = 0;
    float temperature_ = 1;
    bool fresh_ = false;  // a new draw for every state and pass
    std::vector<Draw> draws_;
    const Draw* used_ = nullptr;  // by the policy
    std::vector<float> noisy_predicates_, noisy_slots_;
    std::vector<float> zero_predicates_, zero_slots_;

    BestMoves best_moves_;

    // the update's batch
    StateTable states_;
    std::vector<soft::DenseInstance<float>> dense_;  // by state
    std::vector<Trajectory> trajectories_;
    std::vector<float> old_values_;             // by state
    std::vector<std::vector<double>> returns_;  // by state
    std::size_t count_ = 0;                     // of samples
    std::vector<float> d_predicates_, d_slots_, part_predicates_, part_slots_;
};

}  // namespace

PpoResult run_ppo(Model start, const Starts& starts, const std::vector<PredicateSymbol>& inputs,
                  const RlSettings& settings, std::uint64_t seed,
                  const std::function<bool(const Model&, const UpdateNews&)>& go_on) {
    PpoResult result;
    result.model = std::move(start);
    Ppo ppo(result.model, starts, inputs, settings, seed);
    while (result.updates < result.model.options.iterations) {
        const UpdateNews news = ppo.update(result.updates);
        ++result.updates;
        result.episodes += settings.trajectories;
        if (!go_on(result.model, news)) {
            break;
        }
    }
    return result;
}

}  // namespace hri::rl
