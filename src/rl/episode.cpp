// SPDX-License-Identifier: Apache-2.0
// Policies at work: values of a program or a model, the choice among them, episodes.

#include "hri/rl.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "rl/state_table.hpp"

#include <algorithm>
#include <optional>

namespace hri {
namespace {

// Values by state, up to so many states.
constexpr std::size_t kMaxRemembered = 20'000;

/// Remembers what `compute` gave for a state.
template <class Compute>
ActionValues remembered(Compute compute) {
    auto known = std::make_shared<std::map<rl::StateKey, std::vector<float>>>();
    return [known, compute](const Instance& facts) -> const std::vector<float>& {
        rl::StateKey key = rl::key_of(facts);
        const auto found = known->find(key);
        if (found != known->end()) {
            return found->second;
        }
        if (known->size() >= kMaxRemembered) {
            known->clear();
        }
        return known->emplace(std::move(key), compute(facts)).first->second;
    };
}

}  // namespace

ActionValues program_values(const Program& program) {
    auto compiled = std::make_shared<std::optional<evaluation::CompiledProgram>>();
    return remembered([program, compiled](const Instance& facts) {
        if (!*compiled) {
            compiled->emplace(program, facts.inputs());
        }
        Truth truth;
        (*compiled)->evaluate(facts, kToFixpoint, truth);
        return std::vector<float>(truth.begin(), truth.end());
    });
}

ActionValues model_values(const Model& model) {
    return remembered(
        [model](const Instance& facts) { return infer(model, facts, model.options.eval_steps); });
}

int choose(const std::vector<float>& values, const std::vector<int>& actions, Choice choice,
           Random& random) {
    std::vector<int> best;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const float value = values[static_cast<std::size_t>(actions[i])];
        const float highest =
            best.empty()
                ? value
                : values[static_cast<std::size_t>(actions[static_cast<std::size_t>(best[0])])];
        if (value > highest) {
            best.clear();
        }
        if (value >= highest) {
            best.push_back(static_cast<int>(i));
        }
    }
    if (choice == Choice::first || best.size() == 1) {
        return best.front();
    }
    return best[static_cast<std::size_t>(random.below(static_cast<int>(best.size())))];
}

Episode run_episode(Environment& environment, const ActionValues& values, Choice choice,
                    Random& random) {
    environment.reset(random);
    Episode episode;
    for (;;) {
        const std::vector<int>& actions = environment.actions();
        const int chosen = choose(values(environment.facts()), actions, choice, random);
        const StepResult result = environment.step(actions[static_cast<std::size_t>(chosen)]);
        episode.reward += result.reward;
        if (result.done) {
            episode.solved = result.solved;
            return episode;
        }
        ++episode.moves;
    }
}

EpisodeScore run_episodes(Environment& environment, const ActionValues& values, Choice choice,
                          int episodes, std::uint64_t seed) {
    EpisodeScore score;
    Random random(seed, Random::kEvaluation);
    for (int i = 0; i < episodes; ++i) {
        const Episode episode = run_episode(environment, values, choice, random);
        score.reward += episode.reward;
        score.moves += episode.solved ? episode.moves : 0;
        score.solved += episode.solved ? 1 : 0;
    }
    score.episodes = episodes;
    score.reward /= std::max(episodes, 1);
    score.moves /= std::max(score.solved, 1);
    return score;
}

EpisodeScore run_tests(const RlTask& task, const ActionValues& values, Choice choice, int episodes,
                       std::uint64_t seed) {
    EpisodeScore total;
    for (const std::string& start : task.tests) {
        const EpisodeScore score =
            run_episodes(*make_environment(task, start), values, choice, episodes, seed);
        total.reward += score.reward / static_cast<double>(task.tests.size());
        total.moves += score.moves * score.solved;
        total.solved += score.solved;
        total.episodes += score.episodes;
    }
    total.moves /= std::max(total.solved, 1);
    return total;
}

}  // namespace hri
