// SPDX-License-Identifier: Apache-2.0

#include "hri/protorules.hpp"

#include "hypotheses/proto_atoms.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hri {
namespace {

ProtoRule only(const std::string& text) {
    const ProtoRules rules = parse_protorules(text);
    EXPECT_EQ(rules.size(), 1U);
    return rules.at(0);
}

TEST(ParseProtoRules, NumbersVariablesFromTheHeadOn) {
    const ProtoRule rule = only("B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)");
    EXPECT_EQ(rule, (ProtoRule{"B*", {0, 1}, {any({0, 2}), any({2, 1})}, {any({0, 1})}}));
    EXPECT_EQ(rule.arity(), 2);
    EXPECT_EQ(rule.slots(), 3);
}

TEST(ParseProtoRules, ReadsCommaForAndAndNeedsNoParentheses) {
    EXPECT_EQ(only("a: H(X,Y) <- P(X,Z), Q(Z,Y) | R(X,Y)"),
              only("a:H(X,Y)<-(P(X,Z)&Q(Z,Y))|R(X,Y)"));
}

TEST(ParseProtoRules, DistinguishesExactArityFromLower) {
    EXPECT_EQ(only("Precon: P(A,B) <- Q(A) & ~R(A,B)"),
              (ProtoRule{"Precon", {0, 1}, {exact({0}), any({0, 1})}, {}}));
}

TEST(ParseProtoRules, AcceptsDiagonalsAndSingleAtomsOnBothSides) {
    EXPECT_EQ(only("D: H(X,X) <- P(X) | ~Q(X,X)"),
              (ProtoRule{"D", {0, 0}, {exact({0})}, {any({0, 0})}}));
}

TEST(ParseProtoRules, SkipsCommentsBlankLinesAndCarriageReturns) {
    const ProtoRules rules = parse_protorules(
        "% a set\r\n\r\nA: H(X) <- P(X)  % identity\r\n   \nB: H(X) <- P(X) & Q(X)");
    ASSERT_EQ(rules.size(), 2U);
    EXPECT_EQ(rules[0].name, "A");
    EXPECT_EQ(rules[1].body.size(), 2U);
}

TEST(ParseProtoRules, ReadsBackWhatItPrints) {
    for (const std::string text :
         {"B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)", "I: H(X,Y) <- ~P(Y,X)",
          "a-1+: H(X) <- P(X,Y) | ~Q(Z,X)", "w: H(X,Y) <- (~P(X,Z) & Q(Y,T)) | R(U,X)"}) {
        EXPECT_EQ(to_text(only(text)), text);
        EXPECT_EQ(only(to_text(only(text))), only(text));
    }
}

TEST(ProtoRules, MayBeWithoutArgumentsNameConstantsAndJoinThreeAtoms) {
    const ProtoRule z = parse_protorules("Z: H() <- ~P(X,Y)")[0];
    EXPECT_EQ(z.arity(), 0);
    EXPECT_EQ(parse_protorules("Z: H <- ~P(X,Y)")[0], z);
    EXPECT_EQ(to_text(z), "Z: H() <- ~P(X,Y)");

    const ProtoRule start = parse_protorules("S: H(X) <- ~P(start,X) & ~Q(X,7)")[0];
    EXPECT_EQ(start.constants, (std::vector<std::string>{"start", "7"}));
    EXPECT_EQ(start.body[0].arguments, (std::vector<int>{-1, 0}));
    EXPECT_EQ(start.body[1].arguments, (std::vector<int>{0, -2}));
    EXPECT_EQ(to_text(start), "S: H(X) <- ~P(start,X) & ~Q(X,7)");

    const std::string text = "T: H(X,Y) <- (~P(X,Z) & ~Q(Z,T) & ~R(T,Y)) | ~S(X,Y)";
    EXPECT_EQ(parse_protorules(text)[0].body.size(), 3U);
    EXPECT_EQ(to_text(parse_protorules(text)[0]), text);
}

TEST(ProtoRules, OfThreeAtomsAreJoinedTwoAtATime) {
    const std::string text = "T: H(X,Y) <- (~P(X,Z) & ~Q(Z,T) & ~R(T,Y)) | ~S(X,Y)";
    const ProtoRules joined = binarised(parse_protorules("B: H(X) <- ~P(X)\n" + text));
    ASSERT_EQ(joined.size(), 3U);
    EXPECT_TRUE(joined[1].is_helper);
    EXPECT_EQ(to_text(joined[1]), "T': H(X,T) <- ~P(X,Z) & ~Q(Z,T)");
    EXPECT_FALSE(joined[2].is_helper);
    EXPECT_EQ(joined[2].body.size(), 2U);
    EXPECT_EQ(to_text(joined[2]), text);
    EXPECT_EQ(binarised(parse_protorules(to_text(joined[2])))[0], joined[1]);
    // the atoms that share a variable go together
    const ProtoRules apart = binarised(parse_protorules("T: H(X) <- ~P(X) & ~Q(Z,Z) & ~R(X,Y)"));
    EXPECT_EQ(to_text(apart[0]), "T': H(X) <- ~P(X) & ~Q(X,Z)");
}

TEST(ProtoRules, MayBeGivenInPlaceOfAFileBesideNamedSets) {
    const ProtoRules rules = load_protorules("R*; S: H(X) <- ~P(start,X)");
    ASSERT_EQ(rules.size(), 5U);
    EXPECT_EQ(rules[0], load_protorules("R*")[0]);
    EXPECT_EQ(constants_of(rules), std::vector<std::string>{"start"});
    EXPECT_EQ(load_protorules("B: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)").size(), 1U);
}

struct Mistake {
    std::string text;
    int line;
    int column;
    std::string says;
};

class ProtoRuleMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ProtoRuleMistakes, AreToldWithTheirPlace) {
    const Mistake& mistake = GetParam();
    try {
        parse_protorules(mistake.text, "my.rules");
        FAIL() << "no error for " << mistake.text;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(mistake.says));
        EXPECT_EQ(error.place().file, "my.rules");
        EXPECT_EQ(error.place().line, mistake.line) << error.what();
        EXPECT_EQ(error.place().column, mistake.column) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Each, ProtoRuleMistakes,
    testing::Values(
        Mistake{"Curry: P(A,B) <- Q(A,B,R)", 1, 18, "need arity 3"},
        Mistake{"Curry: P(A,B) <- Q(A,R) & R(B)", 1, 22, "needs arity 3"},
        Mistake{"Curry: P(A,B) <- Q(A,R(B))", 1, 22, "needs arity 3"},
        Mistake{"B: H(X,Y,Z) <- P(X,Y) & Q(Y,Z)", 1, 4, "arity 3"},
        Mistake{"B: H(X,Y) <- P(X,Y) & Q(X,Y) & R(X,Y) & S(X)", 1, 41, "more than three"},
        Mistake{"B: H(X,Y) <- P(X,Y) | Q(X,Y) | R(X,Y)", 1, 32, "at most one disjunct"},
        Mistake{"B: H(X,Y) <- P(X,Y) | (Q(X,Y) & R(X,Y))", 1, 33, "a single atom"},
        Mistake{"B: H(X,Y) <- P(X,Z)", 1, 8, "does not occur in the body"},
        Mistake{"B: H(X) <- P", 1, 6, "does not occur in the body"},
        Mistake{"B: H(x) <- P(X)", 1, 6, "the constant 'x' in a head"},
        Mistake{"B: ~H(X) <- P(X)", 1, 5, "head's arity is fixed"},
        Mistake{"B: H(X) <- !P(X)", 1, 12, "negation"},
        Mistake{"B: H(X) <- P(X) & not Q(X)", 1, 19, "negation"},
        Mistake{"B: H(X) <- P(X) & \\+ Q(X)", 1, 19, "negation"},
        Mistake{"A: H(X) <- P(X)\n\nA: H(X) <- P(X)", 3, 1, "already"},
        Mistake{"B: H(X) <- P(X) & P(X)", 1, 19, "stands for two atoms"},
        Mistake{"B: H(X) <- P(X) & H(X)", 1, 19, "stands in the body"},
        Mistake{"B: H(X) <- P(x)", 1, 6, "does not occur in the body"},
        Mistake{"B: H(X) <- p(X)", 1, 12, "found 'p'"},
        Mistake{"B: H(X) :- P(X)", 1, 9, "the arrow is written <-"},
        Mistake{"H(X) <- P(X)", 1, 2, "expected ':' after the proto-rule's name"},
        Mistake{": H(X) <- P(X)", 1, 1, "name"}, Mistake{"B: H(X) <-", 1, 11, "end of the line"},
        Mistake{"B: H(X) <- (P(X) & Q(X)", 1, 24, "expected ')'"},
        Mistake{"B: H(X <- P(X)", 1, 8, "expected ')'"},
        Mistake{"B: H(X) <- P(X) Q(X)", 1, 17, "expected '&', '|' or the end"},
        Mistake{"B: H(X) <- P(X).", 1, 16, "expected '&', '|' or the end"},
        Mistake{"B: H(X) <- P(\xC3\xA9)", 1, 14, "expected a variable, found '\xC3\xA9'"},
        Mistake{"% nothing\n", 1, 1, "no proto-rules"}, Mistake{"", 1, 1, "no proto-rules"}));

}  // namespace
}  // namespace hri
