// SPDX-License-Identifier: Apache-2.0
#pragma once

// The graph of a drawing: predicates in layers, inputs at the bottom, the target on top, and an
// edge from each predicate to those that use it.

#include "hri/logic.hpp"
#include "hri/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::exporting {

struct Graph {
    enum class Kind : std::uint8_t { input, auxiliary, target };

    struct Node {
        std::string name;
        std::string note;  ///< what it says below its name; may be empty
        Kind kind = Kind::input;
        int layer = 0;
        std::vector<std::string> rules = {};  ///< of a program's predicate, a line each
    };

    struct Edge {
        std::size_t from = 0;
        std::size_t to = 0;
        std::string label;
        double weight = 1;  ///< 0 to 1: how thick it is drawn
        double port = 0.5;  ///< 0 to 1: where it ends along the lower side of its box
    };

    std::string title;
    bool of_program = false;  ///< whose rules say how often a predicate is used, and how
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

Graph graph_of(const Program& program);
Graph graph_of(const Model& model, double min_weight);

}  // namespace hri::exporting
