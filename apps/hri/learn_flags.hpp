// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flags of hri learn, and what learns several targets together by them.

#include "hri/several_targets.hpp"

#include "inputs.hpp"
#include "learn_graph.hpp"
#include "many_targets.hpp"
#include "option_flags.hpp"
#include "own_fields.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// The flags of `hri learn`.
struct LearnFlags {
    std::string task;
    LearnSettings settings;
    int constants = 0;
    int folds = 0;
    int sample = 0;
    double hold_out = 0;  ///< percent
    ReadFlags reading;
    std::string model_file;
    std::string program_file;
    std::string json_file;
    std::string log_file;
    std::string checkpoint_file;
    double checkpoint_seconds = 5;
    bool resume = false;
    std::string model = "hri";
    bool strategy_given = false;
    bool time_limit_given = false;
    std::string templates;
    bool evidence = false;
    std::string library_file;
    ManyTargets many;
    OptionFlags options;
    GraphFlags graph;
};

/// Those that no settings struct of the library has.
const std::vector<Field<LearnFlags>>& learn_fields();

/// Many names of scene graphs at once: trained with shared embeddings, or as rules with
/// confidences. The exit code.
int learn_targets_together(LearnFlags& flags);

/// All targets of a task folder, or those named, each of which may occur in the rules of the
/// others.
std::vector<TargetReport> learn_jointly(const LearnFlags& flags);

}  // namespace hri::cli
