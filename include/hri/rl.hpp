// SPDX-License-Identifier: Apache-2.0
#pragma once

// Policies that people can read: environments, reinforcement learning by PPO, symbolic policies.
//
//   const RlTask& task = find_rl_task("stack");
//   PolicyReport report = learn_policy(task, rl_options(), {.seed = 1});
//   std::cout << to_text(report.program);
//   auto environment = make_environment(task, "[b a][c d]");
//   Episode episode = run_episode(*environment, program_values(report.program),
//   Choice::first, random);

#include "hri/data.hpp"
#include "hri/logic.hpp"
#include "hri/model.hpp"
#include "hri/options.hpp"
#include "hri/random.hpp"
#include "hri/train.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// The result of one step.
struct StepResult {
    double reward = 0;
    bool done = false;
    bool solved = false;  ///< done because the goal was reached
};

/// A part of the picture of a state: a box, in units of about a letter's height, y upwards.
struct PictureBox {
    double x = 0, y = 0, width = 1, height = 1;
    std::string label;
    std::string fill;  ///< a colour of SVG
};

/// A world that is changed by actions. A state is the facts that hold in it; an action is an atom
/// of the target, by its place in row-major order (as Instance::labels).
class Environment {
  public:
    virtual ~Environment() = default;
    /// Begins an episode.
    virtual void reset(Random& random) = 0;
    /// The current state. Constants and their names stay the same during an episode.
    virtual const Instance& facts() const = 0;
    /// The actions that are possible in the current state, ascending.
    virtual const std::vector<int>& actions() const = 0;
    virtual StepResult step(int action) = 0;
    /// The current state on one line, as make_environment reads it.
    virtual std::string text() const = 0;

    /// The same actions after the same reset lead to the same states.
    virtual bool deterministic() const { return false; }

    /// The current state as a picture; empty: the facts are shown instead.
    virtual std::vector<PictureBox> picture() const { return {}; }
};

/// An environment with its starts, and what is known about it.
struct RlTask {
    std::string name;
    std::string explanation;
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    int training_size = 4;           ///< blocks, boxes, ...
    std::vector<std::string> tests;  ///< starts that training never sees
    double paper_reward = 0;         ///< mean over the tests; 0: the paper does not have the task
    /// A program that reaches the goal from every start, under the first choice with the paper's
    /// reward on the tests, as Prolog.
    std::string solution;
    /// `start`: empty for the training start of `size` things, "random", or a state as text.
    std::function<std::unique_ptr<Environment>(const std::string& start, int size)> make;
};

/// unstack, stack, on (Blocksworld), boxes, doors, loot, sort and hanoi.
const std::vector<RlTask>& rl_tasks();
/// Throws Error naming the nearest task.
const RlTask& find_rl_task(std::string_view name);

/// `start`: "train", "test1" to "testN", "random", or a state as text such as "[a b][c d]". `size`
/// is the number of blocks of "train" and "random"; 0: as in training. Each move of a built-in task
/// fails with the probability `failure`. Throws Error.
std::unique_ptr<Environment> make_environment(const RlTask& task,
                                              const std::string& start = "train", int size = 0,
                                              double failure = 0);

/// A policy gives each atom of the target a value; the moves of the highest value are the best.
using ActionValues = std::function<const std::vector<float>&(const Instance&)>;

/// 1 where the program derives the atom (at its fixpoint), else 0. Keeps what it found by state.
ActionValues program_values(const Program& program);
/// The soft valuations of a model, without noise. Keeps what it found by state.
ActionValues model_values(const Model& model);

/// Among equally good moves.
enum class Choice {
    first,    ///< in row-major order
    uniform,  ///< at random
};

/// The index into `actions` of the best action.
int choose(const std::vector<float>& values, const std::vector<int>& actions, Choice choice,
           Random& random);

struct Episode {
    double reward = 0;  ///< the sum, undiscounted
    int moves = 0;      ///< steps before the goal was seen, or all of them
    bool solved = false;
};

Episode run_episode(Environment& environment, const ActionValues& values, Choice choice,
                    Random& random);

/// One move of an episode, with the state before it.
struct EpisodeStep {
    std::string state;
    std::string move;  ///< "move(a,floor)"; empty in the last state
    double value = 0;  ///< of the move
    double reward = 0;
    bool changes = true;             ///< the state
    std::vector<std::string> rules;  ///< of the program that ask for the move
    std::string proof = {};          ///< that they do, a line each; empty where none does
    std::vector<PictureBox> picture = {};
};

/// The same episode step by step. `program`: nullptr where values are a model's.
Episode trace_episode(Environment& environment, const ActionValues& values, const Program* program,
                      Choice choice, Random& random, std::vector<EpisodeStep>& steps);

/// Several episodes together.
struct EpisodeScore {
    double reward = 0;  ///< mean
    double moves = 0;   ///< mean over solved ones
    int solved = 0;
    int episodes = 0;
};

EpisodeScore run_episodes(Environment& environment, const ActionValues& values, Choice choice,
                          int episodes, std::uint64_t seed);
/// All test starts of a task, `episodes` of each.
EpisodeScore run_tests(const RlTask& task, const ActionValues& values, Choice choice, int episodes,
                       std::uint64_t seed);

/// Options for policies: the paper's 6 layers and 6 steps without recursion, and what was found to
/// lead to good soft policies: fixed predicate embeddings, no regulariser, a higher learning rate.
/// Options::iterations counts updates.
Options rl_options();

