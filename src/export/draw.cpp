// SPDX-License-Identifier: Apache-2.0

// Graphviz text and drawings of programs and models.

#include "hri/export.hpp"

#include "export/graph.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace hri {
namespace {

using exporting::Graph;

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

std::string xml(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

/// Characters, not bytes.
double length(const std::string& text) {
    return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

/// Boxes in rows, each row ordered by where its neighbours stand.
class Drawing {
  public:
    explicit Drawing(const Graph& graph) : graph_(graph), boxes_(graph.nodes.size()) {
        int layers = 1;
        for (const Graph::Node& node : graph.nodes) {
            layers = std::max(layers, node.layer + 1);
        }
        rows_.resize(static_cast<std::size_t>(layers));
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Graph::Node& node = graph.nodes[i];
            rows_[static_cast<std::size_t>(node.layer)].push_back(i);
            boxes_[i].width = std::max({60.0, 9 * length(node.name), 6.2 * length(node.note)}) + 20;
            boxes_[i].height = node.note.empty() ? 30 : 44;
        }
        std::erase_if(rows_, [](const auto& row) { return row.empty(); });
        place();
        for (int round = 0; round < 8; ++round) {
            order_by_neighbours();
            place();
        }
    }

    std::string written() const {
        std::string text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
            "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"14\">\n"
            "<title>{2}</title>\n"
            "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
            "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" "
            "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#555\"/></marker></defs>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            width_, height_, xml(graph_.title));
        for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
            text += edge(i);
        }
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            text += node(i);
        }
        return text + "</svg>\n";
    }

  private:
    struct Box {
        double x = 0;  // its middle
        double y = 0;
        double width = 0;
        double height = 0;
    };

    static constexpr double kGap = 36;
    static constexpr double kRow = 130;
    static constexpr double kMargin = 70;

    void place() {
        width_ = 0;
        for (const std::vector<std::size_t>& row : rows_) {
            double width = 2 * kMargin - kGap;
            for (const std::size_t i : row) {
                width += boxes_[i].width + kGap;
            }
            width_ = std::max(width_, width);
        }
        height_ = kRow * static_cast<double>(rows_.size() - 1) + 2 * kMargin;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            double used = -kGap;
            for (const std::size_t i : rows_[r]) {
                used += boxes_[i].width + kGap;
            }
            double x = (width_ - used) / 2;
            for (const std::size_t i : rows_[r]) {
                boxes_[i].x = x + boxes_[i].width / 2;
                boxes_[i].y = height_ - kMargin - kRow * static_cast<double>(r);
                x += boxes_[i].width + kGap;
            }
        }
    }

    void order_by_neighbours() {
        std::vector<double> sum(boxes_.size(), 0);
        std::vector<double> count(boxes_.size(), 0);
        for (const Graph::Edge& edge : graph_.edges) {
            sum[edge.from] += edge.weight * boxes_[edge.to].x;
            count[edge.from] += edge.weight;
            sum[edge.to] += edge.weight * boxes_[edge.from].x;
            count[edge.to] += edge.weight;
        }
        const auto wanted = [&](std::size_t i) {
            return count[i] > 0 ? sum[i] / count[i] : boxes_[i].x;
        };
        for (std::vector<std::size_t>& row : rows_) {
            std::stable_sort(row.begin(), row.end(),
                             [&](std::size_t a, std::size_t b) { return wanted(a) < wanted(b); });
        }
    }

    std::string edge(std::size_t index) const {
        const Graph::Edge& edge = graph_.edges[index];
        const Box& from = boxes_[edge.from];
        const Box& to = boxes_[edge.to];
        // edges between the same boxes stand apart
        int before = 0;
        for (std::size_t i = 0; i < index; ++i) {
            before += graph_.edges[i].from == edge.from && graph_.edges[i].to == edge.to ? 1 : 0;
        }
        const double shift = 26.0 * before;
        std::string path;
        double label_x = 0;
        double label_y = 0;
        if (edge.from == edge.to) {
            const double right = from.x + from.width / 2;
            const double reach = right + 40 + shift;
            path =
                fmt::format("M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", right,
                            from.y + 8, reach, from.y + 26, reach, from.y - 26, right, from.y - 8);
            label_x = right + 34 + shift;
            label_y = from.y + 14.0 * before;
        } else {
            const double side = from.y > to.y ? 1 : -1;  // up, or down where recursion goes back
            const double bend = from.y == to.y ? -60.0 : 0.0;
            const double x1 = from.x + shift;
            const double x2 = to.x + shift;
            const double y1 = from.y - side * from.height / 2;
            const double y2 = to.y + side * to.height / 2;
            const double middle = (y1 + y2) / 2 + bend;
            path = fmt::format("M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x1, y1,
                               x1, middle, x2, middle, x2, y2);
            label_x = 0.35 * x1 + 0.65 * x2;
            label_y = 0.3 * y1 + 0.7 * y2 + bend / 2;
        }
        std::string text = fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"#555\" stroke-width=\"{:.2f}\" "
            "stroke-opacity=\"{:.2f}\" marker-end=\"url(#arrow)\"/>\n",
            path, 0.6 + 3 * edge.weight, 0.35 + 0.65 * edge.weight);
        if (!edge.label.empty()) {
            text += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" fill=\"#333\" stroke=\"white\" "
                "stroke-width=\"3\" paint-order=\"stroke\" text-anchor=\"middle\">{}</text>\n",
                label_x, label_y, xml(edge.label));
        }
        return text;
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
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                            box.x, box.y + (node.note.empty() ? 5 : -3), xml(node.name));
        if (!node.note.empty()) {
            text += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" fill=\"#555\" "
                "text-anchor=\"middle\">{}</text>\n",
                box.x, box.y + 14, xml(node.note));
        }
        return text;
    }

    const Graph& graph_;
    std::vector<Box> boxes_;
    std::vector<std::vector<std::size_t>> rows_;  // of nodes, the lowest first
    double width_ = 0;
    double height_ = 0;
};

}  // namespace

std::string to_dot(const Program& program) { return dot(exporting::graph_of(program)); }

std::string to_dot(const Model& model, double least_weight) {
    return dot(exporting::graph_of(model, least_weight));
}

std::string to_svg(const Program& program) {
    const Graph graph = exporting::graph_of(program);
    return Drawing(graph).written();
}

std::string to_svg(const Model& model, double least_weight) {
    const Graph graph = exporting::graph_of(model, least_weight);
    return Drawing(graph).written();
}

}  // namespace hri
