// SPDX-License-Identifier: Apache-2.0
#pragma once

// The generators behind the list of tasks. Each fills an instance of n constants: the facts of the
// task's inputs in the order of Task::inputs, and a label for every atom of the target. Labels come
// from a direct definition, never from running a program. None allocates once its scratch and the
// instance have grown to their size.

#include "hri/data.hpp"
#include "hri/error.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <cstddef>

namespace hri::tasks {

// families.cpp
void son(int n, Random& random, Instance& instance);
void grandparent(int n, Random& random, Instance& instance);
void relatedness(int n, Random& random, Instance& instance);
void grandparent_nlm(int n, Random& random, Instance& instance);
void has_father(int n, Random& random, Instance& instance);

// graphs.cpp
void undirected_edge(int n, Random& random, Instance& instance);
void connectedness(int n, Random& random, Instance& instance);
void cyclic(int n, Random& random, Instance& instance);
void two_children(int n, Random& random, Instance& instance);
void adjacent_to_red(int n, Random& random, Instance& instance);
void adjacent_to_red_nlm(int n, Random& random, Instance& instance);
void graph_coloring(int n, Random& random, Instance& instance);
void graph_coloring_binary(int n, Random& random, Instance& instance);

// numbers.cpp: nothing random
void predecessor(int n, Instance& instance);
void less_than(int n, Instance& instance);
void even(int n, Instance& instance);
void buzz(int n, Instance& instance);
void fizz(int n, Instance& instance);

// lists.cpp
void member(int n, Random& random, Instance& instance);
void length(int n, Random& random, Instance& instance);

inline void label_positive(Instance& instance, int x) {
    instance.labels[static_cast<std::size_t>(x)] = Label::positive;
}

inline void label_positive(Instance& instance, int x, int y) {
    instance.labels[static_cast<std::size_t>(x) * static_cast<std::size_t>(instance.constants) +
                    static_cast<std::size_t>(y)] = Label::positive;
}

/// succ(0,1), succ(1,2), ... with any distance.
inline void write_steps(int n, int distance, std::vector<Fact>& facts) {
    for (int x = 0; x + distance < n; ++x) {
        facts.push_back({x, x + distance});
    }
}

/// zero and succ over the numbers 0 .. n-1, as the first two inputs.
inline void count_up(int n, Instance& instance) {
    instance.reset(n, Label::negative);
    instance.facts[0].push_back({0, 0});
    write_steps(n, 1, instance.facts[1]);
}

/// Draws again until the target has a positive and a negative atom.
template <class Draw>
void draw_until_mixed(const Instance& instance, Draw draw) {
    constexpr int kMaxDraws = 10'000;
    for (int i = 0; i < kMaxDraws; ++i) {
        draw();
        const auto& labels = instance.labels;
        if (std::find(labels.begin(), labels.end(), Label::positive) != labels.end() &&
            std::find(labels.begin(), labels.end(), Label::negative) != labels.end()) {
            return;
        }
    }
    throw Error("no instance of " + std::to_string(instance.constants) +
                    " constants with a positive and a negative example came up in 10,000 draws",
                {}, "try another number of constants");
}

}  // namespace hri::tasks
