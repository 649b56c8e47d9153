// SPDX-License-Identifier: Apache-2.0
#pragma once

// Learning many names of scene graphs at once: what `hri learn SCENES --targets all` and
// `hri multitask` share.

#include "hri/multitask.hpp"
#include "hri/scene_rules.hpp"

#include "command.hpp"
#include "embeddings.hpp"

#include <string>

namespace hri::cli {

/// The flags of training many targets.
struct ManyTargets {
    std::string data;
    std::string targets = "all";  ///< all, names separated by commas, or a file of names
    std::string preset = "joint";
    PriorFlags prior;
    std::string folder;
    bool polish = true;
    bool joint_given = false;
    MultitaskSettings settings;

    /// --preset and the flags of rounds. Those that the command has by now stay as they are.
    void add_to(Command& command);
    /// The defaults of the preset.
    Options options() const;
};

/// Trains hierarchies with shared embeddings, polishes their programs, prints and writes them.
int train_many_targets(ManyTargets& wanted, const Options& options);

/// Learns rules with confidences, and prints and writes them; with folds, R@k first.
struct NameRulesFlags {
    std::string data;
    std::string targets;
    int folds = 0;
    std::uint64_t seed = 0;
    int threads = 1;
    std::string program_file;
    std::string json_file;
};

int learn_name_rules(const NameRulesFlags& flags);

/// Those that the text names; the data's where it is `all`. Throws Error.
std::vector<std::uint32_t> named_targets(const std::string& text, const SceneSet& scenes);

/// Whether a source is a file of `hri scenes build`, scene graphs in JSON, or VRD's folder.
bool holds_scenes(const std::string& source);
/// Throws Error.
SceneSet load_scenes(const std::string& source);

}  // namespace hri::cli
