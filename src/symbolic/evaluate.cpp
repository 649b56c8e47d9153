// SPDX-License-Identifier: Apache-2.0
#include "hri/symbolic.hpp"

#include "symbolic/compiled_program.hpp"

namespace hri {

Truth evaluate(const Program& program, const std::vector<PredicateSymbol>& inputs,
               const Instance& instance, int steps) {
    Truth truth;
    CompiledProgram(program, inputs).evaluate(instance, steps, truth);
    return truth;
}

}  // namespace hri
