// SPDX-License-Identifier: Apache-2.0
#include "hri/device.hpp"

#include "hri/error.hpp"

#include "soft/cuda/cuda_batch.hpp"

namespace hri {

std::string to_string(Device device) { return device == Device::cuda ? "cuda" : "cpu"; }

void require(Device device) {
    if (device == Device::cpu)
        return;
    const std::string why = soft::why_no_cuda();
    if (why.empty())
        return;
    throw Error("device: " + why, {},
                soft::is_built_with_cuda()
                    ? "run it on a machine with an NVIDIA GPU and its driver, or use {device=cpu}"
                    : "build it with -DHRI_CUDA=ON where the CUDA toolkit is installed, or use "
                      "{device=cpu}");
}

std::vector<std::string> back_ends() {
    std::vector<std::string> result = {"cpu"};
    if (soft::is_built_with_cuda()) {
        const std::string name = soft::cuda_device();
        result.push_back("cuda (" + (name.empty() ? soft::why_no_cuda() : name) + ")");
    }
    return result;
}

}  // namespace hri
