// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules for all relations of a knowledge graph, in the time that there is.
//
//   GraphData data = read_graph("wn18rr/");
//   Graph graph(data);
//   Mined mined = mine_rules(graph, {.time_limit = 100, .threads = 2});
//   invent_relations(mined.rules, data, graph);
//   write_file("rules.pl", to_prolog(mined.rules, data, graph));

#include "hri/fields.hpp"
#include "hri/graph.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hri {

struct MineProgress {
    double fraction = 0;  ///< of the time or work
    int round = 0;
    std::uint32_t relation = 0;  ///< the last one that was looked at
    std::size_t relations = 0;   ///< to look at in this round, and ...
    std::size_t done = 0;        ///< ... looked at
    bool is_choosing = false;    ///< rules are found; how they are combined is chosen
};

struct MineSettings {
    std::vector<std::uint32_t> targets = {};  ///< relations; empty: all
    std::uint64_t seed = 0;
    double time_limit = 60;       ///< seconds; 0: none
    std::int64_t max_work = 0;    ///< thousands of edges met per relation; 0: no limit. With it and
                                  ///< no time limit the result depends on the seed alone
    int max_length = 4;           ///< of paths
    int max_constant_length = 2;  ///< of bodies of rules with constants
    bool constants = true;
    bool trees = true;
    bool recursion = true;  ///< bodies may hold the relation of the head
    double min_support = 2;
    double min_confidence = 0.01;
    int max_rules = 50'000;  ///< per relation, of each kind
    int max_inventions = 0;  ///< relations that invent_relations() may define
    int threads = 1;
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(const MineProgress&)> progress = {};
    /// Called after each round with text that says where the run stands.
    std::function<void(const std::string&)> checkpoint = {};
    /// Such a text: the run goes on from there, and ends as it would have without a break.
    std::string resume = {};
};

template <>
const std::vector<Field<MineSettings>>& fields_of<MineSettings>();

struct Mined {
    GraphRules rules;              ///< by relation, then by falling confidence
    std::int64_t counted = 0;      ///< bodies whose evidence was counted
    int rounds = 0;                ///< that were finished
    double seconds = 0;            ///< of mining
    double seconds_of_choice = 0;  ///< of learn_graph_rules(), after mining
    bool finished = false;         ///< nothing was left to look for
};

Mined mine_rules(const Graph& graph, const MineSettings& settings = {});

/// Invents relations where that makes the rules shorter. Paths that differ in one step alone, and
/// are about equally right, become one path over a relation that holds where any of those steps
/// does. Adds the names of the relations to `data`. Rules run on Graph(data, rules.invented) then.
void invent_relations(GraphRules& rules, GraphData& data, const Graph& graph,
                      const MineSettings& settings = {});

}  // namespace hri
