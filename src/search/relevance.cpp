// SPDX-License-Identifier: Apache-2.0
#include "search/relevance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hri::search {

namespace {

/// The correlation of a count with labels of 0 and 1, as they come.
struct Correlation {
    double n = 0;
    double sum = 0;
    double squares = 0;
    double positives = 0;
    double sum_of_positives = 0;

    void add(double count, bool positive) {
        n += 1;
        sum += count;
        squares += count * count;
        positives += positive ? 1 : 0;
        sum_of_positives += positive ? count : 0;
    }

    double z() const {
        const double spread = (n * squares - sum * sum) * (n * positives - positives * positives);
        return spread > 0 ? std::abs(n * sum_of_positives - sum * positives) / std::sqrt(spread) *
                                std::sqrt(n)
                          : 0;
    }
};

/// The facts of one input in one instance.
class Counts {
  public:
    Counts(const std::vector<Fact>& facts, int arity, int constants)
        : facts_(facts), starts_(static_cast<std::size_t>(constants)), ends_(starts_) {
        for (const Fact& fact : facts) {
            if (arity >= 1)
                ++starts_[static_cast<std::size_t>(fact.first)];
            if (arity == 2)
                ++ends_[static_cast<std::size_t>(fact.second)];
        }
    }

    double starting_with(int constant) const { return starts_[static_cast<std::size_t>(constant)]; }

    double ending_with(int constant) const { return ends_[static_cast<std::size_t>(constant)]; }

    bool holds(int a, int b) const {
        const auto at = std::lower_bound(facts_.begin(), facts_.end(), std::pair(a, b),
                                         [](const Fact& fact, const auto& pair) {
                                             return std::pair(fact.first, fact.second) < pair;
                                         });
        return at != facts_.end() && at->first == a && at->second == b;
    }

  private:
    const std::vector<Fact>& facts_;
    std::vector<int> starts_;
    std::vector<int> ends_;
};

/// The labelled atoms of each instance: few among many where data were split.
std::vector<std::vector<int>> labelled_atoms(const std::vector<Instance>& instances) {
    std::vector<std::vector<int>> result;
    for (const Instance& instance : instances) {
        std::vector<int>& of_instance = result.emplace_back();
        for (std::size_t atom = 0; atom < instance.labels.size(); ++atom)
            if (instance.labels[atom] != Label::unlabelled)
                of_instance.push_back(static_cast<int>(atom));
    }
    return result;
}

}  // namespace

std::vector<double> relevance(const std::vector<PredicateSymbol>& inputs, int target_arity,
                              const std::vector<Instance>& instances) {
    std::vector<double> result;
    const std::vector<std::vector<int>> examples = labelled_atoms(instances);
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        std::array<Correlation, 6> correlations;
        for (std::size_t i = 0; i < instances.size() && target_arity > 0; ++i) {
            const Instance& instance = instances[i];
            const int n = instance.constants;
            const Counts counts(instance.facts[input], inputs[input].arity, n);
            for (const int index : examples[i]) {
                const bool positive =
                    instance.labels[static_cast<std::size_t>(index)] == Label::positive;
                const int a = target_arity == 2 ? index / n : index;
                correlations[0].add(counts.starting_with(a), positive);
                correlations[1].add(counts.ending_with(a), positive);
                if (target_arity < 2)
                    continue;
                const int b = index % n;
                correlations[2].add(counts.starting_with(b), positive);
                correlations[3].add(counts.ending_with(b), positive);
                if (inputs[input].arity == 2) {
                    correlations[4].add(counts.holds(a, b) ? 1 : 0, positive);
                    correlations[5].add(counts.holds(b, a) ? 1 : 0, positive);
                }
            }
        }
        double most = 0;
        for (const Correlation& correlation : correlations)
            most = std::max(most, correlation.z());
        result.push_back(most);
    }
    return result;
}

}  // namespace hri::search
