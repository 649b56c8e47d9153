// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts and labels as sets of pairs, for tests to compare with plain definitions.

#include "hri/tasks.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace hri::test {

using Pairs = std::set<std::pair<int, int>>;

/// An instance of a task that answers by the names of its predicates.
class Drawn {
  public:
    Drawn(std::string_view task, int constants, std::uint64_t seed) : task_(find_task(task)) {
        Random random(seed, Random::kData);
        generate(task_, constants, random, instance_);
    }

    int constants() const { return instance_.constants; }

    Pairs facts(std::string_view name) const {
        Pairs pairs;
        for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
            if (task_.inputs[i].name == name) {
                for (const Fact& fact : instance_.facts[i]) {
                    pairs.emplace(fact.first, fact.second);
                }
            }
        }
        return pairs;
    }

    /// The positive atoms; (x, 0) for a unary target.
    Pairs positives() const {
        Pairs pairs;
        const int n = task_.target.arity == 2 ? instance_.constants : 1;
        for (int i = 0; i < static_cast<int>(instance_.labels.size()); ++i) {
            if (instance_.labels[static_cast<std::size_t>(i)] == Label::positive) {
                pairs.emplace(i / n, i % n);
            }
        }
        return pairs;
    }

  private:
    const Task& task_;
    Instance instance_;
};

inline bool has(const Pairs& pairs, int x, int y = 0) { return pairs.count({x, y}) > 0; }

inline Pairs mirrored(const Pairs& pairs) {
    Pairs result;
    for (const auto& [x, y] : pairs) {
        result.emplace(y, x);
    }
    return result;
}

/// Everything that a walk of one or more steps reaches.
inline Pairs reachable(const Pairs& steps) {
    Pairs result = steps;
    for (std::size_t before = 0; before != result.size();) {
        before = result.size();
        const Pairs known = result;
        for (const auto& [x, y] : known) {
            for (const auto& [from, to] : steps) {
                if (from == y) {
                    result.emplace(x, to);
                }
            }
        }
    }
    return result;
}

}  // namespace hri::test
