// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts as rules see them that are made one by one.

#include "hri/data.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hri::search {

/// An atom of an input over constants of an instance, or over the variables of a rule.
struct Literal {
    int input = 0;
    int first = 0;
    int second = 0;  // unary: as the first
    auto operator<=>(const Literal&) const = default;
};

using Body = std::vector<Literal>;

/// The facts of one instance, to be asked from either end.
class Facts {
  public:
    Facts(const Instance& instance, const std::vector<PredicateSymbol>& inputs) {
        for (std::size_t p = 0; p < inputs.size(); ++p) {
            links_.emplace_back(static_cast<std::size_t>(instance.constants));
            for (const Fact& fact : instance.facts[p]) {
                if (inputs[p].arity == 0 || fact.value < 0.5F)
                    continue;
                const int second = inputs[p].arity == 2 ? fact.second : fact.first;
                literals.push_back({static_cast<int>(p), fact.first, second});
                of(p, fact.first).ahead.push_back(second);
                of(p, second).back.push_back(fact.first);
            }
        }
    }

    const std::vector<int>& ahead(int input, int constant) const {
        return links_[static_cast<std::size_t>(input)][static_cast<std::size_t>(constant)].ahead;
    }

    const std::vector<int>& back(int input, int constant) const {
        return links_[static_cast<std::size_t>(input)][static_cast<std::size_t>(constant)].back;
    }

    bool holds(int input, int first, int second) const {
        const std::vector<int>& all = ahead(input, first);
        return std::find(all.begin(), all.end(), second) != all.end();
    }

    Body literals;

  private:
    struct Links {
        std::vector<int> ahead;
        std::vector<int> back;
    };

    Links& of(std::size_t input, int constant) {
        return links_[input][static_cast<std::size_t>(constant)];
    }

    std::vector<std::vector<Links>> links_;  // [input][constant]
};

}  // namespace hri::search
