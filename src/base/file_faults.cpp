// SPDX-License-Identifier: Apache-2.0
#include "base/file_faults.hpp"

#include <utility>

namespace hri::base {
namespace {

std::function<int(const char*)>& fault_now() {
    static std::function<int(const char*)> fault;
    return fault;
}

}  // namespace

FileFaults::FileFaults(std::function<int(const char* call)> fault) {
    fault_now() = std::move(fault);
}

FileFaults::~FileFaults() { fault_now() = nullptr; }

int next_file_fault(const char* call) {
    const std::function<int(const char*)>& fault = fault_now();
    return fault ? fault(call) : 0;
}

}  // namespace hri::base
