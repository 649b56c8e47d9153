// SPDX-License-Identifier: Apache-2.0

// The options beyond the paper's language from end to end: learned, written, read, judged, exported
// and explained.

#include "hri/tasks.hpp"

#include "cli/run_hri.hpp"
#include "support/swi_prolog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::HasSubstr;

TEST(Extensions, NegationGoesFromLearningToExplanation) {
    const ScratchFolder folder;
    const std::string program = (folder / "leaf.pl").string();
    const std::string model = (folder / "leaf.safetensors").string();
    const Outcome learned = hri({"learn", "leaf", "--negation", "--max-work", "20000",
                                 "--time-limit", "0", "--program", program, "--out", model});
    EXPECT_EQ(learned.code, 0) << learned.err;
    EXPECT_THAT(learned.out, HasSubstr("leaf(X) <- \\+ aux1(X)\naux1(X) <- edge(X,Y)\n"));
    EXPECT_TRUE(
        swi_prolog_agrees(parse_program(read_file(program)), make_problem(find_task("leaf"))));
    for (const std::string& what : {program, model}) {
        const Outcome judged = hri({"eval", what, "leaf"});
        EXPECT_EQ(judged.code, 0) << judged.err;
        EXPECT_THAT(judged.out, HasSubstr("100.00 %"));
    }
    EXPECT_THAT(hri({"export", program, "--to", "datalog"}).out,
                HasSubstr("leaf(X) :- constant(X), !aux1(X).\n"));
    EXPECT_THAT(hri({"export", program, "--to", "sql"}).out, HasSubstr("NOT EXISTS (SELECT 1 "));
    EXPECT_THAT(hri({"export", program, "--to", "prolog"}).out,
                HasSubstr("leaf(X) :- constant(X), \\+ aux1(X).\n"));
    EXPECT_THAT(hri({"export", program, "--to", "latex"}).out, HasSubstr("\\lnot "));
    EXPECT_THAT(hri({"export", program, "--to", "json"}).out, HasSubstr("\"negated\": true"));
    EXPECT_THAT(hri({"export", program, "--to", "dot"}).out, HasSubstr("negated"));
    for (const std::string& what : {program, model}) {
        std::string all;
        for (const char* atom :
             {"leaf(0)", "leaf(1)", "leaf(2)", "leaf(3)", "leaf(4)", "leaf(5)"}) {
            const Outcome why = hri({"explain", what, "leaf", atom});
            EXPECT_LE(why.code, 1) << why.err;
            all += why.out;
        }
        EXPECT_THAT(all, HasSubstr("\\+ "));
        EXPECT_THAT(all, HasSubstr(what == program ? "is true\n" : " = 1.000\n"));
        EXPECT_THAT(all, HasSubstr(what == program ? "is false\n" : " = 0.00"));
    }
}

TEST(Extensions, OfEveryKindAreLearnedFromTheCommandLine) {
    const std::vector<std::vector<std::string>> lines = {
        {"one-way", "--negation"},
        {"some-loop", "--nullary", "--equality"},
        {"sibling", "--negation", "--equality"},
        {"within-reach", "--equality"},
        {"path-of-three", "--rules", "Path: H(X,Y) <- ~P(X,Z) & ~Q(Z,T) & ~R(T,Y)", "--layers",
         "1"},
        {"from-start", "--rules", "R*; S: H(X) <- ~P(start,X)"},
    };
    const ScratchFolder folder;
    const std::string program = (folder / "p.pl").string();
    for (std::vector<std::string> line : lines) {
        line.insert(line.begin(), "learn");
        for (const std::string& flag :
             {std::string("--max-work"), std::string("200000"), std::string("--time-limit"),
              std::string("0"), std::string("--program"), program}) {
            line.push_back(flag);
        }
        const Outcome learned = hri(line);
        EXPECT_EQ(learned.code, 0) << line[1] << "\n" << learned.out << learned.err;
        EXPECT_THAT(learned.out, HasSubstr("100.00 %")) << line[1];
        EXPECT_TRUE(
            swi_prolog_agrees(parse_program(read_file(program)), make_problem(find_task(line[1]))));
    }
}

TEST(Extensions, SayWhatATargetWithoutArgumentsNeeds) {
    const Outcome outcome = hri({"learn", "has-cycle"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("use --nullary, which adds the proto-rule Z"));
}

TEST(Extensions, AreRefusedByThoseWhoDoNotKnowThem) {
    const Outcome reach = hri({"reach", "P(A) <- Q(A)", "--rules", "S: H(X) <- ~P(start,X)"});
    EXPECT_EQ(reach.code, 2);
    EXPECT_THAT(reach.err, HasSubstr("has constants"));
}

}  // namespace
}  // namespace hri::test
