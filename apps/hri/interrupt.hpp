// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace hri::cli {

/// From now on the first Ctrl-C or SIGTERM sets the flag that is returned; a second one ends the
/// process.
const std::atomic<bool>& catch_interrupts();

/// Set when the user interrupts or the time is up, for what knows no time limit of its own.
class Deadline {
  public:
    /// `seconds` after `begin`; 0: no limit.
    Deadline(const std::atomic<bool>* interrupt, double seconds,
             std::chrono::steady_clock::time_point begin)
        : watcher_([this, interrupt, seconds, begin](const std::stop_token& ended) {
              while (!ended.stop_requested() && !is_over_) {
                  const std::chrono::duration<double> passed =
                      std::chrono::steady_clock::now() - begin;
                  is_over_ = interrupt->load() || (seconds > 0 && passed.count() > seconds);
                  std::this_thread::sleep_for(std::chrono::milliseconds(10));
              }
          }) {}

    const std::atomic<bool>& is_over() const { return is_over_; }

  private:
    std::atomic<bool> is_over_ = false;
    std::jthread watcher_;  // ends first
};

}  // namespace hri::cli
