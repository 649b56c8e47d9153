// SPDX-License-Identifier: Apache-2.0
// Restarts until a program is accepted. Whatever is decided here is decided by episodes from
// starts that are no test starts.

#include "hri/rl.hpp"

#include "rl/judge.hpp"
#include "rl/ppo.hpp"
#include "rl/program_ppo.hpp"
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
constexpr int kStarts = 300;  // of each size
constexpr int kSizes = 3;     // as in training, one more, two more
constexpr double kSame = 1e-9;
constexpr std::uint64_t kRunStep = 0xD1B54A32D192ED03U;   // between runs of PPO
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15U;  // between restarts

/// The result of one restart.
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

/// The reward of a policy under the first choice on training starts.
struct Score {
    double reward = 0;         // of the training start, plus the means over random starts by size
    double at_start = 0;       // of the training start
    bool solves_size = false;  // the training start and all random ones of its size

    bool is_good(double most) const { return solves_size && at_start >= most - kSame; }
};

/// Random starts as texts, by size, the same for all policies.
class TrainingStarts {
  public:
    TrainingStarts(const RlTask& task, const rl::Starts& starts, const RlSettings& settings)
        : starts_(starts), settings_(settings) {
        const int size = settings.size == 0 ? task.training_size : settings.size;
        for (int more = 0; more < kSizes; ++more) {
            std::unique_ptr<Environment> world;
            try {
                world = starts.anywhere(size + more);
            } catch (const Error&) {
                break;  // the task has no larger worlds
            }
            worlds_.push_back(std::move(world));
        }
    }

    Score score(const ActionValues& values) const {
        const int repeats = starts_.training().deterministic() ? 1 : kStarts;
        const EpisodeScore training =
            run_episodes(starts_.training(), values, Choice::first, repeats, settings_.seed);
        Score score{training.reward, training.reward, training.solved == training.episodes};
        for (std::size_t i = 0; i < worlds_.size(); ++i) {
            const EpisodeScore random = play(*worlds_[i], values);
            score.reward += random.reward;
            score.solves_size = score.solves_size && (i > 0 || random.solved == random.episodes);
        }
        return score;
    }

  private:
    EpisodeScore play(Environment& world, const ActionValues& values) const {
        EpisodeScore score;
        Random numbers(settings_.seed, Random::kEvaluation);
        for (int i = 0; i < kStarts; ++i) {
            const std::uint64_t own = numbers.next();
            Random start(own);
            world.reset(start);
            if (!starts_.is_test(world.facts())) {
                Random again(own);
                const Episode episode = run_episode(world, values, Choice::first, again);
                score.reward += episode.reward;
                score.solved += episode.solved ? 1 : 0;
                ++score.episodes;
            }
        }
        score.reward /= std::max(score.episodes, 1);
        return score;
    }

    const rl::Starts& starts_;
    const RlSettings& settings_;
    std::vector<std::unique_ptr<Environment>> worlds_;
};

/// One run of PPO, over moves and then over programs.
void run_both(Candidate& candidate, int restart, std::uint64_t seed, const rl::Starts& starts,
              rl::Judge& judge, const RlTask& task, const RlSettings& settings,
              PolicyReport& report, const std::function<bool()>& stopped) {
    const int of_moves = candidate.model.options.iterations;
    const auto saw_update = [&](int update, double reward) {
        candidate.curve.push_back({update, reward});
        if (settings.progress)
            settings.progress(restart, update, of_moves + settings.program_updates, reward);
        return !stopped();
    };
    rl::PpoResult run = rl::run_ppo(std::move(candidate.model), starts, task.inputs, settings, seed,
                                    [&](const Model&, const rl::UpdateNews& news) {
                                        if (starts.training().deterministic())
                                            judge.saw(news.best);
                                        return saw_update(news.update, news.reward);
                                    });
    candidate.model = std::move(run.model);
    report.updates += run.updates;
    report.episodes += run.episodes;
    ++report.ppo_runs;
    if (settings.program_updates == 0 || stopped())
        return;
    const std::int64_t played = judge.episodes();
    rl::ProgramPpoResult found = rl::run_program_ppo(
        std::move(candidate.model), judge, settings, seed,
        [&](int update, double reward) { return saw_update(run.updates + update - 1, reward); });
    candidate.model = std::move(found.model);
    report.updates += found.updates;
    report.programs += found.programs;
    report.episodes += judge.episodes() - played;
}

