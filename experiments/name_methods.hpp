// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that guesses the names of objects, judged by folds of images: baselines, rules with
// confidences, weighted rules, and trained hierarchies alone, blended and as programs.

#include "hri/multitask.hpp"
#include "hri/recall.hpp"
#include "hri/scene_rules.hpp"

#include "runs.hpp"
#include "scenes.hpp"

#include <span>
#include <vector>

namespace hri::cli {

struct NameMethods {
    RecallOptions recall;
    bool training = true;   ///< of hierarchies
    bool polish = true;     ///< their programs
    bool ablation = false;  ///< rows that leave out some bodies of rules
    int failures = 0;       ///< names taken for others, in the first fold
    int threads = 1;
};

/// Programs of training, or those polished.
struct Symbolic {
    FoldedRecalls recalls;
    Successes recovered;            // planted rules
    std::vector<Program> programs;  // of the last run
};

/// Methods that train no hierarchy: baselines, rules by their confidence, weighted rules.
std::vector<Baseline> untrained_methods(const NameMethods& methods);

/// The results of all folds so far.
struct NameTable {
    std::vector<Confusion> confusions;  // of the first fold
    SceneRules rules;                   // that they are of
    std::vector<FoldedRecalls> untrained;
    FoldedRecalls soft, calibrated, blend;
    Symbolic found, polished;
    FoldedRecalls trained_rules, polished_rules;  // with confidences
    double seconds = 0;
    long instances = 0;
};

/// Learns from some images, judges by others, and adds the figures to the table.
void judge_fold(const NameMethods& methods, const SceneSet& scenes,
                const std::vector<std::uint32_t>& targets, std::span<const std::uint32_t> training,
                std::span<const std::uint32_t> held_out, const Options& options,
                MultitaskSettings settings, NameTable& table);

}  // namespace hri::cli
