// SPDX-License-Identifier: Apache-2.0

// hri rl train TASK: a policy by reinforcement learning. hri rl play POLICY TASK: see it at work.

#include "hri/rl.hpp"

#include "hri/plot.hpp"

#include "base/output_files.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kTestEpisodes = 100;
constexpr const char* kOptimal = "optimal";  // in the place of a policy's file

struct TrainFlags {
    std::string task;
    std::string preset = "default";
    RlSettings settings;
    std::map<std::string, std::string> given;  // settings, by field
    std::string model_file;
    std::string program_file;
    std::string json_file;
    OptionFlags options;
};

struct PlayFlags {
    std::string policy;
    std::string task;
    std::string start = "train";
    int size = 0;
    double failure = 0;
    std::string out;
    std::string choice = "first";
    int episodes = 1;
    std::uint64_t seed = 0;
    std::string json_file;
};

Json score_json(const EpisodeScore& score) {
    return {{"reward", score.reward},
            {"moves", score.solved == 0 ? Json(nullptr) : Json(score.moves)},
            {"solved", score.solved},
            {"episodes", score.episodes}};
}

std::string score_line(const EpisodeScore& score) {
    const std::string moves = score.solved == 0 ? "" : fmt::format(", {:.4g} moves", score.moves);
    return fmt::format("reward {:.3f}, solved {} of {}{}", score.reward, score.solved,
                       score.episodes, moves);
}

/// How policies do on the test starts.
struct TestScores {
    EpisodeScore symbolic, uniform, soft, optimal;  // the last of the program that comes with it
};

Json report_json(const RlTask& task, const PolicyReport& report, const TestScores& tests) {
    Json curve = Json::array();
    for (const PolicyCurvePoint& point : report.curve) {
        curve.push_back({{"update", point.update}, {"reward", point.reward}});
    }
    return {{"version", HRI_VERSION},
            {"command", command_line()},
            {"task", task.name},
            {"program", to_text(report.program)},
            {"prolog", to_prolog(report.program)},
            {"raw_program", to_text(report.raw)},
            {"accepted", report.accepted},
            {"refined", report.refined},
            {"training", score_json(report.training)},
            {"training_uniform", score_json(report.training_uniform)},
            {"training_soft", score_json(report.training_soft)},
            {"symbolic", score_json(tests.symbolic)},
            {"uniform", score_json(tests.uniform)},
            {"soft", score_json(tests.soft)},
            {"optimal", score_json(tests.optimal)},
            {"seed", report.seed},
            {"restarts", report.restarts},
            {"ppo_runs", report.ppo_runs},
            {"programs", report.programs},
            {"updates", report.updates},
            {"episodes", report.episodes},
            {"judging_episodes", report.judging_episodes},
            {"starts", report.starts},
            {"solved_starts", report.solved_starts},
            {"evaluations", report.evaluations},
            {"needed", report.needed},
            {"seconds", report.seconds},
            {"cpu_seconds", report.cpu_seconds},
            {"stop_reason", to_string(report.stop_reason)},
            {"curve", std::move(curve)}};
}

