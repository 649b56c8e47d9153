// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many training runs, in parallel, remembered in a file so that an interrupted table goes on.
//
//   RunStore store("state.jsonl", keys_of(RunResult{}));
//   std::vector<std::optional<RunResult>> results = run_all(jobs, 2, store, interrupt);

#include "hri/device.hpp"
#include "hri/options.hpp"
#include "hri/tasks.hpp"

#include "progress.hpp"
#include "run_store.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hri::cli {

/// Processor seconds of this thread, so that other work on the machine hardly counts.
double processor_seconds();

/// One run to do: a task, its options, a seed.
struct RunJob {
    const Task* task = nullptr;
    std::string variant;  ///< what the table calls these options
    Options options;
    std::uint64_t seed = 0;
    Sizes sizes = {};
    std::string templates = {};  ///< of LRI, as lri_task() takes them; empty: the hierarchy
};

/// The result of a run. Success as the paper defines it: a mean square error below 1e-4 on every
/// instance.
struct RunResult {
    bool train = false;              ///< the last training instance, soft, noise on
    bool soft = false;               ///< fresh instances at the task's steps
    bool rounded = false;            ///< the same, every atom right after rounding
    bool symbolic = false;           ///< the argmax program, at the same steps
    bool symbolic_fixpoint = false;  ///< the same program at its fixpoint
    double train_mse = 0;
    double soft_mse = 0;  ///< the worst of the fresh instances
    double seconds = 0;   ///< of training, of one core
    std::int64_t iterations = 0;
    std::string program;  ///< simplified
};

void to_json(Json& json, const RunResult& result);
void from_json(const Json& json, RunResult& result);

/// Trains once and judges. Nothing if `interrupt` came first.
std::optional<RunResult> run_once(const RunJob& job, const std::atomic<bool>& interrupt);

/// Does the runs of the given numbers on `threads` threads, with a progress bar. `run(i)` gives a
/// result or, after an interrupt, nothing; `keep(i, result)`, one at a time, gives what the bar
/// says.
template <class Run, class Keep>
void run_open(const std::vector<std::size_t>& open, int threads, const std::atomic<bool>& interrupt,
              Run run, Keep keep) {
    ProgressBar bar;
    std::mutex mutex;
    std::exception_ptr failure;
    std::size_t next = 0;
    std::size_t done = 0;
    const auto work = [&] {
        for (;;) {
            std::size_t index = 0;
            {
                const std::lock_guard lock(mutex);
                if (next == open.size() || failure || interrupt) {
                    return;
                }
                index = open[next++];
            }
            try {
                const auto result = run(index);
                const std::lock_guard lock(mutex);
                if (result) {
                    const std::string what = keep(index, *result);
                    ++done;
                    bar.show(static_cast<double>(done) / static_cast<double>(open.size()),
                             std::to_string(done) + " of " + std::to_string(open.size()) +
                                 " runs, " + what);
                }
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                return;
            }
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < threads; ++i) {
            workers.emplace_back(work);
        }
        work();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

/// The keys of the lines of a store, given one of them.
std::vector<std::string> keys_of(const Json& result);

/// Does the runs 0 .. count-1 that the store does not know yet: `run(i)` as for run_open,
/// remembered by `key(i)`. A Result goes to JSON and back by to_json and from_json. What an
/// interrupt prevented is empty.
template <class Result, class Key, class Run>
std::vector<std::optional<Result>> run_stored(std::size_t count, int threads, RunStore& store,
                                              const std::atomic<bool>& interrupt, Key key,
                                              Run run) {
    std::vector<std::optional<Result>> results(count);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < count; ++i) {
        if (const Json* known = store.find(key(i))) {
            results[i] = known->template get<Result>();
        } else {
            open.push_back(i);
        }
    }
    run_open(open, threads, interrupt, run, [&](std::size_t i, const Result& result) {
        store.add(key(i), Json(result));
        results[i] = result;
        return key(i).task;
    });
    return results;
}

/// Does what the store does not know yet, on `threads` threads. The results do not depend on their
/// number; those that an interrupt prevented are empty. On a GPU the seeds of a task and its
/// options are one batch.
std::vector<std::optional<RunResult>> run_all(const std::vector<RunJob>& jobs, int threads,
                                              RunStore& store, const std::atomic<bool>& interrupt,
                                              Device device = Device::cpu);

}  // namespace hri::cli
