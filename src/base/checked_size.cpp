// SPDX-License-Identifier: Apache-2.0
#include "base/checked_size.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace hri::base {
namespace {

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t i = digits.size(); i > (number < 0 ? 4U : 3U);) {
        i -= 3;
        digits.insert(i, ",");
    }
    return digits;
}

std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

/// "86 predicates x 7,000 constants"
std::string listed(std::initializer_list<Extent> extents) {
    std::string text;
    for (const Extent& extent : extents)
        text += fmt::format("{}{} {}", text.empty() ? "" : " x ", grouped(extent.count), extent.of);
    return text;
}

/// The memory limit of the control group of this process, where there is one.
std::size_t group_limit() {
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::size_t bytes = 0;
        if (std::ifstream(file) >> bytes && bytes > 0)
            return bytes;
    }
    return std::numeric_limits<std::size_t>::max();
}

std::size_t find_limit() {
    std::size_t bytes = group_limit();
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        bytes = std::min(bytes, static_cast<std::size_t>(pages) * static_cast<std::size_t>(page));

    struct rlimit limit {};

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = std::min<std::size_t>(bytes, limit.rlim_cur);
    return bytes;
}

constexpr const char* kHint = "use fewer constants or predicates, or data that split";

}  // namespace

std::size_t memory_limit() {
    static const std::size_t limit = find_limit();
    return limit;
}

void refuse_size(const char* what, std::initializer_list<Extent> extents,
                 std::size_t element_bytes) {
    double elements = 1;
    for (const Extent& extent : extents)
        elements *= static_cast<double>(extent.count);
    if (elements > static_cast<double>(kMaxElements) || elements < 0)
        throw Error(fmt::format("{} of {} would have {:.3g} elements; at most {} are supported",
                                what, listed(extents), elements, grouped(kMaxElements)),
                    {}, kHint);
    throw Error(fmt::format("{} of {} would take {} of memory; there are {}", what, listed(extents),
                            gigabytes(elements * static_cast<double>(element_bytes)),
                            gigabytes(static_cast<double>(memory_limit()))),
                {}, kHint);
}

void require_memory(const char* what, std::initializer_list<Extent> extents, double bytes) {
    if (bytes > static_cast<double>(kSmallBytes) && bytes > static_cast<double>(memory_limit()))
        throw Error(
            fmt::format("{} of {} would take {} of memory; there are {}", what, listed(extents),
                        gigabytes(bytes), gigabytes(static_cast<double>(memory_limit()))),
            {}, kHint);
}

}  // namespace hri::base
