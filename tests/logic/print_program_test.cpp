// SPDX-License-Identifier: Apache-2.0
#include "hri/logic.hpp"

#include "support/random_programs.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

std::string text(const std::string& program) { return to_text(parse_program(program)); }

std::string prolog(const std::string& program) { return to_prolog(parse_program(program)); }

TEST(ToText, WritesThePapersNotation) {
    EXPECT_EQ(text("target(A,B) :- aux1(A,C), aux1(C,B). target(P,Q) :- father(P,Q). aux1(X,Y) :- "
                   "e(Y,X)."),
              "target(X,Y) <- (aux1(X,Z) & aux1(Z,Y)) | father(X,Y)\n"
              "aux1(X,Y) <- e(Y,X)\n");
}

TEST(ToText, LeavesParenthesesOutWhereNothingIsBeside) {
    EXPECT_EQ(text("t(X) :- e(X,Y), e(Y,X)."), "t(X) <- e(X,Y) & e(Y,X)\n");
}

TEST(ToText, SaysTrueAndFalse) {
    EXPECT_EQ(text("t(X,Y). t(X,Y) :- e(X,Y)."), "t(X,Y) <- True | e(X,Y)\n");
    EXPECT_EQ(text("% target: t/2\n"), "t(X,Y) <- False\n");
    EXPECT_EQ(text("% target: t/0\n"), "t <- False\n");
}

TEST(ToText, PutsTheTargetFirstAndRulesOfAPredicateTogether) {
    EXPECT_EQ(text("% target: t/1\na(X) :- e(X). t(X) :- a(X). a(X) :- f(X)."),
              "t(X) <- a(X)\n"
              "a(X) <- e(X) | f(X)\n");
}

TEST(ToText, GivesOtherHeadsALineOfTheirOwn) {
    EXPECT_EQ(text("t(X,Y) :- e(X,Y). t(X,X) :- u(X). t(X,Y) :- f(X,Y). t(a,X) :- u(X). t(X,'B') "
                   ":- u(X)."),
              "t(X,Y) <- e(X,Y) | f(X,Y)\n"
              "t(X,X) <- u(X)\n"
              "t(a,X) <- u(X)\n"
              "t(X,'B') <- u(X)\n");
}

TEST(ToText, HasNamesForManyVariables) {
    EXPECT_EQ(text("t :- e(A,B), e(C,D), e(E,F), e(G,H), e(A,H)."),
              "t <- e(X,Y) & e(Z,U) & e(V,W) & e(X1,X2) & e(X,X2)\n");
}

TEST(ToProlog, DeclaresTablesAndInputs) {
    EXPECT_EQ(prolog("connected(X,Y) :- edge(X,Y). connected(X,Y) :- link(X,Z), connected(Z,Y). "
                     "link(X,Y) :- edge(X,Y), 'Is open'(X)."),
              "% target: connected/2\n"
              ":- table connected/2.\n"
              ":- dynamic 'Is open'/1, edge/2.\n"
              "connected(X,Y) :- edge(X,Y).\n"
              "connected(X,Y) :- link(X,Z), connected(Z,Y).\n"
              "link(X,Y) :- edge(X,Y), 'Is open'(X).\n");
}

TEST(ToProlog, TablesAllOfAMutualRecursion) {
    EXPECT_EQ(
        prolog("even(X) :- zero(X). even(X) :- succ(Y,X), odd(Y). odd(X) :- succ(Y,X), even(Y)."),
        "% target: even/1\n"
        ":- table even/1, odd/1.\n"
        ":- dynamic succ/2, zero/1.\n"
        "even(X) :- zero(X).\n"
        "even(X) :- succ(Y,X), odd(Y).\n"
        "odd(X) :- succ(Y,X), even(Y).\n");
}

TEST(ToProlog, WritesVariablesThatOccurOnceAsUnderscores) {
    EXPECT_EQ(prolog("t(X,Y) :- e(X,Z), e(U,X)."),
              "% target: t/2\n:- dynamic e/2.\nt(X,_) :- e(X,_), e(_,X).\n");
}

TEST(ToProlog, QuotesNamesAndConstants) {
    EXPECT_EQ(prolog("'T x'(X) :- 'E'(X,'it''s'), e(X,-3), e(X,'[')."),
              "% target: 'T x'/1\n:- dynamic 'E'/2, e/2.\n'T x'(X) :- 'E'(X,'it\\'s'), e(X,-3), "
              "e(X,'[').\n");
}

TEST(ToProlog, TakesNamesBackThatPrologKeepsForItself) {
    EXPECT_EQ(prolog("length(X,Y) :- number(Y), cons(X,Y)."),
              "% target: length/2\n"
              ":- redefine_system_predicate(length(_,_)).\n"
              ":- redefine_system_predicate(number(_)).\n"
              ":- dynamic cons/2, number/1.\n"
              "length(X,Y) :- call(number(Y)), cons(X,Y).\n");
    EXPECT_EQ(text("t(X) :- number(X)."), "t(X) <- number(X)\n");
}

TEST(ToProlog, WritesATargetWithoutRules) {
    EXPECT_EQ(prolog("% target: never/2\n"), "% target: never/2\n:- dynamic never/2.\n");
    // not what Prolog's library has of that name
    EXPECT_EQ(prolog("% target: append/3\n"), "% target: append/3\n:- dynamic append/3.\n");
}

// Cells of tables may hold any text: a constant stays what it is when it is written and read.
TEST(ToProlog, KeepsConstantsThatLookLikeTerms) {
    for (const char* name : {"'a'", "'8'", "f( a )", "[a, b]", "'''", "f(a)", "'f(a)'", "[a,b]"}) {
        Program program = parse_program("t(X) :- e(X,other).");
        program.rules[0].body[0].arguments[1] =
            Term::constant(program.vocabulary.intern_constant(name));
        const Program read = parse_program(to_prolog(program));
        const std::int32_t constant = read.rules[0].body[0].arguments[1].index();
        EXPECT_EQ(read.vocabulary.constants()[static_cast<std::size_t>(constant)], name)
            << to_prolog(program);
    }
}

TEST(ToProlog, IsReadBackAsItWas) {
    Random random(11);
    test::ProgramSpace space;
    for (int i = 0; i < 1000; ++i) {
        space.constants = i % 2 == 0 ? 0 : 0.2;
        const Program program = test::random_program(space, random);
        const std::string written = to_prolog(program);
        const Program read = parse_program(written);
        ASSERT_EQ(to_prolog(read), written);
        ASSERT_EQ(to_text(read), to_text(program));
        ASSERT_EQ(read.vocabulary[read.target], program.vocabulary[program.target]);
        ASSERT_EQ(read.rules.size(), program.rules.size());
    }
}

}  // namespace
}  // namespace hri
