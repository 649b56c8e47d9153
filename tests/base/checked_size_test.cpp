// SPDX-License-Identifier: Apache-2.0
#include "base/checked_size.hpp"

#include "hri/error.hpp"

#include <gtest/gtest.h>

namespace hri::base {
namespace {

std::string error_of(std::initializer_list<Extent> extents, std::size_t bytes) {
    try {
        static_cast<void>(checked_size("matrices", extents, bytes));
    } catch (const Error& error) {
        return error.message();
    }
    return "no error";
}

TEST(CheckedSize, IsTheProduct) {
    EXPECT_EQ(checked_size("matrices", {{"rows", 3}, {"columns", 5}}, 4), 15U);
    EXPECT_EQ(checked_size("matrices", {{"rows", 0}, {"columns", 1LL << 62}}, 4), 0U);
    EXPECT_EQ(checked_size("matrices", {}, 4), 1U);
}

// 46,340 is the last whose square an int holds; 65,536 the first whose square wraps to 0.
TEST(CheckedSize, RefusesWhatAnIntCannotCount) {
    EXPECT_EQ(checked_size("matrices", {{"rows", 46'340}, {"columns", 46'340}}, 0),
              std::size_t{46'340} * 46'340);
    EXPECT_EQ(error_of({{"rows", 46'341}, {"columns", 46'341}}, 0),
              "matrices of 46,341 rows x 46,341 columns would have 2.15e+09 elements; at most "
              "2,147,483,647 are supported");
    EXPECT_NE(error_of({{"rows", 65'536}, {"columns", 65'536}}, 0), "no error");
    EXPECT_NE(error_of({{"rows", 65'537}, {"columns", 65'537}}, 0), "no error");
    EXPECT_NE(error_of({{"rows", 1LL << 62}, {"columns", 1LL << 62}}, 0), "no error");
    EXPECT_NE(error_of({{"rows", -1}, {"columns", 1}}, 0), "no error");
}

TEST(CheckedSize, RefusesMoreMemoryThanThereIs) {
    const std::size_t bytes = memory_limit() / 1'000'000 + 1;
    const std::string message = error_of({{"rows", 1'000}, {"columns", 1'000}}, bytes);
    EXPECT_NE(message.find("1,000 rows x 1,000 columns would take"), std::string::npos) << message;
    EXPECT_NE(message.find("of memory; there are"), std::string::npos) << message;
    EXPECT_THROW(require_memory("views", {{"views", 3}}, 2.0 * static_cast<double>(memory_limit())),
                 Error);
    EXPECT_NO_THROW(require_memory("views", {{"views", 3}}, 1e6));
}

}  // namespace
}  // namespace hri::base
