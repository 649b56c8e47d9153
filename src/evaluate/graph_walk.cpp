// SPDX-License-Identifier: Apache-2.0
#include "evaluate/graph_walk.hpp"

#include <algorithm>
#include <numeric>

namespace hri {

namespace evaluation {
namespace {

bool is_hidden(std::uint32_t from, StepCode step, std::uint32_t to, const Triple& hidden) {
    return relation_of(step) == hidden.relation &&
           (is_backward(step) ? to == hidden.head && from == hidden.tail
                              : from == hidden.head && to == hidden.tail);
}

bool uses(std::span<const StepCode> steps, std::uint32_t relation) {
    return std::any_of(steps.begin(), steps.end(),
                       [&](StepCode step) { return relation_of(step) == relation; });
}

/// Visits 0 .. count-1 in an order whose first part is spread over all.
class SpreadOrder {
  public:
    explicit SpreadOrder(std::size_t count) : count_(count) {
        stride_ = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * double(count)));
        while (std::gcd(stride_, count_) != 1) {
            ++stride_;
        }
    }

    std::size_t next() {
        const std::size_t now = at_;
        at_ = (at_ + stride_) % count_;
        return now;
    }

  private:
    std::size_t count_;
    std::size_t stride_ = 1;
    std::size_t at_ = 0;
};

}  // namespace

bool GraphWalk::step(std::span<const std::uint32_t> from, StepCode step,
                     std::vector<std::uint32_t>& to, std::int64_t& budget) {
    to.clear();
    budget -= static_cast<std::int64_t>(from.size());
    if (from.size() == 1) {
        const std::span<const std::uint32_t> targets = graph_.neighbours(from[0], step);
        budget -= static_cast<std::int64_t>(targets.size());
        to.assign(targets.begin(), targets.end());
        return budget >= 0;
    }
    if (++mark_ == 0) {
        std::fill(seen_.begin(), seen_.end(), 0);
        mark_ = 1;
    }
    for (const std::uint32_t entity : from) {
        const std::span<const std::uint32_t> targets = graph_.neighbours(entity, step);
        budget -= static_cast<std::int64_t>(targets.size());
        if (budget < 0) {
            return false;
        }
        for (const std::uint32_t target : targets) {
            if (seen_[target] != mark_) {
                seen_[target] = mark_;
                to.push_back(target);
            }
        }
    }
    return true;
}

bool GraphWalk::reach(std::uint32_t from, std::span<const StepCode> steps,
                      std::vector<std::uint32_t>& to, std::int64_t& budget) {
    other_.assign(1, from);
    for (const StepCode code : steps) {
        if (!step(other_, code, to, budget)) {
            return false;
        }
        if (to.empty()) {
            return true;
        }
        std::swap(other_, to);
    }
    std::swap(other_, to);
    return true;
}

bool GraphWalk::connects(std::uint32_t from, std::span<const StepCode> steps, std::uint32_t to,
                         const Triple& hidden, std::int64_t& budget) const {
    if (--budget < 0) {
        return true;
    }
    if (steps.size() == 1) {
        return graph_.contains(from, steps[0], to) && !is_hidden(from, steps[0], to, hidden);
    }
    for (const std::uint32_t next : graph_.neighbours(from, steps[0])) {
        if (!is_hidden(from, steps[0], next, hidden) &&
            connects(next, steps.subspan(1), to, hidden, budget)) {
            return true;
        }
    }
    return false;
}

bool holds(const GraphRule::Condition& condition, std::uint32_t entity, const Graph& graph,
           const Triple& hidden) {
    if (condition.constant != kNoEntity) {
        return graph.contains(entity, condition.step, condition.constant) &&
               !is_hidden(entity, condition.step, condition.constant, hidden);
    }
    const std::span<const std::uint32_t> targets = graph.neighbours(entity, condition.step);
    return targets.size() > 1 ||
           (targets.size() == 1 && !is_hidden(entity, condition.step, targets[0], hidden));
}

