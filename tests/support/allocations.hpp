// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts calls of operator new, which this header replaces: for one source file of a test program.

#include <atomic>
#include <cstdlib>
#include <new>

namespace hri::test {

/// By all threads.
inline std::atomic<long> allocations = 0;

}  // namespace hri::test

// Not inlined: g++ 12 would see a free() of what a new made, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++hri::test::allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++hri::test::allocations;
    return std::malloc(size == 0 ? 1 : size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
