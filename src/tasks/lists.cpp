// SPDX-License-Identifier: Apache-2.0

// Tasks about one list through the nodes 1 .. n-1 in random order, which ends in the null node 0:
// cons(X,Y): Y comes after X.

#include "tasks/generators.hpp"

#include <numeric>
#include <vector>

namespace hri::tasks {

namespace {

/// The nodes from the head of the list to the null node.
const std::vector<int>& draw_list(int n, Random& random) {
    static thread_local std::vector<int> nodes;
    nodes.resize(static_cast<std::size_t>(n) - 1);
    std::iota(nodes.begin(), nodes.end(), 1);
    random.shuffle(nodes);
    nodes.push_back(0);
    return nodes;
}

void write_cons(const std::vector<int>& nodes, std::vector<Fact>& facts) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        facts.push_back({nodes[i], nodes[i + 1]});
    }
    std::sort(facts.begin(), facts.end());
}

}  // namespace

// The null node has no value. Values are drawn among all n constants, so that they may repeat.
void member(int n, Random& random, Instance& instance) {
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const std::vector<int>& nodes = draw_list(n, random);
        write_cons(nodes, instance.facts[0]);
        std::vector<Fact>& values = instance.facts[1];  // values[node - 1]
        for (int node = 1; node < n; ++node) {
            values.push_back({node, random.below(n)});
        }
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
            const int value = values[static_cast<std::size_t>(nodes[i]) - 1].second;
            for (std::size_t j = 0; j <= i; ++j) {
                label_positive(instance, value, nodes[j]);
            }
        }
    });
}

// The null node is the empty list: its length is 0.
void length(int n, Random& random, Instance& instance) {
    instance.reset(n, Label::negative);
    instance.facts[0].push_back({0, 0});
    write_steps(n, 1, instance.facts[1]);
    const std::vector<int>& nodes = draw_list(n, random);
    write_cons(nodes, instance.facts[2]);
    for (int i = 0; i < n; ++i) {
        label_positive(instance, nodes[static_cast<std::size_t>(i)], n - 1 - i);
    }
}

}  // namespace hri::tasks
