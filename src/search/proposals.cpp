// SPDX-License-Identifier: Apache-2.0
#include "search/proposals.hpp"

#include "search/relevance.hpp"

#include <algorithm>
#include <numeric>

namespace hri::search {

namespace {

constexpr int kMinKeptInputs = 6;  // at least, or an eighth
constexpr double kRelevantZ = 4;   // of an input that counts as relevant

}  // namespace

std::vector<int> relevant_inputs(const Problem& problem, const std::vector<Instance>& instances) {
    const std::vector<double> z = relevance(problem.inputs(), problem.target().arity, instances);
    std::vector<int> inputs;
    for (std::size_t i = 0; i < z.size(); ++i)
        if (z[i] > kRelevantZ)
            inputs.push_back(static_cast<int>(i));
    std::stable_sort(inputs.begin(), inputs.end(), [&](int a, int b) {
        return z[static_cast<std::size_t>(a)] > z[static_cast<std::size_t>(b)];
    });
    inputs.resize(std::min(inputs.size(), static_cast<std::size_t>(kMinKeptInputs)));
    return inputs;
}

Proposals proposals_among_few(const Hierarchy& h, const std::vector<int>& relevant,
                              Random& random) {
    std::vector<double> chosen(static_cast<std::size_t>(h.predicates()), 1.0);
    std::vector<int> inputs(static_cast<std::size_t>(h.inputs));
    std::iota(inputs.begin(), inputs.end(), h.first_auxiliary() - h.inputs);
    random.shuffle(inputs);
    for (std::size_t i = static_cast<std::size_t>(std::max(kMinKeptInputs, h.inputs / 8));
         i < inputs.size(); ++i)
        chosen[static_cast<std::size_t>(inputs[i])] = 0;
    if (random.chance(0.75))
        for (const int input : relevant)
            chosen[static_cast<std::size_t>(h.first_auxiliary() - h.inputs + input)] = 1;
    Proposals proposals;
    for (const Slot& slot : h.slots) {
        std::vector<double> row;
        for (const int p : slot.candidates)
            row.push_back(chosen[static_cast<std::size_t>(p)]);
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        for (double& share : row)
            share = sum > 0 ? share / sum : 1.0 / static_cast<double>(row.size());
        proposals.push_back(std::move(row));
    }
    return proposals;
}

Proposals proposals_of(const Model& model) {
    const std::vector<float> alpha = unification(model);
    const Hierarchy& h = model.hierarchy;
    Proposals proposals;
    for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
        const std::vector<int>& candidates = h.slots[slot].candidates;
        std::vector<double> row;
        for (const int p : candidates)
            row.push_back(
                0.5 * static_cast<double>(alpha[slot * static_cast<std::size_t>(h.predicates()) +
                                                static_cast<std::size_t>(p)]) +
                0.5 / static_cast<double>(candidates.size()));
        proposals.push_back(std::move(row));
    }
    return proposals;
}

}  // namespace hri::search
