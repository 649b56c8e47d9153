// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many training runs, in parallel, remembered in a file so that an interrupted table goes on.
//
//   RunStore store("state.jsonl", run_keys());
//   std::vector<std::optional<RunResult>> results = run_all(jobs, 2, store, interrupt);

#include "hri/options.hpp"
#include "hri/tasks.hpp"

#include "run_store.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hri::cli {

/// One run to do: a task, its options, a seed.
struct RunJob {
    const Task* task = nullptr;
    std::string variant;  ///< what the table calls these options
    Options options;
    std::uint64_t seed = 0;
};

/// What came of it. Success as the paper defines it: a mean square error below 1e-4 on every
/// instance.
struct RunResult {
    bool train = false;              ///< the last training instance, soft, noise on
    bool soft = false;               ///< fresh instances at the task's steps
    bool symbolic = false;           ///< the argmax program, at the same steps
    bool symbolic_fixpoint = false;  ///< the same program at its fixpoint
    double train_mse = 0;
    double soft_mse = 0;  ///< the worst of the fresh instances
    double seconds = 0;   ///< of training
    std::int64_t iterations = 0;
    std::string program;  ///< simplified
};

/// Trains once and judges. Nothing if `interrupt` came first.
std::optional<RunResult> run_once(const RunJob& job, const std::atomic<bool>& interrupt);

/// What a remembered run has.
std::vector<std::string> run_keys();

/// Does what the store does not know yet, on `threads` threads. The results do not depend on their
/// number; those that an interrupt prevented are empty.
std::vector<std::optional<RunResult>> run_all(const std::vector<RunJob>& jobs, int threads,
                                              RunStore& store, const std::atomic<bool>& interrupt);

}  // namespace hri::cli