int train(const TrainFlags& flags) {
    const RlTask& task = find_rl_task(flags.task);
    const bool paper = flags.preset == "paper";
    const Options options = flags.options.apply(paper ? paper_rl_options() : rl_options());
    for (const std::string& file : {flags.model_file, flags.program_file, flags.json_file}) {
        check_writable(file);
    }
    ProgressBar bar;
    RlSettings settings = paper ? paper_rl_settings() : RlSettings{};
    for (const auto& [name, text] : flags.given) {
        set_field(settings, name, text);
    }
    settings.interrupt = &catch_interrupts();
    settings.progress = [&bar](int restart, int update, int updates, double reward) {
        bar.show(static_cast<double>(update) / std::max(updates, 1),
                 fmt::format("run {}, mean reward {:.2f}", restart + 1, reward));
    };
    const PolicyReport report = learn_policy(task, options, settings);
    bar.clear();

    const ActionValues program = program_values(report.program);
    const TestScores tests = {
        run_tests(task, program, Choice::first, 1, settings.seed),
        run_tests(task, program, Choice::uniform, kTestEpisodes, settings.seed),
        run_tests(task, model_values(report.model), Choice::first, 1, settings.seed),
        run_tests(task, program_values(parse_program(task.solution)), Choice::first, 1,
                  settings.seed)};
    const std::string evidence = fmt::format(
        "training start: {}; uniform choice: {}\n"
        "starts of training: {} of {} solved\n"
        "test starts, first choice: {}\n"
        "test starts, uniform choice: {}\n"
        "test starts, soft policy: {}\n"
        "test starts, optimal program: {}\n",
        score_line(report.training), score_line(report.training_uniform), report.solved_starts,
        report.starts, score_line(tests.symbolic), score_line(tests.uniform),
        score_line(tests.soft), score_line(tests.optimal));
    if (!flags.model_file.empty()) {
        save_model(flags.model_file, report.model);
    }
    write_output(flags.program_file,
                 fmt::format("% learned by hri {}: a policy for {} (seed {})\n{}", HRI_VERSION,
                             task.name, report.seed, to_prolog(report.program)));
    write_json(flags.json_file, report_json(task, report, tests));
    fmt::print("{}\n{}{} in {} (seed {}, {}, {}, {} tried)\n", to_text(report.program), evidence,
               report.accepted ? "learned" : "not solved", duration(report.seconds), report.seed,
               counted(report.restarts, "run"), counted(report.episodes, "episode"),
               counted(report.evaluations, "program"));
    return report.accepted ? kYes : kNo;
}

/// One episode, a line for each step.
Episode show_episode(Environment& environment, const Learned& policy, const ActionValues& values,
                     Choice choice, Random& random, std::vector<EpisodeStep>& steps, Json& json) {
    const Episode episode = trace_episode(
        environment, values, policy.model ? nullptr : &policy.program, choice, random, steps);
    for (const EpisodeStep& step : steps) {
        if (step.move.empty()) {
            fmt::print("{:<28} {}\n", step.state, episode.solved ? "the goal" : "the time is up");
            json.push_back({{"state", step.state}});
            continue;
        }
        const std::string why = policy.model ? fmt::format("value {:.4f}", step.value)
                                : step.rules.empty()
                                    ? "no rule: all moves are equal"
                                    : fmt::format("{}", fmt::join(step.rules, "; "));
        fmt::print("{:<28} {:<15} {}{}\n", step.state, step.move, why,
                   step.changes ? "" : "  (changes nothing)");
        json.push_back(
            {{"state", step.state}, {"move", step.move}, {"why", why}, {"proof", step.proof}});
    }
    return episode;
}

int play(const PlayFlags& flags) {
    check_writable(flags.json_file);
    check_writable(flags.out);
    if (!flags.out.empty() && flags.episodes != 1) {
        throw Error("a picture shows one episode", {}, "leave out {episodes} or {out}");
    }
    const RlTask& task = find_rl_task(flags.task);
    const Learned policy = flags.policy == kOptimal && !std::filesystem::exists(flags.policy)
                               ? Learned{{}, parse_program(task.solution, task.name)}
                               : load_learned(flags.policy);
    const PredicateSymbol target =
        policy.model ? policy.model->target : policy.program.vocabulary[policy.program.target];
    if (target != task.target) {
        throw Error(fmt::format("this is a policy for {}/{}, not for {}/{}", target.name,
                                target.arity, task.target.name, task.target.arity),
                    {flags.policy, 0, 0});
    }
    const auto environment = make_environment(task, flags.start, flags.size, flags.failure);
    const ActionValues values =
        policy.model ? model_values(*policy.model) : program_values(policy.program);
    const Choice choice = flags.choice == "first" ? Choice::first : Choice::uniform;
    Json json = {{"version", HRI_VERSION}, {"command", command_line()}, {"task", task.name}};
    EpisodeScore score;
    if (flags.episodes == 1) {
        Random random(flags.seed, Random::kEvaluation);
        Json shown = Json::array();
        std::vector<EpisodeStep> steps;
        const Episode episode =
            show_episode(*environment, policy, values, choice, random, steps, shown);
        score = {episode.reward, static_cast<double>(episode.moves), episode.solved ? 1 : 0, 1};
        json["steps"] = std::move(shown);
        if (!flags.out.empty()) {
            write_output(flags.out, base::head_of_file(base::Language::svg) +
                                        to_svg(task.name, episode, steps));
        }
    } else {
        score = run_episodes(*environment, values, choice, flags.episodes, flags.seed);
    }
    fmt::print("{}\n", score_line(score));
    json.update(score_json(score));
    write_json(flags.json_file, json);
    return score.solved == score.episodes ? kYes : kNo;
}