namespace {

/// Some path of the body begins at x and does not use the hidden triple.
bool body_holds_from(std::uint32_t x, std::span<const StepCode> steps, std::uint32_t end,
                     const Graph& graph, const Triple& hidden, std::int64_t& budget) {
    if (--budget < 0) {
        return true;
    }
    if (steps.empty()) {
        return end == kNoEntity || x == end;
    }
    for (const std::uint32_t next : graph.neighbours(x, steps[0])) {
        if (!is_hidden(x, steps[0], next, hidden) &&
            body_holds_from(next, steps.subspan(1), end, graph, hidden, budget)) {
            return true;
        }
    }
    return false;
}

Triple head_fact(StepCode head, std::uint32_t x, std::uint32_t y) {
    return is_backward(head) ? Triple{y, relation_of(head), x} : Triple{x, relation_of(head), y};
}

void scale(Evidence& evidence, std::size_t all, std::size_t visited) {
    if (visited < all) {
        const double factor = double(all) / double(std::max<std::size_t>(visited, 1));
        evidence.support *= factor;
        evidence.predictions *= factor;
        evidence.of_known_head *= factor;
        evidence.of_known_tail *= factor;
        evidence.sampled = true;
    }
}

Evidence count_path(const GraphRule& rule, GraphWalk& walk, std::int64_t& budget) {
    const Graph& graph = walk.graph();
    const std::uint32_t relation = relation_of(rule.head);
    const GraphRule::Condition& condition = rule.condition;
    const bool recursive =
        uses(rule.body(), relation) || (condition.given && relation_of(condition.step) == relation);
    const bool reflexive = graph.is_reflexive(relation);
    const std::span<const std::uint32_t> subjects = graph.subjects(rule.steps[0]);
    Evidence evidence;
    if (subjects.empty()) {
        return evidence;
    }
    SpreadOrder order(subjects.size());
    std::vector<std::uint32_t> reached;
    std::size_t visited = 0;
    for (; visited < subjects.size(); ++visited) {
        const std::uint32_t x = subjects[order.next()];
        if (budget < 0 || !walk.reach(x, rule.body(), reached, budget)) {
            break;
        }
        if (condition.given && !condition.of_answer &&
            !holds(condition, x, graph, kNothingHidden)) {
            continue;
        }
        const std::span<const std::uint32_t> facts = graph.neighbours(x, rule.head);
        for (const std::uint32_t y : reached) {
            if ((x == y && !reflexive) || (condition.given && condition.of_answer &&
                                           !holds(condition, y, graph, kNothingHidden))) {
                continue;
            }
            const bool fact = std::binary_search(facts.begin(), facts.end(), y);
            if (fact && recursive) {
                const Triple hidden = head_fact(rule.head, x, y);
                if (!walk.connects(x, rule.body(), y, hidden, budget) ||
                    (condition.given &&
                     !holds(condition, condition.of_answer ? y : x, graph, hidden))) {
                    continue;
                }
            }
            evidence.support += fact ? 1 : 0;
            evidence.predictions += 1;
            evidence.of_known_head += facts.empty() ? 0 : 1;
            evidence.of_known_tail += graph.neighbours(y, opposite(rule.head)).empty() ? 0 : 1;
        }
    }
    scale(evidence, subjects.size(), visited);
    return evidence;
}

}  // namespace

bool body_holds(const GraphRule& rule, std::uint32_t x, GraphWalk& walk, const Triple& hidden,
                std::int64_t& budget) {
    return (!rule.condition.given || holds(rule.condition, x, walk.graph(), hidden)) &&
           body_holds_from(x, rule.body(), rule.end, walk.graph(), hidden, budget);
}

bool body_entities(const GraphRule& rule, GraphWalk& walk, std::vector<std::uint32_t>& into,
                   std::int64_t& budget) {
    const Graph& graph = walk.graph();
    std::array<StepCode, GraphRule::kMaxLength> back{};
    for (int i = 0; i < rule.length; ++i) {
        back[static_cast<std::size_t>(rule.length - 1 - i)] =
            opposite(rule.steps[static_cast<std::size_t>(i)]);
    }
    const std::span<const StepCode> steps(back.data(), static_cast<std::size_t>(rule.length));
    bool whole = true;
    if (rule.length == 0) {
        const std::span<const std::uint32_t> all = graph.subjects(rule.head);
        into.assign(all.begin(), all.end());
    } else if (rule.end != kNoEntity) {
        whole = walk.reach(rule.end, steps, into, budget);
    } else {
        // the entities that the last step leads to, without an end
        const std::span<const std::uint32_t> last = graph.subjects(opposite(back[0]));
        std::vector<std::uint32_t> now(last.begin(), last.end());
        into = now;
        for (std::size_t i = 1; i < steps.size() && whole; ++i) {
            whole = walk.step(now, steps[i], into, budget);
            now = into;
        }
    }
    if (rule.condition.given) {
        std::erase_if(into, [&](std::uint32_t x) {
            return !holds(rule.condition, x, graph, kNothingHidden);
        });
    }
    return whole;
}

namespace {

Evidence count_constant(const GraphRule& rule, GraphWalk& walk, std::int64_t& budget) {
    const Graph& graph = walk.graph();
    const std::uint32_t relation = relation_of(rule.head);
    const bool recursive = uses(rule.body(), relation) ||
                           (rule.condition.given && relation_of(rule.condition.step) == relation);
    Evidence evidence;
    std::vector<std::uint32_t> entities;
    if (!body_entities(rule, walk, entities, budget) || entities.empty()) {
        evidence.sampled = !entities.empty();
        return evidence;
    }
    SpreadOrder order(entities.size());
    std::size_t visited = 0;
    double known = 0;
    for (; visited < entities.size() && budget >= 0; ++visited) {
        const std::uint32_t x = entities[order.next()];
        const std::span<const std::uint32_t> facts = graph.neighbours(x, rule.head);
        if (x == rule.constant && !graph.is_reflexive(relation)) {
            continue;
        }
        const bool fact = std::binary_search(facts.begin(), facts.end(), rule.constant);
        if (fact && recursive &&
            !body_holds(rule, x, walk, head_fact(rule.head, x, rule.constant), budget)) {
            continue;
        }
        --budget;
        evidence.support += fact ? 1 : 0;
        evidence.predictions += 1;
        known += facts.empty() ? 0 : 1;
    }
    const double of_constant =
        graph.neighbours(rule.constant, opposite(rule.head)).empty() ? 0 : evidence.predictions;
    evidence.of_known_head = is_backward(rule.head) ? of_constant : known;
    evidence.of_known_tail = is_backward(rule.head) ? known : of_constant;
    scale(evidence, entities.size(), visited);
    return evidence;
}

}  // namespace

Evidence count_evidence(const GraphRule& rule, GraphWalk& walk, std::int64_t& budget) {
    return rule.is_path() ? count_path(rule, walk, budget) : count_constant(rule, walk, budget);
}

}  // namespace evaluation
}  // namespace hri
