// SPDX-License-Identifier: Apache-2.0

// hri reproduce rl: the paper's table of Blocksworld rewards.

#include "hri/rl.hpp"

#include "hypotheses/options_file.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "run_store.hpp"

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
    TableFlags table;
    RlSettings settings;
    bool programs = false;
    bool beyond = false;
};

/// What the policy of one seed came to: `runs` of the JSON.
using SeedResult = Json;

struct Row {
    const RlTask* task = nullptr;
    std::vector<SeedResult> seeds;

    double mean(const char* key) const {
        double sum = 0;
        for (const SeedResult& seed : seeds) {
            sum += seed.at(key).get<double>();
        }
        return seeds.empty() ? 0 : sum / static_cast<double>(seeds.size());
    }

    double most(const char* key) const {
        double most = 0;
        for (const SeedResult& seed : seeds) {
            most = std::max(most, seed.at(key).get<double>());
        }
        return most;
    }

    int count(const char* key) const {
        return static_cast<int>(
            std::count_if(seeds.begin(), seeds.end(),
                          [key](const SeedResult& seed) { return seed.at(key).get<bool>(); }));
    }

    /// The median number of programs tried up to the first accepted one, of those that had one.
    Json needed() const {
        std::vector<std::int64_t> all;
        for (const SeedResult& seed : seeds) {
            if (seed.at("needed").get<std::int64_t>() >= 0) {
                all.push_back(seed.at("needed").get<std::int64_t>());
            }
        }
        std::sort(all.begin(), all.end());
        return all.empty() ? Json(nullptr) : Json(all[all.size() / 2]);
    }
};

SeedResult judged(const RlTask& task, const PolicyReport& report) {
    const ActionValues program = program_values(report.program);
    const ActionValues model = model_values(report.model);
    const double symbolic = run_tests(task, program, Choice::first, 1, report.seed).reward;
    return {{"seed", report.seed},
            {"soft_reward", run_tests(task, model, Choice::first, 1, report.seed).reward},
            {"symbolic_reward", symbolic},
            {"uniform_reward",
             run_tests(task, program, Choice::uniform, kUniformEpisodes, report.seed).reward},
            {"optimal", symbolic >= task.paper_reward - kSameReward},
            {"accepted", report.accepted},
            {"refined", report.refined},
            {"restarts", report.restarts},
            {"updates", report.updates},
            {"episodes", report.episodes},
            {"states", report.states},
            {"solved_states", report.solved_states},
            {"evaluations", report.evaluations},
            {"needed", report.needed},
            {"seconds", report.seconds},
            {"cpu_seconds", report.cpu_seconds},
            {"program", to_text(report.program)},
            {"prolog", to_prolog(report.program)},
            {"raw_program", to_text(report.raw)}};
}

RunKey key_of(const RlTask& task, const Options& options, const RlSettings& settings) {
    std::string text = HRI_VERSION + hypotheses::options_to_json(options).dump();
    for (const ProtoRule& rule : load_protorules(options.rules)) {
        text += to_text(rule) + "\n";
    }
    text +=
        fmt::format("{} {} {} {} {} {} {} {}", settings.restarts, settings.time_limit,
                    settings.evaluations, static_cast<int>(settings.guide), settings.random_starts,
                    settings.imitation, settings.policy_temperature, settings.ppo_runs);
    return {task.name, settings.seed, fingerprint(text)};
}

/// Solved of random starts, first / uniform choice, by number of blocks.
std::vector<std::string> beyond(const RlTask& task, const std::string& prolog) {
    const ActionValues values = program_values(parse_program(prolog));
    std::vector<std::string> cells;
    for (const int size : kSizes) {
        const auto environment = make_environment(task, "random", size);
        const auto solved = [&](Choice choice) {
            return run_episodes(*environment, values, choice, kRandomStarts, 1).solved;
        };
        cells.push_back(fmt::format("{} / {}", solved(Choice::first), solved(Choice::uniform)));
    }
    return cells;
}

void print_beyond(const Row& row) {
    fmt::print("\n{}: solved of {} random starts, first / uniform choice\n", row.task->name,
               kRandomStarts);
    std::vector<std::vector<std::string>> cells{{"seed"}};
    for (const int size : kSizes) {
        cells[0].push_back(fmt::format("{} blocks", size));
    }
    const auto add = [&](const std::string& name, const std::string& prolog) {
        cells.push_back({name});
        const std::vector<std::string> solved = beyond(*row.task, prolog);
        cells.back().insert(cells.back().end(), solved.begin(), solved.end());
    };
    for (const SeedResult& seed : row.seeds) {
        add(seed.at("seed").dump(), seed.at("prolog").get<std::string>());
    }
    add("by hand", row.task->solution);
    fmt::print("{}", aligned(cells));
}

Json row_json(const Row& row) {
    return {{"task", row.task->name},
            {"variant", "default"},
            {"seeds", row.seeds.size()},
            {"ours",
             {{"soft_reward", row.mean("soft_reward")},
              {"symbolic_reward", row.mean("symbolic_reward")},
              {"uniform_reward", row.mean("uniform_reward")},
              {"optimal", row.count("optimal")},
              {"accepted", row.count("accepted")},
              {"needed", row.needed()},
              {"seconds", row.mean("seconds")},
              {"max_seconds", row.most("seconds")},
              {"cpu_seconds", row.mean("cpu_seconds")},
              {"max_cpu_seconds", row.most("cpu_seconds")},
              {"restarts", row.mean("restarts")}}},
            {"paper", {{"reward", row.task->paper_reward}}},
            {"runs", row.seeds}};
}

