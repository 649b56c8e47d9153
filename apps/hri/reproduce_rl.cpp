// SPDX-License-Identifier: Apache-2.0

// hri reproduce rl: the paper's table of Blocksworld rewards.

#include "hri/rl.hpp"

#include "interrupt.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "reproduce.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kUniformEpisodes = 100;  // per test start
constexpr int kRandomStarts = 100;
constexpr double kSameReward = 1e-6;
constexpr int kSizes[] = {7, 10, 15, 20};

struct Flags {
    int seeds = 10;
    std::vector<std::string> tasks;
    RlSettings settings;
    bool programs = false;
    bool beyond = false;
    std::string json_file;
    OptionFlags options;
};

struct SeedResult {
    PolicyReport report;
    double soft = 0;
    double symbolic = 0;
    double uniform = 0;
    bool optimal = false;
};

struct Row {
    const RlTask* task = nullptr;
    std::vector<SeedResult> seeds;

    double mean(double SeedResult::*field) const {
        double sum = 0;
        for (const SeedResult& seed : seeds) {
            sum += seed.*field;
        }
        return seeds.empty() ? 0 : sum / static_cast<double>(seeds.size());
    }

    int optimal() const {
        return static_cast<int>(std::count_if(seeds.begin(), seeds.end(),
                                              [](const SeedResult& seed) { return seed.optimal; }));
    }

    double seconds() const {
        double sum = 0;
        for (const SeedResult& seed : seeds) {
            sum += seed.report.seconds;
        }
        return seeds.empty() ? 0 : sum / static_cast<double>(seeds.size());
    }

    double most_seconds() const {
        double most = 0;
        for (const SeedResult& seed : seeds) {
            most = std::max(most, seed.report.seconds);
        }
        return most;
    }

    double restarts() const {
        double sum = 0;
        for (const SeedResult& seed : seeds) {
            sum += seed.report.restarts;
        }
        return seeds.empty() ? 0 : sum / static_cast<double>(seeds.size());
    }
};

SeedResult judged(const RlTask& task, PolicyReport report) {
    SeedResult result;
    const ActionValues program = program_values(report.program, task.inputs);
    result.symbolic = run_tests(task, program, Choice::first, 1, report.seed).reward;
    result.uniform =
        run_tests(task, program, Choice::uniform, kUniformEpisodes, report.seed).reward;
    result.soft =
        run_tests(task, model_values(report.model, task.inputs), Choice::first, 1, report.seed)
            .reward;
    result.optimal = result.symbolic >= task.paper_reward - kSameReward;
    result.report = std::move(report);
    return result;
}

void print_beyond(const Row& row) {
    fmt::print("\n{}: solved of {} random starts, first / uniform choice\n", row.task->name,
               kRandomStarts);
    std::vector<std::vector<std::string>> cells{{"seed"}};
    for (const int size : kSizes) {
        cells[0].push_back(fmt::format("{} blocks", size));
    }
    for (const SeedResult& seed : row.seeds) {
        const ActionValues values = program_values(seed.report.program, row.task->inputs);
        cells.push_back({std::to_string(seed.report.seed)});
        for (const int size : kSizes) {
            const auto environment = make_environment(*row.task, "random", size);
            const auto solved = [&](Choice choice) {
                return run_episodes(*environment, values, choice, kRandomStarts, 1).solved;
            };
            cells.back().push_back(
                fmt::format("{} / {}", solved(Choice::first), solved(Choice::uniform)));
        }
    }
    fmt::print("{}", aligned(cells));
}

