// SPDX-License-Identifier: Apache-2.0
// An episode as a picture, and the learning curve of a policy.

#include "hri/plot.hpp"

#include "export/svg.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <sstream>

namespace hri {
namespace {

constexpr double kUnit = 24;  // of a picture
constexpr double kLine = 18;
constexpr double kLetter = 7.6;
constexpr double kMargin = 20;
constexpr std::size_t kSmoothed = 20;  // updates

struct Size {
    double width = 0;
    double height = 0;
};

/// A line of a proof whose branches stay in their columns: SVG joins plain spaces.
std::string indented(const std::string& line) {
    const std::size_t branch = line.find("\u2500");
    std::string result;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool before = branch != std::string::npos && i < branch;
        result += before && line[i] == ' ' ? "\u00a0" : line.substr(i, 1);
    }
    return result;
}

/// The lines beside a picture.
std::vector<std::string> lines_of(const EpisodeStep& step, bool solved) {
    if (step.move.empty()) {
        return {step.state, solved ? "the goal" : "the time is up"};
    }
    std::vector<std::string> lines = {step.state,
                                      step.move + (step.changes ? "" : "  (changes nothing)")};
    if (step.rules.empty() && step.proof.empty()) {
        lines.push_back(step.value > 0 ? fmt::format("value {:.4f}", step.value)
                                       : "no rule: all moves are equal");
    }
    for (const std::string& rule : step.rules) {
        lines.push_back("by " + rule);
    }
    std::istringstream proof(step.proof);
    for (std::string line; std::getline(proof, line);) {
        lines.push_back(indented(line));
    }
    return lines;
}

Size size_of(const std::vector<PictureBox>& picture) {
    Size size;
    for (const PictureBox& box : picture) {
        size.width = std::max(size.width, (box.x + box.width) * kUnit);
        size.height = std::max(size.height, (box.y + box.height) * kUnit);
    }
    return size;
}

/// The picture with its lower left corner at x, y.
std::string drawn(const std::vector<PictureBox>& picture, double x, double y) {
    std::string svg;
    for (const PictureBox& box : picture) {
        const double left = x + box.x * kUnit;
        const double top = y - (box.y + box.height) * kUnit;
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
            "stroke=\"#555\" stroke-width=\"0.5\"/>\n",
            left, top, box.width * kUnit, box.height * kUnit, exporting::xml(box.fill));
        if (!box.label.empty()) {
            const double fits = box.width * kUnit / (0.62 * exporting::length(box.label));
            svg += exporting::svg_text(
                left + box.width * kUnit / 2, top + box.height * kUnit / 2 + 4, box.label,
                {.size = std::clamp(static_cast<int>(fits), 6, 13), .anchor = "middle"});
        }
    }
    return svg;
}

}  // namespace

std::string to_svg(const std::string& task, const Episode& episode,
                   const std::vector<EpisodeStep>& steps) {
    double pictures = 0;
    double texts = 0;
    double height = 2 * kMargin;
    std::vector<std::vector<std::string>> lines;
    std::vector<double> heights;
    for (const EpisodeStep& step : steps) {
        lines.push_back(lines_of(step, episode.solved));
        const Size size = size_of(step.picture);
        pictures = std::max(pictures, size.width);
        for (const std::string& line : lines.back()) {
            texts = std::max(texts, exporting::length(line) * kLetter);
        }
        heights.push_back(std::max(size.height, kLine * static_cast<double>(lines.back().size())) +
                          kMargin);
        height += heights.back();
    }
    std::string svg =
        exporting::svg_begin(pictures + texts + 4 * kMargin, height,
                             fmt::format("{}: reward {:.3f}, {}", task, episode.reward,
                                         episode.solved ? "solved" : "not solved"),
                             13);
    double y = kMargin;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        svg += drawn(steps[i].picture, kMargin, y + heights[i] - kMargin);
        for (std::size_t line = 0; line < lines[i].size(); ++line) {
            svg += exporting::svg_text(pictures + 2 * kMargin,
                                       y + kLine * (static_cast<double>(line) + 0.8),
                                       lines[i][line], {.fill = line == 1 ? "#064" : "#333"});
        }
        y += heights[i];
    }
    return svg + "</svg>\n";
}

std::vector<LineChart> training_charts(const std::vector<PolicyCurvePoint>& curve) {
    LineChart chart;
    chart.title = "mean reward of an update's episodes";
    chart.x_title = "update";
    LineChart::Series each{"update", {}};
    LineChart::Series smooth{"mean of 20", {}};
    std::deque<double> last;
    double sum = 0;
    for (const PolicyCurvePoint& point : curve) {
        last.push_back(point.reward);
        sum += point.reward;
        if (last.size() > kSmoothed) {
            sum -= last.front();
            last.pop_front();
        }
        each.points.emplace_back(point.update, point.reward);
        smooth.points.emplace_back(point.update, sum / static_cast<double>(last.size()));
    }
    chart.series = {std::move(each), std::move(smooth)};
    return {std::move(chart)};
}

}  // namespace hri
