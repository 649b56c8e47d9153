// SPDX-License-Identifier: Apache-2.0
#include "hri/error.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(Error, TellsPlaceMessageAndHint) {
    const Error error("expected '.' after the fact", {"family/bk.pl", 12, 7},
                      "end each fact with a full stop");
    EXPECT_STREQ(error.what(),
                 "family/bk.pl:12:7: expected '.' after the fact (end each fact with a full stop)");
    EXPECT_EQ(error.message(), "expected '.' after the fact");
    EXPECT_EQ(error.hint(), "end each fact with a full stop");
    EXPECT_EQ(error.place().line, 12);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
    EXPECT_STREQ(Error("oh").what(), "oh");
    EXPECT_STREQ(Error("oh", {"f.pl"}).what(), "f.pl: oh");
    EXPECT_STREQ(Error("oh", {"f.pl", 3}).what(), "f.pl:3: oh");
    EXPECT_STREQ(Error("oh", {"", 3, 4}, "try this").what(), "3:4: oh (try this)");
}

}  // namespace
}  // namespace hri
