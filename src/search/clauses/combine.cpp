// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/combine.hpp"

#include "hri/evaluate.hpp"

#include "search/combine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hri::search {

namespace {

using Bits = std::vector<std::uint64_t>;

int count_of(const Bits& bits) {
    int count = 0;
    for (const std::uint64_t word : bits)
        count += __builtin_popcountll(word);
    return count;
}

void unite(Bits& into, const Bits& from) {
    for (std::size_t w = 0; w < into.size(); ++w)
        into[w] |= from[w];
}

bool contains(const Bits& all, const Bits& part) {
    for (std::size_t w = 0; w < all.size(); ++w)
        if ((part[w] & ~all[w]) != 0)
            return false;
    return true;
}

constexpr std::size_t kMaxCandidates = 3'000;  // of an exact cover
constexpr std::size_t kDescribed = 1'200;      // clauses of which errors are described
constexpr double kMaxLength = 3;  // of clauses that fit: lists of the positive examples
constexpr double kMaxRatio = 2;   // ... to the shortest description, of many examples

/// Branch and bound over the clauses that no cheaper one replaces.
class ExactCover {
  public:
    ExactCover(const std::vector<PoolClause>& pool, std::int64_t max_nodes, int max_clauses)
        : pool_(pool), max_nodes_(max_nodes), max_clauses_(max_clauses) {
        std::vector<int> order;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[i].negatives == 0 && pool[i].positives > 0)
                order.push_back(static_cast<int>(i));
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            const PoolClause& x = at(a);
            const PoolClause& y = at(b);
            return x.bits / x.positives < y.bits / y.positives;
        });
        for (const int i : order) {
            const bool dominated = std::any_of(used_.begin(), used_.end(), [&](int other) {
                return at(other).bits <= at(i).bits && contains(at(other).covered, at(i).covered);
            });
            if (!dominated)
                used_.push_back(i);
            if (used_.size() >= kMaxCandidates)
                break;
        }
        if (!pool.empty())
            open_.assign(pool.front().covered.size(), 0);
        for (const int i : used_)
            unite(open_, at(i).covered);
        for (const int i : used_)
            cheapest_ = std::min(cheapest_, at(i).bits / at(i).positives);
    }

    std::vector<int> run() {
        greedy();
        std::vector<int> chosen;
        branch(chosen, open_, 0);
        return fewest_bits_ < std::numeric_limits<double>::infinity() ? best_ : std::vector<int>();
    }

  private:
    const PoolClause& at(int i) const { return pool_[static_cast<std::size_t>(i)]; }

    void greedy() {
        Bits open = open_;
        std::vector<int> chosen;
        while (count_of(open) > 0) {
            int best = -1;
            double least = std::numeric_limits<double>::infinity();
            for (const int i : used_) {
                int fresh = 0;
                for (std::size_t w = 0; w < open.size(); ++w)
                    fresh += __builtin_popcountll(at(i).covered[w] & open[w]);
                if (fresh > 0 && at(i).bits / fresh < least) {
                    least = at(i).bits / fresh;
                    best = i;
                }
            }
            chosen.push_back(best);
            for (std::size_t w = 0; w < open.size(); ++w)
                open[w] &= ~at(best).covered[w];
        }
        // clauses that the others make superfluous, the dearest first
        std::stable_sort(chosen.begin(), chosen.end(),
                         [&](int a, int b) { return at(a).bits > at(b).bits; });
        for (std::size_t i = 0; i < chosen.size();) {
            Bits rest(open_.size(), 0);
            for (std::size_t j = 0; j < chosen.size(); ++j)
                if (j != i)
                    unite(rest, at(chosen[j]).covered);
            if (contains(rest, open_))
                chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
        best_ = chosen;
        fewest_bits_ = cost(chosen);
        if (max_clauses_ > 0 && static_cast<int>(chosen.size()) > max_clauses_)
            fewest_bits_ = std::numeric_limits<double>::infinity();
    }

    double cost(const std::vector<int>& chosen) const {
        double bits = 0;
        for (const int i : chosen)
            bits += at(i).bits;
        return bits;
    }

    void branch(std::vector<int>& chosen, const Bits& open, double bits) {
        const int left = count_of(open);
        if (left == 0) {
            if (bits < fewest_bits_ - 1e-9) {
                fewest_bits_ = bits;
                best_ = chosen;
            }
            return;
        }
        if (++nodes_ > max_nodes_ || bits + cheapest_ * left >= fewest_bits_ - 1e-9 ||
            (max_clauses_ > 0 && static_cast<int>(chosen.size()) >= max_clauses_))
            return;
        // the positive example that the fewest clauses cover
        int rarest = -1;
        std::size_t fewest = std::numeric_limits<std::size_t>::max();
        int looked = 0;
        for (std::size_t e = 0; e < open.size() * 64 && looked < 24; ++e) {
            if ((open[e / 64] >> (e % 64) & 1U) == 0)
                continue;
            ++looked;
            std::size_t by = 0;
            for (const int i : used_)
                by += at(i).covered[e / 64] >> (e % 64) & 1U;
            if (by < fewest) {
                fewest = by;
                rarest = static_cast<int>(e);
            }
        }
        const auto e = static_cast<std::size_t>(rarest);
        std::vector<std::pair<double, int>> ranked;
        for (const int i : used_)
            if ((at(i).covered[e / 64] >> (e % 64) & 1U) != 0) {
                int fresh = 0;
                for (std::size_t w = 0; w < open.size(); ++w)
                    fresh += __builtin_popcountll(at(i).covered[w] & open[w]);
                ranked.emplace_back(at(i).bits / fresh, i);
            }
        std::sort(ranked.begin(), ranked.end());
        for (const auto& [rank, i] : ranked) {
            if (nodes_ > max_nodes_)
                return;
            Bits rest = open;
            for (std::size_t w = 0; w < rest.size(); ++w)
                rest[w] &= ~at(i).covered[w];
            chosen.push_back(i);
            branch(chosen, rest, bits + at(i).bits);
            chosen.pop_back();
        }
    }

    const std::vector<PoolClause>& pool_;
    std::int64_t max_nodes_;
    int max_clauses_;
    std::vector<int> used_;
    Bits open_;
    std::vector<int> best_;
    double fewest_bits_ = std::numeric_limits<double>::infinity();
    double cheapest_ = std::numeric_limits<double>::infinity();  // bits for each example
    std::int64_t nodes_ = 0;
};

