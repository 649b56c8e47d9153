// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cross-validation: programs learned from a part of the examples are judged by the others.
//
//   CrossValidation result = cross_validate(problem, options, settings, 5);
//   std::cout << result.mean.accuracy;

#include "hri/learn.hpp"

#include <functional>
#include <vector>

namespace hri {

/// Means over folds: shares between 0 and 1, and seconds.
struct FoldMeans {
    double training = 0;  ///< accuracy on the examples that were learned from
    double accuracy = 0;  ///< this and the next two: on the examples left out
    double precision = 0;
    double recall = 0;
    double seconds = 0;
};

struct CrossValidation {
    std::vector<Report> folds;  ///< one for each; its evaluation is that of the examples left out
    FoldMeans mean;
};

FoldMeans fold_means(const std::vector<Report>& folds);

/// Learns once for each fold, as fold() divides them by the settings' seed. `progress` is told the
/// fold, from 0 on. There are fewer folds after an interrupt. Throws Error as fold() does.
CrossValidation cross_validate(
    const Problem& problem, const Options& options, const LearnSettings& settings, int folds,
    const std::function<void(int fold, const LearnProgress&)>& progress = {});

}  // namespace hri
