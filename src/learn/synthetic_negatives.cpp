// SPDX-License-Identifier: Apache-2.0
#include "learn/synthetic_negatives.hpp"

#include "base/checked_size.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace hri::learning {
namespace {

constexpr std::size_t kMaxRepeated = 32;  // constants of an instance

/// The constants that facts lead to from those of positive examples, then others.
std::vector<int> around_positives(const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    const auto n = static_cast<std::size_t>(instance.constants);
    std::vector<std::vector<int>> neighbours(n);
    for (std::size_t p = 0; p < inputs.size(); ++p)
        if (inputs[p].arity == 2)
            for (const Fact& fact : instance.facts[p]) {
                neighbours[static_cast<std::size_t>(fact.first)].push_back(fact.second);
                neighbours[static_cast<std::size_t>(fact.second)].push_back(fact.first);
            }
    std::vector<int> found;
    std::set<int> known;
    const auto add = [&](int constant) {
        if (found.size() < kMaxRepeated && known.insert(constant).second)
            found.push_back(constant);
    };
    std::size_t reached = 0;
    for (std::size_t atom = 0; atom < instance.labels.size(); ++atom) {
        if (instance.labels[atom] != Label::positive)
            continue;
        add(static_cast<int>(atom / n));
        add(static_cast<int>(atom % n));
        for (; reached < found.size(); ++reached)
            for (const int constant : neighbours[static_cast<std::size_t>(found[reached])])
                add(constant);
    }
    for (int constant = 0; constant < instance.constants; ++constant)
        add(constant);
    std::sort(found.begin(), found.end());
    return found;
}

/// The instance with one more constant for each of these.
Instance enlarged(const Instance& instance, const std::vector<int>& repeated) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    Instance both = instance;
    std::set<std::string> taken;
    both.names.clear();
    for (int c = 0; c < instance.constants; ++c) {
        both.names.push_back(instance.name_of(c));
        taken.insert(both.names.back());
    }
    std::vector<int> stranger(static_cast<std::size_t>(instance.constants), -1);
    for (const int constant : repeated) {
        if (constant >= 0)
            stranger[static_cast<std::size_t>(constant)] = both.constants;
        std::string name = "stranger " + std::to_string(both.constants++);
        while (taken.count(name) != 0)
            name += "'";
        both.names.push_back(name);
    }
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        for (Fact fact : instance.facts[p]) {
            fact.first = stranger[static_cast<std::size_t>(fact.first)];
            if (inputs[p].arity == 2)
                fact.second = stranger[static_cast<std::size_t>(fact.second)];
            if (inputs[p].arity > 0 && fact.first >= 0 && fact.second >= 0)
                both.facts[p].push_back(fact);
        }
        std::sort(both.facts[p].begin(), both.facts[p].end());
    }
    return both;
}

Instance beside_strangers(const Instance& instance, const Problem& problem) {
    const bool are_related =
        std::any_of(problem.inputs().begin(), problem.inputs().end(),
                    [](const PredicateSymbol& input) { return input.arity == 2; });
    const bool of_pairs = problem.target().arity == 2;
    Instance both =
        enlarged(instance, of_pairs && are_related ? around_positives(instance)
                                                   : std::vector<int>{-1});  // repeats nobody
    const int n = instance.constants;
    const int columns = of_pairs ? both.constants : 1;
    both.labels.assign(
        base::checked_size("labels", {{"constants", both.constants}, {"constants", columns}}, 1),
        Label::unlabelled);
    for (int x = 0; x < both.constants; ++x)
        for (int y = 0; y < columns; ++y) {
            Label& label = both.labels[static_cast<std::size_t>(x * columns + y)];
            if (x < n && (!of_pairs || y < n))
                label = instance.labels[static_cast<std::size_t>(of_pairs ? x * n + y : x)];
            else if (!of_pairs || x < n || y < n)
                label = Label::negative;
        }
    return both;
}

}  // namespace

std::optional<Problem> add_unrelated_constants(const Problem& problem) {
    std::int64_t positive = 0;
    std::int64_t negative = 0;
    std::int64_t unlabelled = 0;
    for (const Instance& instance : problem.training.instances) {
        if (instance.labels.empty())
            return std::nullopt;
        positive += instance.count(Label::positive);
        negative += instance.count(Label::negative);
        unlabelled += instance.count(Label::unlabelled);
    }
    if (problem.target().arity == 0 || negative >= positive || negative >= unlabelled)
        return std::nullopt;
    Problem result = problem;
    for (Instance& instance : result.training.instances)
        instance = beside_strangers(instance, problem);
    return result;
}

}  // namespace hri::learning
