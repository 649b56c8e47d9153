// SPDX-License-Identifier: Apache-2.0
#include "search/combine.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

namespace hri::search {

namespace {

class Choice {
  public:
    Choice(SetCost& cost, std::size_t rules, const CombineSettings& settings)
        : cost_(cost), settings_(settings), is_chosen_(rules, false) {}

    std::vector<std::size_t> run(const std::vector<std::size_t>& start) {
        for (const std::size_t rule : start)
            add(rule);
        while (settings_.lazy ? add_all() : add_best()) {
        }
        while (replace_one())
            while (settings_.lazy ? add_all() : add_best()) {
            }
        return chosen_;
    }

  private:
    struct Change {
        double saved = 0;
        std::optional<std::size_t> out;
        std::optional<std::size_t> in;
    };

    bool is_full() const {
        return settings_.max_rules > 0 && chosen_.size() >= settings_.max_rules;
    }

    bool may_change() const {
        return settings_.max_changes == 0 || changes_ < settings_.max_changes;
    }

    void add(std::size_t rule) {
        cost_.add(rule);
        is_chosen_[rule] = true;
        chosen_.push_back(rule);
    }

    /// The rule that saves most and more than `change` does.
    void look_for_more(Change& change, double lost, std::optional<std::size_t> out) const {
        for (std::size_t rule = 0; rule < is_chosen_.size(); ++rule)
            if (!is_chosen_[rule])
                if (const double saved = cost_.gain(rule) - lost; saved > change.saved)
                    change = {saved, out, rule};
    }

    bool add_best() {
        if (is_full() || !may_change())
            return false;
        Change best{settings_.min_gain, std::nullopt, std::nullopt};
        look_for_more(best, 0, std::nullopt);
        if (!best.in)
            return false;
        add(*best.in);
        ++changes_;
        return true;
    }

    /// Adds rules from a queue of their gains. A rule that joins may raise the gains of others, so
    /// this is to be repeated until none is added.
    bool add_all() {
        std::priority_queue<std::pair<double, std::size_t>> queue;
        for (std::size_t rule = 0; rule < is_chosen_.size(); ++rule)
            if (!is_chosen_[rule])
                if (const double saved = cost_.gain(rule); saved > settings_.min_gain)
                    queue.emplace(saved, rule);
        const std::size_t before = chosen_.size();
        while (!queue.empty() && !is_full() && may_change()) {
            const std::size_t rule = queue.top().second;
            queue.pop();
            const double saved = cost_.gain(rule);
            if (saved <= settings_.min_gain)
                continue;
            if (!queue.empty() && saved < queue.top().first) {
                queue.emplace(saved, rule);
                continue;
            }
            add(rule);
            ++changes_;
        }
        return chosen_.size() > before;
    }

    /// One rule leaves, with or without another in its place.
    bool replace_one() {
        if (!may_change())
            return false;
        Change best{settings_.min_gain, std::nullopt, std::nullopt};
        for (const std::size_t out : chosen_) {
            cost_.remove(out);
            const double lost = cost_.gain(out);
            if (-lost > best.saved)
                best = {-lost, out, std::nullopt};
            if (settings_.exchange)
                look_for_more(best, lost, out);
            cost_.add(out);
        }
        if (!best.out)
            return false;
        cost_.remove(*best.out);
        is_chosen_[*best.out] = false;
        std::erase(chosen_, *best.out);
        if (best.in)
            add(*best.in);
        ++changes_;
        return true;
    }

    SetCost& cost_;
    const CombineSettings& settings_;
    std::vector<bool> is_chosen_;  // [rule]
    std::vector<std::size_t> chosen_;
    std::size_t changes_ = 0;
};

}  // namespace

std::vector<std::size_t> combine(SetCost& cost, std::size_t rules, const CombineSettings& settings,
                                 const std::vector<std::size_t>& start) {
    return Choice(cost, rules, settings).run(start);
}

}  // namespace hri::search
