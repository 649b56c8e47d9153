// SPDX-License-Identifier: Apache-2.0

#include "hri/tasks.hpp"

#include "cli/run_hri.hpp"
#include "support/swi_prolog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::HasSubstr;

TEST(LearnLri, LearnsATaskAndRefusesWhatIsNotForIt) {
    const ScratchFolder folder;
    const std::string program = (folder / "p.pl").string();
    const Outcome outcome = hri({"learn", "grandparent", "--model", "lri", "--program", program});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("father(X,Z)"));
    EXPECT_TRUE(swi_prolog_agrees(parse_program(read_file(program)),
                                  make_problem(find_task("grandparent"))));
    const Outcome out =
        hri({"learn", "grandparent", "--model", "lri", "--out", (folder / "m").string()});
    EXPECT_EQ(out.code, 2);
    EXPECT_THAT(out.err, HasSubstr("--program"));
    EXPECT_EQ(hri({"learn", "grandparent", "--templates", "rlri"}).code, 2);
    EXPECT_EQ(hri({"learn", "grandparent", "--model", "lri", "--strategy", "search"}).code, 2);
    const Outcome short_of =
        hri({"learn", "grandparent", "--model", "lri", "--iterations", "5", "--restarts", "1"});
    EXPECT_EQ(short_of.code, 1);
    EXPECT_THAT(short_of.out, HasSubstr("--templates rlri"));
    const Outcome none = hri({"learn", "leaf", "--model", "lri"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("rlri"));
}

}  // namespace
}  // namespace hri::test
