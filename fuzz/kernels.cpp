// SPDX-License-Identifier: Apache-2.0
// Inference with every option on random models and instances, by the kernels of this processor,
// against the paper's equations as they stand (reference/naive_model.hpp). The bytes choose the
// shape of the rules, the options and the numbers.

#include "hri/random.hpp"

#include "soft/stratified.hpp"
#include "soft/unification.hpp"
#include "tests/soft/random_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace hri;

template <class Real>
void compare(const RandomCase& c, const reference::Matrix& alpha,
             const std::vector<double>& expected, double tolerance) {
    std::vector<Real> scores;
    for (const std::vector<double>& row : alpha)
        for (const double score : row)
            scores.push_back(static_cast<Real>(score));
    soft::StratifiedInference<Real> inference(c.hierarchy, c.protorules, c.options);
    inference.forward(scores.data(), c.dense<Real>(), c.steps);
    const std::vector<Real>& target = inference.target();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!(std::abs(static_cast<double>(target[i]) - expected[i]) <= tolerance)) {
            std::fprintf(stderr, "%s: %g instead of %g\n", c.describe().c_str(),
                         static_cast<double>(target[i]), expected[i]);
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t seed = 0;
    std::memcpy(&seed, data, std::min(size, sizeof seed));
    Random random(seed);
    const std::vector<NamedShape>& all = shapes();
    const ProtoRules& rules = all[size > 8 ? data[8] % all.size() : 0].rules;
    Options options = random_options(random);
    options.negation = size > 9 && data[9] % 4 == 0;
    options.equality = size > 10 && data[10] % 4 == 0;
    RandomCase c = random_case(rules, options, random, {.max_constants = 8, .max_work = 1e4});
    const reference::Model model = c.naive_model();
    const reference::Matrix alpha = reference::unify(model, c.naive_point());
    const std::vector<double> expected =
        reference::target(model, alpha, reference::infer(model, alpha, c.instance, c.steps));
    compare<double>(c, alpha, expected, 1e-12);
    compare<float>(c, alpha, expected, 1e-5);
    return 0;
}
