// SPDX-License-Identifier: Apache-2.0
#include "hri/learn.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "soft/cuda/infer_on_gpu.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace hri {

namespace {

int instances_in(const Source& source, int count) {
    return source.fixed() ? static_cast<int>(source.instances.size()) : count;
}

}  // namespace

Score score_program(const Program& program, const Source& source, std::uint64_t seed, int count,
                    int steps) {
    std::optional<evaluation::CompiledProgram> compiled;
    Random random(seed, Random::kEvaluation);
    Instance scratch;
    Truth truth;
    Scorer scorer;
    for (int i = 0; i < instances_in(source, count); ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        if (instance.constants >= kSparseConstants) {
            scorer.add(instance, program.vocabulary[program.target].arity,
                       true_atoms(program, instance, steps));
            continue;
        }
        if (!compiled)
            compiled.emplace(program, instance.inputs());
        compiled->evaluate(instance, steps, truth);
        scorer.add(instance.labels, truth);
    }
    return scorer.score();
}

Score score_model(const Model& model, const Source& source, std::uint64_t seed, int count,
                  int steps, int threads, Device device) {
    Random random(seed, Random::kEvaluation);
    Instance scratch;
    Scorer scorer;
    if (device == Device::cuda) {
        std::vector<Instance> instances;
        for (int i = 0; i < instances_in(source, count); ++i)
            instances.push_back(source.draw(i, random, scratch));
        const auto valuations = soft::infer_on_gpu(model, instances, steps);
        for (std::size_t i = 0; i < instances.size(); ++i)
            scorer.add(instances[i].labels, valuations[i]);
        return scorer.score();
    }
    for (int i = 0; i < instances_in(source, count); ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        scorer.add(instance.labels, infer(model, instance, steps, threads));
    }
    return scorer.score();
}

}  // namespace hri
