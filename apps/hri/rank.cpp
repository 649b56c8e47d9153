// SPDX-License-Identifier: Apache-2.0

// hri rank RULES GRAPH: how well rules complete a knowledge graph, and what they answer.

#include "hri/files.hpp"
#include "hri/graph_scenes.hpp"
#include "hri/ranking.hpp"

#include "commands.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string rules_file;
    std::string graph;
    std::string part = "test";
    std::string query;
    int top = 10;
    bool choose = false;
    std::string soft;
    double soft_weight = -1;
    RankSettings ranking;
    std::string json_file;
};

int print_answers(const Flags& flags, const GraphRules& rules, const GraphData& data,
                  const Graph& graph) {
    const GraphQuery query = parse_graph_query(flags.query, data, "--query");
    Json json = {{"version", HRI_VERSION}, {"command", command_line()}, {"query", flags.query}};
    json["answers"] = Json::array();
    for (const Answer& answer : answers(rules, graph, query.step, query.source, flags.top)) {
        fmt::print("{:.4f}  {}\n", answer.score, data.entities[answer.entity]);
        Json because = Json::array();
        for (const std::uint32_t i : answer.rules) {
            const GraphRule& rule = rules.rules[i];
            fmt::print("        {:.4f}  {}\n", confidence(rule.evidence), to_prolog(rule, data));
            because.push_back(
                {{"rule", to_prolog(rule, data)},
                 {"confidence", confidence(rule.evidence)},
                 {"pca_confidence", pca_confidence(rule.evidence, is_backward(query.step))},
                 {"head_coverage", head_coverage(rule, graph)},
                 {"support", rule.evidence.support}});
        }
        json["answers"].push_back({{"entity", data.entities[answer.entity]},
                                   {"score", answer.score},
                                   {"rules", std::move(because)}});
    }
    write_json(flags.json_file, json);
    if (json["answers"].empty()) {
        fmt::print("no rule gives an answer\n");
        return kNo;
    }
    return kYes;
}

std::vector<std::string> row(const std::string& name, const RankScore& score) {
    return {name,
            grouped(score.queries),
            fmt::format("{:.4f}", score.mrr),
            fmt::format("{:.4f}", score.hits_1),
            fmt::format("{:.4f}", score.hits_3),
            fmt::format("{:.4f}", score.hits_10),
            fmt::format("{:.4f}", score.optimistic_mrr)};
}

Json score_json(const RankScore& score) {
    return {{"queries", score.queries}, {"mrr", score.mrr},
            {"hits_1", score.hits_1},   {"hits_3", score.hits_3},
            {"hits_10", score.hits_10}, {"optimistic_mrr", score.optimistic_mrr}};
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    GraphData data = read_graph(flags.graph);
    for (const std::string& warning : data.warnings) {
        fmt::print(stderr, "hri: warning: {}\n", warning);
    }
    GraphRules rules = parse_graph_rules(read_file(flags.rules_file), flags.rules_file, data);
    const Graph graph(data, rules.invented);
    if (!flags.query.empty()) {
        return print_answers(flags, rules, data, graph);
    }
    const std::vector<Triple>& triples = flags.part == "valid" ? data.valid : data.test;
    if (triples.empty()) {
        throw Error(fmt::format("there are no {} triples to rank", flags.part), {flags.graph},
                    fmt::format("add {}.txt, or ask with --query 'r(a,?)'", flags.part));
    }
    ProgressBar bar;
    RankSettings settings = flags.ranking;
    settings.interrupt = &catch_interrupts();
    settings.progress = [&](double done) { bar.show(done, "ranking"); };
    if (flags.choose) {
        choose_aggregations(rules, data, graph, settings);
    }
    const std::optional<Multitask> learned =
        flags.soft.empty() ? std::nullopt
                           : std::optional(load_multitask(std::filesystem::path(flags.soft) /
                                                          "shared.safetensors"));
    if (learned) {
        settings.extra = graph_soft_scores(data, graph, *learned);
        settings.extra_weight = flags.soft_weight;
        if (flags.soft_weight < 0) {
            settings.extra_weight = choose_extra_weight(rules, data, graph, settings);
            fmt::print(stderr,
                       "hri: note: the soft model's scores count {} times, chosen on valid\n",
                       settings.extra_weight);
        }
    }
    const Ranking ranking = rank(rules, data, graph, triples, settings);
    bar.clear();
    if (catch_interrupts()) {
        fmt::print(stderr, "hri: interrupted\n");
        return kNo;
    }
    std::vector<std::vector<std::string>> rows = {
        {"relation", "queries", "MRR", "hits@1", "hits@3", "hits@10", "MRR, optimistic ties"}};
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"graph", data.name},
                 {"part", flags.part},
                 {"rules", rules.rules.size()}};
    json["relations"] = Json::array();
    for (std::uint32_t r = 0; r < data.relations.size(); ++r) {
        if (ranking.relations[r].queries > 0) {
            rows.push_back(row(data.relations[r], ranking.relations[r]));
            Json one = score_json(ranking.relations[r]);
            one["relation"] = data.relations[r];
            json["relations"].push_back(std::move(one));
        }
    }
    rows.push_back(row("tails (h,r,?)", ranking.tails));
    rows.push_back(row("heads (?,r,t)", ranking.heads));
    rows.push_back(row("all", ranking.all));
    json["tails"] = score_json(ranking.tails);
    json["heads"] = score_json(ranking.heads);
    json["all"] = score_json(ranking.all);
    fmt::print("{}", aligned(rows));
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace

Command rank_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("rules", "Rules of `hri learn GRAPH --targets all --program RULES`.", "RULES"),
            &F::rules_file),
        base::text(own("graph",
                       "A knowledge graph: a folder with train, valid and test, or a file "
                       "of triples.",
                       "GRAPH"),
                   &F::graph),
        base::text(own("query", "Answers a query, such as 'r(a,?)' or 'r(?,b)', instead.", "QUERY"),
                   &F::query),
        base::number(own("top", "The number of answers to a query."), &F::top, 1, 1'000'000),
        base::word(own("part", "The triples to rank.", "NAME"), &F::part, {"test", "valid"}),
        base::boolean(
            own("choose", "Chooses again by the validation triples how rules are combined."),
            &F::choose),
        base::text(own("soft",
                       "Adds scores of the soft model in this folder, that `hri learn GRAPH "
                       "--targets all --strategy gradient --out FOLDER` wrote.",
                       "FOLDER"),
                   &F::soft),
        base::number(own("soft_weight",
                         "The weight of the soft model's scores; -1 chooses it by the validation "
                         "triples."),
                     &F::soft_weight, -1),
        base::text(own("json", "Writes the figures or the answers as JSON.", "FILE"),
                   &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "rank",
        .help = "Ranks the answers that rules give about a knowledge graph.",
        .details =
            "Ranks are filtered: other true answers do not count. A tie has the mean rank of its "
            "members. Facts are the training triples alone.\nExit code 0: done; 1: a query has no "
            "answer.",
        .examples =
            "hri rank rules.pl wn18rr/ --json ranks.json\n"
            "hri rank rules.pl family/ --query 'uncle(100,?)' --top 5"};
    add_flags(command, *flags, fields);
    add_flags(command, flags->ranking, fields_of<RankSettings>(), {"threads"});
    make_argument(command, "rules");
    make_argument(command, "graph");
    make_threads(command, flags->ranking.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
