// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/judged_pool.hpp"

#include <algorithm>

namespace hri::search {

namespace {

constexpr std::size_t kTunedRows = 50;  // of an example, where a threshold is chosen
constexpr std::size_t kJudged = 600;    // clauses of a pool that are judged on all examples
constexpr std::size_t kMinJudged = 100;
constexpr std::size_t kJudgedExamples = 4'000'000;  // ... as far as so many answers reach
constexpr std::size_t kMinBeforeStop = 20;

}  // namespace

JudgedPool::JudgedPool(const evaluation::DatabaseIndex& index, const AllExamples& all,
                       std::function<bool(const Body&)> allows, std::function<bool()> stop,
                       std::set<Body> tuned)
    : index_(index),
      all_(all),
      allows_(std::move(allows)),
      stop_(std::move(stop)),
      tuned_(std::move(tuned)) {}

const PoolClause& JudgedPool::judged(const PoolClause& clause) {
    auto found = judged_.find(clause.body);
    if (found == judged_.end())
        found = judged_.emplace(clause.body, all_.judged(clause)).first;
    return found->second;
}

std::vector<PoolClause> JudgedPool::best_of(const Enumeration& enumeration) {
    const PoolExamples examples = enumeration.pool_examples();
    const std::vector<PoolClause>& pool = enumeration.pool();
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < pool.size(); ++i)
        ranked.emplace_back(
            mistakes(examples, pool[i].negatives, examples.positives - pool[i].positives) +
                pool[i].bits,
            i);
    std::sort(ranked.begin(), ranked.end());
    std::vector<PoolClause> best;
    const auto count = static_cast<std::size_t>(all_.examples().count);
    const std::size_t checked = std::clamp(kJudgedExamples / count, kMinJudged, kJudged);
    for (std::size_t r = 0; r < std::min(ranked.size(), checked); ++r) {
        const PoolClause& clause = pool[ranked[r].second];
        if (judged_.count(clause.body) == 0 && best.size() > kMinBeforeStop && stop_())
            break;
        best.push_back(judged(clause));
    }
    for (const Body& body : tuned_) {
        PoolClause clause;
        clause.body = body;
        clause.bits = clause_bits(all_.language(), body);
        best.push_back(judged(clause));
    }
    return best;
}

bool JudgedPool::correct(std::vector<PoolClause>& pool, const Combination& chosen) {
    bool changed = false;
    for (const int i : chosen.chosen) {
        PoolClause& clause = pool[static_cast<std::size_t>(i)];
        if (!clause.estimated)
            continue;
        const PoolClause& exact = judged(clause);
        changed = changed || exact.covered != clause.covered;
        clause = exact;
    }
    return changed;
}

bool JudgedPool::add_tuned(std::vector<PoolClause>& pool, const Combination& chosen) {
    RefinerLimits limits;
    limits.max_rows = kTunedRows;
    bool added = false;
    for (const int i : chosen.chosen) {
        PoolClause clause = pool[static_cast<std::size_t>(i)];
        clause.body = Refiner(index_, all_.language(), all_.examples(), limits)
                          .with_best_thresholds(clause.body);
        const auto is_same = [&](const PoolClause& other) { return other.body == clause.body; };
        if (std::any_of(pool.begin(), pool.end(), is_same) || !allows_(clause.body))
            continue;
        pool.push_back(judged(clause));
        tuned_.insert(clause.body);
        added = true;
    }
    return added;
}

}  // namespace hri::search
