// SPDX-License-Identifier: Apache-2.0
#pragma once

// Phases over large instances, each spread over the whole GPU. Joins go by tiles, and gradients of
// products by warps; every sum still has one order.

#include "soft/cuda/executors.cuh"

#include <algorithm>

namespace hri::soft {

constexpr int kDepth = 16;  // of the shared index at a time
constexpr int kWarps = 8;   // of a block, one row or column each

/// best = max_z and(left[x, z], right[z, y]) of a tile, 4 x 4 cells for each thread.
template <And Op, bool Winners, int Tile>
__device__ inline void join_tile(const DenseWork<float>& w, const DensePair& pair, int p, int x0,
                                 int y0) {
    __shared__ float lefts[kDepth][Tile + 4];
    __shared__ float rights[kDepth][Tile + 4];
    constexpr int kThreads = Tile * Tile / 16;
    const int n = w.plan.n;
    const float* left = w.seen[pair.left];
    const float* right = w.seen[pair.right];
    const int t = static_cast<int>(threadIdx.x);
    const int row = t / (Tile / 4) * 4;
    const int column = t % (Tile / 4) * 4;
    float best[4][4];
    int winner[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            best[i][j] = -1;
            winner[i][j] = 0;
        }
    for (int z0 = 0; z0 < n; z0 += kDepth) {
        for (int k = t; k < kDepth * Tile; k += kThreads) {
            const int x = x0 + k / kDepth;
            const int z = z0 + k % kDepth;  // never wins beyond the last
            lefts[k % kDepth][k / kDepth] = x < n && z < n ? left[x * n + z] : -1.0F;
            const int y = y0 + k % Tile;
            const int zr = z0 + k / Tile;
            rights[k / Tile][k % Tile] = y < n && zr < n ? right[zr * n + y] : 0.0F;
        }
        __syncthreads();
#pragma unroll
        for (int z = 0; z < kDepth; ++z) {
            const float4 a = *reinterpret_cast<const float4*>(&lefts[z][row]);
            const float4 b = *reinterpret_cast<const float4*>(&rights[z][column]);
            const float as[4] = {a.x, a.y, a.z, a.w};
            const float bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    const float v = conjunction(Op, as[i], bs[j]);
                    if constexpr (Winners)
                        winner[i][j] = v > best[i][j] ? z0 + z : winner[i][j];
                    best[i][j] = fmaxf(best[i][j], v);
                }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const int x = x0 + row + i;
            const int y = y0 + column + j;
            if (x >= n || y >= n)
                continue;
            w.product[w.cell_of(p) + x * n + y] = best[i][j];
            if constexpr (Winners)
                w.winner[w.cell_of(p) + x * n + y] = static_cast<std::uint16_t>(winner[i][j]);
        }
}

/// The phase `products`. Blocks: (tiles, pairs, models).
template <And Op, bool Winners, int Tile>
__global__ void __launch_bounds__(Tile* Tile / 16)
    spread_products(const DenseWork<float>* __restrict__ works, phases::At at) {
    const DenseWork<float>& w = works[blockIdx.z];
    const int n = w.plan.n;
    const int p = static_cast<int>(blockIdx.y);
    const DensePair& pair = w.plan.pair[w.plan.chunk[at.chunk].pair_first + p];
    if (!phases::matters(w, pair.depth, at.s))
        return;
    constexpr int kThreads = Tile * Tile / 16;
    const int tiles = (n + Tile - 1) / Tile;
    const int x0 = static_cast<int>(blockIdx.x) / tiles * Tile;
    const int y0 = static_cast<int>(blockIdx.x) % tiles * Tile;
    if (pair.shape == Shape::join) {
        join_tile<Op, Winners, Tile>(w, pair, p, x0, y0);
        return;
    }
    for (int k = static_cast<int>(threadIdx.x); k < Tile * Tile; k += kThreads) {
        const int x = x0 + k / Tile;
        const int y = y0 + k % Tile;
        if (x < n && y < n)
            phases::product_cell(w, pair, p, x, y);
    }
}

/// The phase `products_backward`. Blocks: (parts of a product, pairs, models).
template <int Threads>
__global__ void __launch_bounds__(Threads)
    spread_products_backward(const DenseWork<float>* __restrict__ works, phases::At at) {
    const DenseWork<float>& w = works[blockIdx.z];
    const int p = static_cast<int>(blockIdx.y);
    const DensePair& pair = w.plan.pair[w.plan.chunk[at.chunk].pair_first + p];
    if (!phases::has_gradient(w, pair) || !phases::matters(w, pair.depth, at.s))
        return;
    const bool column = pair.shape == Shape::column;
    for (int i = static_cast<int>(blockIdx.x * Threads + threadIdx.x);
         i < (column ? w.plan.n : w.plan.cells); i += static_cast<int>(gridDim.x) * Threads)
        phases::product_backward(w, pair, p, column ? i : w.plan.by_n.quotient(i),
                                 column ? 0 : w.plan.by_n.rest(i), at);
}

/// row[z] += value of each lane, in the order of lanes where several have the same z.
__device__ inline void add_in_order(float* row, int z, float value, bool takes_part) {
    constexpr unsigned kAll = 0xFFFFFFFFU;
    const unsigned same = __match_any_sync(kAll, takes_part ? z : -1);
    const unsigned lane = threadIdx.x % 32;
    const int rank = takes_part ? __popc(same & ((1U << lane) - 1U)) : -1;
    const int last = __reduce_max_sync(kAll, rank);
    for (int r = 0; r <= last; ++r) {
        if (rank == r)
            row[z] += value;
        __syncwarp();
    }
}

/// Of all lanes; the same for each.
__device__ inline float sum_of_lanes(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    return value;
}

/// Phases left_backward and left_collect (row x of an entry), right_backward and right_collect
/// (column y): a warp for each. Blocks: (rows, runs, models).
template <And Op, bool IsLeft>
__global__ void __launch_bounds__(32 * kWarps)
    spread_operands(const DenseWork<float>* __restrict__ works, phases::At at) {
    extern __shared__ float rows[];
    const DenseWork<float>& w = works[blockIdx.z];
    const int n = w.plan.n;
    const int mine = static_cast<int>(blockIdx.x * kWarps + threadIdx.x / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (mine >= n)
        return;
    float* row = rows + static_cast<int>(threadIdx.x / 32) * n;
    const DenseChunk& chunk = w.plan.chunk[at.chunk];
    const DenseRun& run =
        w.plan.run[(IsLeft ? chunk.left_first : chunk.right_first) + static_cast<int>(blockIdx.y)];
    const int stride = IsLeft ? 1 : n;  // of the own row or column
    const int across = IsLeft ? n : 1;
    const float* own = w.seen[run.entry] + mine * across;
    float* d_own = w.d_entry + w.cell_of(run.entry) + mine * across;
    for (int k = lane; k < n; k += 32)
        row[k] = d_own[k * stride];
    __syncwarp();
    const auto share = [](float mine_value, float other) {
        const Operands<float> both = IsLeft ? conjunction_backward(Op, mine_value, other)
                                            : conjunction_backward(Op, other, mine_value);
        return IsLeft ? both.left : both.right;
    };
    for (int i = run.first; i < run.last; ++i) {
        const DensePair& pair = w.plan.pair[w.plan.run_pair[i]];
        if (!phases::matters(w, pair.depth, at.s))
            continue;
        const int p = w.plan.run_pair[i] - chunk.pair_first;
        const float* other = w.seen[IsLeft ? pair.right : pair.left];
        const float* d = w.d_product + w.cell_of(p);
        const std::uint16_t* winner = w.winner + w.cell_of(p);
        const float* columns = w.columns + static_cast<long long>(pair.right) * n;
        float sum = 0;
        if (pair.shape == Shape::column && IsLeft) {
            const int z = winner[mine];
            if (lane == 0)
                row[z] += d[mine] * share(own[z], other[z * n]);
            __syncwarp();
            continue;
        }
        if (pair.shape == Shape::column && mine > 0)
            continue;
        for (int k0 = 0; k0 < n; k0 += 32) {
            const int k = k0 + lane;
            const bool is_in = k < n;
            const int cell = IsLeft ? mine * n + k : k * n + mine;
            const float g = !is_in ? 0.0F : pair.shape == Shape::column ? d[k] : d[cell];
            if (pair.shape == Shape::meet) {
                if (is_in)
                    row[k] += g * share(own[k * stride], other[cell]);
            } else if (pair.shape == Shape::outer) {
                if (is_in)
                    sum += g * (IsLeft ? share(own[0], columns[k])
                                       : share(columns[mine], other[k * n]));
            } else {
                const bool counts = is_in && g != 0;
                const int z = !counts ? 0 : winner[pair.shape == Shape::column ? k : cell];
                const float value = !counts  ? 0.0F
                                    : IsLeft ? g * share(own[z], other[z * n + k])
                                             : g * share(own[z * n], other[k * n + z]);
                add_in_order(row, z, value, counts);
            }
        }
        if (pair.shape == Shape::outer) {
            sum = sum_of_lanes(sum);
            if (lane == 0 && IsLeft)
                row[0] += sum;
            if (lane == 0 && !IsLeft)
                w.d_columns[static_cast<long long>(run.entry) * n + mine] += sum;
        }
        __syncwarp();
    }
    for (int k = lane; k < n; k += 32)
        d_own[k * stride] = row[k];
}

/// Launches a kernel for each phase; the last dimension of blocks is that of models.
struct SpreadExecutor {
    const DenseWork<float>* works;
    int models;
    cudaStream_t stream;

    template <auto Phase, class Work>
    void each(const Work& host, int items, phases::At at) const {
        using Tag = PhaseTag<Phase>;
        if (items == 0)
            return;
        if constexpr (std::is_same_v<Tag, PhaseTag<phases::products<float>>>) {
            by_operator(host, [&](auto op) { launch_products<decltype(op)::value>(host, at); });
        } else if constexpr (std::is_same_v<Tag, PhaseTag<phases::products_backward<float>>>) {
            const DenseChunk& chunk = host.plan.chunk[at.chunk];
            const dim3 grid(static_cast<unsigned>(std::min((host.plan.cells + 255) / 256, 1024)),
                            static_cast<unsigned>(chunk.pair_last - chunk.pair_first),
                            static_cast<unsigned>(models));
            spread_products_backward<256><<<grid, 256, 0, stream>>>(works, at);
        } else if constexpr (std::is_same_v<Tag, PhaseTag<phases::left_backward<float>>>) {
            const DenseChunk& chunk = host.plan.chunk[at.chunk];
            by_operator(host, [&](auto op) {
                launch_operands(spread_operands<decltype(op)::value, true>, host,
                                chunk.left_last - chunk.left_first, at);
            });
        } else if constexpr (std::is_same_v<Tag, PhaseTag<phases::right_backward<float>>>) {
            const DenseChunk& chunk = host.plan.chunk[at.chunk];
            by_operator(host, [&](auto op) {
                launch_operands(spread_operands<decltype(op)::value, false>, host,
                                chunk.right_last - chunk.right_first, at);
            });
        } else if constexpr (std::is_same_v<Tag, PhaseTag<phases::left_collect<float>>> ||
                             std::is_same_v<Tag, PhaseTag<phases::right_collect<float>>>) {
            return;  // the operands' kernels have collected
        } else {
            constexpr int kThreads = 256;
            constexpr int kMostBlocks = 1 << 16;
            const int blocks = std::min((items - 1) / kThreads + 1, kMostBlocks);
            const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(models));
            run_phase<Phase><<<grid, kThreads, 0, stream>>>(works, items, at);
        }
    }

  private:
    template <class Work, class Launch>
    static void by_operator(const Work& host, const Launch& launch) {
        switch (host.plan.fuzzy_and) {
            case And::min:
                return launch(std::integral_constant<And, And::min>{});
            case And::product:
                return launch(std::integral_constant<And, And::product>{});
            case And::lukasiewicz:
                return launch(std::integral_constant<And, And::lukasiewicz>{});
        }
    }

    template <And Op, class Work>
    void launch_products(const Work& host, phases::At at) const {
        // Small tiles waste less at the edges, large ones read less.
        if (host.plan.n < 512)
            launch_tiles<Op, 32>(host, at);
        else
            launch_tiles<Op, 64>(host, at);
    }

    template <And Op, int Tile, class Work>
    void launch_tiles(const Work& host, phases::At at) const {
        constexpr int kThreads = Tile * Tile / 16;
        const DenseChunk& chunk = host.plan.chunk[at.chunk];
        const int tiles = (host.plan.n + Tile - 1) / Tile;
        const dim3 grid(static_cast<unsigned>(tiles * tiles),
                        static_cast<unsigned>(chunk.pair_last - chunk.pair_first),
                        static_cast<unsigned>(models));
        if (at.winners)
            spread_products<Op, true, Tile><<<grid, kThreads, 0, stream>>>(works, at);
        else
            spread_products<Op, false, Tile><<<grid, kThreads, 0, stream>>>(works, at);
    }

    template <class Kernel, class Work>
    void launch_operands(Kernel kernel, const Work& host, int runs, phases::At at) const {
        if (runs == 0)
            return;
        const int n = host.plan.n;
        const std::size_t bytes = static_cast<std::size_t>(kWarps * n) * sizeof(float);
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes));
        const dim3 grid(static_cast<unsigned>((n + kWarps - 1) / kWarps),
                        static_cast<unsigned>(runs), static_cast<unsigned>(models));
        kernel<<<grid, 32 * kWarps, bytes, stream>>>(works, at);
    }
};

}  // namespace hri::soft
