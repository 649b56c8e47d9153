// SPDX-License-Identifier: Apache-2.0
// What a person would write for what a model says. That the meaning stays is tested on random
// programs in tests/symbolic.

#include "hri/logic.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

std::string simple(const std::string& program) {
    return to_text(simplified(parse_program(program)));
}

// True and False as extraction writes them: an empty body, a rule that never fires.

TEST(Simplified, FindsGrandparentInThePapersSolution) {
    EXPECT_EQ(simple("target(X,Y) :- b4(X,Y).\n"
                     "b4(X,Y) :- b3(X,Z), b3(Z,Y).\n"
                     "b4(X,Y) :- b1(X,Y).\n"      // False
                     "b3(X,Y) :- mother(X,Y).\n"  // mother & True
                     "b3(X,Y) :- father(X,Y).\n"
                     "b1(X,Y) :- b1(X,Y).\n"),
              "target(X,Y) <- aux1(X,Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- mother(X,Y) | father(X,Y)\n");
}

TEST(Simplified, FindsLessThanWithRecursionThroughTheTarget) {
    EXPECT_EQ(simple("target(X,Y) :- b(X,Y).\n"
                     "b(X,Y) :- b(X,Z), b(Z,Y).\n"
                     "b(X,Y) :- succ(X,Y).\n"),
              "target(X,Y) <- (target(X,Z) & target(Z,Y)) | succ(X,Y)\n");
    EXPECT_EQ(simple("target(X,Y) :- i(X,Y).\n"
                     "i(X,Y) :- b(Y,X).\n"
                     "b(X,Y) :- j(X,Z), b(Z,Y).\n"
                     "b(X,Y) :- j(X,Y).\n"
                     "j(X,Y) :- succ(Y,X).\n"),
              "target(X,Y) <- (succ(Z,Y) & target(X,Z)) | succ(X,Y)\n");
}

TEST(Simplified, FindsEvenInThePapersSolution) {
    EXPECT_EQ(simple("target(X) :- a4(X).\n"
                     "a4(X) :- c(X,Z), b3(Z,X).\n"
                     "a4(X) :- zero(X).\n"
                     "c(X,Y) :- zero(Y).\n"
                     "b3(X,Y) :- b3(X,Z), b3(Z,Y).\n"
                     "b3(X,Y) :- b2(X,Y).\n"
                     "b2(X,Y) :- succ(X,Z), succ(Z,Y).\n"
                     "b2(X,Y) :- f(X,Y).\n"
                     "f(X,Y) :- f(X,Y).\n"),
              "target(X) <- (zero(Y) & aux1(Y,X)) | zero(X)\n"
              "aux1(X,Y) <- (aux1(X,Z) & aux1(Z,Y)) | (succ(X,Z) & succ(Z,Y))\n");
}

TEST(Simplified, FindsEvenAndOddInEachOther) {
    EXPECT_EQ(
        simple("even(X) :- zero(X). even(X) :- odd(Y), succ(Y,X). odd(X) :- even(Y), succ(Y,X)."),
        "even(X) <- zero(X) | (even(Y) & succ(Y,Z) & succ(Z,X))\n");
}

TEST(Simplified, FindsBuzzThroughAuxiliariesThatIgnoreAnArgument) {
    EXPECT_EQ(simple("target(X) :- aux3(X).\n"
                     "aux1(X,Y) :- aux2(X,Z), pred1(Z,Y).\n"
                     "aux2(X,Y) :- aux3(Y).\n"  // True & aux3
                     "aux2(X,Y) :- zero(Y).\n"
                     "aux3(X) :- aux1(X,Z), pred2(Z,X).\n"
                     "aux3(X) :- zero(X).\n"),
              "target(X) <- (target(Y) & pred1(Y,Z) & pred2(Z,X)) | zero(X)\n");
}

TEST(Simplified, DropsWhatTheTargetNeverUses) {
    EXPECT_EQ(simple("t(X) :- u(X). a(X) :- b(X). b(X) :- a(X). b(X) :- u(X)."), "t(X) <- u(X)\n");
}

