// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work of a batch of models of one hierarchy, and the places of its numbers. CudaBatch does
// it on a GPU, HostBatch in loops.

#include "soft/cuda/dense_work.hpp"
#include "soft/cuda/packed_instances.hpp"

#include <cstddef>
#include <vector>

namespace hri::soft {

/// Iterations of some models of a batch, one after the other; models go side by side.
struct BatchRound {
    enum class Does { infer, differentiate, train };

    Does does = Does::train;
    std::vector<int> models;                     // that take part
    std::vector<DenseIteration> iterations;      // the same for all of them
    std::vector<int> instance;                   // (models, iterations): numbers of instances
    const PackedInstances* instances = nullptr;  // null: those of the round before
    std::vector<float> gumbel;                   // (slots, predicates); empty: drawn
};

/// The outcome of one model after one iteration.
struct BatchOutcome {
    float loss = 0;
    float error = 0;  // mean square error over labelled atoms
};

/// Hands out parts of a piece of memory. Without memory it counts.
struct MemoryPiece {
    std::byte* base = nullptr;
    std::size_t used = 0;

    template <class Entry>
    HRI_BOTH Entry* take(std::size_t count) {
        constexpr std::size_t kAlignment = 16;
        const std::size_t first = (used + kAlignment - 1) / kAlignment * kAlignment;
        used = first + count * sizeof(Entry);
        return reinterpret_cast<Entry*>(base + first);
    }

    template <class Entry>
    HRI_BOTH std::size_t end_with(std::size_t count) const {
        return used + 16 + count * sizeof(Entry);
    }
};

/// The buffers that outlive an iteration.
template <class Real>
HRI_BOTH inline void place_lasting(DenseWork<Real>& w, MemoryPiece& memory) {
    w.each_lasting([&](auto*& pointer, std::size_t count) {
        pointer = memory.template take<std::remove_reference_t<decltype(*pointer)>>(count);
    });
}

/// The buffers of an iteration: hot ones in the fast memory where they fit.
template <class Real>
HRI_BOTH inline void place_buffers(DenseWork<Real>& w, MemoryPiece& memory, MemoryPiece& fast,
                                   std::size_t fast_bytes) {
    w.each_buffer([&](auto*& pointer, std::size_t count, bool is_hot) {
        using Entry = std::remove_reference_t<decltype(*pointer)>;
        const bool fits = is_hot && fast.template end_with<Entry>(count) <= fast_bytes;
        pointer = fits ? fast.template take<Entry>(count) : memory.template take<Entry>(count);
    });
}

/// Bytes that a model needs: while it takes part, and always.
struct BatchBytes {
    std::size_t buffers = 0;
    std::size_t lasting = 0;
};

inline BatchBytes bytes_of(const PlanView& plan) {
    constexpr std::size_t kAlignment = 256;
    const auto rounded = [](const MemoryPiece& piece) {
        return (piece.used + kAlignment) / kAlignment * kAlignment;
    };
    DenseWork<float> work{};
    work.plan = plan;
    MemoryPiece buffers, fast, lasting;
    place_buffers(work, buffers, fast, 0);
    place_lasting(work, lasting);
    return {rounded(buffers), rounded(lasting)};
}

}  // namespace hri::soft
