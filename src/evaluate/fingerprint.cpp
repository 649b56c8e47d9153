// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fingerprint.hpp"

#include "evaluate/bits/compiled_program.hpp"

namespace hri::evaluation {

std::vector<Instance> random_instances(const SharedSchema& schema, const ProbeShape& shape,
                                       Random& random) {
    const std::vector<PredicateSymbol>& inputs = schema->inputs;
    std::vector<Instance> instances(static_cast<std::size_t>(shape.count));
    int n = shape.min_constants;
    for (Instance& instance : instances) {
        instance.schema = schema;
        instance.reset(n, Label::unlabelled);
        for (std::size_t p = 0; p < inputs.size(); ++p) {
            const double density = random.uniform(shape.sparsest, shape.densest);
            for (int x = 0; x < (inputs[p].arity == 0 ? 1 : n); ++x)
                for (int y = 0; y < (inputs[p].arity == 2 ? n : 1); ++y)
                    if (random.chance(density))
                        instance.facts[p].push_back({x, y});
        }
        n = n == shape.max_constants ? shape.min_constants : n + 1;
    }
    return instances;
}

std::string fingerprint(const Program& program, const std::vector<Instance>& instances) {
    std::string all;
    if (instances.empty())
        return all;
    CompiledProgram compiled(program, instances.front().inputs());
    Truth truth;
    for (const Instance& instance : instances) {
        compiled.evaluate(instance, kToFixpoint, truth);
        all.append(truth.begin(), truth.end());
    }
    return all;
}

}  // namespace hri::evaluation