Command train_command() {
    using F = TrainFlags;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("task", "One of unstack, stack, on, boxes, doors, loot, sort and hanoi.", "TASK"),
            &F::task),
        base::word(
            own("preset", "The settings that others stand on: ours, or the paper's table.", "NAME"),
            &F::preset, {"default", "paper"}),
        base::text(own("out", "Writes the soft policy as safetensors.", "FILE"), &F::model_file),
        base::text(own("program", "Writes the symbolic policy as Prolog.", "FILE"),
                   &F::program_file),
        base::text(own("json", "Writes the report as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<TrainFlags>();
    Command command{
        .name = "train",
        .help = "Learns a policy and prints its rules.",
        .details =
            "Exit code 0: the program solves the training start with the most reward that was "
            "seen, and reaches the goal\nfrom all starts of training; 1: it does not.",
        .examples =
            "hri rl train unstack\n"
            "hri rl train stack --seed 3 --program stack.pl --json report.json"};
    add_flags(command, *flags, fields);
    make_argument(command, "task");
    add_flags(command, flags->settings, fields_of<RlSettings>());
    for (const Field<RlSettings>& field : fields_of<RlSettings>()) {
        command.flag(field.name).set = [flags, name = field.name](const std::string& text) {
            flags->given[name] = text;
        };
    }
    flags->options.add_to(command, rl_options());
    command.run = [flags] { return train(*flags); };
    return command;
}

Command play_command() {
    using F = PlayFlags;
    static const std::vector<Field<F>> fields = {
        base::text(own("policy",
                       "A program.pl, a model.safetensors, or optimal: the program that comes with "
                       "the task.",
                       "POLICY"),
                   &F::policy),
        base::text(
            own("task", "One of unstack, stack, on, boxes, doors, loot, sort and hanoi.", "TASK"),
            &F::task),
        base::text(own("start",
                       "The start: train, test1, test2, ..., random, or a state such as "
                       "'[a b][c]'.",
                       "START"),
                   &F::start),
        base::number(own("blocks", "The blocks of the starts train and random."), &F::size, 1),
        base::number(own("failure", "The probability that a move fails."), &F::failure, 0, 0.99),
        base::text(own("out", "Draws the episode as SVG: states, rules, proofs.", "FILE"), &F::out),
        base::word(own("choice", "The choice among several equal moves.", "NAME"), &F::choice,
                   {"first", "uniform"}),
        base::number(own("episodes", "The number of episodes: one is shown, more are counted."),
                     &F::episodes, 1),
        base::number(own("seed", "The seed of all random numbers."), &F::seed, 0),
        base::text(own("json", "Writes the episode as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<PlayFlags>();
    Command command{.name = "play",
                    .help = "Shows a policy at work, step by step.",
                    .details = "Exit code 0: every episode reached the goal; 1: not every one.",
                    .examples =
                        "hri rl play stack.pl stack --start '[b a][c d]' --out episode.svg\n"
                        "hri rl play optimal hanoi --out tower.svg\n"
                        "hri rl play unstack.pl unstack --blocks 20 --start random --episodes 100"};
    add_flags(command, *flags, fields);
    make_argument(command, "policy");
    make_argument(command, "task");
    command.flag("blocks").hidden_names = {"--size"};
    command.run = [flags] { return play(*flags); };
    return command;
}

}  // namespace

Command rl_command() {
    Command command{.name = "rl",
                    .help = "Learns policies by reinforcement, and plays them.",
                    .examples = "hri rl train unstack --program unstack.pl"};
    command.commands = {train_command(), play_command()};
    return command;
}

}  // namespace hri::cli
