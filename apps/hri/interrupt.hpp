// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace hri::cli {

/// From now on the first Ctrl-C or SIGTERM sets the flag that is returned; a second one ends the
/// process.
const std::atomic<bool>& catch_interrupts();

}  // namespace hri::cli