/// Atoms and errors. Counts how many of the set's clauses cover each example.
class Description : public SetCost {
  public:
    Description(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                ClausePrice price = {})
        : pool_(pool),
          examples_(examples),
          price_(price),
          times_(static_cast<std::size_t>(examples.positives + examples.negatives), 0) {}

    double bits() const { return clause_bits_ + mistakes(examples_, wrong_, missed()); }

    double cost() const { return paid_ + errors(wrong_, missed()); }

    double gain(std::size_t clause) const override {
        const PoolClause& of = pool_[clause];
        int right = 0;
        int wrong = 0;
        count_fresh(of.covered, right, wrong);
        return cost() - (paid_ + price_.of(of.body) + errors(wrong_ + wrong, missed() - right));
    }

    double clause_bits() const { return clause_bits_; }

    int wrong() const { return wrong_; }

    int missed() const { return examples_.positives - right_; }

    void add(std::size_t clause) override { change(clause, 1); }

    void remove(std::size_t clause) override { change(clause, -1); }

  private:
    double errors(int wrong, int missed) const {
        return wrong * examples_.negative_weight + missed * examples_.positive_weight;
    }

    void count_fresh(const Bits& of, int& right, int& wrong) const {
        const auto border = static_cast<std::size_t>(examples_.positives);
        for (std::size_t w = 0; w < of.size(); ++w) {
            const std::uint64_t fresh = covered_.empty() ? of[w] : of[w] & ~covered_[w];
            if (fresh == 0)
                continue;
            const std::size_t first = w * 64;
            if (first + 64 <= border)
                right += __builtin_popcountll(fresh);
            else if (first >= border)
                wrong += __builtin_popcountll(fresh);
            else {
                const std::uint64_t low = (std::uint64_t(1) << (border - first)) - 1;
                right += __builtin_popcountll(fresh & low);
                wrong += __builtin_popcountll(fresh & ~low);
            }
        }
    }

    void change(std::size_t clause, int by) {
        const PoolClause& of = pool_[clause];
        if (covered_.empty())
            covered_.assign(of.covered.size(), 0);
        clause_bits_ += by * of.bits;
        paid_ += by * price_.of(of.body);
        for (std::size_t w = 0; w < of.covered.size(); ++w)
            for (std::uint64_t left = of.covered[w]; left != 0; left &= left - 1) {
                const std::size_t e = w * 64 + static_cast<std::size_t>(__builtin_ctzll(left));
                int& times = times_[e];
                const bool before = times > 0;
                times += by;
                if (before == (times > 0))
                    continue;
                (static_cast<int>(e) < examples_.positives ? right_ : wrong_) += by;
                covered_[w] ^= std::uint64_t(1) << (e % 64);
            }
    }

