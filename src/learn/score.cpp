// SPDX-License-Identifier: Apache-2.0
#include "hri/learn.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "soft/inference.hpp"

#include <algorithm>

namespace hri {

namespace {

int instances_in(const Source& source, int count) {
    return source.fixed() ? static_cast<int>(source.instances.size()) : count;
}

}  // namespace

Score score_program(const Program& program, const std::vector<PredicateSymbol>& inputs,
                    const Source& source, std::uint64_t seed, int count, int steps) {
    evaluation::CompiledProgram compiled(program, inputs);
    Random random(seed, Random::kEvaluation);
    Instance scratch;
    Truth truth;
    Scorer scorer;
    for (int i = 0; i < instances_in(source, count); ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        if (instance.constants >= kSparseConstants) {
            scorer.add(instance, compiled.target_arity(),
                       true_atoms(program, inputs, instance, steps));
            continue;
        }
        compiled.evaluate(instance, steps, truth);
        scorer.add(instance.labels, truth);
    }
    return scorer.score();
}

Score score_model(const Model& model, const std::vector<PredicateSymbol>& inputs,
                  const Source& source, std::uint64_t seed, int count, int steps, int threads) {
    Random random(seed, Random::kEvaluation);
    Instance scratch;
    Scorer scorer;
    for (int i = 0; i < instances_in(source, count); ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        scorer.add(instance.labels, infer(model, inputs, instance, steps, threads));
    }
    return scorer.score();
}

}  // namespace hri
