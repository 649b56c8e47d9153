// SPDX-License-Identifier: Apache-2.0
#pragma once

// The moves of solved episodes that led to the most reward seen from their state.

#include "hri/random.hpp"

#include "rl/state_table.hpp"
#include "soft/dense.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace hri::rl {

class BestMoves {
  public:
    struct Entry {
        soft::DenseInstance<float> dense;
        std::vector<int> actions;
        std::vector<int> good;  ///< index `actions`
        double best = 0;        ///< the reward from here on
    };

    /// `action` indexes the state's actions; `to_go` is the reward from it to the goal.
    void add(const State& state, const soft::DenseInstance<float>& dense, int action,
             double to_go) {
        const auto [found, fresh] = entries_.emplace(key_of(state.facts), Entry{});
        Entry& entry = found->second;
        if (fresh) {
            entry.dense = dense;
            entry.actions = state.actions;
            order_.push_back(&entry);
        }
        if (fresh || to_go > entry.best + kSame) {
            entry.best = to_go;
            entry.good.clear();
        }
        if (to_go > entry.best - kSame &&
            std::find(entry.good.begin(), entry.good.end(), action) == entry.good.end()) {
            entry.good.push_back(action);
        }
    }

    int size() const { return static_cast<int>(order_.size()); }

    const Entry& any(Random& random) const {
        return *order_[static_cast<std::size_t>(random.below(size()))];
    }

  private:
    static constexpr double kSame = 1e-9;

    std::map<StateKey, Entry> entries_;
    std::vector<const Entry*> order_;  // as they came
};

}  // namespace hri::rl
