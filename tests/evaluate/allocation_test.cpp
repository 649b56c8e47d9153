// SPDX-License-Identifier: Apache-2.0
// Training checks programs often: running a compiled program again allocates nothing.

#include "evaluate/bits/compiled_program.hpp"
#include "support/allocations.hpp"
#include "support/random_programs.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(CompiledProgram, AllocatesNothingAfterTheFirstRun) {
    test::ProgramSpace space;
    space.max_atoms = 5;
    space.constants = 0.1;
    Random random(9);
    for (int i = 0; i < 100; ++i) {
        evaluation::CompiledProgram compiled(test::random_program(space, random), space.inputs);
        const Instance large = test::random_instance(space.inputs, 70, random);
        const Instance small = test::random_instance(space.inputs, 5, random);
        Truth truth;
        compiled.evaluate(large, 3, truth);
        const long before = test::allocations;
        compiled.evaluate(small, kToFixpoint, truth);
        compiled.evaluate(large, kToFixpoint, truth);
        compiled.evaluate(large, 5, truth);
        ASSERT_EQ(test::allocations - before, 0);
    }
}

}  // namespace
}  // namespace hri
