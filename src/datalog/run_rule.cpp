// SPDX-License-Identifier: Apache-2.0
#include "datalog/run_rule.hpp"

#include <algorithm>
#include <utility>

namespace hri::datalog {
namespace {

using From = JoinStep::From;
using Goal = ResolvedRule::Goal;

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // bindings

// A tuple of at most two arguments, in registers.
struct Pair {
    std::int32_t first;
    std::int32_t second;

    std::int32_t operator[](std::uint32_t argument) const { return argument == 0 ? first : second; }
};

class RuleRun {
  public:
    RuleRun(const ResolvedRule& rule, std::size_t constants, const JoinPlan& plan, Budget& budget,
            Batch& out)
        : head_(rule.head),
          constants_(static_cast<std::int32_t>(constants)),
          plan_(plan),
          budget_(budget),
          out_(out),
          blocks_(plan.steps.size()),
          sources_(head_sources()),
          tuple_(sources_.size()) {
        for (const JoinStep& step : plan.steps) {
            patterns_.emplace_back(step.arguments.size());
        }
    }

    void run() {
        const std::vector<std::int32_t> nothing;
        run_from(0, nothing, 1);
    }

  private:
    struct Block {
        std::vector<std::int32_t> cells;
        std::size_t count = 0;
    };

    void run_from(std::size_t s, const std::vector<std::int32_t>& bindings, std::size_t count) {
        if (s == plan_.steps.size()) {
            emit(bindings, count);
            return;
        }
        const JoinStep& step = plan_.steps[s];
        Block& out = blocks_[s];
        const bool adds = !step.added.empty();
        for (std::size_t b = 0; b < count; ++b) {
            const std::int32_t* binding = bindings.data() + b * step.width_in;
            const auto use = [&](auto tuple) {
                append(step, binding, tuple, out);
                if (out.count == kBlock) {
                    flush(s);
                }
                return !adds;
            };
            if (step.goal->negated) {
                any_missing(step, binding, patterns_[s], use);
            } else if (step.relation->is_wide()) {
                any_cells(step, binding, patterns_[s], use);
            } else {
                any_key(step, binding, use);
            }
        }
        flush(s);
    }

    template <class One>
    static void append(const JoinStep& step, const std::int32_t* binding, One tuple, Block& out) {
        for (const std::uint32_t column : step.kept) {
            out.cells.push_back(binding[column]);
        }
        for (const std::uint32_t argument : step.added) {
            out.cells.push_back(tuple[argument]);
        }
        ++out.count;
    }

