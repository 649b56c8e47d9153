// SPDX-License-Identifier: Apache-2.0

// Triples as adjacency lists: counting sorts, then binary searches.

#include "hri/graph.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace hri {

std::uint32_t Names::intern(std::string_view name) {
    const auto known = ids_.find(name);
    if (known != ids_.end()) {
        return known->second;
    }
    const auto id = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(name);
    ids_.emplace(texts_.back(), id);
    return id;
}

std::optional<std::uint32_t> Names::find(std::string_view name) const {
    const auto known = ids_.find(name);
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

namespace {

/// Counts become the places where their groups begin.
void accumulate(std::vector<std::uint32_t>& begin) {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : begin) {
        sum += std::exchange(count, sum);
    }
}

}  // namespace

std::vector<Triple> with_invented(std::vector<Triple> triples,
                                  std::span<const InventedRelation> invented) {
    const std::size_t known = triples.size();
    for (const InventedRelation& one : invented) {
        for (const StepCode step : one.steps) {
            for (std::size_t i = 0; i < known; ++i) {
                const Triple& triple = triples[i];
                if (triple.relation == relation_of(step)) {
                    triples.push_back(is_backward(step)
                                          ? Triple{triple.tail, one.relation, triple.head}
                                          : Triple{triple.head, one.relation, triple.tail});
                }
            }
        }
    }
    return triples;
}

Graph::Graph(const GraphData& data, std::span<const InventedRelation> invented)
    : Graph(data.entities.size(), data.relations.size(), with_invented(data.training, invented)) {}

Graph::Graph(std::size_t entities, std::size_t relations, std::vector<Triple> triples)
    : triples_(std::move(triples)) {
    constexpr std::size_t kMaxTriples = std::numeric_limits<std::uint32_t>::max() / 2;
    if (triples_.size() > kMaxTriples) {
        throw Error("a graph holds at most 2,147,483,647 triples");
    }
    std::sort(triples_.begin(), triples_.end(), [](const Triple& a, const Triple& b) {
        return std::tie(a.relation, a.head, a.tail) < std::tie(b.relation, b.head, b.tail);
    });
    triples_.erase(std::unique(triples_.begin(), triples_.end()), triples_.end());
    relation_begin_.assign(relations + 1, 0);
    reflexive_.assign(relations, false);
    edge_begin_.assign(entities + 1, 0);
    for (const Triple& triple : triples_) {
        ++relation_begin_[triple.relation];
        ++edge_begin_[triple.head];
        ++edge_begin_[triple.tail];
        if (triple.head == triple.tail) {
            reflexive_[triple.relation] = true;
        }
    }
    accumulate(relation_begin_);
    accumulate(edge_begin_);
    edges_.resize(2 * triples_.size());
    std::vector<std::uint32_t> at(edge_begin_.begin(), edge_begin_.end() - 1);
    for (const Triple& triple : triples_) {
        edges_[at[triple.head]++] = {triple.tail, forward(triple.relation)};
        edges_[at[triple.tail]++] = {triple.head, backward(triple.relation)};
    }
    targets_.resize(edges_.size());
    run_begin_.assign(entities + 1, 0);
    std::vector<std::uint32_t> counts(2 * relations + 1, 0);
    for (std::size_t e = 0; e < entities; ++e) {
        const auto first = edges_.begin() + edge_begin_[e];
        const auto last = edges_.begin() + edge_begin_[e + 1];
        std::sort(first, last, [](const Edge& a, const Edge& b) {
            return std::tie(a.step, a.target) < std::tie(b.step, b.target);
        });
        run_begin_[e] = static_cast<std::uint32_t>(runs_.size());
        for (auto edge = first; edge != last; ++edge) {
            const auto i = static_cast<std::uint32_t>(edge - edges_.begin());
            targets_[i] = edge->target;
            if (edge == first || edge->step != (edge - 1)->step) {
                runs_.push_back({edge->step, i});
                ++counts[edge->step];
            }
        }
        std::sort(first, last);
    }
    run_begin_[entities] = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back({0, static_cast<std::uint32_t>(edges_.size())});
    accumulate(counts);
    subject_begin_ = counts;
    subjects_.resize(runs_.size() - 1);
    for (std::size_t e = 0; e < entities; ++e) {
        for (std::uint32_t i = run_begin_[e]; i < run_begin_[e + 1]; ++i) {
            subjects_[counts[runs_[i].step]++] = static_cast<std::uint32_t>(e);
        }
    }
}

std::span<const Triple> Graph::facts(std::uint32_t relation) const {
    return std::span(triples_).subspan(relation_begin_[relation],
                                       relation_begin_[relation + 1] - relation_begin_[relation]);
}

std::span<const std::uint32_t> Graph::neighbours(std::uint32_t entity, StepCode step) const {
    const Run* first = runs_.data() + run_begin_[entity];
    const Run* last = runs_.data() + run_begin_[entity + 1];
    const Run* run = std::lower_bound(
        first, last, step, [](const Run& a, StepCode wanted) { return a.step < wanted; });
    if (run == last || run->step != step) {
        return {};
    }
    return {targets_.data() + run->begin, (run + 1)->begin - run->begin};
}

std::span<const Edge> Graph::edges(std::uint32_t entity) const {
    return std::span(edges_).subspan(edge_begin_[entity],
                                     edge_begin_[entity + 1] - edge_begin_[entity]);
}

std::span<const Edge> Graph::edges_between(std::uint32_t from, std::uint32_t to) const {
    const std::span<const Edge> all = edges(from);
    const auto first = std::lower_bound(all.begin(), all.end(), Edge{to, 0});
    auto last = first;
    while (last != all.end() && last->target == to) {
        ++last;
    }
    return {first, last};
}

std::span<const std::uint32_t> Graph::subjects(StepCode step) const {
    return std::span(subjects_).subspan(subject_begin_[step],
                                        subject_begin_[step + 1] - subject_begin_[step]);
}

bool Graph::contains(std::uint32_t from, StepCode step, std::uint32_t to) const {
    const std::span<const std::uint32_t> targets = neighbours(from, step);
    return std::binary_search(targets.begin(), targets.end(), to);
}

double confidence(const Evidence& evidence, double pessimism) {
    return evidence.support <= 0 ? 0 : evidence.support / (evidence.predictions + pessimism);
}

double pca_confidence(const Evidence& evidence, bool of_tail, double pessimism) {
    const double among = of_tail ? evidence.of_known_tail : evidence.of_known_head;
    return evidence.support <= 0 ? 0 : evidence.support / (among + pessimism);
}

double head_coverage(const GraphRule& rule, const Graph& graph) {
    const std::size_t facts = graph.facts(relation_of(rule.head)).size();
    return facts == 0 ? 0 : std::min(1.0, rule.evidence.support / static_cast<double>(facts));
}

}  // namespace hri
