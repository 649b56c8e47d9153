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
#include "statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kUniformEpisodes = 100;  // per test start
constexpr int kRandomStarts = 100;
constexpr double kSameReward = 0.01;
constexpr int kSizes[] = {5, 7, 10, 15, 20};
constexpr double kMinReward = -1;  // for intervals

struct Flags {
    TableFlags table;
    RlSettings settings;  // for --help
    bool programs = false;
    bool beyond = false;
    bool ablation = false;
    std::string preset = "default";
    std::map<std::string, std::string> given;  // settings, by field
};

/// The result of one seed's policy: `runs` of the JSON.
using SeedResult = Json;

struct Row {
    const RlTask* task = nullptr;
    std::vector<SeedResult> seeds;
    std::string variant = "default";

    std::vector<double> all(const std::string& key) const {
        std::vector<double> values;
        for (const SeedResult& seed : seeds) {
            values.push_back(seed.at(key).get<double>());
        }
        return values;
    }

    /// Seeds that reach the paper's reward within 0.01.
    int reached(const std::string& key) const {
        const std::vector<double> values = all(key);
        return static_cast<int>(std::count_if(values.begin(), values.end(), [&](double value) {
            return value >= task->paper_reward - kSameReward;
        }));
    }

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
    const ActionValues argmax = program_values(simplified(report.raw));
    const ActionValues model = model_values(report.model);
    const auto on_tests = [&](const ActionValues& values) {
        return run_tests(task, values, Choice::first, 1, report.seed).reward;
    };
    const double symbolic = on_tests(program);
    const double at_start =
        run_episodes(*make_environment(task), argmax, Choice::first, 1, report.seed).reward;
    return {{"seed", report.seed},
            {"soft_reward", on_tests(model)},
            {"argmax_reward", on_tests(argmax)},
            {"symbolic_reward", symbolic},
            {"soft_training", report.training_soft.reward},
            {"argmax_training", at_start},
            {"symbolic_training", report.training.reward},
            {"ppo_runs", report.ppo_runs},
            {"programs", report.programs},
            {"uniform_reward",
             run_tests(task, program, Choice::uniform, kUniformEpisodes, report.seed).reward},
            {"optimal", symbolic >= task.paper_reward - 1e-6},
            {"accepted", report.accepted},
            {"refined", report.refined},
            {"restarts", report.restarts},
            {"updates", report.updates},
            {"episodes", report.episodes},
            {"starts", report.starts},
            {"solved_starts", report.solved_starts},
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
    for (const Field<RlSettings>& field : fields_of<RlSettings>()) {
        text += field.name == "seed" ? "" : field.name + "=" + field.get(settings) + "\n";
    }
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
            {"variant", row.variant},
            {"seeds", row.seeds.size()},
            {"ours",
             {{"soft_reward", row.mean("soft_reward")},
              {"argmax_reward", row.mean("argmax_reward")},
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

/// "0.920", with the half of its interval where there are two seeds.
std::string with_interval(const std::vector<double>& values) {
    const double middle = mean(values);
    if (values.size() < 2) {
        return fmt::format("{:.3f}", middle);
    }
    const Interval interval = mean_interval(values, kMinReward, 1);
    return fmt::format("{:.3f} [{:.3f}, {:.3f}]", middle, interval.low, interval.high);
}

/// Published: NLRL; NLM and DLM have the paper's own figures.
std::string of_nlrl(const RlTask& task) {
    return task.name == "unstack" ? "0.914"
           : task.name == "stack" ? "0.877"
           : task.name == "on"    ? "0.885"
                                  : "-";
}

void print(const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> cells{{"task", "settings", "policy", "tests, 95 %",
                                                 "reached", "training, 95 %", "updates", "episodes",
                                                 "cpu", "| NLRL", "NLM", "DLM", "HRI"}};
    for (const Row& row : rows) {
        const std::string paper =
            row.task->paper_reward > 0 ? fmt::format("{:.3f}", row.task->paper_reward) : "-";
        for (const std::string policy : {"soft", "argmax", "symbolic"}) {
            const bool first = policy == "soft";
            cells.push_back(
                {row.task->name, row.variant, policy == "symbolic" ? "refined" : policy,
                 with_interval(row.all(policy + "_reward")),
                 row.task->paper_reward > 0
                     ? fmt::format("{} of {}", row.reached(policy + "_reward"), row.seeds.size())
                     : "-",
                 with_interval(row.all(policy + "_training")),
                 first ? fmt::format("{:.0f}", row.mean("updates")) : "",
                 first ? fmt::format("{:.0f}", row.mean("episodes")) : "",
                 first ? fmt::format("{:.1f}", row.mean("cpu_seconds")) : "",
                 first ? "| " + of_nlrl(*row.task) : "|", first ? paper : "", first ? paper : "",
                 first ? paper : ""});
        }
    }
    fmt::print("{}", aligned(cells));
    fmt::print(
        "\nmean rewards, first choice, with Student's interval over the seeds\n"
        "reached: seeds within 0.01 of the paper's reward on the test starts\n"
        "updates, episodes: of PPO, over all runs of a seed; cpu: processor seconds of a seed\n");
}

std::vector<const RlTask*> chosen_tasks(const std::vector<std::string>& names) {
    std::vector<const RlTask*> tasks;
    tasks.reserve(names.size());
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

/// The settings, or those with one part of them left out.
struct Variant {
    std::string name;
    std::function<void(Options&, RlSettings&)> change;
};

std::vector<Variant> variants(bool ablation) {
    if (!ablation) {
        return {{"", [](Options&, RlSettings&) {}}};
    }
    std::vector<Variant> all = {{"one run", [](Options&, RlSettings&) {}}};
    const auto add = [&](const std::string& name,
                         std::function<void(Options&, RlSettings&)> change) {
        all.push_back({name, std::move(change)});
    };
    add("several runs", [](Options&, RlSettings& s) { s.ppo_runs = RlSettings{}.ppo_runs; });
    add("no PPO over programs", [](Options& o, RlSettings& s) {
        o.iterations += s.program_updates;
        s.program_updates = 0;
    });
    add("no PPO over moves", [](Options& o, RlSettings&) { o.iterations = 1; });
    add("no imitation of programs", [](Options&, RlSettings& s) { s.program_imitation = 0; });
    add("no matches by the prior", [](Options&, RlSettings& s) { s.program_exploration = 0; });
    add("a tenth of the programs", [](Options&, RlSettings& s) { s.drawn_programs /= 10; });
    add("no imitation of moves", [](Options&, RlSettings& s) { s.imitation = 0; });
    add("moves from the training start", [](Options&, RlSettings& s) { s.random_starts = 0; });
    return all;
}

/// Runs the seeds of one row that the store does not have; false: interrupted.
bool run_seeds(Row& row, const Flags& flags, const Options& options, RlSettings settings,
               RunStore& store, const std::function<void()>& done) {
    const TableFlags& table = flags.table;
    for (int i = 0; i < table.seeds; ++i) {
        settings.seed = table.first_seed + static_cast<std::uint64_t>(i);
        const RunKey key = key_of(*row.task, options, settings);
        if (const Json* known = store.find(key)) {
            row.seeds.push_back(*known);
        } else {
            const PolicyReport report = learn_policy(*row.task, options, settings);
            if (report.stop_reason == StopReason::interrupted || *settings.interrupt) {
                return false;
            }
            row.seeds.push_back(judged(*row.task, report));
            store.add(key, row.seeds.back());
        }
        done();
    }
    return true;
}

int run(const Flags& flags) {
    const TableFlags& table = flags.table;
    check_writable(table.run.json_file);
    const std::atomic<bool>& interrupt = catch_interrupts();
    const bool paper = flags.preset == "paper";
    const std::vector<const RlTask*> tasks = chosen_tasks(table.tasks);
    RunStore store(
        table.run.state_file,
        {"soft_reward", "argmax_reward", "symbolic_reward", "uniform_reward", "soft_training",
         "argmax_training", "symbolic_training", "optimal", "accepted", "needed", "restarts",
         "updates", "episodes", "seconds", "cpu_seconds", "program", "prolog"});
    ProgressBar bar;
    const std::vector<Variant> all_variants = variants(flags.ablation);
    const double all = static_cast<double>(tasks.size() * all_variants.size()) * table.seeds;
    int done = 0;
    std::vector<Row> rows;
    for (const RlTask* task : tasks) {
        for (const Variant& variant : all_variants) {
            Options options = table.options.apply(paper ? paper_rl_options() : rl_options());
            RlSettings settings = paper ? paper_rl_settings() : RlSettings{};
            for (const auto& [name, text] : flags.given) {
                set_field(settings, name, text);
            }
            settings.interrupt = &interrupt;
            settings.evaluations = flags.ablation ? 0 : settings.evaluations;
            settings.restarts = flags.ablation ? 1 : settings.restarts;
            settings.ppo_runs = flags.ablation ? 1 : settings.ppo_runs;
            variant.change(options, settings);
            rows.push_back({task, {}, variant.name.empty() ? flags.preset : variant.name});
            if (!interrupt) {
                run_seeds(rows.back(), flags, options, settings, store, [&] {
                    ++done;
                    bar.show(done / all,
                             fmt::format("{} of {:.0f} policies, {}", done, all, task->name));
                });
            }
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
        base::boolean(own("beyond", "Adds 5 to 20 blocks from 100 random starts."), &F::beyond),
        base::boolean(
            own("ablation", "One run per seed without refinement, and with parts left out."),
            &F::ablation),
        base::word(
            own("preset", "The settings that others stand on: ours, or the paper's table.", "NAME"),
            &F::preset, {"default", "paper"})};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "rl",
        .help = "The table of Blocksworld policies.",
        .examples =
            "hri reproduce rl --seeds 10 --json rl.json\n"
            "hri reproduce rl --tasks stack --seeds 3 --programs --beyond --state policies.jsonl\n"
            "hri reproduce rl --seeds 5 --ablation"};
    const std::vector<std::string> shown = {
        "restarts", "time_limit",    "evaluations", "guide",   "random_starts",   "imitation",
        "ppo_runs", "judged_starts", "size",        "failure", "program_updates", "drawn_programs"};
    add_flags(command, flags->settings, fields_of<RlSettings>(), shown);
    for (const std::string& name : shown) {
        command.flag(name).set = [flags, name](const std::string& text) {
            flags->given[name] = text;
        };
    }
    add_flags(command, *flags, fields);
    flags->table.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
