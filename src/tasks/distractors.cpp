// SPDX-License-Identifier: Apache-2.0

// Irrelevant predicates beside a problem's own.

#include "hri/tasks.hpp"

namespace hri {
namespace {

constexpr double kSparsest = 0.05;
constexpr double kDensest = 0.4;

/// Random facts of every second predicate unary, the others binary.
void add_random_facts(Random& random, int count, const SharedSchema& schema, Instance& instance) {
    instance.schema = schema;
    for (int i = 0; i < count; ++i) {
        std::vector<Fact>& facts = instance.facts.emplace_back();
        const double density = random.uniform(kSparsest, kDensest);
        for (int x = 0; x < instance.constants; ++x)
            for (int y = 0; y < (i % 2 == 0 ? 1 : instance.constants); ++y)
                if (random.chance(density))
                    facts.push_back({x, y});
    }
}

Source with_random_facts(Source source, int count, const SharedSchema& schema, std::uint64_t seed) {
    Random random(seed, Random::kData);
    for (Instance& instance : source.instances)
        add_random_facts(random, count, schema, instance);
    if (source.generate)
        source.generate = [generate = source.generate, count, schema](Random& numbers,
                                                                      Instance& instance) {
            generate(numbers, instance);
            add_random_facts(numbers, count, schema, instance);
        };
    return source;
}

}  // namespace

Problem with_distractors(Problem problem, int count, std::uint64_t seed) {
    Schema schema = *problem.schema;
    for (int i = 0; i < count; ++i)
        schema.inputs.push_back({"irrelevant" + std::to_string(i + 1), i % 2 == 0 ? 1 : 2});
    problem.schema = std::make_shared<const Schema>(std::move(schema));
    problem.training = with_random_facts(std::move(problem.training), count, problem.schema, seed);
    problem.evaluation =
        with_random_facts(std::move(problem.evaluation), count, problem.schema, seed + 1);
    return problem;
}

}  // namespace hri
