// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/random.hpp"

#include "tasks/relation.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace hri::tasks {

/// People in a random order; each has, with some chance, a random man and a random woman before
/// them as parents. Nobody marries.
struct People {
    static constexpr int kNobody = -1;

    std::vector<int> order;
    std::vector<int> father;
    std::vector<int> mother;
    std::vector<std::uint8_t> man;

    void draw(int n, double chance, Random& random) {
        order.resize(at(n));
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        father.assign(at(n), kNobody);
        mother.assign(at(n), kNobody);
        man.assign(at(n), 0);
        std::vector<int> men;
        std::vector<int> women;
        for (const int x : order) {
            if (!men.empty() && !women.empty() && random.chance(chance)) {
                father[at(x)] = men[at(random.below(static_cast<int>(men.size())))];
                mother[at(x)] = women[at(random.below(static_cast<int>(women.size())))];
            }
            man[at(x)] = random.chance(0.5) ? 1 : 0;
            (man[at(x)] != 0 ? men : women).push_back(x);
        }
    }

    bool has_parents(int x) const { return father[at(x)] != kNobody; }

    /// Half-siblings count.
    bool share_a_parent(int x, int y) const {
        return has_parents(x) && has_parents(y) &&
               (father[at(x)] == father[at(y)] || mother[at(x)] == mother[at(y)]);
    }

    Relation parents() const {
        Relation parent;
        const int n = static_cast<int>(father.size());
        parent.reset(n);
        for (int x = 0; x < n; ++x)
            if (has_parents(x)) {
                parent.add(father[at(x)], x);
                parent.add(mother[at(x)], x);
            }
        return parent;
    }

  private:
    static std::size_t at(int x) { return static_cast<std::size_t>(x); }
};

}  // namespace hri::tasks
