// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions that the commands about scene graphs share.

#include "hri/recall.hpp"
#include "hri/scenes.hpp"

#include "json.hpp"
#include "output.hpp"
#include "statistics.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hri::cli {

/// "68 images (synthetic, noise 0.1), from ..."
std::string summary(const SceneSet& scenes);

/// "40.1 (35.2-45.0)": the mean and its interval.
std::string mean_cell(const std::vector<double>& values);
/// "-0.3 (-1.2 to 0.6)": the same of differences.
std::string difference_cell(const std::vector<double>& values);

/// R@1 and R@5 of one reading over folds, in percent.
struct FoldedRecall {
    std::vector<double> recall_at_1;
    std::vector<double> recall_at_5;

    void add(const Recall& recall);
};

struct FoldedRecalls {
    FoldedRecall per_object, per_image, as_authors_code;

    void add(const Recalls& recalls);
    /// "40.1 (35.2-45.0)" for each of the six figures
    std::vector<std::string> cells() const;
    Json json() const;
};

/// A way to score objects that learns from training images without rules.
struct Baseline {
    const char* key;    ///< in JSON
    const char* title;  ///< in tables
    std::function<SceneScores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                              std::span<const std::uint32_t> targets)>
        scores;
};

const std::vector<Baseline>& baselines();

/// Each fold is judged by what the others teach.
FoldedRecalls baseline_recalls(const SceneSet& scenes,
                               const std::vector<std::vector<std::uint32_t>>& folds,
                               const Baseline& baseline);

/// All images but those of one fold.
std::vector<std::uint32_t> without_fold(const std::vector<std::vector<std::uint32_t>>& folds,
                                        std::size_t fold);

/// The header of a table of FoldedRecalls::cells().
std::vector<std::string> recall_header(const std::string& first);

}  // namespace hri::cli
