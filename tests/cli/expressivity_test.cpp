// SPDX-License-Identifier: Apache-2.0

// hri reach, as typed.

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ReachCommand, PrintsTheDerivationOfAReachableClause) {
    const Outcome outcome = hri({"reach", "P(A,B) <- Q(A,B), R(B,C)"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("from R0 with True: reachable in 2 layers, 2 rules"),
                                   HasSubstr("P = C(Q, aux1)         P(X,Y) <- Q(X,Y) & aux1(Y)\n"
                                             "  aux1 = A(R, True)    aux1(X) <- R(X,Y)\n"),
                                   HasSubstr("all 256 interpretations over 2 constants")));
    EXPECT_EQ(outcome.err, "");
}

TEST(ReachCommand, EqualMakesTheDiagonalReachable) {
    const Outcome without = hri({"reach", "P(A,A) <- Q(A)"});
    EXPECT_EQ(without.code, 1) << without.err;
    EXPECT_THAT(without.out, AllOf(HasSubstr("not reachable"), HasSubstr("of any depth")));
    EXPECT_EQ(hri({"reach", "P(A,A) <- Q(A)", "--with", "True,Equal"}).code, 0);
}

TEST(ReachCommand, ShowsTheSearchBoundWhereItProvesNothing) {
    const Outcome outcome = hri({"reach", "P(A,B) <- Q(B,A)", "--rules", "MIL"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Search bound: auxiliary predicates that unfold to at most "
                                       "2 body atoms"));
}

TEST(ReachCommand, FindsTheLeastModelOfAProgram) {
    const ScratchFolder folder;
    const std::string program = (folder / "less.pl").string();
    const std::string file = (folder / "less.json").string();
    write_file(program, "less(X,Y) :- succ(X,Y).\nless(X,Y) :- less(X,Z), less(Z,Y).\n");
    const Outcome outcome = hri({"reach", program, "--json", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("1 layer, 1 auxiliary predicate per proto-rule"),
                                   HasSubstr("Verified:")));
    EXPECT_EQ(read_json(file).at("layers"), 1);
    EXPECT_TRUE(read_json(file).at("verified").get<bool>());
    const Outcome none = hri({"reach", program, "--recursivity", "none"});
    EXPECT_EQ(none.code, 1) << none.err;
    EXPECT_THAT(none.out, HasSubstr("no representation found"));
}

TEST(ReachCommand, MistakesAreToldWithTheirPlace) {
    const Outcome outcome = hri({"reach", "P(A,B <- Q(A,B)"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("<metarule>:1:7: expected ')'"));
    EXPECT_EQ(hri({"reach"}).code, 2);
    EXPECT_EQ(hri({"reach", "nowhere.pl"}).code, 2);
    EXPECT_EQ(hri({"reach", "--tasks", "--with", "Equal"}).code, 2);
    EXPECT_EQ(hri({"reach", "P(A) <- Q(A)", "--theorem"}).code, 2);
    EXPECT_THAT(hri({"reach", "P(A) <- Q(A)", "--with", "Same"}).err,
                HasSubstr("no built-in predicate 'Same'"));
    EXPECT_EQ(hri({"reach", "P(A) <- Q(A)", "--rules", "nowhere.txt"}).code, 2);
}

TEST(ReachCommand, TheTheoremHolds) {
    const ScratchFolder folder;
    const std::string file = (folder / "theorem.json").string();
    const Outcome outcome = hri({"reach", "--theorem", "--json", file});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("All of it holds."));
    const nlohmann::json json = read_json(file);
    EXPECT_TRUE(json.at("holds").get<bool>());
    for (const char* claim : {"three_atoms", "four_atoms", "five_atoms_irreducible",
                              "five_atoms_by_arity_three", "universal_contraction_barred"}) {
        EXPECT_TRUE(json.at(claim).get<bool>()) << claim;
    }
    for (const nlohmann::json& row : json.at("rows")) {
        EXPECT_EQ(row.at("number"), row.at("verified")) << row;
    }
}

TEST(ReachCommand, ListsWhatAUsersSetDoesNotCover) {
    const ScratchFolder folder;
    const std::string file = (folder / "rules.txt").string();
    write_file(file, "A: H(X) <- ~P(X,Y) & ~Q(Y,X)\nC: H(X,Y) <- ~P(X,Y) & ~Q(Y,X)\n");
    const Outcome outcome = hri({"reach", "--theorem", "--rules", file});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("cannot express 4 clauses"),
                                   HasSubstr("  P(A,B) <- Q(A,C), R(C,B)\n"),
                                   HasSubstr("Not all of it holds.")));
}

}  // namespace
}  // namespace hri::test
