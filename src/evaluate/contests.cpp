// SPDX-License-Identifier: Apache-2.0
#include "evaluate/contests.hpp"

#include <algorithm>

namespace hri::evaluation {
namespace {

constexpr std::size_t kRivals = 50;   // the strongest ones
constexpr std::size_t kSampled = 30;  // of the others

/// What all kinds of rules say of a candidate, each counting the same.
float even_sum(const Features& features) {
    constexpr std::size_t kSaid = 8;  // the others count facts
    float total = 0;
    for (std::size_t i = 0; i < kSaid; ++i) {
        total += features[i];
    }
    return total;
}

}  // namespace

Contest contest_of(std::uint32_t answer, const Candidates& candidates,
                   const AggregatorPair& aggregators, const ContestRules& how) {
    Contest contest;
    const std::size_t own = candidates.find(answer);
    if (own == candidates.size()) {
        return contest;
    }
    const auto add = [&](std::size_t i, bool own_fact) {
        const std::span<const std::uint32_t> fired = candidates.rules(i);
        const std::uint32_t entity = candidates.entity(i);
        contest.candidates.push_back({aggregators[0].features(entity, fired, own_fact),
                                      aggregators[1].features(entity, fired, own_fact)});
        contest.rules.insert(contest.rules.end(), fired.begin(), fired.end());
        contest.rule_begin.push_back(static_cast<std::uint32_t>(contest.rules.size()));
        Halves truth = 0;
        for (const ValidAnswer& one : how.valid) {
            truth |= one.entity == entity && i != own ? one.half : Halves{0};
        }
        contest.truth.push_back(truth);
    };
    contest.rule_begin = {0};
    add(own, how.of_training);
    std::vector<std::pair<float, std::size_t>> all;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i != own &&
            !std::binary_search(how.training.begin(), how.training.end(), candidates.entity(i))) {
            all.emplace_back(
                -even_sum(aggregators[1].features(candidates.entity(i), candidates.rules(i))), i);
        }
    }
    std::sort(all.begin(), all.end());
    const std::size_t strongest = std::min(all.size(), kRivals);
    for (std::size_t i = 0; i < strongest; ++i) {
        add(all[i].second, false);
    }
    contest.sampled = contest.candidates.size();
    const std::size_t rest = all.size() - strongest;
    const std::size_t some = std::min(rest, kSampled);
    for (std::size_t i = 0; i < some; ++i) {
        add(all[strongest + i * rest / some].second, false);
    }
    contest.share = some == 0 ? 1 : static_cast<float>(rest) / static_cast<float>(some);
    return contest;
}

}  // namespace hri::evaluation
