// SPDX-License-Identifier: Apache-2.0
#include "evaluate/aggregation.hpp"

#include "evaluate/redundant_rules.hpp"

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

Aggregator::Aggregator(const RuleIndex& index, const Aggregation& how)
    : graph_(index.graph()), query_(index.query()), how_(how) {
    constexpr double kMost = 0.9999;
    const bool learned = how.kind == Aggregation::Kind::learned;
    confidences_.resize(index.size());
    without_one_.resize(index.size());
    weights_.resize(learned ? index.size() : 0);
    groups_.resize(index.size());
    for (std::uint32_t i = 0; i < index.size(); ++i) {
        const GraphRule& rule = index.rule(i);
        const Evidence& evidence = rule.evidence;
        const double value =
            how.pca ? pca_confidence(evidence, is_backward(index.query()), how.pessimism)
                    : confidence(evidence, how.pessimism);
        confidences_[i] = static_cast<float>(std::min(value, kMost));
        const double all = evidence.support / std::max(value, 1e-9);  // pessimism included
        without_one_[i] = static_cast<float>(
            evidence.support <= 1 ? 0 : std::min((evidence.support - 1) / (all - 1), kMost));
        if (learned) {
            weights_[i] = rule.weights[is_backward(index.query()) ? 1 : 0];
        }
        groups_[i] = rule.is_path() ? 0 : rule.length == 0 ? 3 : rule.head == index.query() ? 1 : 2;
    }
    if (how.kind == Aggregation::Kind::clusters) {
        clusters_ = redundancy_clusters(index);
    }
}

Features Aggregator::features(std::uint32_t entity, std::span<const std::uint32_t> rules,
                              bool own_fact) const {
    const std::span<const float> confident = confidences(own_fact);
    constexpr std::size_t kBest = 4;
    constexpr float kDecay = 0.5F;
    std::array<std::array<float, kBest>, 3> best{};
    std::array<float, 4> sums{};
    float most = 0;
    for (const std::uint32_t rule : rules) {
        const std::size_t group = groups_[rule];
        const float value = -std::log1p(-confident[rule]);
        sums[group] += value;
        most = std::max(most, value);
        if (group < best.size() && value > best[group].back()) {
            std::array<float, kBest>& own = best[group];
            std::size_t at = kBest - 1;
            for (; at > 0 && own[at - 1] < value; --at) {
                own[at] = own[at - 1];
            }
            own[at] = value;
        }
    }
    Features features{};
    for (std::size_t group = 0; group < best.size(); ++group) {
        float factor = 1;
        for (const float value : best[group]) {
            features[2 * group] += factor * value;
            factor *= kDecay;
        }
        features[2 * group + 1] = std::log1p(sums[group]);
    }
    features[6] = sums[3];
    features[7] = most;
    const std::size_t one_less = own_fact ? 1 : 0;
    features[8] = std::log1p(
        static_cast<float>(graph_.neighbours(entity, opposite(query_)).size() - one_less));
    features[9] = std::log1p(static_cast<float>(graph_.edges(entity).size() - one_less));
    return features;
}

Score8 Aggregator::score(std::uint32_t entity, std::span<const std::uint32_t> rules,
                         bool own_fact) const {
    if (how_.kind == Aggregation::Kind::learned) {
        const Features all = features(entity, rules, own_fact);
        double sum = 0;
        for (std::size_t i = 0; i < std::min(all.size(), how_.weights.size()); ++i) {
            sum += how_.weights[i] * static_cast<double>(all[i]);
        }
        for (const std::uint32_t rule : rules) {
            sum += static_cast<double>(weights_[rule]);
        }
        return {static_cast<float>(sum)};
    }
    if (how_.kind == Aggregation::Kind::clusters) {
        return {clustered_score(rules, own_fact)};
    }
    const std::span<const float> confident = confidences(own_fact);
    Score8 best{};  // falling
    double all = 0;
    for (const std::uint32_t rule : rules) {
        const float value = confident[rule];
        if (how_.kind == Aggregation::Kind::noisy_or && how_.decay == 1) {
            all -= std::log1p(-static_cast<double>(value));
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
            all -= factor * std::log1p(-static_cast<double>(value));
            factor *= how_.decay;
        }
    }
    return {static_cast<float>(all)};
}

/// Noisy-or of the best rule of each cluster.
float Aggregator::clustered_score(std::span<const std::uint32_t> rules, bool own_fact) const {
    const std::span<const float> confident = confidences(own_fact);
    std::vector<std::pair<std::uint32_t, float>> best;  // by cluster
    best.reserve(rules.size());
    for (const std::uint32_t rule : rules) {
        best.emplace_back(clusters_[rule], -confident[rule]);
    }
    std::sort(best.begin(), best.end());
    double all = 0;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (i == 0 || best[i].first != best[i - 1].first) {
            all -= std::log1p(static_cast<double>(best[i].second));
        }
    }
    return static_cast<float>(all);
}

double Aggregator::shown(const Score8& score) const {
    const bool is_probability =
        how_.kind == Aggregation::Kind::noisy_or || how_.kind == Aggregation::Kind::clusters;
    return is_probability ? -std::expm1(-static_cast<double>(score[0]))
                          : static_cast<double>(score[0]);
}

Rank rank_of(std::uint32_t answer, const Candidates& candidates, const Aggregator& aggregator,
             std::span<const std::uint32_t> known, std::size_t entities, bool own_fact) {
    const auto is_known = [&](std::uint32_t entity) {
        return std::binary_search(known.begin(), known.end(), entity);
    };
    const std::size_t own = candidates.find(answer);
    const Score8 mine = own == candidates.size()
                            ? Score8{}
                            : aggregator.score(answer, candidates.rules(own), own_fact);
    Rank rank;
    std::size_t open = 0;  // candidates that are neither known nor the answer
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i == own || is_known(candidates.entity(i))) {
            continue;
        }
        ++open;
        const Score8 theirs = aggregator.score(candidates.entity(i), candidates.rules(i));
        rank.better += theirs > mine ? 1 : 0;
        rank.equal += theirs == mine ? 1 : 0;
    }
    if (own == candidates.size()) {
        const std::size_t left_out = known.size() + (is_known(answer) ? 0 : 1);
        rank.better = static_cast<double>(open);
        rank.equal = static_cast<double>(entities - left_out - open);
    }
    return rank;
}

Rank blended_rank_of(std::uint32_t answer, const Candidates& candidates,
                     const Aggregator& aggregator, std::span<const std::uint32_t> known,
                     std::size_t entities, std::span<const EntityScore> extra, double weight) {
    std::vector<Score8> scores(candidates.size());
    float least = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        scores[i] = aggregator.score(candidates.entity(i), candidates.rules(i));
        least = std::min(least, scores[i][0]);
    }
    std::vector<Score8> all(entities, Score8{least - (candidates.size() > 0 ? 1e-3F : 0.0F)});
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        all[candidates.entity(i)] = scores[i];
    }
    for (const EntityScore& one : extra) {
        all[one.entity][0] += static_cast<float>(weight) * one.score;
    }
    Rank rank;
    for (std::uint32_t entity = 0; entity < entities; ++entity) {
        if (entity != answer && !std::binary_search(known.begin(), known.end(), entity)) {
            rank.better += all[entity] > all[answer] ? 1 : 0;
            rank.equal += all[entity] == all[answer] ? 1 : 0;
        }
    }
    return rank;
}

}  // namespace hri::evaluation