/// The paper's table: with paper_rl_settings(), PPO and the argmax program alone.
Options paper_rl_options();

/// The distribution of matches that refinement draws from, beside its plain prior.
enum class Guide {
    learned,    ///< the scores that PPO has learned
    untrained,  ///< the scores of the model as it starts, without PPO
    prior,      ///< nothing else, without PPO
};

struct RlSettings {
    // PPO, as in the paper's table
    double policy_temperature = 0.05;  ///< the paper's: 0.01
    double gae_lambda = 0.9;
    double discount = 0.99;
    int trajectories = 5;  ///< per update
    double clip = 0.2;
    int critic_hidden = 64;
    // not in the paper's table
    int passes = 2;  ///< over the trajectories of an update
    double critic_rate = 0.005;
    double weight_decay = 0.01;  ///< times the learning rate, of all parameters
    int gumbel_updates = 100;    ///< Gumbel noise falls to 0 over them
    /// Draws of noise per update. Each step takes one of them, and the passes see it with
    /// the same one. 0: a new draw for every step and again in every pass, as the authors' code has
    /// it.
    int noise_draws = 1;
    double random_starts = 0.8;  ///< the share of episodes that begin in a random state, no test
                                 ///< start
    double imitation = 0.3;  ///< the weight of imitating the best moves that were seen in a state
    double imitation_temperature = 0.05;  ///< of the softmax over actions there
    /// Above 0, imitation labels atoms: one of the best moves is true, all others are false with
    /// this weight together. 0: the softmax over actions.
    double imitation_negatives = 0;

    // PPO over programs, after that over moves (src/rl/program_ppo.hpp)
    int program_updates = 300;  ///< 0: none
    int drawn_programs = 1000;  ///< drawn per update
    /// The probability that a slot of a drawn program takes its match by a plain prior; falls to 0.
    double program_exploration = 0.15;
    double program_imitation = 0.3;  ///< the weight of imitating the best programs that were drawn

    /// Runs of PPO at most. That is kept whose soft policy and argmax program have the most reward:
    /// first choice, on the training start and on random starts that are no test starts, of as many
    /// things as in training, one more and two more. The first run whose argmax program and soft
    /// policy solve all starts of the training size, with the most reward known from the training
    /// start, is the last one.
    int ppo_runs = 12;

    // The world
    int size = 0;        ///< blocks of the training start and of random ones; 0: the task's own
    double failure = 0;  ///< the probability that a move fails, in built-in tasks

    // The search for a policy
    std::uint64_t seed = 0;
    int restarts = 16;          ///< of refinement, at most
    int judged_starts = 100;    ///< random starts from which programs are tried
    int evaluations = 100'000;  ///< programs tried after PPO, in each run
    Guide guide = Guide::learned;
    double time_limit = 0;  ///< seconds; 0: none
    const std::atomic<bool>* interrupt = nullptr;
    /// Called after each update with the mean reward of its episodes.
    std::function<void(int restart, int update, int updates, double reward)> progress;
};

/// The paper's settings: one run, from the training start alone, without imitation or refinement.
RlSettings paper_rl_settings();

template <>
const std::vector<Field<RlSettings>>& fields_of<RlSettings>();

/// One update of training.
struct PolicyCurvePoint {
    int update = 0;
    double reward = 0;  ///< mean over its episodes, sampled, with noise; or of its programs
};

struct PolicyReport {
    std::string task;
    Model model;           ///< as PPO left it
    Program raw;           ///< the model's argmax program as extracted
    Program program;       ///< the symbolic policy, simplified
    bool refined = false;  ///< the program is the refined one, not the argmax one
    /// The program reaches the goal from the training start with the most reward that any episode
    /// had, nearly so under the uniform choice, and reaches it from all starts that it was judged
    /// by, by moves that its rules ask for.
    bool accepted = false;
    int starts = 0;         ///< that programs are judged by: the training start, random ones
    int solved_starts = 0;  ///< of them, by the program, first choice
    EpisodeScore training;  ///< of the program on the training start, first choice
    EpisodeScore training_uniform;  ///< uniform choice
    EpisodeScore training_soft;     ///< of the model without noise, first choice
    std::uint64_t seed = 0;
    int restarts = 0;  ///< of refinement
    int ppo_runs = 0;
    std::int64_t updates = 0;           ///< of PPO, over all runs, of moves and of programs
    std::int64_t episodes = 0;          ///< of PPO, over all runs
    std::int64_t programs = 0;          ///< drawn by PPO, over all runs
    std::int64_t judging_episodes = 0;  ///< in which programs were tried
    std::int64_t evaluations = 0;       ///< programs tried after PPO, over all runs
    std::int64_t needed = -1;  ///< programs tried up to the first accepted one; -1: none was
    double seconds = 0;        ///< by the clock
    double cpu_seconds = 0;    ///< of this thread
    StopReason stop_reason = StopReason::finished;
    std::vector<PolicyCurvePoint> curve;  ///< of the run that was kept
};

/// PPO, then refinement of the program (src/rl/refine.hpp), again until a program is accepted.
/// Everything is decided by episodes, none of which begins at a test start.
PolicyReport learn_policy(const RlTask& task, const Options& options,
                          const RlSettings& settings = {});

/// The rules of the target that derive the atom in a state, as text; empty where none does.
std::vector<std::string> fired_rules(const Program& program, const Instance& facts, int action);

}  // namespace hri
