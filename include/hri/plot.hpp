// SPDX-License-Identifier: Apache-2.0
#pragma once

// Curves and heat maps as SVG.
//
//   write_file("run.svg", to_svg(training_charts(result.curve)));
//   write_file("match.svg", to_svg(unification_map(model)));

#include "hri/model.hpp"
#include "hri/rl.hpp"
#include "hri/train.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hri {

struct LineChart {
    struct Series {
        std::string name;
        std::vector<std::pair<double, double>> points;
    };

    std::string title;
    std::string x_title;
    std::vector<Series> series;
    bool from_0_to_1 = false;  ///< the range of y; else that of the points
};

/// The charts below each other. Throws Error where none has points.
std::string to_svg(const std::vector<LineChart>& charts);

/// Loss, sharpness of each layer and accuracy of the argmax program over the iterations.
std::vector<LineChart> training_charts(const std::vector<CurvePoint>& curve);

/// Mean reward of the episodes of each update, and its mean over 20 updates.
std::vector<LineChart> training_charts(const std::vector<PolicyCurvePoint>& curve);

/// The states of an episode as pictures below each other; beside each the action, the rules that
/// fired, and the proof.
std::string to_svg(const std::string& task, const Episode& episode,
                   const std::vector<EpisodeStep>& steps);

struct HeatMap {
    struct Cell {
        double value = -1;  ///< 0 to 1 is the colour; negative: none
        std::string text;
    };

    std::string title;
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<Cell> cells;  ///< (rows, columns)
};

std::string to_svg(const HeatMap& map);

/// Weights of each slot's predicates, the target's first; a predicate that a slot may not match is
/// grey, and figures below `min_weight` are left out.
HeatMap unification_map(const Model& model, double min_weight = 0.01);

}  // namespace hri
