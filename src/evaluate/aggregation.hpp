// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the rules that predict an entity to its score.

#include "hri/graph.hpp"
#include "hri/ranking.hpp"

#include "evaluate/rule_index.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Hits by entity; buffers are kept between queries.
class Candidates {
  public:
    explicit Candidates(std::size_t entities) : slot_(entities, kNoEntity) {}

    void group(std::span<const Hit> hits);

    std::size_t size() const { return entities_.size(); }

    std::uint32_t entity(std::size_t i) const { return entities_[i]; }

    std::span<const std::uint32_t> rules(std::size_t i) const {
        return std::span(rules_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }

    /// The candidate of an entity, or size().
    std::size_t find(std::uint32_t entity) const {
        return slot_[entity] == kNoEntity ? size() : slot_[entity];
    }

  private:
    std::vector<std::uint32_t> slot_;  // by entity: its candidate
    std::vector<std::uint32_t> entities_;
    std::vector<std::uint32_t> begin_;
    std::vector<std::uint32_t> rules_;
};

/// A score that is compared part by part: the confidences of the best rules, or one number.
constexpr std::size_t kScoreParts = 8;
using Score8 = std::array<float, kScoreParts>;

/// What a learned aggregation weighs: how strongly rules of each kind predict a candidate. Paths,
/// rules about the given entity and rules about the candidate have two features each: that of their
/// best rules, and that of all. Then the constant's frequency, the best rule, how many facts the
/// candidate has in the answer's place, and how many at all.
constexpr std::size_t kFeatures = 10;
using Features = std::array<float, kFeatures>;

/// Weights of an index's rules under an aggregation.
class Aggregator {
  public:
    Aggregator(const RuleIndex& index, const Aggregation& how);

    /// The score of an entity. With `own_fact`, the fact itself does not count as support.
    Score8 score(std::uint32_t entity, std::span<const std::uint32_t> rules,
                 bool own_fact = false) const;
    Features features(std::uint32_t entity, std::span<const std::uint32_t> rules,
                      bool own_fact = false) const;
    /// A single number in the same order, for people: between 0 and 1 but for learned weights.
    double shown(const Score8& score) const;

    std::size_t size() const { return confidences_.size(); }

    float confidence_of(std::uint32_t rule) const { return confidences_[rule]; }

  private:
    std::span<const float> confidences(bool own_fact) const {
        return own_fact ? without_one_ : confidences_;
    }

    float clustered_score(std::span<const std::uint32_t> rules, bool own_fact) const;

    const Graph& graph_;
    StepCode query_;
    Aggregation how_;
    std::vector<float> confidences_;
    std::vector<float> without_one_;    // with one fact less
    std::vector<float> weights_;        // that the rules add
    std::vector<std::uint8_t> groups_;  // paths, rules about the given entity, about the candidate
    std::vector<std::uint32_t> clusters_;  // of rules that predict nearly the same
};

/// How many candidates are better than the answer, and how many as good; `known` answers are left
/// out. Entities that no rule predicts come after those that some rule does. `own_fact`: the answer
/// is one on which the rules were counted.
Rank rank_of(std::uint32_t answer, const Candidates& candidates, const Aggregator& aggregator,
             std::span<const std::uint32_t> known, std::size_t entities, bool own_fact = false);

/// The same with scores from elsewhere added to those of rules. Entities that no rule predicts
/// begin just below those that some rule does.
Rank blended_rank_of(std::uint32_t answer, const Candidates& candidates,
                     const Aggregator& aggregator, std::span<const std::uint32_t> known,
                     std::size_t entities, std::span<const EntityScore> extra, double weight);

}  // namespace hri::evaluation
