// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include "output.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace hri::cli {

ProgressBar::ProgressBar() : on_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(double fraction, const std::string& text) {
    constexpr std::chrono::milliseconds kBetween(100);
    constexpr int kWidth = 24;
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (!on_ || now - last_ < kBetween) {
        return;
    }
    last_ = now;
    drawn_ = true;
    fraction = std::clamp(fraction, 0.0, 1.0);
    const auto filled = static_cast<int>(kWidth * fraction);
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const std::string left =
        fraction > 0.005 ? duration(elapsed * (1 - fraction) / fraction) + " left" : "";
    fmt::print(stderr, "\r\x1b[K[{:#<{}}{:.<{}}] {:3.0f} %  {}  {}", "", filled, "",
               kWidth - filled, 100 * fraction, text, left);
    std::fflush(stderr);
}

void ProgressBar::clear() {
    const std::lock_guard lock(mutex_);
    if (drawn_) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        drawn_ = false;
    }
}

}  // namespace hri::cli
