// SPDX-License-Identifier: Apache-2.0
#pragma once

// States by their facts. Small worlds meet the same state again and again.

#include "hri/data.hpp"

#include <map>
#include <vector>

namespace hri::rl {

struct StateKey {
    int constants = 0;
    std::vector<std::vector<Fact>> facts;
    auto operator<=>(const StateKey&) const = default;
};

inline StateKey key_of(const Instance& instance) { return {instance.constants, instance.facts}; }

struct State {
    Instance facts;
    std::vector<int> actions;
};

/// Distinct states, numbered as they come.
class StateTable {
  public:
    /// The number of a state, which is added if it is new.
    int add(const Instance& facts, const std::vector<int>& actions) {
        const auto [found, fresh] = numbers_.emplace(key_of(facts), size());
        if (fresh) {
            states_.push_back({facts, actions});
        }
        return found->second;
    }

    /// The number of a state; -1: it is not known.
    int find(const Instance& facts) const {
        const auto found = numbers_.find(key_of(facts));
        return found == numbers_.end() ? -1 : found->second;
    }

    void clear() {
        numbers_.clear();
        states_.clear();
    }

    int size() const { return static_cast<int>(states_.size()); }

    const State& operator[](int number) const { return states_[static_cast<std::size_t>(number)]; }

    const std::vector<State>& states() const { return states_; }

  private:
    std::map<StateKey, int> numbers_;
    std::vector<State> states_;
};

}  // namespace hri::rl
