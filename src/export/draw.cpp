// SPDX-License-Identifier: Apache-2.0

// Graphviz text and drawings of programs and models.

#include "hri/export.hpp"

#include "export/graph.hpp"
#include "export/svg.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace {

using exporting::Graph;
using exporting::length;
using exporting::svg_text;
using exporting::xml;

std::string dot_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

std::string dot(const Graph& graph) {
    std::string text =
        fmt::format("digraph {} {{\n  rankdir=BT;\n  node [shape=box, style=rounded];\n",
                    dot_string(graph.title));
    int layers = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Graph::Node& node = graph.nodes[i];
        layers = std::max(layers, node.layer + 1);
        const char* style = node.kind == Graph::Kind::input    ? ", style=solid"
                            : node.kind == Graph::Kind::target ? ", peripheries=2"
                                                               : "";
        std::string label = dot_string(node.name);
        if (!node.note.empty()) {
            label.pop_back();
            label += "\\n" + dot_string(node.note).substr(1);
        }
        text += fmt::format("  n{} [label={}{}];\n", i, label, style);
    }
    for (int layer = 0; layer < layers; ++layer) {
        text += "  { rank=same;";
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            text += graph.nodes[i].layer == layer ? fmt::format(" n{};", i) : "";
        }
        text += " }\n";
    }
    for (const Graph::Edge& edge : graph.edges) {
        text += fmt::format("  n{} -> n{} [label={}, penwidth={:.2f}];\n", edge.from, edge.to,
                            dot_string(edge.label), 0.5 + 3 * edge.weight);
    }
    return text + "}\n";
}

