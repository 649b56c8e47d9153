// SPDX-License-Identifier: Apache-2.0

// Tasks about random graphs without loops.

#include "tasks/generators.hpp"
#include "tasks/relation.hpp"

#include <utility>
#include <vector>

namespace hri::tasks {

namespace {

/// n points in the unit square; each node draws an out-degree uniformly from 1 to max(1, n*p) and
/// points at that many nearest nodes. p itself is uniform in [0, densest].
void draw_geometric(int n, double densest, Random& random, Relation& edges) {
    struct Point {
        double x, y;
    };

    static thread_local std::vector<Point> points;
    static thread_local std::vector<std::pair<double, int>> others;  // squared distance, node

    const double p = random.uniform(0, densest);
    const int most = std::min(n - 1, std::max(1, static_cast<int>(n * p)));
    points.resize(static_cast<std::size_t>(n));
    for (Point& point : points) {
        point.x = random.uniform();
        point.y = random.uniform();
    }
    edges.reset(n);
    for (int from = 0; from < n; ++from) {
        others.clear();
        for (int to = 0; to < n; ++to) {
            const double dx =
                points[static_cast<std::size_t>(to)].x - points[static_cast<std::size_t>(from)].x;
            const double dy =
                points[static_cast<std::size_t>(to)].y - points[static_cast<std::size_t>(from)].y;
            if (to != from) {
                others.emplace_back(dx * dx + dy * dy, to);
            }
        }
        const int degree = 1 + random.below(most);
        std::nth_element(others.begin(), others.begin() + (degree - 1), others.end());
        for (int i = 0; i < degree; ++i) {
            edges.add(from, others[static_cast<std::size_t>(i)].second);
        }
    }
}

/// Every edge is there with probability p, which is uniform in [0, densest].
void draw_erdos_renyi(int n, double densest, Random& random, Relation& edges) {
    const double p = random.uniform(0, densest);
    edges.reset(n);
    for (int from = 0; from < n; ++from) {
        for (int to = 0; to < n; ++to) {
            if (to != from && random.chance(p)) {
                edges.add(from, to);
            }
        }
    }
}

/// Where two nodes point at each other, drops the one edge, the other, or none: 1/3 each.
void thin_out(Random& random, Relation& edges) {
    const int n = edges.constants();
    for (int x = 0; x < n; ++x) {
        for (int y = x + 1; y < n; ++y) {
            if (!edges.has(x, y) || !edges.has(y, x)) {
                continue;
            }
            const int which = random.below(3);
            if (which == 0) {
                edges.remove(x, y);
            } else if (which == 1) {
                edges.remove(y, x);
            }
        }
    }
}

/// A colour for each node, uniform in 0 .. colours-1.
void draw_colours(int n, int colours, Random& random, std::vector<int>& colour) {
    colour.resize(static_cast<std::size_t>(n));
    for (int& c : colour) {
        c = random.below(colours);
    }
}

/// A graph of the distribution of connectedness and cyclic; gives the edges and their closure.
void draw_paths(int n, Random& random, Relation& edges, Relation& paths) {
    draw_geometric(n, 0.5, random, edges);
    thin_out(random, edges);
    paths = edges;
    paths.close();
}

struct ColouredGraph {
    Relation edges;
    std::vector<int> colour;  // [node]; as constants 0 and 1 where colours are constants

    void write_colours(std::vector<Fact>& facts) const {
        for (std::size_t x = 0; x < colour.size(); ++x) {
            facts.push_back({static_cast<int>(x), colour[x]});
        }
    }

    bool alike(int x, int y) const {
        return colour[static_cast<std::size_t>(x)] == colour[static_cast<std::size_t>(y)];
    }

    bool has_neighbour_of(int x, int wanted) const {
        bool found = false;
        edges.for_each(x, [&](int y) { found |= colour[static_cast<std::size_t>(y)] == wanted; });
        return found;
    }
};

}  // namespace

void undirected_edge(int n, Random& random, Instance& instance) {
    static thread_local Relation edges;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        draw_geometric(n, 0.3, random, edges);
        edges.write_facts(instance.facts[0]);
        edges.mirror();
        edges.write_labels(instance);
    });
}

