// SPDX-License-Identifier: Apache-2.0
#pragma once

// hri learn GRAPH --targets all: rules with confidence for the relations of a knowledge graph.

#include "hri/learn.hpp"
#include "hri/mine.hpp"

#include "command.hpp"

#include <string>
#include <vector>

namespace hri::cli {

struct GraphFlags {
    std::vector<std::string> targets;
    MineSettings mining;

    void add_to(Command& command);

    bool given() const { return !targets.empty(); }
};

struct GraphFiles {
    std::string source;
    std::string program;
    std::string json;
    std::string checkpoint;
    bool resume = false;
};

/// The exit code.
int learn_graph(const GraphFlags& flags, const LearnSettings& settings, const GraphFiles& files);

}  // namespace hri::cli