TEST(Simplified, DropsRulesThatNeverFire) {
    EXPECT_EQ(simple("t(X) :- u(X). t(X) :- a(X), v(X). a(X) :- b(X). b(X) :- a(X), u(X)."),
              "t(X) <- u(X)\n");
    EXPECT_EQ(simple("t(X) :- false. t(X) :- u(X), fail. t(X) :- v(X)."), "t(X) <- v(X)\n");
    EXPECT_EQ(simple("t(X) :- false(X). t(X) :- v(X)."), "t(X) <- false(X) | v(X)\n")
        << "a name like others";
    EXPECT_EQ(simple("t(X,Y) :- t(Y,X)."), "t(X,Y) <- False\n");
}

TEST(Simplified, DropsDuplicatesAndWhatAnotherRuleCovers) {
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y), e(X,Y)."), "t(X,Y) <- e(X,Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- e(X,Z), f(Z,Y). t(A,B) :- f(C,B), e(A,C)."),
              "t(X,Y) <- e(X,Z) & f(Z,Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y), u(X). t(X,Y) :- e(X,Y)."), "t(X,Y) <- e(X,Y)\n");
    EXPECT_EQ(simple("t(X,X) :- u(X). t(X,Y) :- u(X), u(Y)."), "t(X,Y) <- u(X) & u(Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y). t(X,Y) :- t(X,Y), u(X)."), "t(X,Y) <- e(X,Y)\n");
}

TEST(Simplified, DropsBodyAtomsThatOthersImply) {
    EXPECT_EQ(simple("t(X) :- e(X,Y), e(X,Z), u(Z)."), "t(X) <- e(X,Y) & u(Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y), e(X,Z), e(U,Y)."), "t(X,Y) <- e(X,Y)\n");
    // a path with a shortcut stays
    EXPECT_EQ(simple("t(X,Y) :- e(X,Z), e(Z,Y), e(X,Y)."), "t(X,Y) <- e(X,Z) & e(Z,Y) & e(X,Y)\n");
}

TEST(Simplified, DropsRulesThatRecursionImplies) {
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y). t(X,Y) :- t(X,Z), t(Z,Y). t(X,Y) :- e(X,Z), t(Z,Y)."),
              "t(X,Y) <- e(X,Y) | (t(X,Z) & t(Z,Y))\n");
}

TEST(Simplified, DropsWhatIsAlwaysTrue) {
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), e(Z,Y), a(Y,Y). a(X,Y) :- b(Y). a(X,Y) :- u(X). b(X)."),
              "t(X,Y) <- e(Z,Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- e(X,Y). t(X,Y) :- a(Y,X). a(X,Y)."), "t(X,Y) <- True\n");
}

TEST(Simplified, MergesPredicatesWithEqualDefinitions) {
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), b(Z,Y). a(X,Y) :- e(X,Y). a(X,Y) :- f(X,Y). b(X,Y) :- "
                     "f(X,Y). b(X,Y) :- e(X,Y)."),
              "t(X,Y) <- aux1(X,Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- e(X,Y) | f(X,Y)\n");
}

TEST(Simplified, MergesPredicatesWhoseArgumentsAreExchanged) {
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), b(Y,Z). a(X,Y) :- e(X,Y). a(X,Y) :- f(X,Y). b(X,Y) :- "
                     "f(Y,X). b(X,Y) :- e(Y,X)."),
              "t(X,Y) <- aux1(X,Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- e(X,Y) | f(X,Y)\n");
}

TEST(Simplified, MergesRecursiveTwins) {
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), u(Z), b(Z,Y). a(X,Y) :- e(X,Y). a(X,Y) :- e(X,Z), a(Z,Y). "
                     "b(X,Y) :- e(X,Y). b(X,Y) :- e(X,Z), b(Z,Y)."),
              "t(X,Y) <- aux1(X,Z) & u(Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- e(X,Y) | (e(X,Z) & aux1(Z,Y))\n");
    // twins that call each other
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), u(Z), b(Z,Y). a(X,Y) :- e(X,Y). a(X,Y) :- e(X,Z), b(Z,Y). "
                     "b(X,Y) :- e(X,Y). b(X,Y) :- e(X,Z), a(Z,Y)."),
              "t(X,Y) <- aux1(X,Z) & u(Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- e(X,Y) | (e(X,Z) & aux1(Z,Y))\n");
}

