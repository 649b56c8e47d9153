// SPDX-License-Identifier: Apache-2.0

// The price of clauses and literals where labels are noisy, chosen by hidden examples.

#include "hri/random.hpp"

#include "search/clauses/combine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hri::search {

namespace {

constexpr int kParts = 5;
constexpr double kExamples = 1'000;  // more in all make dealing them again needless
constexpr double kMaxDeals = 4;
constexpr int kMinOfAKind = 10;
constexpr std::array<ClausePrice, 9> kPrices = {{{1, 0},  // from the least to the most
                                                 {2, 0},
                                                 {0.5, 0.5},
                                                 {1, 0.5},
                                                 {0.75, 0.75},
                                                 {1, 1},
                                                 {1.5, 1.5},
                                                 {2, 2},
                                                 {3, 3}}};

using Bits = std::vector<std::uint64_t>;

bool has(const Bits& bits, int e) {
    return (bits[static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0;
}

/// The pool where some examples are not known.
std::vector<PoolClause> without(const std::vector<PoolClause>& pool, const Bits& hidden,
                                int positives) {
    std::vector<PoolClause> seen = pool;
    for (PoolClause& clause : seen)
        for (std::size_t w = 0; w < hidden.size(); ++w)
            for (std::uint64_t left = clause.covered[w] & hidden[w]; left != 0; left &= left - 1) {
                const std::uint64_t lowest = left & (~left + 1);
                clause.covered[w] &= ~lowest;
                const int e = static_cast<int>(w) * 64 + __builtin_ctzll(lowest);
                --(e < positives ? clause.positives : clause.negatives);
            }
    return seen;
}

int errors_on(const std::vector<PoolClause>& pool, const Combination& set, const Bits& hidden,
              int positives) {
    int errors = 0;
    for (int e = 0; e < static_cast<int>(hidden.size() * 64); ++e) {
        if (!has(hidden, e))
            continue;
        const bool says = std::any_of(set.chosen.begin(), set.chosen.end(), [&](int i) {
            return has(pool[static_cast<std::size_t>(i)].covered, e);
        });
        errors += says != (e < positives) ? 1 : 0;
    }
    return errors;
}

}  // namespace

ClausePrice choose_price(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                         int max_clauses, std::uint64_t seed, const std::function<bool()>& stop) {
    const int count = examples.positives + examples.negatives;
    if (std::min(examples.positives, examples.negatives) < kMinOfAKind || pool.empty())
        return {};
    const int divisions =
        static_cast<int>(std::clamp(std::round(kExamples / count), 1.0, kMaxDeals));
    Random random(seed, Random::kData);
    std::array<double, kPrices.size()> errors{};
    for (int division = 0; division < divisions; ++division) {
        std::vector<int> positives(static_cast<std::size_t>(examples.positives));
        std::iota(positives.begin(), positives.end(), 0);
        std::vector<int> negatives(static_cast<std::size_t>(examples.negatives));
        std::iota(negatives.begin(), negatives.end(), examples.positives);
        random.shuffle(positives);
        random.shuffle(negatives);
        for (std::size_t part = 0; part < kParts; ++part) {
            Bits hidden(pool.front().covered.size(), 0);
            for (const std::vector<int>* kind : {&positives, &negatives})
                for (std::size_t i = part; i < kind->size(); i += kParts) {
                    const auto e = static_cast<std::size_t>((*kind)[i]);
                    hidden[e / 64] |= std::uint64_t(1) << (e % 64);
                }
            const std::vector<PoolClause> seen = without(pool, hidden, examples.positives);
            for (std::size_t p = 0; p < kPrices.size(); ++p) {
                if (stop && stop())
                    return {};
                constexpr double kSeen = (kParts - 1.0) / kParts;
                const ClausePrice price{kSeen * kPrices[p].clause, kSeen * kPrices[p].literal};
                errors[p] += errors_on(pool, describe_well(seen, examples, max_clauses, price),
                                       hidden, examples.positives) /
                             static_cast<double>(divisions);
            }
        }
    }
    const auto usual = static_cast<std::size_t>(
        std::find(kPrices.begin(), kPrices.end(), ClausePrice{}) - kPrices.begin());
    std::size_t best = usual;
    for (std::size_t p = 0; p < kPrices.size(); ++p)
        if (errors[p] < errors[best] || (errors[p] == errors[best] && p > best))
            best = p;
    return errors[best] < errors[usual] - 0.5 * std::sqrt(errors[usual]) ? kPrices[best]
                                                                         : ClausePrice{};
}

}  // namespace hri::search
