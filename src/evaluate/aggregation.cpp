// SPDX-License-Identifier: Apache-2.0
#include "evaluate/aggregation.hpp"

#include <algorithm>
#include <cmath>

namespace hri::evaluation {

void Candidates::group(std::span<const Hit> hits) {
    for (const std::uint32_t entity : entities_) {
        slot_[entity] = kNoEntity;
    }
    entities_.clear();
    begin_.clear();
    for (const Hit& hit : hits) {
        std::uint32_t& slot = slot_[hit.entity];
        if (slot == kNoEntity) {
            slot = static_cast<std::uint32_t>(entities_.size());
            entities_.push_back(hit.entity);
            begin_.push_back(0);
        }
        ++begin_[slot];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& count : begin_) {
        sum += count;
        count = sum;
    }
    begin_.push_back(sum);
    rules_.resize(hits.size());
    for (auto hit = hits.rbegin(); hit != hits.rend(); ++hit) {
        rules_[--begin_[slot_[hit->entity]]] = hit->rule;
    }
}

Aggregator::Aggregator(const RuleIndex& index, const Aggregation& how) : how_(how) {
    constexpr double kMost = 0.9999;
    confidences_.resize(index.size());
    for (std::uint32_t i = 0; i < index.size(); ++i) {
        const Evidence& evidence = index.rule(i).evidence;
        const double value =
            how.pca ? pca_confidence(evidence, is_backward(index.query()), how.pessimism)
                    : confidence(evidence, how.pessimism);
        confidences_[i] = static_cast<float>(std::min(value, kMost));
    }
}

Score8 Aggregator::score(std::span<const std::uint32_t> rules) const {
    Score8 best{};  // falling
    double all = 0;
    for (const std::uint32_t rule : rules) {
        const float value = confidences_[rule];
        if (how_.kind == Aggregation::Kind::noisy_or && how_.decay == 1) {
            all -= std::log1p(-double{value});
            continue;
        }
        if (value <= best.back()) {
            continue;
        }
        std::size_t at = kScoreParts - 1;
        for (; at > 0 && best[at - 1] < value; --at) {
            best[at] = best[at - 1];
        }
        best[at] = value;
    }
    if (how_.kind != Aggregation::Kind::noisy_or) {
        return best;
    }
    if (how_.decay != 1) {
        double factor = 1;
        for (const float value : best) {
            all -= factor * std::log1p(-double{value});
            factor *= how_.decay;
        }
    }
    return {static_cast<float>(all)};
}

double Aggregator::shown(const Score8& score) const {
    return how_.kind == Aggregation::Kind::noisy_or ? -std::expm1(-double{score[0]})
                                                    : double{score[0]};
}

Rank rank_of(std::uint32_t answer, const Candidates& candidates, const Aggregator& aggregator,
             std::span<const std::uint32_t> known, std::size_t entities) {
    const auto is_known = [&](std::uint32_t entity) {
        return std::binary_search(known.begin(), known.end(), entity);
    };
    const std::size_t own = candidates.find(answer);
    const Score8 mine =
        own == candidates.size() ? Score8{} : aggregator.score(candidates.rules(own));
    Rank rank;
    std::size_t open = 0;  // candidates that are neither known nor the answer
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i == own || is_known(candidates.entity(i))) {
            continue;
        }
        ++open;
        const Score8 theirs = aggregator.score(candidates.rules(i));
        rank.better += theirs > mine ? 1 : 0;
        rank.equal += theirs == mine ? 1 : 0;
    }
    if (mine == Score8{}) {  // no rule predicts it, nor the entities that are no candidates
        const std::size_t left_out = known.size() + (is_known(answer) ? 0 : 1);
        rank.equal += static_cast<double>(entities - left_out - open);
    }
    return rank;
}

}  // namespace hri::evaluation
