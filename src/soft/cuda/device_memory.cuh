// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory, streams and errors of the CUDA runtime as values.

#include "hri/error.hpp"

#include <cuda_runtime.h>
#include <string>
#include <utility>
#include <vector>

namespace hri::soft {

inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess)
        throw Error(std::string("the GPU failed to ") + what + ": " + cudaGetErrorString(code));
}

/// Entries in the GPU's memory, which grow when more are asked for.
template <class Entry>
class DeviceArray {
  public:
    DeviceArray() = default;
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    ~DeviceArray() { cudaFree(data_); }

    /// What it held is lost where it has to grow.
    void reserve(std::size_t count) {
        if (count <= count_)
            return;
        cudaFree(data_);
        data_ = nullptr;
        count_ = 0;
        check(cudaMalloc(&data_, count * sizeof(Entry)), "give memory");
        count_ = count;
    }

    void upload(const std::vector<Entry>& from, cudaStream_t stream) {
        reserve(from.size());
        if (!from.empty())
            check(cudaMemcpyAsync(data_, from.data(), from.size() * sizeof(Entry),
                                  cudaMemcpyHostToDevice, stream),
                  "take data");
    }

    void download(std::vector<Entry>& to, cudaStream_t stream) const {
        if (!to.empty())
            check(cudaMemcpyAsync(to.data(), data_, to.size() * sizeof(Entry),
                                  cudaMemcpyDeviceToHost, stream),
                  "give data");
    }

    Entry* data() const { return data_; }

    std::size_t bytes() const { return count_ * sizeof(Entry); }

  private:
    Entry* data_ = nullptr;
    std::size_t count_ = 0;
};

class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "start work"); }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    ~Stream() { cudaStreamDestroy(stream_); }

    operator cudaStream_t() const { return stream_; }  // NOLINT: a stream is one

    void wait() const { check(cudaStreamSynchronize(stream_), "do its work"); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// The tables of a plan in the GPU's memory.
class DevicePlan {
  public:
    DevicePlan(const DensePlan& plan, cudaStream_t stream) : view_(plan.sizes) {
        std::size_t bytes = 0;
        plan.each_table(view_, [&](auto&, const auto& table) { bytes += size_of(table); });
        memory_.reserve(bytes + 1);
        std::size_t used = 0;
        plan.each_table(view_, [&](auto& pointer, const auto& table) {
            pointer =
                reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(memory_.data() + used);
            if (!table.empty())
                check(cudaMemcpyAsync(memory_.data() + used, table.data(),
                                      table.size() * sizeof(table[0]), cudaMemcpyHostToDevice,
                                      stream),
                      "take data");
            used += size_of(table);
        });
    }

    const PlanView& view() const { return view_; }

    std::size_t bytes() const { return memory_.bytes(); }

  private:
    template <class Table>
    static std::size_t size_of(const Table& table) {
        return (table.size() * sizeof(table[0]) + 255) / 256 * 256;
    }

    PlanView view_;
    DeviceArray<char> memory_;
};

}  // namespace hri::soft