void connectedness(int n, Random& random, Instance& instance) {
    static thread_local Relation edges;
    static thread_local Relation paths;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        draw_paths(n, random, edges, paths);
        edges.write_facts(instance.facts[0]);
        paths.write_labels(instance);
    });
}

void cyclic(int n, Random& random, Instance& instance) {
    static thread_local Relation edges;
    static thread_local Relation paths;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        draw_paths(n, random, edges, paths);
        edges.write_facts(instance.facts[0]);
        for (int x = 0; x < n; ++x) {
            if (paths.has(x, x)) {
                label_positive(instance, x);
            }
        }
    });
}

void two_children(int n, Random& random, Instance& instance) {
    static thread_local Relation edges;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        for (int x = 0; x < n; ++x) {
            for (int y = 0; y < n; ++y) {
                if (x != y) {
                    instance.facts[0].push_back({x, y});  // neq
                }
            }
        }
        draw_erdos_renyi(n, 0.3, random, edges);
        edges.write_facts(instance.facts[1]);
        for (int x = 0; x < n; ++x) {
            if (edges.out_degree(x) >= 2) {
                label_positive(instance, x);
            }
        }
    });
}

// The constants 0 and 1 are nodes and colours at once; 0 is red. Rules do not name constants, so it
// does not matter which of the two it is.
void adjacent_to_red(int n, Random& random, Instance& instance) {
    static thread_local ColouredGraph graph;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        draw_geometric(n, 0.3, random, graph.edges);
        graph.edges.mirror();
        draw_colours(n, 2, random, graph.colour);
        instance.facts[0].push_back({0, 0});  // red
        graph.edges.write_facts(instance.facts[1]);
        graph.write_colours(instance.facts[2]);
        for (int x = 0; x < n; ++x) {
            if (graph.has_neighbour_of(x, 0)) {
                label_positive(instance, x);
            }
        }
    });
}

void adjacent_to_red_nlm(int n, Random& random, Instance& instance) {
    static thread_local ColouredGraph graph;
    constexpr int kColours = 4;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        draw_geometric(n, 0.3, random, graph.edges);
        graph.edges.mirror();
        draw_colours(n, kColours, random, graph.colour);
        graph.edges.write_facts(instance.facts[0]);
        for (int x = 0; x < n; ++x) {
            const int colour = graph.colour[static_cast<std::size_t>(x)];
            instance.facts[1 + static_cast<std::size_t>(colour)].push_back({x, 0});
            if (colour == 0 || graph.has_neighbour_of(x, 0)) {
                label_positive(instance, x);
            }
        }
    });
}

namespace {

/// edge and colour, with two colours that are the constants 0 and 1.
void draw_coloring(int n, Random& random, Instance& instance, ColouredGraph& graph) {
    instance.reset(n, Label::negative);
    draw_geometric(n, 0.3, random, graph.edges);
    draw_colours(n, 2, random, graph.colour);
    graph.edges.write_facts(instance.facts[0]);
    graph.write_colours(instance.facts[1]);
}

}  // namespace

void graph_coloring(int n, Random& random, Instance& instance) {
    static thread_local ColouredGraph graph;
    draw_until_mixed(instance, [&] {
        draw_coloring(n, random, instance, graph);
        for (int x = 0; x < n; ++x) {
            if (graph.has_neighbour_of(x, graph.colour[static_cast<std::size_t>(x)])) {
                label_positive(instance, x);
            }
        }
    });
}

void graph_coloring_binary(int n, Random& random, Instance& instance) {
    static thread_local ColouredGraph graph;
    draw_until_mixed(instance, [&] {
        draw_coloring(n, random, instance, graph);
        for (const Fact& edge : instance.facts[0]) {
            if (graph.alike(edge.first, edge.second)) {
                label_positive(instance, edge.first, edge.second);
            }
        }
    });
}

}  // namespace hri::tasks
