// SPDX-License-Identifier: Apache-2.0

#include "base/flush.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

#ifdef __x86_64__
TEST(FlushSubnormals, ReadsAndWritesThemAsZeroWhileItLives) {
    volatile float small = 1e-30F;
    volatile float factor = 1e-10F;
    volatile float subnormal = small * factor;
    volatile float large = 1e30F;
    EXPECT_GT(subnormal * large, 0.0F);
    {
        const base::FlushSubnormals flush;
        EXPECT_EQ(small * factor, 0.0F);
        EXPECT_EQ(subnormal * large, 0.0F);
        EXPECT_GT(small * large, 0.0F);
    }
    EXPECT_GT(small * factor, 0.0F);
}
#endif

}  // namespace
}  // namespace hri
