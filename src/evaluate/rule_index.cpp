// SPDX-License-Identifier: Apache-2.0
#include "evaluate/rule_index.hpp"

#include <algorithm>

namespace hri::evaluation {
namespace {

constexpr std::int64_t kQueryBudget = 3'000'000;  // edges met for one query
constexpr std::int64_t kBranchBudget = 200'000;   // for one step of the walk
constexpr std::int64_t kEntitiesBudget = 20'000;  // for the entities of one body
constexpr std::size_t kListed = 50'000;           // entities of all bodies for one query
constexpr std::size_t kRulesPerConstant = 300;    // whose bodies are listed for one query
}  // namespace

RuleIndex::RuleIndex(const Graph& graph, std::span<const GraphRule> rules,
                     std::span<const std::uint32_t> of, StepCode query)
    : graph_(graph),
      rules_(rules),
      query_(query),
      reflexive_(graph.is_reflexive(relation_of(query))) {
    for (const std::uint32_t number : of) {
        const GraphRule& rule = rules[number];
        const auto local = static_cast<std::uint32_t>(used_.size());
        if (rule.is_path()) {
            std::array<StepCode, GraphRule::kMaxLength> steps = rule.steps;
            const auto length = static_cast<std::size_t>(rule.length);
            if (rule.head != query) {  // from the answer's end
                for (std::size_t i = 0; i < length; ++i) {
                    steps[i] = opposite(rule.steps[length - 1 - i]);
                }
            }
            nodes_[node_of({steps.data(), length})].paths.push_back(local);
        } else if (rule.head == query) {
            Node& node = nodes_[node_of(rule.body())];
            (rule.end == kNoEntity ? node.free : node.endings)
                .push_back({rule.end, rule.constant, local});
        } else if (rule.length > 0) {
            by_constant_[rule.constant].push_back(local);
        } else {
            continue;
        }
        used_.push_back(number);
    }
    for (Node& node : nodes_) {
        std::sort(node.endings.begin(), node.endings.end());
    }
    for (auto& [constant, locals] : by_constant_) {
        std::stable_sort(locals.begin(), locals.end(), [&](std::uint32_t a, std::uint32_t b) {
            return confidence(rule(a).evidence, 5) > confidence(rule(b).evidence, 5);
        });
        locals.resize(std::min(locals.size(), kRulesPerConstant));
    }
}

std::uint32_t RuleIndex::node_of(std::span<const StepCode> steps) {
    std::uint32_t at = 0;
    for (const StepCode step : steps) {
        const auto& children = nodes_[at].children;
        const auto known =
            std::lower_bound(children.begin(), children.end(), step,
                             [&](std::uint32_t i, StepCode s) { return nodes_[i].step < s; });
        if (known != children.end() && nodes_[*known].step == step) {
            at = *known;
            continue;
        }
        const auto place = known - children.begin();
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        nodes_[at].children.insert(nodes_[at].children.begin() + place, fresh);
        nodes_.emplace_back();
        nodes_.back().step = step;
        at = fresh;
    }
    return at;
}

void RuleIndex::visit(const Node& node, std::span<const std::uint32_t> reached,
                      std::uint32_t source, GraphWalk& walk, int depth, std::int64_t& budget,
                      std::vector<Hit>& into) const {
    for (const std::uint32_t local : node.paths) {
        const GraphRule::Condition& condition = rule(local).condition;
        // X is the source of a forward query
        const bool of_source = condition.of_answer == (rule(local).head != query_);
        if (condition.given && of_source &&
            !holds(condition, source, walk.graph(), kNothingHidden)) {
            continue;
        }
        for (const std::uint32_t entity : reached) {
            if ((entity != source || reflexive_) &&
                (!condition.given || of_source ||
                 holds(condition, entity, walk.graph(), kNothingHidden))) {
                into.push_back({entity, local});
            }
        }
        budget -= static_cast<std::int64_t>(reached.size());
    }
    const auto predict = [&](const Ending& ending) {
        if ((ending.constant != source || reflexive_) &&
            (!rule(ending.rule).condition.given ||
             holds(rule(ending.rule).condition, source, walk.graph(), kNothingHidden))) {
            into.push_back({ending.constant, ending.rule});
        }
    };
    std::for_each(node.free.begin(), node.free.end(), predict);
    if (!node.endings.empty()) {
        for (const std::uint32_t entity : reached) {
            auto ending =
                std::lower_bound(node.endings.begin(), node.endings.end(), Ending{entity, 0, 0});
            for (; ending != node.endings.end() && ending->end == entity; ++ending) {
                predict(*ending);
            }
        }
    }
    std::vector<std::uint32_t> next;
    for (const std::uint32_t child : node.children) {
        std::int64_t left = std::min(budget, kBranchBudget);
        const std::int64_t before = left;
        const bool whole = walk.step(reached, nodes_[child].step, next, left);
        budget -= before - left;
        if (whole && !next.empty() && budget > 0) {
            visit(nodes_[child], next, source, walk, depth + 1, budget, into);
        }
    }
}

void RuleIndex::hits(std::uint32_t source, GraphWalk& walk, std::vector<Hit>& into) const {
    into.clear();
    std::int64_t budget = kQueryBudget;
    const std::uint32_t start[] = {source};
    visit(nodes_[0], start, source, walk, 0, budget, into);
    const auto known = by_constant_.find(source);
    if (known == by_constant_.end()) {
        return;
    }
    std::vector<std::uint32_t> entities;
    const std::size_t most = into.size() + kListed;
    for (const std::uint32_t local : known->second) {
        std::int64_t left = std::min(budget, kEntitiesBudget);
        const std::int64_t before = left;
        if (body_entities(rule(local), walk, entities, left)) {
            for (const std::uint32_t entity : entities) {
                if (entity != source || reflexive_) {
                    into.push_back({entity, local});
                }
            }
        }
        budget -= before - left;
        if (budget <= 0 || into.size() > most) {
            return;
        }
    }
}

std::vector<std::vector<std::uint32_t>> by_relation(std::span<const GraphRule> rules,
                                                    std::uint32_t relations) {
    std::vector<std::vector<std::uint32_t>> groups(relations);
    for (std::uint32_t i = 0; i < rules.size(); ++i) {
        groups[relation_of(rules[i].head)].push_back(i);
    }
    return groups;
}

}  // namespace hri::evaluation
