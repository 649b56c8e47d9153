// SPDX-License-Identifier: Apache-2.0
#include "train/curve.hpp"

#include "hri/evaluate.hpp"

#include <algorithm>
#include <utility>

namespace hri::training {

CurvePoint curve_point(const Model& model, const std::vector<float>& alpha,
                       const Instance& instance) {
    const Hierarchy& h = model.hierarchy;
    const auto layers = static_cast<std::size_t>(model.options.layers);
    std::vector<double> sum(layers + 1, 0.0);
    std::vector<int> count(layers + 1, 0);
    const auto add = [&](int slot, std::size_t layer) {
        const float* row = alpha.data() + slot * h.predicates();
        sum[layer] += static_cast<double>(*std::max_element(row, row + h.predicates()));
        ++count[layer];
    };
    for (const Auxiliary& aux : h.auxiliaries)
        for (const int slot : aux.slots)
            add(slot, static_cast<std::size_t>(aux.layer - 1));
    add(h.target_slot(), layers);
    for (std::size_t i = 0; i <= layers; ++i)
        sum[i] /= std::max(count[i], 1);
    Scorer scorer;
    scorer.add(instance.labels, evaluate(extract(model), instance, model.options.train_steps));
    return {0, 0, std::move(sum), scorer.score().accuracy};
}

}  // namespace hri::training
