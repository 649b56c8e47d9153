// SPDX-License-Identifier: Apache-2.0

// Training data with wrong labels.

#include "hri/tasks.hpp"

#include <algorithm>

namespace hri {

Problem with_flipped_labels(Problem problem, int instances, double probability,
                            std::uint64_t seed) {
    Random random(seed, Random::kData);
    Source noisy;
    Instance scratch;
    const int available = static_cast<int>(problem.training.instances.size());
    for (int i = 0; i < (problem.training.fixed() ? std::min(available, instances) : instances);
         ++i) {
        noisy.instances.push_back(problem.training.draw(i, random, scratch));
        for (Label& label : noisy.instances.back().labels)
            if (label != Label::unlabelled && random.chance(probability))
                label = label == Label::positive ? Label::negative : Label::positive;
    }
    problem.training = std::move(noisy);
    return problem;
}

}  // namespace hri
