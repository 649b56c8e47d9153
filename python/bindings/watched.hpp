// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long work beside the calling thread, which hands on what it tells and looks out for Ctrl-C.
//
//   Watched<LearnProgress> watched;
//   settings.interrupt = watched.stop();
//   settings.progress = [&](const LearnProgress& now) { watched.tell(now); };
//   py::object raised = watched.run([&] { report = learn(...); }, [&](auto& now) { ... });

#include "bind.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace hri::python {

template <class Told>
class Watched {
  public:
    /// Set where the work is to end early.
    const std::atomic<bool>* stop() const { return &stop_; }

    /// From the working thread; what the calling thread has not seen yet is replaced.
    void tell(Told told) {
        const std::lock_guard lock(mutex_);
        latest_ = std::move(told);
    }

    /// Runs work() in a thread of its own without the interpreter's lock, and look(told) in this
    /// one with it. Returns the exception that stopped the work (a KeyboardInterrupt, or what look
    /// raised), or None. What work throws is thrown.
    template <class Work, class Look>
    py::object run(const Work& work, const Look& look) {
        constexpr std::chrono::milliseconds kBetweenLooks(50);
        py::object raised = py::none();
        const auto see = [&](const std::optional<Told>& told) {
            const py::gil_scoped_acquire gil;
            try {
                if (PyErr_CheckSignals() != 0) {
                    throw py::error_already_set();
                }
                if (told) {
                    look(*told);
                }
            } catch (const py::error_already_set& error) {
                stop_ = true;
                raised = error.value();
            }
        };
        {
            const py::gil_scoped_release nogil;
            std::thread worker([&] {
                try {
                    work();
                } catch (...) {
                    failure_ = std::current_exception();
                }
                const std::lock_guard lock(mutex_);
                done_ = true;
                ended_.notify_one();
            });
            std::unique_lock lock(mutex_);
            while (!ended_.wait_for(lock, kBetweenLooks, [&] { return done_; })) {
                const std::optional<Told> told = std::exchange(latest_, std::nullopt);
                lock.unlock();
                if (!stop_) {
                    see(told);
                }
                lock.lock();
            }
            lock.unlock();
            worker.join();
        }
        if (raised.is_none() && latest_) {
            see(latest_);
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return raised;
    }

  private:
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::optional<Told> latest_;
    std::exception_ptr failure_;
};

/// Settings and options of learning from keywords; others are refused by `function`'s name.
struct LearnKeywords {
    LearnKeywords(py::kwargs keywords, const char* function);

    LearnSettings settings;
    Options options;
};

py::dict progress_dict(const LearnProgress& now);

}  // namespace hri::python