Json row_json(const Row& row) {
    Json runs = Json::array();
    for (const SeedResult& seed : row.seeds) {
        runs.push_back({{"seed", seed.report.seed},
                        {"soft_reward", seed.soft},
                        {"symbolic_reward", seed.symbolic},
                        {"uniform_reward", seed.uniform},
                        {"optimal", seed.optimal},
                        {"accepted", seed.report.accepted},
                        {"refined", seed.report.refined},
                        {"restarts", seed.report.restarts},
                        {"updates", seed.report.updates},
                        {"episodes", seed.report.episodes},
                        {"evaluations", seed.report.evaluations},
                        {"seconds", seed.report.seconds},
                        {"program", to_text(seed.report.program)},
                        {"raw_program", to_text(seed.report.raw)}});
    }
    return {{"task", row.task->name},
            {"variant", "default"},
            {"seeds", row.seeds.size()},
            {"ours",
             {{"soft_reward", row.mean(&SeedResult::soft)},
              {"symbolic_reward", row.mean(&SeedResult::symbolic)},
              {"uniform_reward", row.mean(&SeedResult::uniform)},
              {"optimal", row.optimal()},
              {"seconds", row.seconds()},
              {"most_seconds", row.most_seconds()},
              {"restarts", row.restarts()}}},
            {"paper", {{"reward", row.task->paper_reward}}},
            {"runs", std::move(runs)}};
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const std::atomic<bool>& interrupt = catch_interrupts();
    const Options options = flags.options.apply(rl_options());
    std::vector<const RlTask*> tasks;
    for (const std::string& name : flags.tasks) {
        tasks.push_back(&find_rl_task(name));
    }
    if (tasks.empty()) {
        for (const RlTask& task : rl_tasks()) {
            if (task.paper_reward > 0) {
                tasks.push_back(&task);
            }
        }
    }
    std::vector<Row> rows;
    for (const RlTask* task : tasks) {
        rows.push_back({task, {}});
        for (int seed = 0; seed < flags.seeds && !interrupt; ++seed) {
            RlSettings settings = flags.settings;
            settings.seed = static_cast<std::uint64_t>(seed);
            settings.interrupt = &interrupt;
            PolicyReport report = learn_policy(*task, options, settings);
            if (report.stop_reason == StopReason::interrupted) {
                break;
            }
            rows.back().seeds.push_back(judged(*task, std::move(report)));
        }
    }

    std::vector<std::vector<std::string>> cells{{"task", "seeds", "optimal", "symbolic", "uniform",
                                                 "soft", "seconds", "most", "restarts",
                                                 "| paper: reward", "time"}};
    Json json_rows = Json::array();
    for (const Row& row : rows) {
        const bool known = row.task->paper_reward > 0;
        cells.push_back(
            {row.task->name, std::to_string(row.seeds.size()), std::to_string(row.optimal()),
             fmt::format("{:.3f}", row.mean(&SeedResult::symbolic)),
             fmt::format("{:.3f}", row.mean(&SeedResult::uniform)),
             fmt::format("{:.3f}", row.mean(&SeedResult::soft)),
             fmt::format("{:.1f}", row.seconds()), fmt::format("{:.1f}", row.most_seconds()),
             fmt::format("{:.1f}", row.restarts()),
             known ? fmt::format("| {:.3f}", row.task->paper_reward) : "| -",
             known ? "minutes" : "-"});
        json_rows.push_back(row_json(row));
    }
    fmt::print("{}", aligned(cells));
    fmt::print(
        "\nmean rewards on the test starts: the symbolic policy, first and uniform choice; the "
        "soft "
        "policy\noptimal: seeds whose symbolic policy reaches the paper's reward\n");
    if (flags.programs) {
        for (const Row& row : rows) {
            for (const SeedResult& seed : row.seeds) {
                fmt::print(
                    "\n{}, seed {}: symbolic {:.3f}, uniform {:.3f}, soft {:.3f}, {:.1f} s\n{}",
                    row.task->name, seed.report.seed, seed.symbolic, seed.uniform, seed.soft,
                    seed.report.seconds, to_text(seed.report.program));
            }
        }
    }
    if (flags.beyond) {
        for (const Row& row : rows) {
            print_beyond(row);
        }
    }
    write_json(flags.json_file, {{"table", "rl"},
                                 {"version", HRI_VERSION},
                                 {"command", command_line()},
                                 {"rows", std::move(json_rows)}});
    return interrupt ? kNo : kYes;
}

}  // namespace

void add_reproduce_rl(CLI::App& reproduce, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = reproduce.add_subcommand("rl", "The table of Blocksworld policies");
    command->option_defaults()->take_last();
    command->footer(
        "Examples:\n"
        "  hri reproduce rl --seeds 10 --json rl.json\n"
        "  hri reproduce rl --tasks stack --seeds 3 --programs --beyond");
    command->add_option("--seeds", flags->seeds, "policies per task, with the seeds 0, 1, ...")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("[10]");
    command->add_option("--tasks", flags->tasks, "some of the tasks, separated by commas")
        ->delimiter(',')
        ->take_all()
        ->option_text("A,B");
    command->add_option("--restarts", flags->settings.restarts, "runs of a seed at most")
        ->check(CLI::PositiveNumber)
        ->option_text("[8]");
    command->add_option("--time-limit", flags->settings.time_limit, "seconds per seed; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->option_text("[0]");
    command
        ->add_option("--evaluations", flags->settings.evaluations,
                     "programs tried after PPO; 0: argmax only")
        ->check(CLI::NonNegativeNumber)
        ->option_text("[30000]");
    command->add_flag("--programs", flags->programs, "also the policies");
    command->add_flag("--beyond", flags->beyond, "also 7 to 20 blocks from 100 random starts");
    command->add_option("--json", flags->json_file, "the table")->option_text("FILE");
    flags->options.add_to(*command);
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
