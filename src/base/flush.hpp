// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products of many small weights and gradients end in subnormal numbers, on which processors take a
// hundred times as long. While one of these lives, its thread reads and writes them as 0: values
// below 1e-38 count for nothing here.

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace hri::base {

class FlushSubnormals {
  public:
    FlushSubnormals(const FlushSubnormals&) = delete;
    FlushSubnormals& operator=(const FlushSubnormals&) = delete;

#ifdef __x86_64__
    FlushSubnormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlush | kReadAsZero); }

    ~FlushSubnormals() { _mm_setcsr(before_); }

  private:
    static constexpr unsigned kFlush = 0x8000;
    static constexpr unsigned kReadAsZero = 0x0040;
    unsigned before_;
#else
    FlushSubnormals() {}

    ~FlushSubnormals() {}
#endif
};

}  // namespace hri::base
