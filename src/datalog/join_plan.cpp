// SPDX-License-Identifier: Apache-2.0
#include "datalog/join_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hri::datalog {
namespace {

using Argument = ResolvedRule::Argument;
using Goal = ResolvedRule::Goal;
using From = JoinStep::From;

class Planner {
  public:
    Planner(const ResolvedRule& rule, std::size_t delta, std::size_t constants,
            const std::vector<Relation>& relations)
        : rule_(rule), delta_(delta), constants_(constants), relations_(relations) {}

    JoinPlan run() {
        std::vector<bool> done(rule_.body.size(), false);
        for (std::size_t k = 0; k < rule_.body.size(); ++k) {
            const std::size_t best = k == 0 && delta_ != kNoDelta ? delta_ : cheapest(done);
            done[best] = true;
            add_step(best, done);
        }
        return {std::move(steps_), std::move(columns_)};
    }

  private:
    std::size_t cheapest(const std::vector<bool>& done) const {
        std::size_t best = rule_.body.size();
        double least = 0;
        for (std::size_t i = 0; i < rule_.body.size(); ++i) {
            const double growth = done[i] ? 0 : growth_of(i, done);
            if (!done[i] && (best == rule_.body.size() || growth < least)) {
                best = i;
                least = growth;
            }
        }
        return best;
    }

    bool is_bound(Argument argument) const {
        return argument < 0 ||
               std::find(columns_.begin(), columns_.end(), argument) != columns_.end();
    }

    bool is_needed(Argument variable, const std::vector<bool>& done) const {
        const auto mentions = [variable](const Goal& goal) {
            return std::find(goal.arguments.begin(), goal.arguments.end(), variable) !=
                   goal.arguments.end();
        };
        if (mentions(rule_.head)) {
            return true;
        }
        for (std::size_t i = 0; i < rule_.body.size(); ++i) {
            if (!done[i] && mentions(rule_.body[i])) {
                return true;
            }
        }
        return false;
    }

    // How many bindings one becomes by this atom, about.
    double growth_of(std::size_t i, std::vector<bool> done) const {
        const Goal& goal = rule_.body[i];
        const Relation& relation = relations_[goal.predicate];
        int open = 0;
        std::uint32_t bound = 0;
        bool adds = false;
        done[i] = true;
        for (std::size_t a = 0; a < goal.arguments.size(); ++a) {
            const Argument argument = goal.arguments[a];
            if (is_bound(argument)) {
                bound |= std::uint32_t{1} << a;
                continue;
            }
            ++open;
            adds = adds || is_needed(argument, done);
        }
        if (open == 0) {
            return 0;
        }
        if (goal.negated) {  // late: it looks at every constant
            return std::pow(static_cast<double>(constants_), open + 1);
        }
        if (!adds) {
            return 0.5;
        }
        return bound == 0 ? static_cast<double>(relation.size()) : relation.fan_out(bound);
    }

    void add_step(std::size_t i, const std::vector<bool>& done) {
        const Goal& goal = rule_.body[i];
        JoinStep step;
        step.goal = &goal;
        step.relation = &relations_[goal.predicate];
        step.part = part_of(i, delta_);
        step.width_in = columns_.size();
        step.arguments.resize(std::max<std::size_t>(goal.arguments.size(), 2));
        for (std::size_t a = 0; a < goal.arguments.size(); ++a) {
            set_source(step, a, done);
        }
        std::vector<Argument> after;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (is_needed(columns_[c], done)) {
                step.kept.push_back(static_cast<std::uint32_t>(c));
                after.push_back(columns_[c]);
            } else {
                step.drops = true;
            }
        }
        for (const std::uint32_t a : step.added) {
            after.push_back(goal.arguments[a]);
        }
        columns_ = std::move(after);
        step.width_out = columns_.size();
        steps_.push_back(std::move(step));
    }

    void set_source(JoinStep& step, std::size_t a, const std::vector<bool>& done) const {
        const std::vector<Argument>& arguments = step.goal->arguments;
        const Argument argument = arguments[a];
        JoinStep::Source& source = step.arguments[a];
        const auto column = std::find(columns_.begin(), columns_.end(), argument);
        const auto earlier = std::find(arguments.begin(), arguments.end(), argument);
        const auto before = static_cast<std::size_t>(earlier - arguments.begin());
        if (argument < 0) {
            source = {From::constant, -1 - argument};
        } else if (column != columns_.end()) {
            source = {From::column, static_cast<std::int32_t>(column - columns_.begin())};
        } else if (before < a) {
            source = {From::same, static_cast<std::int32_t>(before)};
            return;
        } else {
            source = {From::fresh, 0};
            step.ground = false;
            if (is_needed(argument, done)) {
                step.added.push_back(static_cast<std::uint32_t>(a));
            } else {
                step.drops = true;
            }
            return;
        }
        step.bound |= std::uint32_t{1} << a;
    }

    const ResolvedRule& rule_;
    std::size_t delta_;
    std::size_t constants_;
    const std::vector<Relation>& relations_;
    std::vector<Argument> columns_;  // the variables of a binding, after the steps so far
    std::vector<JoinStep> steps_;
};

}  // namespace

Part part_of(std::size_t goal, std::size_t delta) {
    return delta == kNoDelta || goal < delta ? Part::all : goal == delta ? Part::delta : Part::old;
}

JoinPlan plan_join(const ResolvedRule& rule, std::size_t delta, std::size_t constants,
                   const std::vector<Relation>& relations) {
    return Planner(rule, delta, constants, relations).run();
}

}  // namespace hri::datalog