    void flush(std::size_t s) {
        Block& out = blocks_[s];
        if (out.count == 0) {
            return;
        }
        budget_.spend_bindings(out.count);
        if (plan_.steps[s].drops && s + 1 < plan_.steps.size()) {
            once(out, plan_.steps[s].width_out);
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
            const std::int32_t* binding = block.cells.data() + b * width;
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

    static std::int32_t value(const JoinStep::Source& source, const std::int32_t* binding) {
        return source.from == From::column ? binding[source.at] : source.at;
    }

    // Each of these calls use(tuple) for what the atom holds of, until it returns true.

    template <class Use>
    static void any_key(const JoinStep& step, const std::int32_t* binding, Use use) {
        const bool same = step.arguments[1].from == From::same;
        const bool open_first = step.is_open(0);
        const bool open_second = step.is_open(1);
        const std::int32_t first = value(step.arguments[0], binding);
        const std::int32_t second = value(step.arguments[1], binding);
        step.relation->keys().any_run(step.part, [&](const KeyRun& run) {
            if (!open_first && !open_second) {
                const Key key = key_of(first, second);
                return run.by_first().contains(key) && use(Pair{first, second});
            }
            if (!open_first) {
                for (const Key key : run.by_first().row(first)) {
                    if (use(Pair{first_of(key), second_of(key)})) {
                        return true;
                    }
                }
                return false;
            }
            if (!open_second && !same && step.goal->arguments.size() == 2) {
                for (const Key key : run.by_second().row(second)) {
                    if (use(Pair{second_of(key), first_of(key)})) {
                        return true;
                    }
                }
                return false;
            }
            for (const Key key : run.by_first().all()) {
                if ((!same || first_of(key) == second_of(key)) &&
                    use(Pair{first_of(key), second_of(key)})) {
                    return true;
                }
            }
            return false;
        });
    }

    template <class Use>
    static void any_cells(const JoinStep& step, const std::int32_t* binding,
                          std::vector<std::int32_t>& pattern, Use use) {
        for (std::size_t a = 0; a < pattern.size(); ++a) {
            pattern[a] = value(step.arguments[a], binding);
        }
        if (step.ground) {
            if (step.relation->cells().any_run(
                    step.part, [&](const CellRun& run) { return run.contains(pattern.data()); })) {
                use(pattern.data());
            }
            return;
        }
        step.relation->cells().any_run(step.part, [&](const CellRun& run) {
            return run.any(step.bound, pattern.data(), [&](const std::int32_t* row) {
                for (std::size_t a = 0; a < pattern.size(); ++a) {
                    const JoinStep::Source& source = step.arguments[a];
                    if (source.from == From::same && row[source.at] != row[a]) {
                        return false;
                    }
                }
                return use(row);
            });
        });
    }

    // A negated atom holds of all other constants.
    template <class Use>
    void any_missing(const JoinStep& step, const std::int32_t* binding,
                     std::vector<std::int32_t>& pattern, Use use) const {
        any_missing_from(0, step, binding, pattern, use);
    }

    template <class Use>
    bool any_missing_from(std::size_t a, const JoinStep& step, const std::int32_t* binding,
                          std::vector<std::int32_t>& pattern, Use& use) const {
        const std::size_t arity = step.goal->arguments.size();
        if (a == arity) {
            const bool holds = step.goal->equality
                                   ? pattern[0] == pattern[1]
                                   : step.relation->contains(Tuple(pattern.data(), arity));
            return !holds && use(pattern.data());
        }
        const JoinStep::Source& source = step.arguments[a];
        if (source.from != From::fresh) {
            pattern[a] = source.from == From::same ? pattern[static_cast<std::size_t>(source.at)]
                                                   : value(source, binding);
            return any_missing_from(a + 1, step, binding, pattern, use);
        }
        for (std::int32_t c = 0; c < constants_; ++c) {
            pattern[a] = c;
            if (any_missing_from(a + 1, step, binding, pattern, use)) {
                return true;
            }
        }
        return false;
    }

    // ---- heads

    // Where the head's arguments come from: a fresh one is every constant.
    std::vector<JoinStep::Source> head_sources() const {
        std::vector<JoinStep::Source> sources;
        for (const ResolvedRule::Argument argument : head_.arguments) {
            const auto column = std::find(plan_.columns.begin(), plan_.columns.end(), argument);
            const auto earlier =
                std::find(head_.arguments.begin(), head_.arguments.end(), argument) -
                head_.arguments.begin();
            if (argument < 0) {
                sources.push_back({From::constant, -1 - argument});
            } else if (column != plan_.columns.end()) {
                sources.push_back(
                    {From::column, static_cast<std::int32_t>(column - plan_.columns.begin())});
            } else if (earlier < static_cast<std::ptrdiff_t>(sources.size())) {
                sources.push_back({From::same, static_cast<std::int32_t>(earlier)});
            } else {
                sources.push_back({From::fresh, 0});
            }
        }
        sources.resize(std::max<std::size_t>(sources.size(), 2));
        return sources;
    }

    void emit(const std::vector<std::int32_t>& bindings, std::size_t count) {
        const std::size_t arity = head_.arguments.size();
        const std::size_t width = plan_.columns.size();
        const bool is_pair =
            arity <= 2 && std::all_of(sources_.begin(), sources_.end(), [](const auto& source) {
                return source.from == From::column || source.from == From::constant;
            });
        for (std::size_t b = 0; b < count; ++b) {
            const std::int32_t* binding = bindings.data() + b * width;
            if (is_pair) {
                out_.add(key_of(value(sources_[0], binding), value(sources_[1], binding)));
            } else {
                emit_from(0, binding);
            }
        }
    }

    void emit_from(std::size_t a, const std::int32_t* binding) {
        const std::size_t arity = head_.arguments.size();
        if (a == arity) {
            out_.add(Tuple(tuple_.data(), arity));
            return;
        }
        const JoinStep::Source& source = sources_[a];
        if (source.from != From::fresh) {
            tuple_[a] = source.from == From::same ? tuple_[static_cast<std::size_t>(source.at)]
                                                  : value(source, binding);
            emit_from(a + 1, binding);
            return;
        }
        for (std::int32_t c = 0; c < constants_; ++c) {
            tuple_[a] = c;
            emit_from(a + 1, binding);
        }
    }

    const Goal& head_;
    std::int32_t constants_;
    const JoinPlan& plan_;
    Budget& budget_;
    Batch& out_;
    std::vector<Block> blocks_;  // [step] what it made and the next one has not seen
    std::vector<std::vector<std::int32_t>> patterns_;  // [step]
    std::vector<JoinStep::Source> sources_;            // [argument of the head]
    std::vector<std::int32_t> tuple_;                  // of the head
    Keys keys_;
};

}  // namespace

void run_rule(const ResolvedRule& rule, std::size_t delta, std::size_t constants,
              const std::vector<Relation>& relations, Budget& budget, Batch& out) {
    if (!rule.possible || (rule.variables > 0 && constants == 0)) {
        return;
    }
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (!rule.body[i].negated &&
            relations[rule.body[i].predicate].size(part_of(i, delta)) == 0) {
            return;
        }
    }
    const JoinPlan plan = plan_join(rule, delta, constants, relations);
    RuleRun(rule, constants, plan, budget, out).run();
}

}  // namespace hri::datalog
