// SPDX-License-Identifier: Apache-2.0
#include "search/name_cost.hpp"

#include "search/combine.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hri::search {

namespace {

/// Bits of the rules of one name, and of whether each object has the name.
class NameCost : public SetCost {
  public:
    struct Candidate {
        std::uint32_t body = 0;
        std::vector<std::uint32_t> having;  // objects of the name that it covers
        double others = 0;                  // objects without the name that it covers
        double bits = 0;
        double evidence = 0;  // of the set's rules
        bool is_chosen = false;
    };

    NameCost(const BodyCoverage& coverage, std::size_t target, const SceneRuleSettings& settings)
        : smoothing_(settings.smoothing) {
        const std::vector<std::uint32_t>& having = coverage.having[target];
        others_ = static_cast<double>(coverage.of_object.size() - having.size());
        const double count = static_cast<double>(having.size());
        frequency_ = (count + 0.5) / (count + others_ + 1);
        otherwise_ = evidence(frequency_);
        missed_.assign(having.size(), std::exp(-otherwise_));
        std::map<std::uint32_t, Candidate> found;  // [body]
        double pairs = 0;                          // of an object of the name and a body
        for (std::size_t e = 0; e < having.size(); ++e)
            for (const std::uint32_t body : coverage.of_object[having[e]]) {
                if (!coverage.owner.empty() && coverage.owner[body] != target)
                    continue;
                found[body].having.push_back(static_cast<std::uint32_t>(e));
                ++pairs;
            }
        for (auto& [body, candidate] : found) {
            const auto correct = static_cast<std::int64_t>(candidate.having.size());
            if (correct < settings.min_correct)
                continue;
            candidate.body = body;
            candidate.others = static_cast<double>(coverage.covered[body] - correct);
            candidate.bits = std::log2(pairs / static_cast<double>(correct));
            candidates_.push_back(std::move(candidate));
        }
    }

    const std::vector<Candidate>& candidates() const { return candidates_; }

    /// Of an object that no rule covers.
    double otherwise() const { return otherwise_; }

    /// Of the set's rules and of all objects.
    double all_bits() const {
        double nats = others_ * otherwise_;
        int sign = 0;  // std::lgamma() would write it to a global, of all threads
        double sum = -lgamma_r(static_cast<double>(chosen_) + 1, &sign) / kNat;
        for (const Candidate& rule : candidates_)
            if (rule.is_chosen) {
                sum += rule.bits;
                nats += rule.others * rule.evidence;
            }
        for (const double missed : missed_)
            nats -= std::log1p(-missed);
        return sum + nats / kNat;
    }

    double gain(std::size_t i) const override {
        const Candidate& rule = candidates_[i];
        const double added = fitted(rule);
        double nats = -rule.others * added;
        for (const std::uint32_t e : rule.having)
            nats += std::log((1 - missed_[e] * std::exp(-added)) / (1 - missed_[e]));
        return nats / kNat - rule.bits + std::log2(static_cast<double>(chosen_ + 1));
    }

    void add(std::size_t i) override {
        Candidate& rule = candidates_[i];
        rule.is_chosen = true;
        ++chosen_;
        set(rule, fitted(rule));
        fit_otherwise();
    }

    void remove(std::size_t i) override {
        Candidate& rule = candidates_[i];
        rule.is_chosen = false;
        --chosen_;
        set(rule, 0);
        fit_otherwise();
    }

    /// The evidence of all rules together.
    void fit() {
        constexpr int kSweeps = 10;
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            for (Candidate& rule : candidates_)
                if (rule.is_chosen) {
                    set(rule, 0);
                    set(rule, fitted(rule));
                }
            fit_otherwise();
        }
    }

  private:
    static constexpr double kNat = 0.69314718055994531;  // bits

    /// The evidence x that maximises the likelihood of objects which one more reason covers:
    /// `count` with the name, of which other reasons miss a share missed(i), and `others` without
    /// it. The smoothing is a few objects that nothing else covers. The slope falls as x grows.
    template <class Missed>
    double most_likely(std::size_t count, Missed missed, double others) const {
        const double having = smoothing_ * frequency_;
        const double slope_of_others = others + smoothing_ * (1 - frequency_);
        const auto rises = [&](double x) {
            const double odds = std::expm1(x);
            double slope = having / odds - slope_of_others;
            for (std::size_t i = 0; i < count && slope <= 0; ++i) {
                const double share = missed(i);
                slope += share / (odds + 1 - share);
            }
            return slope > 0;
        };
        double low = 1e-9;
        double high = 30;
        while (high > low * (1 + 1e-4)) {
            const double middle = std::sqrt(low * high);
            (rises(middle) ? low : high) = middle;
        }
        return low;
    }

    /// Of a rule that is not in the set.
    double fitted(const Candidate& rule) const {
        return most_likely(
            rule.having.size(), [&](std::size_t i) { return missed_[rule.having[i]]; },
            rule.others);
    }

    void set(Candidate& rule, double evidence_now) {
        const double factor = std::exp(rule.evidence - evidence_now);
        for (const std::uint32_t e : rule.having)
            missed_[e] *= factor;
        rule.evidence = evidence_now;
    }

    void fit_otherwise() {
        const double before = std::exp(otherwise_);
        const double now = most_likely(
            missed_.size(), [&](std::size_t i) { return std::min(missed_[i] * before, 1.0); },
            others_);
        for (double& missed : missed_)
            missed *= std::exp(otherwise_ - now);
        otherwise_ = now;
    }

    double smoothing_;
    double others_ = 0;     // objects without the name
    double frequency_ = 0;  // of the name among all objects
    double otherwise_ = 0;
    std::vector<double> missed_;  // [object of the name]: the probability that no reason holds
    std::vector<Candidate> candidates_;
    std::int64_t chosen_ = 0;
};

}  // namespace

ChosenBodies choose_bodies(const BodyCoverage& coverage, std::size_t target,
                           const SceneRuleSettings& settings) {
    NameCost cost(coverage, target, settings);
    ChosenBodies result;
    result.bits_without = cost.all_bits();
    const auto& candidates = cost.candidates();
    const std::vector<std::size_t> chosen =
        combine(cost, candidates.size(), {.lazy = true, .exchange = false});
    if (!chosen.empty())
        cost.fit();
    for (const std::size_t i : chosen)
        result.bodies.push_back(
            {candidates[i].body, static_cast<std::int64_t>(candidates[i].having.size()),
             coverage.covered[candidates[i].body], probability(candidates[i].evidence)});
    result.bits = cost.all_bits();
    result.otherwise = probability(cost.otherwise());
    return result;
}

}  // namespace hri::search
