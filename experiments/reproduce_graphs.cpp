// SPDX-License-Identifier: Apache-2.0

// hri reproduce graphs: filtered ranks on knowledge graphs after some time of mining, and what each
// kind of rule brings.

#include "hri/graph_scenes.hpp"
#include "hri/learn_graph.hpp"
#include "hri/plot.hpp"
#include "hri/ranking.hpp"

#include "base/output_files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/resource.h>

namespace hri::cli {
namespace {

struct Flags {
    std::string data;
    std::vector<std::string> graphs = {"family", "kinship", "kinship-conve", "wn18rr", "fb15k-237"};
    std::vector<std::string> seconds = {"100"};
    int seeds = 3;
    std::vector<std::string> max_work = {"0"};
    bool ablation = false;
    int rules_shown = 0;
    int threads = 1;
    std::string json_file;
    std::string plot_file;
};

/// The kinds of rules that are mined.
struct Variant {
    const char* name;
    MineSettings settings;
    bool with_soft = false;  ///< the soft model's scores beside rules
};

std::vector<Variant> variants(bool ablation) {
    if (!ablation) {
        return {{"all", {}}};
    }
    return {{"paths without recursion", {.constants = false, .trees = false, .recursion = false}},
            {"+ recursion", {.constants = false, .trees = false}},
            {"+ constants", {.trees = false}},
            {"+ trees", {}},
            {"+ invention", {.max_inventions = 10}},
            {"+ soft model, without invention", {}, true}};
}

/// Of one run.
struct Limit {
    double seconds = 0;
    std::int64_t work = 0;

    std::string text() const {
        return seconds > 0 ? work > 0 ? fmt::format("{:g} s, work {}", seconds, work)
                                      : fmt::format("{:g} s", seconds)
                           : fmt::format("work {}", work);
    }
};

std::vector<Limit> limits(const std::vector<std::string>& seconds,
                          const std::vector<std::string>& work) {
    std::vector<Limit> all;
    for (const std::string& s : seconds) {
        for (const std::string& w : work) {
            all.push_back({std::stod(s), std::stoll(w)});
        }
    }
    return all;
}

struct Mean {
    double sum = 0;
    double squares = 0;
    int count = 0;

    void add(double value) {
        sum += value;
        squares += value * value;
        ++count;
    }

    double mean() const { return count == 0 ? 0 : sum / count; }

