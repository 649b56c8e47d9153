// SPDX-License-Identifier: Apache-2.0

#include "hri/protorules.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hri {
namespace {

ProtoAtom any(std::vector<int> arguments) { return {true, std::move(arguments)}; }

ProtoAtom exact(std::vector<int> arguments) { return {false, std::move(arguments)}; }

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
        Mistake{"B: H(X,Y) <- P(X,Y) & Q(X,Y) & R(X,Y)", 1, 32, "more than two conjoined"},
        Mistake{"B: H(X,Y) <- P(X,Y) | Q(X,Y) | R(X,Y)", 1, 32, "at most one disjunct"},
        Mistake{"B: H(X,Y) <- P(X,Y) | (Q(X,Y) & R(X,Y))", 1, 33, "a single atom"},
        Mistake{"B: H(X,Y) <- P(X,Z)", 1, 8, "does not occur in the body"},
        Mistake{"B: H <- P(X)", 1, 4, "zero-ary"}, Mistake{"B: H() <- P(X)", 1, 4, "zero-ary"},
        Mistake{"B: H(X) <- P", 1, 12, "zero-ary"},
        Mistake{"B: ~H(X) <- P(X)", 1, 5, "head's arity is fixed"},
        Mistake{"B: H(X) <- !P(X)", 1, 12, "negation"},
        Mistake{"B: H(X) <- P(X) & not Q(X)", 1, 19, "negation"},
        Mistake{"B: H(X) <- P(X) & \\+ Q(X)", 1, 19, "negation"},
        Mistake{"A: H(X) <- P(X)\n\nA: H(X) <- P(X)", 3, 1, "already"},
        Mistake{"B: H(X) <- P(X) & P(X)", 1, 19, "stands for two atoms"},
        Mistake{"B: H(X) <- P(X) & H(X)", 1, 19, "stands in the body"},
        Mistake{"B: H(X) <- P(x)", 1, 14, "constants"},
        Mistake{"B: H(X) <- p(X)", 1, 12, "found 'p'"},
        Mistake{"B: H(X) :- P(X)", 1, 9, "the arrow is written <-"},
        Mistake{"H(X) <- P(X)", 1, 2, "expected ':' after the proto-rule's name"},
        Mistake{": H(X) <- P(X)", 1, 1, "name"}, Mistake{"B: H(X) <-", 1, 11, "end of the line"},
        Mistake{"B: H(X) <- (P(X) & Q(X)", 1, 24, "expected ')'"},
        Mistake{"B: H(X <- P(X)", 1, 8, "expected ')'"},
        Mistake{"B: H(X) <- P(X) Q(X)", 1, 17, "expected '&', '|' or the end"},
        Mistake{"B: H(X) <- P(X).", 1, 16, "expected '&', '|' or the end"},
        Mistake{"B: H(X) <- P(\xC3\xA9)", 1, 14, "expected a variable, found '\xC3\xA9'"},
        Mistake{"% nothing\n", 0, 0, "no proto-rules"}, Mistake{"", 0, 0, "no proto-rules"}));

}  // namespace
}  // namespace hri