/// Boxes in rows, each row ordered by where its neighbours stand. An edge over several rows passes
/// through an empty box in each row between.
class Drawing {
  public:
    explicit Drawing(const Graph& graph) : graph_(graph) {
        int layers = 1;
        for (const Graph::Node& node : graph.nodes) {
            layers = std::max(layers, node.layer + 1);
        }
        rows_.resize(static_cast<std::size_t>(layers));
        for (const Graph::Node& node : graph.nodes) {
            double width = std::max({60.0, 9 * length(node.name), 6.2 * length(node.note)});
            for (const std::string& rule : node.rules) {
                width = std::max(width, 6.6 * length(rule));
            }
            add_box(
                node.layer, width + 20,
                (node.note.empty() ? 30 : 44) +
                    (node.rules.empty() ? 0 : kLine * static_cast<double>(node.rules.size()) + 4));
        }
        for (const Graph::Edge& edge : graph.edges) {
            const int from = graph.nodes[edge.from].layer;
            const int to = graph.nodes[edge.to].layer;
            const int step = from < to ? 1 : -1;
            std::vector<std::size_t>& way = ways_.emplace_back();
            way.push_back(edge.from);
            for (int layer = from + step; from != to && layer != to; layer += step) {
                if (!rows_[static_cast<std::size_t>(layer)].empty()) {
                    way.push_back(boxes_.size());
                    add_box(layer, 10, 44);
                }
            }
            way.push_back(edge.to);
        }
        std::erase_if(rows_, [](const auto& row) { return row.empty(); });
        place();
        for (int round = 0; round < 8; ++round) {
            order_by_neighbours();
            place();
        }
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            ports_.push_back(graph.of_program ? port_of(e) : graph.edges[e].port);
        }
    }

    std::string written() const {
        std::string text =
            exporting::svg_begin(width_, height_, graph_.title) +
            "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
            "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" "
            "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#555\"/></marker></defs>\n";
        std::string labels;
        for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
            text += edge(i, labels);
        }
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            text += node(i);
        }
        return text + labels + "</svg>\n";
    }

  private:
    struct Box {
        double x = 0;  // its middle
        double y = 0;
        double width = 0;
        double height = 0;
    };

    static constexpr double kGap = 36;
    static constexpr double kBetween = 90;  // rows
    static constexpr double kMargin = 70;
    static constexpr double kLine = 15;  // of a rule

    void add_box(int layer, double width, double height) {
        rows_[static_cast<std::size_t>(layer)].push_back(boxes_.size());
        boxes_.push_back({0, 0, width, height});
    }

    double used_by(const std::vector<std::size_t>& row) const {
        double width = -kGap;
        for (const std::size_t i : row) {
            width += boxes_[i].width + kGap;
        }
        return width;
    }

    void place() {
        width_ = 0;
        for (const std::vector<std::size_t>& row : rows_) {
            width_ = std::max(width_, used_by(row) + 2 * kMargin);
        }
        height_ = 2 * kMargin - kBetween;
        for (const std::vector<std::size_t>& row : rows_) {
            height_ += tallest(row) + kBetween;
        }
        double y = height_ - kMargin;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const double height = tallest(rows_[r]);
            y -= height / 2 + (r == 0 ? 0 : kBetween);
            double x = (width_ - used_by(rows_[r])) / 2;
            for (const std::size_t i : rows_[r]) {
                boxes_[i].x = x + boxes_[i].width / 2;
                boxes_[i].y = y;
                x += boxes_[i].width + kGap;
            }
            y -= height / 2;
        }
    }

    double tallest(const std::vector<std::size_t>& row) const {
        double height = 0;
        for (const std::size_t i : row) {
            height = std::max(height, boxes_[i].height);
        }
        return height;
    }

    /// Arrowheads stand side by side, in the order in which their edges arrive.
    double port_of(std::size_t edge) const {
        const auto from = [&](std::size_t e) { return boxes_[ways_[e][ways_[e].size() - 2]].x; };
        int all = 0;
        int before = 0;
        for (std::size_t e = 0; e < ways_.size(); ++e) {
            if (graph_.edges[e].to != graph_.edges[edge].to ||
                graph_.edges[e].from == graph_.edges[e].to) {
                continue;
            }
            ++all;
            before += from(e) < from(edge) || (from(e) == from(edge) && e < edge) ? 1 : 0;
        }
        return (before + 1.0) / (all + 1.0);
    }

    void order_by_neighbours() {
        std::vector<double> sum(boxes_.size(), 0);
        std::vector<double> count(boxes_.size(), 0);
        const auto pull = [&](std::size_t box, double to) {
            sum[box] += to;
            ++count[box];
        };
        for (std::size_t e = 0; e < ways_.size(); ++e) {
            for (std::size_t i = 0; i + 1 < ways_[e].size(); ++i) {
                const std::size_t from = ways_[e][i];
                const std::size_t to = ways_[e][i + 1];
                pull(from, i + 2 == ways_[e].size() ? end_of(e) : boxes_[to].x);
                pull(to, boxes_[from].x);
            }
        }
        const auto wanted = [&](std::size_t i) {
            return count[i] > 0 ? sum[i] / count[i] : boxes_[i].x;
        };
        for (std::vector<std::size_t>& row : rows_) {
            std::stable_sort(row.begin(), row.end(),
                             [&](std::size_t a, std::size_t b) { return wanted(a) < wanted(b); });
        }
    }

    double end_of(std::size_t e) const {
        const Box& to = boxes_[graph_.edges[e].to];
        const double port = ports_.empty() ? graph_.edges[e].port : ports_[e];
        return to.x + (port - 0.5) * to.width;
    }

    /// The edge's line; its label goes to the others, on top of everything.
    std::string edge(std::size_t index, std::string& labels) const {
        const Graph::Edge& edge = graph_.edges[index];
        const Box& to = boxes_[edge.to];
        // edges that end at the same place have their labels one above the other
        int before = 0;
        for (std::size_t i = 0; i < index; ++i) {
            before += graph_.edges[i].to == edge.to && graph_.edges[i].port == edge.port ? 1 : 0;
        }
        std::string path;
        double label_x = end_of(index);
        double label_y = to.y + to.height / 2 + 24 + 13.0 * before;  // below the arrowhead
        if (edge.from == edge.to) {
            const double right = to.x + to.width / 2;
            const double reach = right + 40 + 20.0 * before;
            path = fmt::format("M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", right,
                               to.y + 8, reach, to.y + 26, reach, to.y - 26, right, to.y - 8);
            label_x = right + 34;
            label_y = to.y + 13.0 * before;
        } else {
            const std::vector<std::size_t>& way = ways_[index];
            for (std::size_t i = 0; i + 1 < way.size(); ++i) {
                path += piece(boxes_[way[i]], boxes_[way[i + 1]],
                              i + 2 == way.size() ? label_x : boxes_[way[i + 1]].x, i == 0);
            }
        }
        if (!edge.label.empty() && !graph_.of_program) {
            labels += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" fill=\"#333\" stroke=\"white\" "
                "stroke-width=\"3\" paint-order=\"stroke\" text-anchor=\"middle\">{}</text>\n",
                label_x, label_y, xml(edge.label));
        }
        return fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"#555\" stroke-width=\"{:.2f}\" "
            "stroke-opacity=\"{:.2f}\" marker-end=\"url(#arrow)\"/>\n",
            path, 0.6 + 3 * edge.weight, 0.35 + 0.65 * edge.weight);
    }

    /// An edge from one row to the next, or along one row in a bow above it.
    static std::string piece(const Box& from, const Box& to, double x, bool first) {
        const double side = from.y >= to.y ? 1 : -1;  // up, or down where recursion goes back
        const bool level = from.y == to.y;
        const double y1 = from.y - side * from.height / 2;
        const double y2 = to.y + (level ? -1 : side) * to.height / 2;
        const double middle = (y1 + y2) / 2 - (level ? 60 : 0);
        std::string text = first ? fmt::format("M{:.1f} {:.1f}", from.x, y1)
                                 : fmt::format(" L{:.1f} {:.1f}", from.x, y1);
        return text + fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x, middle, x,
                                  middle, x, y2);
    }

    std::string node(std::size_t i) const {
        const Graph::Node& node = graph_.nodes[i];
        const Box& box = boxes_[i];
        const char* fill = node.kind == Graph::Kind::input    ? "#eef3f8"
                           : node.kind == Graph::Kind::target ? "#fdeecd"
                                                              : "#f7f7f7";
        std::string text = fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" "
            "fill=\"{}\" stroke=\"#333\"/>\n",
            box.x - box.width / 2, box.y - box.height / 2, box.width, box.height,
            node.kind == Graph::Kind::input ? 0 : 8, fill);
        double y = box.y - box.height / 2 + 20;
        text += svg_text(box.x, y, node.name, {.anchor = "middle"});
        if (!node.note.empty()) {
            y += 16;
            text += svg_text(box.x, y, node.note, {.size = 11, .anchor = "middle", .fill = "#555"});
        }
        y += 4;
        for (const std::string& rule : node.rules) {
            const std::size_t indent = std::min(rule.find_first_not_of(' '), rule.size());
            y += kLine;
            text += svg_text(box.x - box.width / 2 + 10 + 6.0 * static_cast<double>(indent), y,
                             rule.substr(indent), {.size = 12, .fill = "#333"});
        }
        return text;
    }

    const Graph& graph_;
    std::vector<Box> boxes_;                      // of nodes, then the empty ones
    std::vector<std::vector<std::size_t>> ways_;  // [edge] the boxes that it passes
    std::vector<std::vector<std::size_t>> rows_;  // of boxes, the lowest first
    std::vector<double> ports_;                   // [edge] where it ends, 0 to 1
    double width_ = 0;
    double height_ = 0;
};

}  // namespace

std::string to_dot(const Program& program) { return dot(exporting::graph_of(program)); }

std::string to_dot(const Model& model, double min_weight) {
    return dot(exporting::graph_of(model, min_weight));
}

std::string to_svg(const Program& program) {
    const Graph graph = exporting::graph_of(program);
    return Drawing(graph).written();
}

std::string to_svg(const Model& model, double min_weight) {
    const Graph graph = exporting::graph_of(model, min_weight);
    return Drawing(graph).written();
}

}  // namespace hri
