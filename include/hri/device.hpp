// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices that training runs on.
//
//   std::vector<TrainResult> runs = train_many(problem, options, seeds, {.device = Device::cuda});

#include <string>
#include <vector>

namespace hri {

enum class Device {
    cpu,
    cuda  ///< an NVIDIA GPU; the exact mode, nothing is skipped
};
std::string to_string(Device device);

/// Throws Error where this build or this machine lacks the device, and says how to get it.
void require(Device device);

/// The devices of this build, such as "cpu" and "cuda (NVIDIA H200, 139 GiB)".
std::vector<std::string> back_ends();

}  // namespace hri
