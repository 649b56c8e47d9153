// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads that share the work inside one inference step.
//
//   ThreadPool pool(4);
//   pool.each(rows, [&](int x) { ... });  // on four threads, this one among them
//
// Which thread does what is left to chance, so that work(i) may write only what no other i touches.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace hri::base {

class ThreadPool {
  public:
    /// The threads start with the first work.
    explicit ThreadPool(int threads) : size_(threads) {}

    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    bool has_started() const { return !helpers_.empty(); }

    /// work(0) .. work(count - 1), in any order; all are done when it returns. Nothing may be
    /// thrown, and each() is not to be called from within.
    template <class Work>
    void each(int count, const Work& work) {
        run(
            count, [](const void* of, int i) { (*static_cast<const Work*>(of))(i); }, &work);
    }

  private:
    using Call = void (*)(const void* work, int i);
    static constexpr std::uint32_t kStop = ~std::uint32_t(0);

    void run(int count, Call call, const void* work);
    void take();
    void help();

    int size_;
    // Written while nothing is left to take; read by who has taken something.
    Call call_ = nullptr;
    const void* work_ = nullptr;
    std::uint32_t count_ = 0;
    std::atomic<std::uint32_t> left_{0};  // not taken yet, or kStop
    std::atomic<std::uint32_t> open_{0};  // not done yet
    std::vector<std::jthread> helpers_;
};

}  // namespace hri::base
