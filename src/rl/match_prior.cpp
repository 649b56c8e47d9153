// SPDX-License-Identifier: Apache-2.0
#include "rl/match_prior.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace hri::rl {
namespace {

using base::at;

constexpr double kFalseDisjunct = 0.6;  // a disjunct is False,
constexpr double kTrueConjunct = 0.2;   // a second conjunct True,
constexpr double kInput = 0.5;          // else an input, else any candidate

enum class Role { other, second, disjunct };

std::vector<Role> roles(const Model& model) {
    std::vector<Role> role(model.hierarchy.slots.size(), Role::other);
    for (const Auxiliary& aux : model.hierarchy.auxiliaries) {
        const std::size_t conjoined = model.protorules[at(aux.protorule)].body.size();
        for (std::size_t i = 0; i < aux.slots.size(); ++i) {
            role[at(aux.slots[i])] = i >= conjoined ? Role::disjunct
                                     : i == 1       ? Role::second
                                                    : Role::other;
        }
    }
    return role;
}

}  // namespace

std::vector<std::vector<double>> match_prior(const Model& model) {
    const Hierarchy& h = model.hierarchy;
    const std::vector<Role> role = roles(model);
    const auto is_input = [&](int p) { return p >= 2 && p < h.first_auxiliary(); };
    std::vector<std::vector<double>> prior;
    for (std::size_t slot = 0; slot < h.slots.size(); ++slot) {
        const std::vector<int>& candidates = h.slots[slot].candidates;
        const auto inputs =
            static_cast<double>(std::count_if(candidates.begin(), candidates.end(), is_input));
        const bool constants = candidates.front() == Hierarchy::kTrue;
        const double no = constants && role[slot] == Role::disjunct ? kFalseDisjunct : 0.0;
        const double yes = constants && role[slot] == Role::second ? kTrueConjunct : 0.0;
        const double left = 1 - no - yes;
        const double of_inputs = inputs > 0 ? left * kInput : 0.0;
        const double of_each = (left - of_inputs) / static_cast<double>(candidates.size());
        prior.emplace_back();
        for (const int p : candidates) {
            prior.back().push_back(of_each + (is_input(p) ? of_inputs / inputs : 0.0) +
                                   (p == Hierarchy::kFalse  ? no
                                    : p == Hierarchy::kTrue ? yes
                                                            : 0.0));
        }
    }
    return prior;
}

}  // namespace hri::rl
