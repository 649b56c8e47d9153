// SPDX-License-Identifier: Apache-2.0
#include "evaluate/held_out.hpp"

#include "hri/random.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <tuple>

namespace hri::evaluation {
namespace {

constexpr std::size_t kTraining = 60'000;  // triples that are held out at a time, of all relations
constexpr std::size_t kHoldOut = 10;       // one of so many triples is held out at a time
constexpr std::size_t kSmall = 50'000;     // triples of a graph: several tenths
constexpr std::size_t kLarge = 3'000'000;  // none are held out

/// The i-th of `some` places among `all`.
std::size_t spread_place(std::size_t i, std::size_t some, std::size_t all) {
    return i * all / some;
}

}  // namespace

std::vector<std::unique_ptr<HeldOut>> hold_out(const Graph& graph,
                                               std::span<const InventedRelation> invented) {
    std::vector<std::unique_ptr<HeldOut>> all;
    const std::size_t size = graph.size();
    if (size < 2 * kHoldOut || size > kLarge) {
        return all;
    }
    const std::size_t parts = std::clamp<std::size_t>(kSmall / size, 1, 5);
    const std::size_t most = std::max<std::size_t>(20, kTraining / graph.relations());
    for (std::size_t part = 0; part < parts; ++part) {
        std::vector<Triple> rest;
        std::vector<std::vector<Triple>> out(graph.relations());
        for (std::uint32_t r = 0; r < graph.relations(); ++r) {
            if (std::any_of(invented.begin(), invented.end(),
                            [&](const InventedRelation& one) { return one.relation == r; })) {
                continue;
            }
            const std::span<const Triple> facts = graph.facts(r);
            const std::size_t stride = std::max(kHoldOut, facts.size() / most);
            for (std::size_t i = 0; i < facts.size(); ++i) {
                // a hash of the place: neighbours in the list share their head
                (base::mixed(i) % stride == part ? out[r] : rest).push_back(facts[i]);
            }
        }
        all.push_back(std::make_unique<HeldOut>(graph, with_invented(std::move(rest), invented),
                                                std::move(out)));
    }
    return all;
}

ValidQueries::ValidQueries(const GraphData& data, std::size_t relations, std::size_t most)
    : data_(data), by_relation_(triples_by_relation(data.valid, relations)) {
    std::vector<Halves> half(data.valid.size());
    for (const std::vector<std::uint32_t>& group : by_relation_) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            half[group[i]] = i % 2 == 0 ? 1 : 2;
        }
        const std::size_t some = std::min(most, group.size());
        for (std::size_t i = 0; i < some; ++i) {  // halves of those that are asked for
            half[group[spread_place(i, some, group.size())]] = i % 2 == 0 ? 1 : 2;
        }
    }
    std::vector<std::pair<Key, ValidAnswer>> all;
    for (std::size_t i = 0; i < data.valid.size(); ++i) {
        const Triple& triple = data.valid[i];
        all.push_back({{forward(triple.relation), triple.head}, {triple.tail, half[i]}});
        all.push_back({{backward(triple.relation), triple.tail}, {triple.head, half[i]}});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first, a.second.entity, a.second.half) <
               std::tie(b.first, b.second.entity, b.second.half);
    });
    for (const auto& [key, answer] : all) {
        keys_.push_back(key);
        answers_.push_back(answer);
    }
}

std::vector<Query> ValidQueries::queries(StepCode step, std::size_t most) const {
    const std::vector<std::uint32_t>& group = by_relation_[relation_of(step)];
    const std::size_t some = std::min(group.size(), most);
    std::vector<Query> queries;
    for (std::size_t i = 0; i < some; ++i) {
        queries.push_back(query_of(data_.valid[group[spread_place(i, some, group.size())]], step));
    }
    Random random(0, step);
    random.shuffle(queries);
    return queries;
}

std::span<const ValidAnswer> ValidQueries::answers(StepCode step, std::uint32_t source) const {
    const auto [first, last] = std::equal_range(keys_.begin(), keys_.end(), Key{step, source});
    return std::span(answers_).subspan(static_cast<std::size_t>(first - keys_.begin()),
                                       static_cast<std::size_t>(last - first));
}

Halves ValidQueries::half(StepCode step, const Query& query) const {
    for (const ValidAnswer& one : answers(step, query.source)) {
        if (one.entity == query.answer) {
            return one.half;
        }
    }
    return 1;
}

}  // namespace hri::evaluation
