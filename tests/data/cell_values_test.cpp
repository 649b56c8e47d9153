// SPDX-License-Identifier: Apache-2.0
#include "data/readers/cell_values.hpp"

#include "hri/error.hpp"

#include "base/gunzip.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(CellValues, ReadNumbersAndNothingElse) {
    EXPECT_EQ(data::number_in("1.50"), 1.5);
    EXPECT_EQ(data::number_in("-3"), -3);
    EXPECT_EQ(data::number_in("+3e2"), 300);
    for (const char* text : {"", "x", "1 ", "1,5", "0x10", "nan", "inf", "1e999", "--1", "1-2"}) {
        EXPECT_FALSE(data::number_in(text)) << text;
    }
    EXPECT_EQ(data::number_name(1.5), "1.5");
    EXPECT_EQ(data::number_name(2.0), "2");
    EXPECT_EQ(data::number_name(-0.25), "-0.25");
    EXPECT_EQ(data::number_name(1e20), "1.0e+20");
}

TEST(CellValues, CountDays) {
    EXPECT_EQ(data::days_in("1970-01-01"), 0);
    EXPECT_EQ(data::days_in("1969-12-31"), -1);
    EXPECT_EQ(data::days_in("2000-03-01"), 11'017);
    EXPECT_EQ(data::days_in("29.02.2024"), data::days_in("2024/02/29"));
    for (const char* text : {"2023-02-29", "2024-13-01", "2024-1-1", "2024-02/29", "0000-01-01",
                             "2024-02-290", "29-02-2024", ""}) {
        EXPECT_FALSE(data::days_in(text)) << text;
    }
}

TEST(CellValues, CountSeconds) {
    EXPECT_EQ(data::seconds_in("1970-01-01 00:01"), 60);
    EXPECT_EQ(data::seconds_in("1970-01-02T00:00:01.5Z"), 86'401.5);
    EXPECT_EQ(data::seconds_in("1970-01-01 01:00:00+01:00"), 0);
    EXPECT_EQ(data::seconds_in("1970-01-01 00:00:00-0130"), 5400);
    for (const char* text : {"1970-01-01", "1970-01-01 24:00", "1970-01-01 00:60",
                             "1970-01-01 00:00:", "1970-01-01 00:00 noon", ""}) {
        EXPECT_FALSE(data::seconds_in(text)) << text;
    }
}

TEST(CellValues, KnowTruths) {
    for (const char* text : {"1", "yes", "TRUE", "t", "Y"}) {
        EXPECT_EQ(data::truth_in(text), true) << text;
    }
    for (const char* text : {"0", "No", "false", "F", "n"}) {
        EXPECT_EQ(data::truth_in(text), false) << text;
    }
    EXPECT_FALSE(data::truth_in("2"));
    EXPECT_FALSE(data::truth_in("yesterday"));
}

TEST(Gunzip, LeavesPlainTextAndTellsDamage) {
    EXPECT_EQ(base::gunzipped("plain", "f"), "plain");
    EXPECT_EQ(base::gunzipped("", "f"), "");
    EXPECT_THROW(base::gunzipped("\x1F\x8B", "f"), Error);
    EXPECT_THROW(base::gunzipped("\x1F\x8B\x08 broken broken broken", "f"), Error);
}

}  // namespace
}  // namespace hri