TEST(Simplified, DropsArgumentsThatNobodyLooksAt) {
    EXPECT_EQ(
        simple("t(X,Y) :- a(X,Z), a(Y,Z2). a(X,Y) :- u(X), e(X,Y). a(X,Y) :- e(X,Y), a(Y,Z)."),
        "t(X,Y) <- aux1(X) & aux1(Y)\n"
        "aux1(X) <- (u(X) & e(X,Y)) | (e(X,Y) & aux1(Y))\n");
}

TEST(Simplified, InlinesOnlyWhereThatIsNotLonger) {
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), a(Z,Y). a(X,Y) :- e(X,Z), f(Z,Y)."),
              "t(X,Y) <- e(X,Z) & f(Z,U) & e(U,V) & f(V,Y)\n");
    EXPECT_EQ(simple("t(X,Y) :- a(X,Z), a(Z,Y). t(X,Y) :- u(X), a(X,Y). a(X,Y) :- e(X,Z), f(Z,U), "
                     "u(U), e(U,Y)."),
              "t(X,Y) <- (aux1(X,Z) & aux1(Z,Y)) | (u(X) & aux1(X,Y))\n"
              "aux1(X,Y) <- e(X,Z) & f(Z,U) & u(U) & e(U,Y)\n");
}

TEST(Simplified, NamesAuxiliariesInOrderOfAppearanceAndPastInputs) {
    EXPECT_EQ(simple("t(X,Y) :- q(X,Z), aux1(Z,Y), p(Z,Y). "
                     "p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y). q(X,Y) :- f(X,Y). q(X,Y) :- "
                     "q(X,Z), q(Z,Y)."),
              "t(X,Y) <- aux2(X,Z) & aux1(Z,Y) & aux3(Z,Y)\n"
              "aux2(X,Y) <- f(X,Y) | (aux2(X,Z) & aux2(Z,Y))\n"
              "aux3(X,Y) <- e(X,Y) | (aux3(X,Z) & aux3(Z,Y))\n");
}

TEST(Simplified, RemembersThatConstantsMayBeMissing) {
    // a(X) holds only where c exists
    EXPECT_EQ(simple("t(X) :- a(X). a(X) :- b(c). b(X)."), "t(X) <- aux1(c)\naux1(X) <- True\n");
    EXPECT_EQ(simple("t(X) :- a(X,c). a(X,Y) :- e(X,Y)."), "t(X) <- e(X,c)\n");
    EXPECT_EQ(simple("t(X) :- a(X). a(c) :- u(X)."), "t(c) <- u(X)\n");
}

TEST(Simplified, HandlesZeroAryPredicates) {
    EXPECT_EQ(simple("t :- a, e(X,Y). a :- b. b :- rain."), "t <- rain & e(X,Y)\n");
    EXPECT_EQ(simple("t :- a(X). a(X) :- t. a(X) :- u(X)."), "t <- u(X)\n");
}

TEST(Simplified, LeavesLargeProgramsInTime) {
    // thousands of facts as rules with constants, and long bodies of one predicate
    std::string program = "t(X) :- a(X,Y), a(Y,X).\n";
    for (int i = 0; i < 20'000; ++i) {
        program += "a(c" + std::to_string(i) + ",c" + std::to_string(i * 7 % 20'000) + ").\n";
    }
    program += "t(X) :- e(X,X0)";
    for (int i = 0; i < 40; ++i) {
        program += ", e(X" + std::to_string(i) + ",X" + std::to_string(i * 5 % 17) + ")";
    }
    program += ".\n";
    const Program parsed = parse_program(program);
    EXPECT_LE(size(simplified(parsed)), size(parsed));
}

}  // namespace
}  // namespace hri
