// SPDX-License-Identifier: Apache-2.0
#include "learn_graph.hpp"

#include "hri/files.hpp"
#include "hri/learn_graph.hpp"

#include "base/mpi.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

#include <fmt/format.h>
#include <map>

namespace hri::cli {

void GraphFlags::add_to(Command& command) {
    using F = GraphFlags;
    static const std::vector<Field<F>> fields = {base::list(
        own("targets",
            "Relations of a knowledge graph, or names of scene graphs, or all, or a file of names: "
            "learns rules with their confidence, for `hri rank`. With --strategy gradient they are "
            "trained together, with shared embeddings. Targets of a task folder, or all: learns "
            "them together, so that each may occur in the rules of the others."),
        &F::targets)};
    add_flags(command, *this, fields);
    add_flags(command, mining, fields_of<MineSettings>());
}

namespace {

std::vector<std::uint32_t> relations_of(const std::vector<std::string>& names,
                                        const GraphData& data) {
    std::vector<std::uint32_t> found;
    std::vector<std::string> known;
    for (std::uint32_t r = 0; r < data.relations.size(); ++r) {
        known.push_back(data.relations[r]);
    }
    if (names.size() == 1 && names[0] == "all" && !data.relations.find("all")) {
        for (std::uint32_t r = 0; r < data.relations.size(); ++r) {
            found.push_back(r);
        }
        return found;
    }
    for (const std::string& name : names) {
        const std::optional<std::uint32_t> relation = data.relations.find(name);
        if (!relation) {
            throw Error(fmt::format("there is no relation '{}' in the graph", name), {},
                        fmt::format("did you mean {}?", nearest(name, known)));
        }
        found.push_back(*relation);
    }
    return found;
}

struct Counts {
    std::int64_t paths = 0;
    std::int64_t constants = 0;
    std::int64_t trees = 0;
};

std::map<std::uint32_t, Counts> counts_of(const std::vector<GraphRule>& rules) {
    std::map<std::uint32_t, Counts> counts;
    for (const GraphRule& rule : rules) {
        Counts& one = counts[relation_of(rule.head)];
        (!rule.is_path() ? one.constants : rule.condition.given ? one.trees : one.paths) += 1;
    }
    return counts;
}

std::string table(const std::vector<GraphRule>& rules, const GraphData& data, const Graph& graph) {
    std::vector<std::vector<std::string>> rows = {
        {"relation", "facts", "paths", "trees", "constants"}};
    for (const auto& [relation, count] : counts_of(rules)) {
        rows.push_back({data.relations[relation],
                        grouped(static_cast<std::int64_t>(graph.facts(relation).size())),
                        grouped(count.paths), grouped(count.trees), grouped(count.constants)});
    }
    return aligned(rows);
}

Json report(const Mined& mined, const GraphData& data, const Graph& graph,
            const LearnSettings& settings) {
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"graph", data.name},
                 {"seed", settings.seed},
                 {"entities", data.entities.size()},
                 {"triples", graph.size()},
                 {"rules", mined.rules.rules.size()},
                 {"bodies_counted", mined.counted},
                 {"rounds", mined.rounds},
                 {"finished", mined.finished},
                 {"seconds", mined.seconds},
                 {"seconds_of_choice", mined.seconds_of_choice},
                 {"relations", Json::array()}};
    for (const auto& [relation, count] : counts_of(mined.rules.rules)) {
        json["relations"].push_back({{"relation", data.relations[relation]},
                                     {"facts", graph.facts(relation).size()},
                                     {"paths", count.paths},
                                     {"trees", count.trees},
                                     {"constants", count.constants}});
    }
    return json;
}

}  // namespace

int learn_graph(const GraphFlags& flags, const LearnSettings& settings, const GraphFiles& files) {
    base::Communicator& ranks = base::Communicator::all();
    if (ranks.size() > 1 && !files.checkpoint.empty()) {
        throw Error("--checkpoint keeps the rounds of one process", {},
                    "leave it out, or run it without mpirun");
    }
    if (ranks.is_first()) {
        for (const std::string& file : {files.program, files.json, files.checkpoint}) {
            check_writable(file);
        }
    }
    GraphData data = read_graph(files.source);
    if (ranks.is_first()) {
        for (const std::string& warning : data.warnings) {
            fmt::print(stderr, "hri: warning: {}\n", warning);
        }
    }
    MineSettings mining = flags.mining;
    mining.targets = relations_of(flags.targets, data);
    mining.seed = settings.seed;
    mining.time_limit = settings.time_limit;
    mining.max_work = settings.max_work;
    mining.threads = settings.threads;
    mining.interrupt = &catch_interrupts();
    if (!files.checkpoint.empty()) {
        mining.checkpoint = [&](const std::string& state) {
            write_output(files.checkpoint, state);
        };
    }
    if (files.resume) {
        mining.resume = read_file(files.checkpoint);
    }
    ProgressBar bar;
    mining.progress = [&](const MineProgress& now) {
        bar.show(now.fraction, now.is_choosing ? "weighing the rules"
                                               : fmt::format("round {}, {} of {} relations, {}",
                                                             now.round + 1, now.done, now.relations,
                                                             data.relations[now.relation]));
    };
    const Mined mined = learn_graph_rules(data, mining);
    if (!ranks.is_first()) {
        return kYes;
    }
    bar.clear();
    const Graph graph(data);
    write_output(files.program, to_prolog(mined.rules, data, graph));
    write_json(files.json, report(mined, data, graph, settings));
    fmt::print("{}\n{} rules for {} in {}\n", table(mined.rules.rules, data, graph),
               grouped(static_cast<std::int64_t>(mined.rules.rules.size())),
               counted(static_cast<std::int64_t>(mining.targets.size()), "relation"),
               duration(mined.seconds + mined.seconds_of_choice));
    if (data.valid.empty()) {
        fmt::print(
            stderr,
            "hri: note: there are no validation triples; the combination of rules is chosen by "
            "training triples that are held out\n");
    }
    return mined.rules.rules.empty() ? kNo : kYes;
}

}  // namespace hri::cli
