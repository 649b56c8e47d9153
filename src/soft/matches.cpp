// SPDX-License-Identifier: Apache-2.0
#include "soft/matches.hpp"

#include <algorithm>

namespace hri::soft {

std::vector<Match> matches(const Model& model, const std::vector<float>& scores, int slot) {
    const auto predicates = static_cast<std::size_t>(model.hierarchy.predicates());
    std::vector<Match> result;
    for (const int p : model.hierarchy.slots[static_cast<std::size_t>(slot)].candidates) {
        const float weight =
            scores[static_cast<std::size_t>(slot) * predicates + static_cast<std::size_t>(p)];
        result.push_back({p, static_cast<double>(weight)});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Match& a, const Match& b) { return a.weight > b.weight; });
    return result;
}

std::string predicate_name(const Model& model, int predicate) {
    const Hierarchy& h = model.hierarchy;
    if (predicate == Hierarchy::kTrue) {
        return "True";
    }
    if (predicate == Hierarchy::kFalse) {
        return "False";
    }
    if (predicate < h.first_auxiliary()) {
        return to_text(model.inputs[static_cast<std::size_t>(predicate) - 2]);
    }
    if (h.is_negation(predicate)) {
        return "\\+ " + predicate_name(model, h.positive(predicate));
    }
    return h.auxiliaries[static_cast<std::size_t>(predicate - h.first_auxiliary())].name;
}

}  // namespace hri::soft
