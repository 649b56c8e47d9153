// SPDX-License-Identifier: Apache-2.0
// Curves and heat maps.

#include "hri/plot.hpp"

#include "export/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hri {
namespace {

using exporting::length;
using exporting::svg_begin;
using exporting::svg_text;

constexpr std::array<const char*, 8> kColours = {"#1f5fa8", "#c2571a", "#2f8f4e", "#8a3fa0",
                                                 "#b0902a", "#3aa0a8", "#a8324f", "#555555"};

// A chart's frame within its panel.
constexpr double kWidth = 640;
constexpr double kHeight = 240;
constexpr double kLeft = 70;
constexpr double kRight = 130;
constexpr double kTop = 36;
constexpr double kBottom = 44;

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }

    double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

/// 1, 2 or 5 times a power of ten, so that about `parts` of them span the range.
double tick_step(const Range& range, int parts) {
    const double raw = std::max((range.high - range.low) / parts, 1e-12);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) {
            return factor * power;
        }
    }
    return 10 * power;
}

std::string chart_svg(const LineChart& chart, double top) {
    Range xs;
    Range ys;
    for (const LineChart::Series& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            xs.add(x);
            ys.add(y);
        }
    }
    if (chart.from_0_to_1) {
        ys = {0, 1};
    } else {
        ys.add(0);
    }
    const double right = kWidth - kRight;
    const double low = top + kHeight - kBottom;
    const auto across = [&](double x) { return kLeft + xs.share(x) * (right - kLeft); };
    const auto up = [&](double y) { return low - ys.share(y) * (low - top - kTop); };

    std::string text = svg_text(kLeft, top + 22, chart.title, {.size = 13}) +
                       svg_text((kLeft + right) / 2, low + 36, chart.x_title,
                                {.anchor = "middle", .fill = "#555"});
    const double y_step = tick_step(ys, 4);
    for (double y = std::ceil(ys.low / y_step) * y_step; y <= ys.high + 1e-9 * y_step;
         y += y_step) {
        text += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, up(y),
                            right);
        text += svg_text(kLeft - 6, up(y) + 4, fmt::format("{:g}", y), {.anchor = "end"});
    }
    const double x_step = tick_step(xs, 6);
    for (double x = std::ceil(xs.low / x_step) * x_step; x <= xs.high + 1e-9 * x_step;
         x += x_step) {
        text += svg_text(across(x), low + 16, fmt::format("{:g}", x), {.anchor = "middle"});
    }
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const LineChart::Series& series = chart.series[i];
        const char* colour = kColours[i % kColours.size()];
        std::string points;
        for (const auto& [x, y] : series.points) {
            points += fmt::format("{:.1f},{:.1f} ", across(x), up(y));
        }
        text += fmt::format(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", points,
            colour);
        text += svg_text(right + 10, top + kTop + 10 + 16.0 * static_cast<double>(i), series.name,
                         {.fill = colour});
    }
    return text;
}

