// SPDX-License-Identifier: Apache-2.0
// Restarts until a program is accepted. Whatever is decided here is decided by episodes from the
// training start.

#include "hri/rl.hpp"

#include "rl/ppo.hpp"
#include "rl/refine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace hri {
namespace {

constexpr int kUniformEpisodes = 100;
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15U;  // between restarts
constexpr int kTrialEpisodes = 20;
constexpr double kUniformCost = 0.75;  // moves that the uniform choice may take more
constexpr double kLostReward = -1.0;   // of an episode in which no rule applied
constexpr double kSameScore = 0.005;   // a quarter of a move
constexpr double kWorst = -1e9;        // below every score

/// What one restart came to.
struct Candidate {
    Model model;      // PPO's
    Program program;  // the better one of its argmax program and the refined one
    bool refined = false;
    Trial trial;
    EpisodeScore soft;
    std::vector<PolicyCurvePoint> curve;
};

/// By score; where chance may explain the difference, the shorter program.
bool better(const Candidate& a, const Candidate& b) {
    const double difference = a.trial.score() - b.trial.score();
    if (std::abs(difference) > kSameScore) {
        return difference > 0;
    }
    return size(simplified(a.program)) < size(simplified(b.program));
}

/// An episode with the uniform choice in which a state without any derived move is a failure: a
/// policy that is to be read must not owe its success to moves that no rule asked for.
Episode run_strictly(Environment& environment, const ActionValues& values, Random& random) {
    environment.reset(random);
    Episode episode;
    bool lost = false;
    for (;;) {
        const std::vector<int>& actions = environment.actions();
        const std::vector<float>& valued = values(environment.facts());
        const int chosen = choose(valued, actions, Choice::uniform, random);
        const int action = actions[static_cast<std::size_t>(chosen)];
        const bool derived = valued[static_cast<std::size_t>(action)] > 0;
        const StepResult result = environment.step(action);
        episode.reward += result.reward;
        lost = lost || (!derived && !result.solved);
        if (result.done) {
            episode.solved = result.solved && !lost;
            episode.reward = lost ? kLostReward : episode.reward;
            return episode;
        }
        ++episode.moves;
    }
}

}  // namespace

Options rl_options() {
    Options options;
    options.layers = 6;
    options.recursivity = Recursivity::none;
    options.train_steps = 6;
    options.eval_steps = 6;
    options.iterations = 300;
    options.train_predicates = false;
    options.learning_rate_rules = 0.02;
    options.regularisation = 0;
    options.predicate_noise_halving = 10;
    options.slot_noise_halving = 10;
    return options;
}

PolicyReport learn_policy(const RlTask& task, const Options& options, const RlSettings& settings) {
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    const auto environment = make_environment(task);
    PolicyReport report;
    report.task = task.name;
    report.seed = settings.seed;
    int fewest = std::numeric_limits<int>::max();  // moves of any episode so far
    std::optional<Candidate> kept;
    const auto stopped = [&] {
        if (settings.interrupt != nullptr && settings.interrupt->load()) {
            report.stop_reason = StopReason::interrupted;
        } else if (settings.time_limit > 0 && elapsed() > settings.time_limit) {
            report.stop_reason = StopReason::time_limit;
        }
        return report.stop_reason != StopReason::finished;
    };

    const auto trial_of = [&](const Program& program, std::uint64_t seed, int episodes,
                              double needed) {
        const ActionValues values = program_values(program, task.inputs);
        Trial trial;
        trial.first = run_episodes(*environment, values, Choice::first, 1, seed);
        if (trial.first.solved > 0) {
            fewest = std::min(fewest, static_cast<int>(trial.first.moves));
        }
        // No episode gives more than 1: what cannot reach the score that is needed is cut short.
        Random random(seed, Random::kEvaluation);
        EpisodeScore& uniform = trial.uniform;
        double sum = 0;
        double moves = 0;
        while (uniform.episodes < episodes) {
            const double best = (sum + episodes - uniform.episodes) / episodes;
            if (trial.first.reward + best < needed) {
                uniform.reward = best;
                return trial;
            }
            const Episode episode = run_strictly(*environment, values, random);
            sum += episode.reward;
            moves += episode.solved ? episode.moves : 0;
            uniform.solved += episode.solved ? 1 : 0;
            ++uniform.episodes;
        }
        uniform.reward = sum / episodes;
        uniform.moves = moves / std::max(uniform.solved, 1);
        return trial;
    };
    const auto accepted = [&](const Trial& trial) {
        return trial.first.solved == 1 && trial.first.moves <= fewest &&
               trial.uniform.solved == trial.uniform.episodes &&
               trial.uniform.moves <= trial.first.moves + kUniformCost;
    };
    const auto best_possible = [&](const Trial& trial) {
        return accepted(trial) && trial.uniform.moves <= trial.first.moves;
    };

    for (int restart = 0; restart < std::max(settings.restarts, 1); ++restart) {
        const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(restart) * kSeedStep;
        Candidate candidate;
        int steady = 0;  // updates in which the soft policy was as good as can be
        const auto after_update = [&](const Model&, const UpdateNews& news) {
            if (news.fewest_moves >= 0) {
                fewest = std::min(fewest, news.fewest_moves);
            }
            candidate.curve.push_back({news.update, news.reward});
            if (settings.progress) {
                settings.progress(restart, news.update, options.iterations, news.reward);
            }
            const bool best = news.solved == settings.trajectories && news.mean_moves <= fewest;
            steady = best ? steady + 1 : 0;
            return steady < settings.steady_updates && !stopped();
        };
        PpoResult run = run_ppo(make_model(task.inputs, task.target, options, seed), *environment,
                                task.inputs, settings, seed, after_update);
        report.updates += run.updates;
        report.episodes += run.episodes;
        ++report.restarts;
        candidate.program = extract(run.model);
        candidate.trial = trial_of(candidate.program, seed + 1, kUniformEpisodes, kWorst);
        if (!best_possible(candidate.trial) && settings.evaluations > 0 && !stopped()) {
            RefineSettings refining;
            refining.evaluations = settings.evaluations;
            refining.seed = seed;
            refining.play = [&](const Program& program, double needed) {
                return trial_of(program, seed, kTrialEpisodes, needed);
            };
            refining.best_possible = best_possible;
            refining.stopped = stopped;
            const Refined refined = refine(run.model, refining);
            report.evaluations += refined.evaluations;
            Program program = extract(refined.model);
            const Trial trial = trial_of(program, seed + 1, kUniformEpisodes, kWorst);
            if (trial.score() > candidate.trial.score()) {
                candidate.program = std::move(program);
                candidate.trial = trial;
                candidate.refined = true;
            }
        }
        candidate.soft = run_episodes(*environment, model_values(run.model, task.inputs),
                                      Choice::first, 1, seed);
        candidate.model = std::move(run.model);
        const bool improved = !kept || better(candidate, *kept);
        if (improved) {
            kept = std::move(candidate);
        }
        // The last restart found nothing better than what is good enough.
        const bool enough = best_possible(kept->trial) || (!improved && accepted(kept->trial));
        if (enough || stopped()) {
            break;
        }
    }

    report.accepted = accepted(kept->trial);
    report.refined = kept->refined;
    report.model = std::move(kept->model);
    report.raw = extract(report.model);
    report.program = simplified(kept->program);
    report.training = kept->trial.first;
    report.training_uniform = kept->trial.uniform;
    report.training_soft = kept->soft;
    report.curve = std::move(kept->curve);
    if (report.accepted) {
        report.stop_reason = StopReason::fits;
    }
    report.seconds = elapsed();
    return report;
}

}  // namespace hri
