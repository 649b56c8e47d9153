// SPDX-License-Identifier: Apache-2.0
#include "evaluate/sparse/rule.hpp"

#include <algorithm>
#include <utility>

namespace hri::evaluation {
namespace {

using Argument = SparseRule::Argument;
using Goal = SparseRule::Goal;

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // bindings

std::size_t as_size(std::int32_t value) { return static_cast<std::size_t>(value); }

// One atom of the body in its turn, over bindings in `width_in` columns.
struct Step {
    enum class From : std::uint8_t {
        constant,
        column,
        fresh,
        same
    };  // same: as the first argument

    struct Source {
        From from = From::constant;
        std::uint32_t at = 0;  // the constant, or the column
    };

    const Goal* goal = nullptr;
    Part part = Part::all;
    std::array<Source, 2> arguments;
    std::vector<std::uint32_t> kept;  // columns, in order
    std::array<bool, 2> adds{};       // whether an argument is a column afterwards
    std::size_t width_in = 0;
    std::size_t width_out = 0;
    bool drops = false;  // bindings may become equal
};

class RuleRun {
  public:
    RuleRun(const SparseRule& rule, std::size_t delta, std::size_t constants,
            const std::vector<SparseRelation>& relations, Derived& out)
        : rule_(rule), delta_(delta), constants_(constants), relations_(relations), out_(out) {}

    void run() {
        if (!rule_.possible || (rule_.variables > 0 && constants_ == 0)) {
            return;
        }
        for (std::size_t i = 0; i < rule_.body.size(); ++i) {
            if (!rule_.body[i].negated && relation(rule_.body[i]).size(part_of(i)) == 0) {
                return;
            }
        }
        plan();
        blocks_.resize(steps_.size());
        const std::vector<std::uint32_t> nothing;
        run_from(0, nothing, 1);
    }

  private:
    const SparseRelation& relation(const Goal& goal) const { return relations_[goal.predicate]; }

    Part part_of(std::size_t goal) const {
        return delta_ == kNoDelta || goal < delta_ ? Part::all
               : goal == delta_                    ? Part::delta
                                                   : Part::old;
    }

    // ---- the order of atoms

    void plan() {
        std::vector<bool> done(rule_.body.size(), false);
        columns_.clear();
        for (std::size_t k = 0; k < rule_.body.size(); ++k) {
            std::size_t best = k == 0 && delta_ != kNoDelta ? delta_ : rule_.body.size();
            double least = 0;
            for (std::size_t i = 0; i < rule_.body.size() && (k > 0 || delta_ == kNoDelta); ++i) {
                const double growth = done[i] ? 0 : growth_of(i, done);
                if (!done[i] && (best == rule_.body.size() || growth < least)) {
                    best = i;
                    least = growth;
                }
            }
            done[best] = true;
            add_step(best, done);
        }
    }

    bool is_bound(Argument argument) const {
        return argument < 0 ||
               std::find(columns_.begin(), columns_.end(), argument) != columns_.end();
    }