    const std::vector<PoolClause>& pool_;
    const PoolExamples& examples_;
    const ClausePrice price_;
    std::vector<int> times_;
    Bits covered_;
    double clause_bits_ = 0;
    double paid_ = 0;
    int right_ = 0;
    int wrong_ = 0;
};

double priced(const Combination& set, const std::vector<PoolClause>& pool,
              const PoolExamples& examples, ClausePrice price) {
    Description cost(pool, examples, price);
    for (const int i : set.chosen)
        cost.add(static_cast<std::size_t>(i));
    return cost.cost();
}

Combination combination(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                        std::vector<int> chosen) {
    Description all(pool, examples);
    for (const int i : chosen)
        all.add(static_cast<std::size_t>(i));
    return {std::move(chosen), all.cost(),  all.bits(),
            all.clause_bits(), all.wrong(), all.missed()};
}

}  // namespace

double mistakes(const PoolExamples& examples, int false_positives, int false_negatives) {
    Score score;
    score.positives = std::llround(examples.positives * examples.positive_weight);
    score.negatives = std::llround(examples.negatives * examples.negative_weight);
    score.false_positives = std::llround(false_positives * examples.negative_weight);
    score.false_negatives = std::llround(false_negatives * examples.positive_weight);
    return error_bits(score);
}

Combination cover_exactly(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                          std::int64_t max_nodes, int max_clauses) {
    return combination(pool, examples, ExactCover(pool, max_nodes, max_clauses).run());
}

Combination describe(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                     int max_clauses, const std::vector<int>& start, ClausePrice price) {
    constexpr std::size_t kMaxChanges = 100;
    Description cost(pool, examples, price);
    std::vector<int> chosen;
    for (const std::size_t i : combine(cost, pool.size(),
                                       {.max_rules = static_cast<std::size_t>(max_clauses),
                                       .max_changes = kMaxChanges,
                                       .min_gain = 1e-6},
                                       {start.begin(), start.end()}))
        chosen.push_back(static_cast<int>(i));
    std::sort(chosen.begin(), chosen.end());
    return combination(pool, examples, std::move(chosen));
}

Combination describe_well(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                          int max_clauses, ClausePrice price) {
    std::vector<std::pair<double, int>> ranked;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (const double worth = pool[i].positives - pool[i].negatives - price.of(pool[i].body);
            worth > 0)
            ranked.emplace_back(-worth, static_cast<int>(i));
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > kDescribed)
        ranked.resize(kDescribed);
    Combination best = describe({}, examples, 0, {});
    double least = priced(best, {}, examples, price);
    for (const double precision : {0.0, 0.7, 0.85}) {
        std::vector<PoolClause> precise;
        std::vector<int> places;
        for (const auto& [worth, i] : ranked) {
            const PoolClause& clause = pool[static_cast<std::size_t>(i)];
            if (clause.positives >= precision * (clause.positives + clause.negatives)) {
                precise.push_back(clause);
                places.push_back(i);
            }
        }
        Combination other = describe(precise, examples, max_clauses, {}, price);
        const double cost = priced(other, precise, examples, price);
        if (cost >= least)
            continue;
        least = cost;
        best = std::move(other);
        for (int& i : best.chosen)
            i = places[static_cast<std::size_t>(i)];
    }
    return best;
}

bool prefers_exact(const Combination& exact, const Combination& tolerant,
                   const PoolExamples& examples) {
    if (exact.false_negatives > 0 || exact.chosen.empty())
        return false;
    if (exact.cost <= tolerant.cost)
        return true;
    if (exact.chosen.size() > 4 &&
        (exact.bits > kMaxLength * mistakes(examples, 0, examples.positives) ||
         (examples.positives >= 60 && exact.cost > kMaxRatio * tolerant.cost)))
        return false;  // clauses that name wrong labels one by one
    const double per_clause =
        static_cast<double>(examples.positives) / static_cast<double>(exact.chosen.size());
    return examples.positives < 60 ? per_clause >= 1.5 || exact.chosen.size() <= 4
                                   : per_clause >= 5;
}

}  // namespace hri::search
