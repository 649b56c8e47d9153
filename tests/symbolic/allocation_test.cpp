// SPDX-License-Identifier: Apache-2.0
// Training checks programs often: running a compiled program again allocates nothing.

#include "support/random_programs.hpp"
#include "symbolic/compiled_program.hpp"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

namespace {

std::atomic<int> allocations = 0;

}  // namespace

// Not inlined: g++ 12 would see a free() of what a new made, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hri {
namespace {

TEST(CompiledProgram, AllocatesNothingAfterTheFirstRun) {
    test::ProgramSpace space;
    space.most_atoms = 5;
    space.constants = 0.1;
    Random random(9);
    for (int i = 0; i < 100; ++i) {
        CompiledProgram compiled(test::random_program(space, random), space.inputs);
        const Instance large = test::random_instance(space.inputs, 70, random);
        const Instance small = test::random_instance(space.inputs, 5, random);
        Truth truth;
        compiled.evaluate(large, 3, truth);
        const int before = allocations;
        compiled.evaluate(small, kToFixpoint, truth);
        compiled.evaluate(large, kToFixpoint, truth);
        compiled.evaluate(large, 5, truth);
        ASSERT_EQ(allocations - before, 0);
    }
}

}  // namespace
}  // namespace hri