    bool is_needed(Argument variable, const std::vector<bool>& done) const {
        const auto mentions = [variable](const Goal& goal) {
            return std::find(goal.arguments.begin(), goal.arguments.begin() + goal.arity,
                             variable) != goal.arguments.begin() + goal.arity;
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
        int open = 0;
        int bound = 0;
        bool adds = false;
        done[i] = true;
        for (int a = 0; a < goal.arity; ++a) {
            const Argument argument = goal.arguments[as_size(a)];
            bound += is_bound(argument) ? 1 : 0;
            open += is_bound(argument) ? 0 : 1;
            adds = adds || (!is_bound(argument) && is_needed(argument, done));
        }
        const auto n = static_cast<double>(constants_);
        if (open == 0) {
            return 0;
        }
        if (goal.negated) {
            return open == 2 ? n * n * n : n * n;  // late: it looks at every constant
        }
        if (!adds) {
            return 0.5;
        }
        return bound == 0 ? static_cast<double>(relation(goal).size(Part::all))
                          : relation(goal).fan_out(!is_bound(goal.arguments[0]));
    }

    void add_step(std::size_t i, const std::vector<bool>& done) {
        const Goal& goal = rule_.body[i];
        Step step;
        step.goal = &goal;
        step.part = part_of(i);
        step.width_in = columns_.size();
        for (int a = 0; a < goal.arity; ++a) {
            const Argument argument = goal.arguments[as_size(a)];
            Step::Source& source = step.arguments[as_size(a)];
            const auto column = std::find(columns_.begin(), columns_.end(), argument);
            if (argument < 0) {
                source = {Step::From::constant, static_cast<std::uint32_t>(-1 - argument)};
            } else if (column != columns_.end()) {
                source = {Step::From::column,
                          static_cast<std::uint32_t>(column - columns_.begin())};
            } else if (a == 1 && argument == goal.arguments[0]) {
                source = {Step::From::same, 0};
            } else {
                source = {Step::From::fresh, 0};
                step.adds[as_size(a)] = is_needed(argument, done);
                step.drops = step.drops || !step.adds[as_size(a)];
            }
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
        for (std::size_t a = 0; a < 2; ++a) {
            if (step.adds[a]) {
                after.push_back(goal.arguments[a]);
            }
        }
        columns_ = after;
        step.width_out = columns_.size();
        steps_.push_back(step);
    }

    // ---- bindings through the atoms

    void run_from(std::size_t s, const std::vector<std::uint32_t>& bindings, std::size_t count) {
        if (s == steps_.size()) {
            emit(bindings, count);
            return;
        }
        const Step& step = steps_[s];
        Block& out = blocks_[s];
        for (std::size_t b = 0; b < count; ++b) {
            const std::uint32_t* binding = bindings.data() + b * step.width_in;
            const bool adds = step.adds[0] || step.adds[1];
            any_match(step, binding, [&](std::uint32_t first, std::uint32_t second) {
                append(step, binding, first, second, out);
                if (out.count == kBlock) {
                    flush(s);
                }
                return !adds;
            });
        }
        flush(s);
    }

    struct Block {
        std::vector<std::uint32_t> cells;
        std::size_t count = 0;
    };

    static void append(const Step& step, const std::uint32_t* binding, std::uint32_t first,
                       std::uint32_t second, Block& out) {
        for (const std::uint32_t column : step.kept) {
            out.cells.push_back(binding[column]);
        }
        if (step.adds[0]) {
            out.cells.push_back(first);
        }
        if (step.adds[1]) {
            out.cells.push_back(second);
        }
        ++out.count;
    }

    void flush(std::size_t s) {
        Block& out = blocks_[s];
        if (out.count == 0) {
            return;
        }
        if (steps_[s].drops && s + 1 < steps_.size()) {
            once(out, steps_[s].width_out);
        }
        run_from(s + 1, out.cells, out.count);
        out.cells.clear();
        out.count = 0;
    }

    // Equal bindings once, where they fit a key.
    void once(Block& block, std::size_t width) {
        if (width == 0) {
            block.count = 1;
        }
        if (width == 0 || width > 2) {
            return;
        }
        keys_.clear();
        for (std::size_t b = 0; b < block.count; ++b) {
            const std::uint32_t* binding = block.cells.data() + b * width;
            keys_.push_back(key_of(binding[0], width == 2 ? binding[1] : 0));
        }
        sort_once(keys_);
        block.count = keys_.size();
        block.cells.clear();
        for (const Key key : keys_) {
            block.cells.push_back(first_of(key));
            if (width == 2) {
                block.cells.push_back(second_of(key));
            }
        }
    }

    // Calls use(first, second) for what the atom holds of, until it returns true.
    template <class Use>
    void any_match(const Step& step, const std::uint32_t* binding, Use use) const {
        const auto is_open = [&](std::size_t a) {
            return step.arguments[a].from == Step::From::fresh;
        };
        const auto value = [&](std::size_t a) {
            const Step::Source& source = step.arguments[a];
            return source.from == Step::From::column ? binding[source.at] : source.at;
        };
        const bool same = step.arguments[1].from == Step::From::same;
        if (step.goal->negated) {
            any_missing(step, is_open(0) ? kOpen : value(0), is_open(1) ? kOpen : value(1), same,
                        use);
            return;
        }
        relation(*step.goal).any_run(step.part, [&](const Run& run) {
            if (!is_open(0) && !is_open(1)) {
                const Key key = key_of(value(0), same ? value(0) : value(1));
                return run.by_first().contains(key) && use(first_of(key), second_of(key));
            }
            if (!is_open(0)) {
                for (const Key key : run.by_first().row(value(0))) {
                    if (use(first_of(key), second_of(key))) {
                        return true;
                    }
                }
                return false;
            }
            if (!is_open(1) && !same && step.goal->arity == 2) {
                for (const Key key : run.by_second().row(value(1))) {
                    if (use(second_of(key), first_of(key))) {
                        return true;
                    }
                }
                return false;
            }
            for (const Key key : run.by_first().all()) {
                if ((!same || first_of(key) == second_of(key)) &&
                    use(first_of(key), second_of(key))) {
                    return true;
                }
            }
            return false;
        });
    }

    static constexpr std::uint32_t kOpen = UINT32_MAX;

    // The same for a negated atom, which holds of all other constants.
    template <class Use>
    void any_missing(const Step& step, std::uint32_t first, std::uint32_t second, bool same,
                     Use use) const {
        const auto n = static_cast<std::uint32_t>(constants_);
        const auto holds = [&](std::uint32_t x, std::uint32_t y) {
            return step.goal->equality ? x == y : relation(*step.goal).contains(key_of(x, y));
        };
        for (std::uint32_t x = first == kOpen ? 0 : first; x < (first == kOpen ? n : first + 1);
             ++x) {
            const bool all = second == kOpen;
            const std::uint32_t only = same ? x : second;
            for (std::uint32_t y = all ? 0 : only; y < (all ? n : only + 1); ++y) {
                if (!holds(x, y) && use(x, y)) {
                    return;
                }
            }
        }
    }

    // A variable of the head alone stands for every constant.
    void emit(const std::vector<std::uint32_t>& bindings, std::size_t count) {
        const Goal& head = rule_.head;
        std::array<std::uint32_t, 2> column{kOpen, kOpen};
        for (std::size_t a = 0; a < as_size(head.arity); ++a) {
            const auto at = std::find(columns_.begin(), columns_.end(), head.arguments[a]);
            if (at != columns_.end()) {
                column[a] = static_cast<std::uint32_t>(at - columns_.begin());
            }
        }
        const auto n = static_cast<std::uint32_t>(constants_);
        for (std::size_t b = 0; b < count; ++b) {
            const std::uint32_t* binding = bindings.data() + b * columns_.size();
            const auto range = [&](std::size_t a) -> std::pair<std::uint32_t, std::uint32_t> {
                if (as_size(head.arity) <= a) {
                    return {0, 1};
                }
                if (column[a] != kOpen) {
                    return {binding[column[a]], binding[column[a]] + 1};
                }
                if (head.arguments[a] < 0) {
                    const auto constant = static_cast<std::uint32_t>(-1 - head.arguments[a]);
                    return {constant, constant + 1};
                }
                return {0, n};
            };
            const auto [first, first_end] = range(0);
            const auto [second, second_end] = range(1);
            const bool diagonal = head.arity == 2 && head.arguments[0] == head.arguments[1];
            for (std::uint32_t x = first; x < first_end; ++x) {
                if (diagonal) {
                    out_.add(key_of(x, x));
                    continue;
                }
                for (std::uint32_t y = second; y < second_end; ++y) {
                    out_.add(key_of(x, y));
                }
            }
        }
    }

    const SparseRule& rule_;
    std::size_t delta_;
    std::size_t constants_;
    const std::vector<SparseRelation>& relations_;
    Derived& out_;
    std::vector<Argument> columns_;  // the variables of a binding, after the steps so far
    std::vector<Step> steps_;
    std::vector<Block> blocks_;  // [step] what it made and the next one has not seen
    std::vector<Key> keys_;
};

}  // namespace

void run_rule(const SparseRule& rule, std::size_t delta, std::size_t constants,
              const std::vector<SparseRelation>& relations, Derived& out) {
    RuleRun(rule, delta, constants, relations, out).run();
}

}  // namespace hri::evaluation
