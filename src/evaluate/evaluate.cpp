// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"

#include "evaluate/bits/compiled_program.hpp"

#include <algorithm>

namespace hri {

Truth evaluate(const Program& program, const Instance& instance, int steps) {
    Truth truth;
    const std::vector<PredicateSymbol>& symbols = program.vocabulary.symbols();
    const bool is_wide = std::any_of(symbols.begin(), symbols.end(),
                                     [](const PredicateSymbol& s) { return s.arity > 2; });
    if (instance.constants >= kSparseConstants || is_wide) {
        const auto n = static_cast<std::size_t>(instance.constants);
        const int arity = program.vocabulary[program.target].arity;
        truth.assign(arity == 2 ? n * n : arity == 1 ? n : 1, 0);
        for (const Fact& atom : true_atoms(program, instance, steps)) {
            truth[static_cast<std::size_t>(atom.first) * (arity == 2 ? n : 1) +
                  static_cast<std::size_t>(atom.second)] = 1;
        }
        return truth;
    }
    evaluation::CompiledProgram(program, instance.inputs()).evaluate(instance, steps, truth);
    return truth;
}

}  // namespace hri
