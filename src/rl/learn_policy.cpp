// SPDX-License-Identifier: Apache-2.0
// Restarts until a program is accepted. Whatever is decided here is decided by episodes from the
// training start.

#include "hri/rl.hpp"

#include "rl/ppo.hpp"
#include "rl/refine.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace hri {
namespace {

constexpr int kUniformEpisodes = 100;
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15U;  // between restarts
constexpr int kTrialEpisodes = 20;
constexpr double kUniformCost = 1.0;  // moves that the uniform choice may take more

struct Candidate {
    Model model;
    Program raw;
    EpisodeScore first, uniform, soft;
    bool accepted = false;
    bool refined = false;
    std::vector<PolicyCurvePoint> curve;
};

/// Whether a later candidate is to be kept rather than b.
bool better(const Candidate& a, const Candidate& b) {
    if (a.accepted != b.accepted) {
        return a.accepted;
    }
    if (a.first.reward != b.first.reward) {
        return a.first.reward > b.first.reward;
    }
    if (a.first.solved == 1 && a.uniform.reward != b.uniform.reward) {
        return a.uniform.reward > b.uniform.reward;
    }
    return a.soft.reward >= b.soft.reward;
}

}  // namespace

Options rl_options() {
    Options options;
    options.layers = 6;
    options.recursivity = Recursivity::none;
    options.train_steps = 6;
    options.eval_steps = 6;
    options.iterations = 200;  // 50 epochs of 4 updates
    options.learning_rate = 0.005;
    options.learning_rate_rules = 0.005;
    options.predicate_noise = 1.4233;
    options.predicate_noise_halving = 8;  // 2 epochs
    options.slot_noise = 1.0;
    options.slot_noise_halving = 8;
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

    const auto trial_of = [&](const Program& program, std::uint64_t seed, int episodes) {
        const ActionValues values = program_values(program, task.inputs);
        Trial trial;
        trial.first = run_episodes(*environment, values, Choice::first, 1, seed);
        trial.uniform = run_episodes(*environment, values, Choice::uniform, episodes, seed);
        if (trial.first.solved > 0) {
            fewest = std::min(fewest, static_cast<int>(trial.first.moves));
        }
        return trial;
    };
    const auto good_enough = [&](const Trial& trial) {
        return trial.first.solved == 1 && trial.first.moves <= fewest &&
               trial.uniform.solved == trial.uniform.episodes &&
               trial.uniform.moves <= trial.first.moves + kUniformCost;
    };
    const auto judge = [&](Candidate& candidate, const Model& model, std::uint64_t seed) {
        candidate.raw = extract(model);
        const Trial trial = trial_of(candidate.raw, seed, kUniformEpisodes);
        candidate.first = trial.first;
        candidate.uniform = trial.uniform;
        candidate.soft = run_episodes(*environment, model_values(model, task.inputs), Choice::first,
                                      1, seed);
        candidate.accepted = good_enough(trial) && candidate.soft.solved == 1 &&
                             candidate.soft.moves <= fewest;
        if (!kept || better(candidate, *kept)) {
            kept = candidate;
            kept->model = model;
        }
    };

    for (int restart = 0; restart < std::max(settings.restarts, 1); ++restart) {
        const std::uint64_t seed =
            settings.seed + static_cast<std::uint64_t>(restart) * kSeedStep;
        Candidate candidate;
        int steady = 0;  // updates in which the soft policy was as good as can be
        const auto after_update = [&](const Model& model, const UpdateNews& news) {
            if (news.fewest_moves >= 0) {
                fewest = std::min(fewest, news.fewest_moves);
            }
            candidate.curve.push_back({news.update, news.reward});
            if (settings.progress) {
                settings.progress(restart, news.update, options.iterations, news.reward);
            }
            steady = news.solved == settings.trajectories && news.mean_moves <= fewest ? steady + 1 : 0;
            return steady < settings.steady_updates && !stopped();
        };
        const PpoResult run = run_ppo(make_model(task.inputs, task.target, options, seed),
                                      *environment, task.inputs, settings, seed, after_update);
        report.updates += run.updates;
        report.episodes += run.episodes;
        ++report.restarts;
        judge(candidate, run.model, seed);
        if (!candidate.accepted && settings.evaluations > 0) {
            RefineSettings refining;
            refining.evaluations = settings.evaluations;
            refining.seed = seed;
            refining.play = [&](const Program& program) {
                return trial_of(program, seed, kTrialEpisodes);
            };
            refining.good_enough = good_enough;
            refining.stopped = stopped;
            const Refined refined = refine(run.model, refining);
            report.evaluations += refined.evaluations;
            candidate.refined = true;
            judge(candidate, refined.model, seed + 1);
        }
        if (candidate.accepted || stopped()) {
            break;
        }
    }

    report.accepted = kept->accepted;
    report.refined = kept->refined;
    report.model = std::move(kept->model);
    report.raw = std::move(kept->raw);
    report.program = simplified(report.raw);
    report.training = kept->first;
    report.training_uniform = kept->uniform;
    report.training_soft = kept->soft;
    report.curve = std::move(kept->curve);
    if (report.accepted) {
        report.stop_reason = StopReason::fits;
    }
    report.seconds = elapsed();
    return report;
}

}  // namespace hri
