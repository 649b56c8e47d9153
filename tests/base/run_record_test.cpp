// SPDX-License-Identifier: Apache-2.0
#include "base/run_record.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace hri::base {
namespace {

using testing::HasSubstr;

RunRecord example() {
    RunRecord record{.kind = "test", .run = {{"seed", 3}, {"options", {{"layers", 2}}}}};
    record.values = {{"round", 7}, {"loss", 0.1}};
    record.add_floats("slots", {1.5F, -0.0F, 1e-42F});
    record.blobs.push_back({"raw", std::string("a\n\0b", 4)});
    return record;
}

std::string message_of(const std::string& bytes) {
    try {
        parse_record(bytes, "file", "test");
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "file");
        return error.message();
    }
    return "no error";
}

TEST(RunRecord, IsReadBackBitByBit) {
    const RunRecord read = parse_record(to_bytes(example()), "file", "test");
    EXPECT_EQ(read.run, example().run);
    EXPECT_EQ(read.values, example().values);
    EXPECT_EQ(read.blob("raw", {}), std::string("a\n\0b", 4));
    const std::vector<float> slots = read.floats("slots", 3, {});
    EXPECT_EQ(slots[0], 1.5F);
    EXPECT_TRUE(std::signbit(slots[1]));
    EXPECT_EQ(slots[2], 1e-42F);
    EXPECT_EQ(to_bytes(read), to_bytes(example()));
}

TEST(RunRecord, KeepsDoublesExactly) {
    RunRecord record{.kind = "test", .values = nlohmann::json::array()};
    for (const double value : {1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -0.1})
        record.values.push_back(value);
    EXPECT_EQ(parse_record(to_bytes(record), "file", "test").values, record.values);
}

TEST(RunRecord, RefusesWhatIsDamaged) {
    const std::string whole = to_bytes(example());
    EXPECT_THAT(message_of(whole.substr(0, whole.size() - 1)), HasSubstr("ends in the middle"));
    EXPECT_THAT(message_of(whole + "x"), HasSubstr("behind the record"));
    EXPECT_THAT(message_of("[1]\n"), HasSubstr("expected a record"));
    EXPECT_THAT(message_of("{\"hri_record\":2}"), HasSubstr("format 2"));
    EXPECT_THAT(message_of("my thesis"), HasSubstr("goes wrong"));
    EXPECT_THAT(message_of("{\"a\":" + std::string(1'000'000, '[')), HasSubstr("levels"));
    EXPECT_THROW(parse_record(whole, "file", "another kind"), Error);
    RunRecord infinite{.kind = "test"};
    infinite.add_floats("x", {std::numeric_limits<float>::infinity()});
    EXPECT_THROW(parse_record(to_bytes(infinite), "file", "test").floats("x", 1, {}), Error);
    EXPECT_THROW(parse_record(whole, "file", "test").floats("slots", 2, {}), Error);
}

TEST(RunRecord, NamesWhatIsDifferentInAnotherRun) {
    const RunRecord record = example();
    EXPECT_NO_THROW(require_same_run(record, record.run, "file"));
    nlohmann::json other = record.run;
    other["options"]["layers"] = 4;
    try {
        require_same_run(record, other, "file");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.message(), HasSubstr("layers was 2 and is now 4"));
    }
}

}  // namespace
}  // namespace hri::base
