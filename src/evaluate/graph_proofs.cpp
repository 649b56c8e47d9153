// SPDX-License-Identifier: Apache-2.0

// Why rules of a knowledge graph predict a triple: their bodies with the facts that make them true.

#include "hri/explain.hpp"
#include "hri/ranking.hpp"

#include "evaluate/aggregation.hpp"
#include "evaluate/graph_queries.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace evaluation {
namespace {

constexpr std::int64_t kProofBudget = 2'000'000;  // edges met for one rule

class GraphProver {
  public:
    GraphProver(const GraphRules& rules, const GraphData& data, const Graph& graph,
                const Triple& hidden)
        : invented_(rules.invented), data_(data), graph_(graph), hidden_(hidden) {}

    /// The rule's body for the triple, without the triple itself; false where there is none.
    bool prove(const GraphRule& rule, Reason& reason) {
        const bool back = is_backward(rule.head);
        const std::uint32_t x = back ? hidden_.tail : hidden_.head;
        const std::uint32_t y = back ? hidden_.head : hidden_.tail;
        met_.assign(1, x);
        left_ = kProofBudget;
        if (!walk(rule, rule.is_path() ? y : rule.end)) {
            return false;
        }
        for (int i = 0; i < rule.length; ++i) {
            const auto at = static_cast<std::size_t>(i);
            add_fact(reason, met_[at], rule.steps[at], met_[at + 1]);
        }
        if (rule.condition.given) {
            const std::uint32_t from = rule.condition.of_answer ? y : x;
            std::uint32_t to = rule.condition.constant;
            for (const std::uint32_t one : graph_.neighbours(from, rule.condition.step)) {
                if (to == kNoEntity && visible(from, rule.condition.step, one)) {
                    to = one;
                }
            }
            if (to == kNoEntity || !holds(rule.condition, from, graph_, hidden_)) {
                return false;
            }
            add_fact(reason, from, rule.condition.step, to);
        }
        return true;
    }

    std::string written(const Triple& triple) const {
        return fmt::format("{}({},{})", prolog::quoted_predicate(data_.relations[triple.relation]),
                           prolog::quoted_predicate(data_.entities[triple.head]),
                           prolog::quoted_predicate(data_.entities[triple.tail]));
    }

  private:
    static Triple triple_of(std::uint32_t from, StepCode step, std::uint32_t to) {
        return is_backward(step) ? Triple{to, relation_of(step), from}
                                 : Triple{from, relation_of(step), to};
    }

    bool visible(std::uint32_t from, StepCode step, std::uint32_t to) const {
        return triple_of(from, step, to) != hidden_;
    }

    /// From the last entity met along the rest of the body; to `end`, or anywhere.
    bool walk(const GraphRule& rule, std::uint32_t end) {
        const std::size_t depth = met_.size() - 1;
        const std::uint32_t at = met_.back();
        if (depth == static_cast<std::size_t>(rule.length)) {
            return end == kNoEntity || at == end;
        }
        const StepCode step = rule.steps[depth];
        if (depth + 1 == static_cast<std::size_t>(rule.length) && end != kNoEntity) {
            if (graph_.contains(at, step, end) && visible(at, step, end)) {
                met_.push_back(end);
                return true;
            }
            return false;
        }
        for (const std::uint32_t next : graph_.neighbours(at, step)) {
            if (--left_ < 0) {
                return false;
            }
            if (visible(at, step, next)) {
                met_.push_back(next);
                if (walk(rule, end)) {
                    return true;
                }
                met_.pop_back();
            }
        }
        return false;
    }

    void add_fact(Reason& reason, std::uint32_t from, StepCode step, std::uint32_t to) const {
        Reason fact;
        const Triple triple = triple_of(from, step, to);
        fact.atom = written(triple);
        const auto definition = std::find_if(
            invented_.begin(), invented_.end(),
            [&](const InventedRelation& one) { return one.relation == triple.relation; });
        if (definition == invented_.end()) {
            fact.because = "a fact";
        } else {
            const auto way = std::find_if(
                definition->steps.begin(), definition->steps.end(),
                [&](StepCode one) { return graph_.contains(triple.head, one, triple.tail); });
            fact.because = "invented";
            add_fact(fact, triple.head, *way, triple.tail);
        }
        reason.body.push_back(std::move(fact));
    }

    std::span<const InventedRelation> invented_;
    const GraphData& data_;
    const Graph& graph_;
    Triple hidden_;
    std::vector<std::uint32_t> met_;
    std::int64_t left_ = 0;
};

}  // namespace
}  // namespace evaluation

Explanation explain(const GraphRules& rules, const GraphData& data, const Graph& graph,
                    const Triple& triple, int most) {
    using namespace evaluation;
    const StepCode query = forward(triple.relation);
    std::vector<std::uint32_t> of;
    for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
        if (relation_of(rules.rules[i].head) == triple.relation) {
            of.push_back(i);
        }
    }
    const RuleIndex index(graph, rules.rules, of, query);
    const auto chosen = rules.aggregations.find(query);
    const Aggregator aggregator(
        index, chosen == rules.aggregations.end() ? Aggregation{} : chosen->second);
    RankWorker worker(graph);
    index.hits(triple.head, worker.walk, worker.hits);
    worker.candidates.group(worker.hits);
    std::vector<std::uint32_t> fired;
    if (const std::size_t own = worker.candidates.find(triple.tail);
        own != worker.candidates.size()) {
        fired.assign(worker.candidates.rules(own).begin(), worker.candidates.rules(own).end());
    }
    std::stable_sort(fired.begin(), fired.end(), [&](std::uint32_t a, std::uint32_t b) {
        return aggregator.confidence_of(a) > aggregator.confidence_of(b);
    });
    GraphProver prover(rules, data, graph, triple);
    Explanation explanation;
    explanation.reason.atom = prover.written(triple);
    for (const std::uint32_t local : fired) {
        Reason reason;
        if (std::ssize(explanation.reason.body) == most) {
            break;
        }
        if (prover.prove(index.rule(local), reason)) {
            reason.atom = to_prolog(index.rule(local), data);
            reason.atom.pop_back();  // the full stop
            reason.value = confidence(index.rule(local).evidence);
            explanation.value = std::max(explanation.value, reason.value);
            explanation.reason.body.push_back(std::move(reason));
        }
    }
    const bool known = graph.contains(triple.head, query, triple.tail);
    explanation.holds = known || !explanation.reason.body.empty();
    explanation.value = known ? 1 : explanation.value;
    explanation.reason.holds = explanation.holds;
    explanation.reason.value = explanation.value;
    explanation.reason.because = known                             ? "a fact"
                                 : explanation.reason.body.empty() ? "no rule predicts it"
                                                                   : "";
    return explanation;
}

}  // namespace hri
