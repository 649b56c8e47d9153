// SPDX-License-Identifier: Apache-2.0

// The phases that a GPU runs, run here in loops, against the processor's exact mode: loss and
// gradient of random models of every shape and option.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "soft/cuda/dense_plan.hpp"
#include "soft/cuda/iterate.hpp"
#include "soft/random_case.hpp"
#include "train/objective.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace hri {
namespace {

/// One model's buffers in plain memory.
template <class Real>
class Twin {
  public:
    Twin(const RandomCase& c, const soft::DenseInstance<Real>& dense, int chunk, int parts)
        : plan_(soft::make_dense_plan(c.hierarchy, c.protorules, c.options, c.dimension,
                                      {dense.n, c.steps, chunk, parts})),
          inputs_(static_cast<std::size_t>(c.hierarchy.first_auxiliary()) *
                  static_cast<std::size_t>(plan_.sizes.area)),
          gumbel_(converted<Real>(c.gumbel)),
          constants_(dense.constants) {
        work_.plan = plan_.view();
        work_.now.temperature = c.options.temperature;
        const int n = dense.n;
        for (int p = 0; p < c.hierarchy.first_auxiliary(); ++p) {
            for (int x = 0; x < n; ++x)
                for (int y = 0; y < n; ++y)
                    inputs_[static_cast<std::size_t>(p * plan_.sizes.area + x * n + y)] =
                        dense.matrix(p)[x * dense.ld + y];
            zero_.push_back(dense.zero[static_cast<std::size_t>(p)] ? 1 : 0);
        }
        for (const Label label : dense.labels)
            labels_.push_back(label == Label::unlabelled ? -1 : label == Label::positive ? 1 : 0);
        work_.inputs = inputs_.data();
        work_.zero = zero_.data();
        work_.label = labels_.data();
        work_.constant = constants_.data();
        work_.given_gumbel = gumbel_.empty() ? nullptr : gumbel_.data();
        const auto give = [&](auto*& pointer, std::size_t count, auto...) {
            using Entry = std::remove_reference_t<decltype(*pointer)>;
            Entry poison{};  // what is read must have been written
            if constexpr (!std::is_pointer_v<Entry>)
                poison = Entry(-7);
            auto memory = std::make_shared<std::vector<Entry>>(count + 1, poison);
            pointer = memory->data();
            memory_.push_back(memory);
        };
        work_.each_buffer(give);
        work_.each_lasting(give);
        std::copy(c.predicates.begin(), c.predicates.end(), work_.predicates);
        std::copy(c.slots.begin(), c.slots.end(), work_.slots);
    }

    Real loss() {
        const soft::HostExecutor run;
        soft::unify(run, work_);
        soft::forward(run, work_);
        soft::measure_loss(run, work_);
        return work_.outcome[0];
    }

    std::vector<Real> gradient() {
        soft::backward(soft::HostExecutor{}, work_);
        std::vector<Real> result(work_.d_predicates, work_.d_predicates + work_.predicate_count());
        result.insert(result.end(), work_.d_slots, work_.d_slots + work_.slot_count());
        return result;
    }

  private:
    soft::DensePlan plan_;
    soft::DenseWork<Real> work_{};
    std::vector<Real> inputs_;
    std::vector<std::int8_t> zero_, labels_;
    std::vector<Real> gumbel_;
    std::vector<int> constants_;
    std::vector<std::shared_ptr<void>> memory_;
};

/// The norm of the gradient.
template <class Real>
double compare(RandomCase c, Random& random, double tolerance) {
    soft::DenseInstance<Real> dense = c.dense<Real>();
    training::Objective<Real> objective(c.hierarchy, c.protorules, c.dimension, c.options);
    std::vector<Real> point = converted<Real>(c.predicates);
    const std::vector<Real> slots = converted<Real>(c.slots);
    const std::vector<Real> gumbel = converted<Real>(c.gumbel);
    const auto loss = [&] {
        return objective.loss(point.data(), slots.data(), gumbel.empty() ? nullptr : gumbel.data(),
                              static_cast<Real>(c.options.temperature), dense, c.steps);
    };
    loss();
    label_at_random(c.instance, converted<double>(objective.target()), random);
    dense.labels = c.instance.labels;
    const Real expected = loss();
    if (!std::isfinite(expected))
        return 0;  // all candidates of a slot are absent: there is no softmax
    std::vector<Real> gradient(point.size() + slots.size());
    objective.gradient(gradient.data(), gradient.data() + point.size());

    const int chunk = 1 + random.below(70);
    Twin<Real> twin(c, dense, chunk, 1 + random.below(3));
    EXPECT_NEAR(static_cast<double>(twin.loss()), static_cast<double>(expected),
                tolerance * (1 + std::abs(static_cast<double>(expected))))
        << c.describe();
    const std::vector<Real> found = twin.gradient();
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        difference += std::pow(static_cast<double>(found[i] - gradient[i]), 2);
        norm += std::pow(static_cast<double>(gradient[i]), 2);
    }
    EXPECT_LE(std::sqrt(difference), tolerance * (0.1 + std::sqrt(norm)))
        << std::sqrt(norm) << " " << c.describe();
    return std::sqrt(norm);
}

TEST(DenseTwin, HasTheLossAndGradientOfTheExactModeForEveryShapeAndOption) {
    Random random(31);
    int cases = 0;
    int with_gradient = 0;
    for (const NamedShape& shape : shapes())
        for (int i = 0; i < 12; ++i) {
            Options options = random_options(random);
            options.negation = i % 3 == 0;
            options.equality = random.chance(0.3);
            options.mask_absent = random.chance(0.3);
            ++cases;
            with_gradient +=
                compare<double>(
                    random_case(shape.rules, options, random,
                                {.max_constants = 6, .max_work = 2e4, .fuzzy = i % 2 == 0}),
                    random, 1e-9) > 1e-3
                    ? 1
                    : 0;
        }
    EXPECT_GT(with_gradient, cases / 2);
}

TEST(DenseTwin, AgreesInSinglePrecisionWhereNothingTies) {
    Random random(32);
    for (const char* name : {"R0", "R*", "MIL"})
        for (int i = 0; i < 4; ++i) {
            Options options = exact_options();
            options.layers = 2;
            compare<float>(random_case(shape(name), options, random,
                                       {.max_constants = 6, .max_work = 2e4, .fuzzy = true}),
                           random, 1e-5);
        }
}

}  // namespace
}  // namespace hri