/// Trains the candidate's model by PPO: the best of several runs.
void train_policy(Candidate& candidate, int restart, std::uint64_t seed, const rl::Starts& starts,
                  rl::Judge& judge, const RlTask& task, const Options& options,
                  const RlSettings& settings, PolicyReport& report,
                  const std::function<bool()>& stopped) {
    const TrainingStarts judged(task, starts, settings);
    Candidate kept;
    std::pair<bool, double> best;  // whether the run was good, its reward
    for (int i = 0; i < settings.ppo_runs && (i == 0 || !stopped()); ++i) {
        const std::uint64_t own = seed + static_cast<std::uint64_t>(i) * kRunStep;
        if (i > 0) {
            candidate.model = make_model(task.inputs, task.target, options, own);
            candidate.curve.clear();
        }
        run_both(candidate, restart, own, starts, judge, task, settings, report, stopped);
        double reward = 0;
        bool is_good = true;
        if (settings.ppo_runs > 1) {
            const Score soft = judged.score(model_values(candidate.model));
            const Score argmax = judged.score(program_values(simplified(extract(candidate.model))));
            reward = soft.reward + argmax.reward;
            is_good = soft.is_good(judge.best()) && argmax.is_good(judge.best());
        }
        if (i == 0 || std::pair(is_good, reward) > best) {
            best = {is_good, reward};
            kept = candidate;
        }
        if (is_good)
            break;
    }
    candidate = std::move(kept);
}

/// Fills in the kept candidate's program, and how it and its soft policy do in training's start.
void describe(Candidate& kept, Environment& environment, const rl::Judge& judge, std::uint64_t seed,
              PolicyReport& report) {
    const rl::PolicyValue& trial = kept.refined.trial;
    report.accepted = rl::accepted(trial, judge);
    report.refined = kept.refined.matches != best_matches(kept.model);
    report.starts = judge.starts();
    report.solved_starts = trial.solved;
    report.judging_episodes = judge.episodes();
    report.raw = extract(kept.model);
    report.program = simplified(extract(kept.model, kept.refined.matches));
    const ActionValues program = program_values(report.program);
    const int repeats = environment.deterministic() ? 1 : kUniformEpisodes;
    report.training = run_episodes(environment, program, Choice::first, repeats, seed);
    report.training_uniform =
        run_episodes(environment, program, Choice::uniform, kUniformEpisodes, seed);
    report.training_soft =
        run_episodes(environment, model_values(kept.model), Choice::first, repeats, seed);
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
    options.iterations = 100;
    options.train_predicates = false;
    options.learning_rate_rules = 0.02;
    options.regularisation = 0;
    options.predicate_noise_halving = 10;
    options.slot_noise_half_life = 10;
    return options;
}

Options paper_rl_options() {
    Options options = rl_options();
    options.iterations = 200;
    options.train_predicates = true;
    options.learning_rate = 0.005;
    options.learning_rate_rules = 0.005;
    options.regularisation = 0.01;
    options.predicate_noise = 1.4233;
    options.predicate_noise_halving = 8;
    options.slot_noise_half_life = 8;
    return options;
}

RlSettings paper_rl_settings() {
    RlSettings settings;
    settings.policy_temperature = 0.01;
    settings.gumbel_updates = 80;
    settings.noise_draws = 0;
    settings.random_starts = 0;
    settings.imitation = 0;
    settings.program_updates = 0;
    settings.ppo_runs = 1;
    settings.restarts = 1;
    settings.evaluations = 0;
    return settings;
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
    const rl::Starts starts(task, settings);
    rl::Judge judge(starts, settings, settings.seed);

    std::optional<Candidate> kept;
    for (int restart = 0; restart < std::max(settings.restarts, 1); ++restart) {
        const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(restart) * kSeedStep;
        Candidate candidate;
        // PPO runs once; further restarts refine its model with other random numbers.
        const bool trains = settings.guide == Guide::learned;
        if (trains && kept) {
            candidate.model = kept->model;
            candidate.curve = kept->curve;
        } else {
            candidate.model = make_model(task.inputs, task.target, options, seed);
        }
        if (trains && !kept)
            train_policy(candidate, restart, seed, starts, judge, task, options, settings, report,
                         stopped);
        ++report.restarts;
        rl::RefineSettings refining;
        refining.evaluations = settings.evaluations;
        refining.seed = seed;
        refining.use_scores = settings.guide != Guide::prior;
        refining.stopped = stopped;
        candidate.refined = rl::refine(candidate.model, judge, refining);
        if (candidate.refined.needed >= 0 && report.needed < 0) {
            report.needed = report.evaluations + candidate.refined.needed;
        }
        report.evaluations += candidate.refined.evaluations;
        if (!kept || candidate.refined.score > kept->refined.score) {
            kept = std::move(candidate);
        }
        if (rl::accepted(kept->refined.trial, judge) || stopped()) {
            break;
        }
    }

    describe(*kept, starts.training(), judge, settings.seed, report);
    report.seconds = elapsed();
    report.cpu_seconds = thread_seconds() - worked;
    return report;
}

}  // namespace hri