void print(const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> cells{{"task", "seeds", "optimal", "symbolic", "uniform",
                                                 "soft", "seconds", "most", "cpu", "most",
                                                 "restarts", "tried", "| paper: reward", "time"}};
    for (const Row& row : rows) {
        const bool known = row.task->paper_reward > 0;
        const Json needed = row.needed();
        cells.push_back(
            {row.task->name, std::to_string(row.seeds.size()), std::to_string(row.count("optimal")),
             fmt::format("{:.3f}", row.mean("symbolic_reward")),
             fmt::format("{:.3f}", row.mean("uniform_reward")),
             fmt::format("{:.3f}", row.mean("soft_reward")),
             fmt::format("{:.1f}", row.mean("seconds")), fmt::format("{:.1f}", row.most("seconds")),
             fmt::format("{:.1f}", row.mean("cpu_seconds")),
             fmt::format("{:.1f}", row.most("cpu_seconds")),
             fmt::format("{:.1f}", row.mean("restarts")),
             needed.is_null() ? "-" : grouped(needed.get<std::int64_t>()),
             known ? fmt::format("| {:.3f}", row.task->paper_reward) : "| -",
             known ? "minutes" : "-"});
    }
    fmt::print("{}", aligned(cells));
    fmt::print(
        "\nmean rewards on the test starts: the symbolic policy, first and uniform choice; the "
        "soft policy\n"
        "optimal: seeds whose symbolic policy reaches the paper's reward\n"
        "seconds, cpu: per seed, by the clock and of the processor, the mean and the most\n"
        "tried: programs up to the first accepted one, the median\n");
}

std::vector<const RlTask*> chosen_tasks(const std::vector<std::string>& names) {
    std::vector<const RlTask*> tasks;
    for (const std::string& name : names) {
        tasks.push_back(&find_rl_task(name));
    }
    for (const RlTask& task : rl_tasks()) {
        if (names.empty() && task.paper_reward > 0) {
            tasks.push_back(&task);
        }
    }
    return tasks;
}

int run(const Flags& flags) {
    const TableFlags& table = flags.table;
    check_writable(table.run.json_file);
    const std::atomic<bool>& interrupt = catch_interrupts();
    const Options options = table.options.apply(rl_options());
    const std::vector<const RlTask*> tasks = chosen_tasks(table.tasks);
    RunStore store(table.run.state_file,
                   {"soft_reward", "symbolic_reward", "uniform_reward", "optimal", "accepted",
                    "needed", "restarts", "seconds", "cpu_seconds", "program", "prolog"});
    ProgressBar bar;
    const double all = static_cast<double>(tasks.size()) * table.seeds;
    int done = 0;
    std::vector<Row> rows;
    for (const RlTask* task : tasks) {
        rows.push_back({task, {}});
        for (int i = 0; i < table.seeds && !interrupt; ++i) {
            RlSettings settings = flags.settings;
            settings.seed = table.first_seed + static_cast<std::uint64_t>(i);
            settings.interrupt = &interrupt;
            const RunKey key = key_of(*task, options, settings);
            if (const Json* known = store.find(key)) {
                rows.back().seeds.push_back(*known);
            } else {
                const PolicyReport report = learn_policy(*task, options, settings);
                if (report.stop_reason == StopReason::interrupted) {
                    break;
                }
                rows.back().seeds.push_back(judged(*task, report));
                store.add(key, rows.back().seeds.back());
            }
            ++done;
            bar.show(done / all, fmt::format("{} of {:.0f} policies, {}", done, all, task->name));
        }
    }
    bar.clear();

    print(rows);
    Json json_rows = Json::array();
    for (const Row& row : rows) {
        json_rows.push_back(row_json(row));
        for (const SeedResult& seed : row.seeds) {
            if (flags.programs) {
                fmt::print(
                    "\n{}, seed {}: symbolic {:.3f}, uniform {:.3f}, soft {:.3f}, {:.1f} s\n{}",
                    row.task->name, seed.at("seed").dump(),
                    seed.at("symbolic_reward").get<double>(),
                    seed.at("uniform_reward").get<double>(), seed.at("soft_reward").get<double>(),
                    seed.at("seconds").get<double>(), seed.at("program").get<std::string>());
            }
        }
        if (flags.beyond) {
            print_beyond(row);
        }
    }
    write_json(table.run.json_file, {{"table", "rl"},
                                     {"version", HRI_VERSION},
                                     {"command", command_line()},
                                     {"rows", std::move(json_rows)}});
    return interrupt ? interrupted(table.run.state_file) : kYes;
}

}  // namespace

Command rl_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::boolean(own("programs", "Prints also the policies."), &F::programs),
        base::boolean(own("beyond", "Adds 7 to 20 blocks from 100 random starts."), &F::beyond)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "rl",
        .help = "The table of Blocksworld policies.",
        .examples =
            "hri reproduce rl --seeds 10 --json rl.json\n"
            "hri reproduce rl --tasks stack --seeds 3 --programs --beyond --state policies.jsonl"};
    add_flags(command, flags->settings, fields_of<RlSettings>(),
              {"restarts", "time_limit", "evaluations", "guide"});
    add_flags(command, *flags, fields);
    flags->table.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
