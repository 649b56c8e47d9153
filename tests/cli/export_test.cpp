// SPDX-License-Identifier: Apache-2.0
#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::hri;
using test::Outcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Export, WritesEveryLanguage) {
    const ScratchFolder folder;
    write_file(folder / "program.pl",
               "reach(X,Y) :- edge(X,Y). reach(X,Y) :- reach(X,Z), edge(Z,Y).");
    const std::vector<std::pair<std::string, std::string>> beginnings = {
        {"prolog", "% target: reach/2"}, {"datalog", "// target: reach/2"},
        {"sql", "-- target: reach/2"},   {"json", "{\n  \"version\""},
        {"dot", "digraph \"reach/2\""},  {"svg", "<svg "},
        {"latex", "\\begin{align*}"},    {"text", "reach(X,Y) <- "}};
    for (const auto& [language, beginning] : beginnings) {
        const Outcome outcome = hri({"export", (folder / "program.pl").string(), "--to", language});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, StartsWith(beginning));
    }
    const Outcome filed = hri({"export", (folder / "program.pl").string(), "--to", "sql",
                               "--dialect", "postgresql", "--out", (folder / "a.sql").string()});
    EXPECT_EQ(filed.code, 0) << filed.err;
    EXPECT_EQ(filed.out, "");
    EXPECT_THAT(read_file(folder / "a.sql"), HasSubstr("LATERAL"));
}

TEST(Explain, AnswersByItsExitCode) {
    const ScratchFolder folder;
    const std::string task = test::write_tiny_task(folder);
    write_file(folder / "program.pl", "back(X,Y) :- edge(Y,X).");
    const std::string program = (folder / "program.pl").string();
    const Outcome yes = hri({"explain", program, task, "back(b,a)"});
    EXPECT_EQ(yes.code, 0) << yes.err;
    EXPECT_THAT(yes.out, HasSubstr("edge(a,b)  a fact"));
    const Outcome no =
        hri({"explain", program, task, "back(a,b)", "--json", (folder / "why.json").string()});
    EXPECT_EQ(no.code, 1) << no.err;
    EXPECT_EQ(test::read_json(folder / "why.json")["reason"]["body"][0]["atom"], "edge(b,a)");
    const Outcome mistake = hri({"explain", program, task, "back(a,q)"});
    EXPECT_EQ(mistake.code, 2);
    EXPECT_THAT(mistake.err, HasSubstr("no constant q"));
}

TEST(Export, RefusesUnknownLanguages) {
    const Outcome outcome = hri({"export", "program.pl", "--to", "cobol"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cobol"));
}

}  // namespace
}  // namespace hri
