// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace hri::cli {

/// One live line on standard error, if that is a terminal; otherwise nothing. Any thread may call
/// show.
///
///   ProgressBar bar;
///   bar.show(0.4, "run 2, loss 0.031");    // [########............]  40 %  run 2, loss 0.031  12
///   s left
class ProgressBar {
  public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(double fraction, const std::string& text);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    std::mutex mutex_;
    bool on_ = false;
    bool drawn_ = false;
    Clock::time_point begin_;
    Clock::time_point last_;
};

}  // namespace hri::cli
