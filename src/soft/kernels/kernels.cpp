// SPDX-License-Identifier: Apache-2.0
#include "soft/kernels/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace hri::soft {

namespace kernels_plain {
template <class Real>
const Kernels<Real>& table(And op);
}

#ifdef __x86_64__
namespace kernels_avx2 {
template <class Real>
const Kernels<Real>& table(And op);
}

namespace kernels_avx512 {
template <class Real>
const Kernels<Real>& table(And op);
}
#endif

template <class Real>
const Kernels<Real>* kernels_for(const char* instruction_set, And op) {
    const std::string_view name = instruction_set;
#ifdef __x86_64__
    if (name == "avx512" && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        return &kernels_avx512::table<Real>(op);
    if (name == "avx2" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kernels_avx2::table<Real>(op);
#endif
    if (name == "plain")
        return &kernels_plain::table<Real>(op);
    return nullptr;
}

template <class Real>
const Kernels<Real>& kernels(And op) {
    const char* given = std::getenv("HRI_INSTRUCTION_SET");
    const std::string_view highest = given == nullptr ? "avx512" : given;
    for (const char* name : {"avx512", "avx2"}) {
        if (highest == "plain" || (highest == "avx2" && highest != name))
            continue;
        if (const Kernels<Real>* found = kernels_for<Real>(name, op))
            return *found;
    }
    return kernels_plain::table<Real>(op);
}

template const Kernels<float>& kernels(And op);
template const Kernels<double>& kernels(And op);
template const Kernels<float>* kernels_for(const char* instruction_set, And op);
template const Kernels<double>* kernels_for(const char* instruction_set, And op);

}  // namespace hri::soft
