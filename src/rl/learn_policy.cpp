// SPDX-License-Identifier: Apache-2.0
// Restarts until a program is accepted. Whatever is decided here is decided by episodes from the
// training start.

#include "hri/rl.hpp"

#include "rl/ppo.hpp"
#include "rl/refine.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <utility>

namespace hri {
namespace {

constexpr int kUniformEpisodes = 100;
constexpr int kJudgedStarts = 100;
constexpr std::uint64_t kRunStep = 0xD1B54A32D192ED03U;   // between runs of PPO
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15U;  // between restarts

/// What one restart came to.
struct Candidate {
    Model model;  // PPO's
    rl::Refined refined;
    std::vector<PolicyCurvePoint> curve;
};

/// Seconds that this thread has worked.
double thread_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A policy's reward under the first choice: that of the training start, plus the mean over random
/// starts that are no test starts.
double training_reward(const ActionValues& values, const RlTask& task, rl::TrainingStarts& starts,
                       std::uint64_t seed) {
    double sum = 0;
    int count = 0;
    Random random(seed, Random::kEvaluation);
    for (int i = 0; i < kJudgedStarts; ++i) {
        starts.random->reset(random);
        if (starts.excluded.count(rl::key_of(starts.random->facts())) == 0) {
            const auto fixed = make_environment(task, starts.random->text());
            sum += run_episode(*fixed, values, Choice::first, random).reward;
            ++count;
        }
    }
    return run_episode(starts.training, values, Choice::first, random).reward +
           sum / std::max(count, 1);
}

/// Trains the candidate's model by PPO, each run until its soft policy stays as good as can be.
void train_policy(Candidate& candidate, int restart, std::uint64_t seed, Environment& environment,
                  const rl::TransitionGraph& world, const RlTask& task, const Options& options,
                  const RlSettings& settings, PolicyReport& report,
                  const std::function<bool()>& stopped) {
    const auto random = make_environment(task, "random");
    rl::TrainingStarts starts{environment, random.get(), {}};
    for (const std::string& test : task.tests)
        starts.excluded.insert(rl::key_of(make_environment(task, test)->facts()));
    std::optional<std::pair<double, double>> best;
    for (int i = 0; i < settings.ppo_runs && (i == 0 || !stopped()); ++i) {
        const std::uint64_t own = seed + static_cast<std::uint64_t>(i) * kRunStep;
        Model model = i == 0 ? candidate.model : make_model(task.inputs, task.target, options, own);
        std::vector<PolicyCurvePoint> curve;
        int steady = 0;  // updates in which the soft policy was as good as can be
        const auto after_update = [&](const Model&, const rl::UpdateNews& news) {
            curve.push_back({news.update, news.reward});
            if (settings.progress)
                settings.progress(restart, news.update, options.iterations, news.reward);
            const bool fewest = settings.random_starts == 0 &&
                                news.solved == settings.trajectories &&
                                news.mean_moves <= world.fewest_moves;
            steady = fewest ? steady + 1 : 0;
            return steady < settings.steady_updates && !stopped();
        };
        rl::PpoResult run =
            rl::run_ppo(std::move(model), starts, task.inputs, settings, own, after_update);
        report.updates += run.updates;
        report.episodes += run.episodes;
        std::pair<double, double> reward{0, 0};  // of the soft policy, of the argmax program
        if (settings.ppo_runs > 1) {
            const Program program = simplified(extract(run.model));
            reward = {training_reward(model_values(run.model), task, starts, seed),
                      training_reward(program_values(program), task, starts, seed)};
        }
        if (!best || reward > *best) {
            best = reward;
            candidate.model = std::move(run.model);
            candidate.curve = std::move(curve);
        }
    }
}

/// Fills in the kept candidate's program, and how it and its soft policy do in training's start.
void describe(Candidate& kept, Environment& environment, const rl::TransitionGraph& world,
              std::uint64_t seed, PolicyReport& report) {
    const rl::PolicyValue& trial = kept.refined.trial;
    report.accepted = rl::accepted(trial, world);
    report.refined = kept.refined.matches != best_matches(kept.model);
    report.solved_states = trial.solved;
    report.raw = extract(kept.model);
    report.program = simplified(extract(kept.model, kept.refined.matches));
    const ActionValues program = program_values(report.program);
    report.training = run_episodes(environment, program, Choice::first, 1, seed);
    report.training_uniform =
        run_episodes(environment, program, Choice::uniform, kUniformEpisodes, seed);
    report.training_soft =
        run_episodes(environment, model_values(kept.model), Choice::first, 1, seed);
    report.model = std::move(kept.model);
    report.curve = std::move(kept.curve);
    if (report.accepted)
        report.stop_reason = StopReason::fits;
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
    options.slot_noise_half_life = 10;
    return options;
}

PolicyReport learn_policy(const RlTask& task, const Options& options, const RlSettings& settings) {
    if (options.negation || options.equality || options.nullary) {
        throw Error("policies have no negation, equality or nullary predicates", {},
                    "leave out negation, equality and nullary");
    }
    const auto started = std::chrono::steady_clock::now();
    const double worked = thread_seconds();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    PolicyReport report;
    report.task = task.name;
    report.seed = settings.seed;
    const auto stopped = [&] {
        if (settings.interrupt != nullptr && settings.interrupt->load()) {
            report.stop_reason = StopReason::interrupted;
        } else if (settings.time_limit > 0 && elapsed() > settings.time_limit) {
            report.stop_reason = StopReason::time_limit;
        }
        return report.stop_reason != StopReason::finished;
    };
    const auto environment = make_environment(task);
    const rl::TransitionGraph world = rl::explore(*environment);
    report.states = world.size();
    report.exploring_episodes = world.episodes;

    std::optional<Candidate> kept;
    for (int restart = 0; restart < std::max(settings.restarts, 1); ++restart) {
        const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(restart) * kSeedStep;
        Candidate candidate;
        candidate.model = make_model(task.inputs, task.target, options, seed);
        if (settings.guide == Guide::learned)
            train_policy(candidate, restart, seed, *environment, world, task, options, settings,
                         report, stopped);
        ++report.restarts;
        rl::RefineSettings refining;
        refining.evaluations = settings.evaluations;
        refining.seed = seed;
        refining.use_scores = settings.guide != Guide::prior;
        refining.stopped = stopped;
        candidate.refined = rl::refine(candidate.model, world, refining);
        if (candidate.refined.needed >= 0 && report.needed < 0) {
            report.needed = report.evaluations + candidate.refined.needed;
        }
        report.evaluations += candidate.refined.evaluations;
        if (!kept || candidate.refined.score > kept->refined.score) {
            kept = std::move(candidate);
        }
        if (rl::accepted(kept->refined.trial, world) || stopped()) {
            break;
        }
    }

    describe(*kept, *environment, world, settings.seed, report);
    report.seconds = elapsed();
    report.cpu_seconds = thread_seconds() - worked;
    return report;
}

}  // namespace hri