    double deviation() const {
        return count < 2 ? 0
                         : std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
    }
};

struct Row {
    Mean mrr;
    Mean hits_1;
    Mean hits_10;
    Mean optimistic;
    Mean rules;
    Mean processor;          ///< seconds of learning
    Mean soft_weight;        ///< of the soft model, where there is one
    std::string some_rules;  ///< of the last seed
};

std::string with_deviation(const Mean& mean) {
    return mean.count < 2 ? fmt::format("{:.3f}", mean.mean())
                          : fmt::format("{:.3f} ± {:.3f}", mean.mean(), mean.deviation());
}

double peak_memory_gb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

/// Processor seconds of all threads: a busy machine hardly changes them.
double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Some confident rules with much support.
std::string some_rules(const GraphRules& rules, const GraphData& data, int count) {
    std::vector<const GraphRule*> paths;
    for (const GraphRule& rule : rules.rules) {
        if (rule.is_path() && rule.length >= 2) {
            paths.push_back(&rule);
        }
    }
    std::stable_sort(paths.begin(), paths.end(), [](const GraphRule* a, const GraphRule* b) {
        return confidence(a->evidence, 5) * std::log(a->evidence.support) >
               confidence(b->evidence, 5) * std::log(b->evidence.support);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(paths.size(), static_cast<std::size_t>(count)); ++i) {
        text +=
            fmt::format("    {}  % support {:.0f}, confidence {:.2f}\n", to_prolog(*paths[i], data),
                        paths[i]->evidence.support, confidence(paths[i]->evidence));
    }
    return text;
}

/// One hierarchy for each relation and direction, with shared embeddings.
Multitask soft_model(const GraphData& data, const Graph& graph, const MineSettings& mining) {
    const MultitaskSettings settings{.rounds = 200,
                                     .seed = mining.seed,
                                     .threads = mining.threads,
                                     .interrupt = mining.interrupt};
    const GraphScenes worlds =
        graph_scenes(data, graph, {.max_objects = settings.max_objects, .seed = mining.seed});
    return learn_targets(worlds.scenes, joint_options(), settings).learned;
}

/// All seeds of a graph, a variant and a time.
Row measure(const Flags& flags, const std::string& name, const Variant& variant,
            const Limit& limit) {
    Row row;
    for (int seed = 0; seed < flags.seeds && !catch_interrupts(); ++seed) {
        MineSettings settings = variant.settings;
        settings.seed = static_cast<std::uint64_t>(seed);
        settings.time_limit = limit.seconds;
        settings.max_work = limit.work;
        settings.threads = flags.threads;
        settings.interrupt = &catch_interrupts();
        GraphData data = read_graph(std::filesystem::path(flags.data) / name);
        const double before = processor_seconds();
        const Mined mined = learn_graph_rules(data, settings);
        const Graph graph(data, mined.rules.invented);
        RankSettings ranking{.threads = flags.threads, .interrupt = settings.interrupt};
        const Multitask soft = variant.with_soft ? soft_model(data, graph, settings) : Multitask{};
        row.processor.add(processor_seconds() - before);
        if (variant.with_soft) {
            ranking.extra = graph_soft_scores(data, graph, soft);
            ranking.extra_weight = choose_extra_weight(mined.rules, data, graph, ranking);
            row.soft_weight.add(ranking.extra_weight);
        }
        const RankScore score = rank(mined.rules, data, graph, data.test, ranking).all;
        row.mrr.add(score.mrr);
        row.hits_1.add(score.hits_1);
        row.hits_10.add(score.hits_10);
        row.optimistic.add(score.optimistic_mrr);
        row.rules.add(static_cast<double>(mined.rules.rules.size()));
        row.some_rules = some_rules(mined.rules, data, flags.rules_shown);
    }
    return row;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    check_writable(flags.plot_file);
    LineChart chart{.title = "Filtered MRR of the test triples",
                    .x_title = "log10 of the processor seconds of learning",
                    .series = {},
                    .from_0_to_1 = true};
    Json json = {{"version", HRI_VERSION}, {"command", command_line()}, {"rows", Json::array()}};
    fmt::print(
        "| graph | rules | limit | MRR | Hits@1 | Hits@10 | MRR, optimistic ties | rules "
        "found | processor time | rules per s of it | memory so far |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const std::string& name : flags.graphs) {
        for (const Variant& variant : variants(flags.ablation)) {
            LineChart::Series& line = chart.series.emplace_back();
            line.name = flags.ablation ? name + ", " + variant.name : name;
            for (const Limit& limit : limits(flags.seconds, flags.max_work)) {
                const Row row = measure(flags, name, variant, limit);
                if (catch_interrupts()) {
                    return interrupted("");
                }
                fmt::print(
                    "| {} | {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {} | {:.1f} s | "
                    "{} | {:.1f} GB |\n",
                    name, variant.name, limit.text(), with_deviation(row.mrr), row.hits_1.mean(),
                    row.hits_10.mean(), row.optimistic.mean(),
                    grouped(static_cast<std::int64_t>(row.rules.mean())), row.processor.mean(),
                    grouped(static_cast<std::int64_t>(row.rules.mean() / row.processor.mean())),
                    peak_memory_gb());
                if (row.soft_weight.count > 0) {
                    fmt::print(stderr, "hri: note: the soft model's scores count {} times\n",
                               row.soft_weight.mean());
                }
                std::fflush(stdout);
                fmt::print("{}", row.some_rules);
                line.points.emplace_back(std::log10(std::max(row.processor.mean(), 0.1)),
                                         row.mrr.mean());
                json["rows"].push_back({{"graph", name},
                                        {"rules", variant.name},
                                        {"seconds", limit.seconds},
                                        {"max_work", limit.work},
                                        {"seeds", flags.seeds},
                                        {"mrr", row.mrr.mean()},
                                        {"mrr_deviation", row.mrr.deviation()},
                                        {"processor_seconds", row.processor.mean()},
                                        {"rules_found", row.rules.mean()},
                                        {"hits_1", row.hits_1.mean()},
                                        {"hits_10", row.hits_10.mean()},
                                        {"optimistic_mrr", row.optimistic.mean()}});
            }
        }
    }
    write_json(flags.json_file, json);
    if (!flags.plot_file.empty()) {
        write_output(flags.plot_file, base::head_of_file(base::Language::svg) + to_svg({chart}));
    }
    return kYes;
}

}  // namespace

Command graphs_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("data", "A folder with a folder for each graph.", "FOLDER"), &F::data, true),
        base::list(own("graphs", "The graphs of the table; without it all."), &F::graphs),
        base::list(own("seconds", "The time limits of learning in seconds, a row each."),
                   &F::seconds),
        base::number(own("seeds", "The runs per row, with the seeds 0, 1, ..."), &F::seeds, 1, 100),
        base::list(
            own("max_work",
                "Thousands of edges met per relation at most, a row each; 0 means no limit."),
            &F::max_work),
        base::boolean(own("ablation", "A row for each kind of rules that is added."), &F::ablation),
        base::number(own("rules_shown", "The number of rules to print for each row."),
                     &F::rules_shown, 0, 1000),
        base::number(own("threads", "The number of threads."), &F::threads, 1, 1024),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file),
        base::text(own("plot", "Draws the MRR over the processor time of learning.", "FILE.svg"),
                   &F::plot_file)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "graphs",
                    .help = "Filtered ranks on knowledge graphs, by the time of mining.",
                    .details =
                        "Combinations of rules are chosen on the validation triples; the "
                        "figures are of the test triples.",
                    .examples =
                        "hri reproduce graphs --data kg/ --seconds 10,100,900\n"
                        "hri reproduce graphs --data kg/ --graphs family --ablation"};
    add_flags(command, *flags, fields);
    make_threads(command, flags->threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