/// A colour from white to blue.
std::string shade(double value) {
    const double v = std::clamp(value, 0.0, 1.0);
    const auto mixed = [v](int full) {
        return static_cast<int>(std::lround(255 + v * (full - 255)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mixed(0x1f), mixed(0x5f), mixed(0xa8));
}

double longest(const std::vector<std::string>& texts) {
    double most = 0;
    for (const std::string& text : texts) {
        most = std::max(most, length(text));
    }
    return most;
}

}  // namespace

std::string to_svg(const std::vector<LineChart>& charts) {
    std::string body;
    double top = 0;
    for (const LineChart& chart : charts) {
        if (std::all_of(chart.series.begin(), chart.series.end(),
                        [](const LineChart::Series& series) { return series.points.empty(); })) {
            continue;
        }
        body += chart_svg(chart, top);
        top += kHeight;
    }
    if (body.empty()) {
        throw Error("there are no points to plot");
    }
    return svg_begin(kWidth, top, charts.front().title, 11) + body + "</svg>\n";
}

std::vector<LineChart> training_charts(const std::vector<CurvePoint>& curve) {
    LineChart loss{"loss, mean of 20 iterations", "iteration", {{"loss", {}}}};
    LineChart sharpness{"sharpness: the largest score of a slot, mean", "iteration", {}, true};
    LineChart accuracy{"accuracy of the argmax program", "iteration", {{"accuracy", {}}}, true};
    for (const CurvePoint& point : curve) {
        const double x = point.iteration;
        loss.series[0].points.emplace_back(x, point.loss);
        accuracy.series[0].points.emplace_back(x, point.accuracy);
        sharpness.series.resize(std::max(sharpness.series.size(), point.sharpness.size()));
        for (std::size_t i = 0; i < point.sharpness.size(); ++i) {
            sharpness.series[i].name =
                i + 1 == point.sharpness.size() ? "target" : fmt::format("layer {}", i + 1);
            sharpness.series[i].points.emplace_back(x, point.sharpness[i]);
        }
    }
    return {loss, sharpness, accuracy};
}

std::string to_svg(const HeatMap& map) {
    const double left = 20 + 7 * longest(map.rows);
    const double top = 50 + 5 * longest(map.columns);
    double cell = 34;
    for (const HeatMap::Cell& one : map.cells) {
        cell = std::max(cell, 12 + 6 * length(one.text));
    }
    constexpr double kRow = 24;
    const double width =
        left + cell * static_cast<double>(map.columns.size()) + 5 * longest(map.columns) + 20;
    const double height = top + kRow * static_cast<double>(map.rows.size()) + 20;
    std::string text =
        svg_begin(std::max(width, 7.5 * length(map.title) + 30), height, map.title, 11);
    text += svg_text(14, 20, map.title, {.size = 13});
    const auto x_of = [&](std::size_t column) { return left + cell * static_cast<double>(column); };
    const auto y_of = [&](std::size_t row) { return top + kRow * static_cast<double>(row); };
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
        text += svg_text(x_of(c) + cell / 2, top - 8, map.columns[c], {.turn = -45});
    }
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
        text += svg_text(left - 8, y_of(r) + 16, map.rows[r], {.anchor = "end"});
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            const HeatMap::Cell& one = map.cells[r * map.columns.size() + c];
            text += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
                "stroke=\"#ccc\"/>\n",
                x_of(c), y_of(r), cell, kRow, one.value < 0 ? "#f4f4f4" : shade(one.value));
            if (!one.text.empty()) {
                text += svg_text(x_of(c) + cell / 2, y_of(r) + 16, one.text,
                                 {.anchor = "middle", .fill = one.value > 0.55 ? "#fff" : "#000"});
            }
        }
    }
    return text + "</svg>\n";
}

HeatMap unification_map(const Model& model, double min_weight) {
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> alpha = unification(model);
    HeatMap map;
    map.title = "unification scores of " + model.target.name;
    map.columns = row_names(model);
    const auto add_row = [&](const std::string& name, int slot) {
        map.rows.push_back(name);
        for (int p = 0; p < h.predicates(); ++p) {
            const double weight = static_cast<double>(
                alpha[static_cast<std::size_t>(slot) * static_cast<std::size_t>(h.predicates()) +
                      static_cast<std::size_t>(p)]);
            const std::vector<int>& candidates = h.slots[static_cast<std::size_t>(slot)].candidates;
            const bool possible = std::binary_search(candidates.begin(), candidates.end(), p);
            map.cells.push_back({possible ? weight : -1, possible && weight >= min_weight
                                                             ? fmt::format("{:.2f}", weight)
                                                             : ""});
        }
    };
    add_row(model.target.name, h.target_slot());
    for (std::size_t a = h.auxiliaries.size(); a-- > 0;) {
        const Auxiliary& aux = h.auxiliaries[a];
        for (std::size_t s = 0; s < aux.slots.size(); ++s) {
            add_row(fmt::format("{}, slot {}", aux.name, s + 1), aux.slots[s]);
        }
    }
    return map;
}

}  // namespace hri
