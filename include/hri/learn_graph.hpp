// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules of a knowledge graph with their combination, in one call:
//
//   GraphData data = read_graph("wn18rr/");
//   Mined mined = learn_graph_rules(data, {.time_limit = 100, .threads = 2});
//   write_file("rules.pl", to_prolog(mined.rules, data, Graph(data)));

#include "hri/graph.hpp"
#include "hri/mine.hpp"

namespace hri {

/// mine_rules(), invent_relations() and choose_aggregations(). All together keep the time limit: at
/// most 55 of 100 parts are for mining, the choice gets what is left but for the time to write the
/// rules. Several processes split the relations; the first one returns all rules, the others none.
Mined learn_graph_rules(GraphData& data, const MineSettings& settings = {});

}  // namespace hri
