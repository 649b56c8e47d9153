// SPDX-License-Identifier: Apache-2.0

#include "hri/expressivity.hpp"

#include "hri/random.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::HasSubstr;

constexpr ExpressivityOptions kTrue = {};
constexpr ExpressivityOptions kEqual = {.with_true = true, .with_equal = true};

/// The derivation's text, after its program was compared with the metarule; empty without one.
std::string derived(const std::string& text, const std::string& set = "R0",
                    const ExpressivityOptions& options = kTrue) {
    const Metarule metarule = parse_metarule(text);
    const ProtoRules rules = load_protorules(set);
    const Derivability answer = derivability(metarule, rules, options);
    if (!answer.derivation) {
        return "";
    }
    const Comparison comparison =
        compare(to_program(*answer.derivation, metarule, rules), metarule);
    EXPECT_TRUE(comparison.equal) << text;
    EXPECT_TRUE(comparison.all_over_two) << text;
    return to_text(*answer.derivation, metarule, rules);
}

int layers(const std::string& text, const std::string& set = "R0",
           const ExpressivityOptions& options = kTrue) {
    const Derivability answer = derivability(parse_metarule(text), load_protorules(set), options);
    EXPECT_TRUE(answer.complete) << text;
    return answer.derivation ? answer.derivation->layers : -1;
}

TEST(Derivability, ABodyPredicateIsItsOwnDerivation) {
    EXPECT_EQ(derived("P(A,B) <- Q(A,B)"), "P = Q    P(X,Y) <- Q(X,Y)\n");
    EXPECT_EQ(layers("P(A,B) <- Q(A,B)"), 0);
    EXPECT_EQ(layers("P(A,A) <- True", "R0", kEqual), 0);
}

TEST(Derivability, PermutesByCWithTrue) {
    EXPECT_EQ(derived("P(A,B) <- Q(B,A)"), "P = C(True, Q)    P(X,Y) <- Q(Y,X)\n");
}

TEST(Derivability, ExpandsByTheProjection) {
    EXPECT_EQ(layers("P(A,B) <- Q(A)"), 1);
    EXPECT_THAT(derived("P(A,B) <- Q(A)"), HasSubstr("P(X,Y) <- Q(X)"));
}

TEST(Derivability, ContractsByAWithTrue) {
    EXPECT_EQ(derived("P(A) <- Q(A,B)"), "P = A(Q, True)    P(X) <- Q(X,Y)\n");
    EXPECT_EQ(derived("P(A) <- Q(B,A)"), "P = A(True, Q)    P(X) <- Q(Y,X)\n");
}

TEST(Derivability, TheDiagonalNeedsEqual) {
    for (const char* text : {"P(A) <- Q(A,A)", "P(A,A) <- Q(A)", "P(A,A) <- True"}) {
        EXPECT_EQ(layers(text), -1) << text;
        EXPECT_NE(derived(text, "R0", kEqual), "") << text;
    }
    EXPECT_EQ(layers("P(A) <- Q(A,A)", "R0", kEqual), 1);
    EXPECT_EQ(derived("P(A,A) <- Q(A)", "R0", kEqual),
              "P = C(Equal, Q)    P(X,Y) <- Equal(X,Y) & Q(Y)\n");
}

TEST(Derivability, EqualInAMetaruleIsTheDiagonal) {
    EXPECT_EQ(layers("P(A,B) <- Q(A), Equal(B,A)", "R0", kEqual), 1);
    EXPECT_EQ(layers("P(A) <- Q(A,B), Equal(A,B)"), -1);
    EXPECT_EQ(layers("P(A) <- Q(A,C), Equal(A,B)"), 1) << "B stands nowhere else";
}

TEST(Derivability, TheProtoRulesThemselvesTakeOneLayer) {
    EXPECT_EQ(derived("P(A) <- Q(A,B), R(B,A)"), "P = A(Q, R)    P(X) <- Q(X,Y) & R(Y,X)\n");
    EXPECT_EQ(derived("P(A,B) <- Q(A,C), R(C,B)"), "P = B(Q, R)    P(X,Y) <- Q(X,Z) & R(Z,Y)\n");
    EXPECT_EQ(derived("P(A,B) <- Q(A,B), R(B,A)"), "P = C(Q, R)    P(X,Y) <- Q(X,Y) & R(Y,X)\n");
}

TEST(Derivability, PreconAndPostcon) {
    EXPECT_EQ(derived("P(A,B) <- Q(A,B), R(B)"), "P = C(Q, R)    P(X,Y) <- Q(X,Y) & R(Y)\n");
    EXPECT_EQ(layers("P(A,B) <- Q(A), R(A,B)"), 2) << "R is turned first";
    EXPECT_THAT(derived("P(A,B) <- Q(A), R(A,B)"), HasSubstr("aux1(X,Y) <- R(Y,X)"));
}

TEST(Derivability, TheExampleOfTheHeader) {
    EXPECT_EQ(derived("P(A,B) <- Q(A,B), R(B,C)"),
              "P = C(Q, aux1)         P(X,Y) <- Q(X,Y) & aux1(Y)\n"
              "  aux1 = A(R, True)    aux1(X) <- R(X,Y)\n");
}

TEST(Derivability, ClausesWhoseAtomsAreNotConnected) {
    EXPECT_EQ(layers("P(A) <- Q(A), R(B)"), 1);
    EXPECT_EQ(layers("P(A) <- Q(A,B), R(C)"), 2);
    EXPECT_EQ(layers("P(A) <- Q(A,B), R(C,D)"), 2);
    EXPECT_EQ(layers("P(A,B) <- Q(A,B), R(C)"), 2);
    EXPECT_EQ(layers("P(A,B) <- Q(A), R(B,C)"), 2);
    EXPECT_EQ(layers("P(A,B) <- Q(A,B), R(C,D)"), 3);
    EXPECT_EQ(layers("P(A,B) <- Q(A,C), R(B,D)"), 2);
}

TEST(Derivability, HeadVariablesNeedNotOccurInTheBody) {
    EXPECT_EQ(layers("P(A) <- True"), 1);
    EXPECT_EQ(layers("P(A,B) <- Q(A,C)"), 1);
    EXPECT_NE(derived("P(A,B) <- Q(C)"), "");
    EXPECT_NE(derived("P(A) <- Q(B,C), R(C,B)"), "");
}

TEST(Derivability, ADisjunctThatIsNotNeededIsFalse) {
    EXPECT_EQ(derived("P(A,B) <- Q(A,C), R(C,B)", "R*"),
              "P = B*(Q, R, False)    P(X,Y) <- Q(X,Z) & R(Z,Y)\n");
    EXPECT_NE(derived("P(A,B) <- Q(A,B), R(B,C)", "R0v"), "");
    const Program program = [] {
        const Metarule metarule = parse_metarule("P(A,B) <- Q(B,A)");
        const ProtoRules rules = parse_protorules("D: H(X,Y) <- (~P(X,Y) & ~Q(Y,X)) | ~R(Y,X)");
        return to_program(*derivability(metarule, rules, {.with_true = false}).derivation, metarule,
                          rules);
    }();
    ASSERT_EQ(program.rules.size(), 1U) << "the conjunction is False and gives no clause";
}

TEST(Derivability, OneFalseSwitchesAConjunctionOff) {
    const ProtoRules rules = parse_protorules("D: H(X,Y) <- (P(X,Z) & ~Q(Z,Y)) | ~R(Y,X)");
    const Metarule metarule = parse_metarule("P(A,B) <- Q(B,A)");
    const Derivability answer = derivability(metarule, rules);
    ASSERT_TRUE(answer.derivation);
    EXPECT_EQ(to_text(*answer.derivation, metarule, rules),
              "P = D(Q, False, Q)    P(X,Y) <- Q(Y,X)\n");
    EXPECT_TRUE(compare(to_program(*answer.derivation, metarule, rules), metarule).equal);
}

TEST(Derivability, PredicatesMayOccurTwice) {
    EXPECT_EQ(derived("P(A,B) <- Q(A,C), Q(C,B)"), "P = B(Q, Q)    P(X,Y) <- Q(X,Z) & Q(Z,Y)\n");
    EXPECT_EQ(layers("P(A) <- Q(A,B), Q(A,C)"), 1) << "which says no more than Q(A,B)";
}

TEST(Derivability, WithoutTrueAnAtomMayHaveToStandTwice) {
    const ProtoRules rules = parse_protorules("D: H(X,Y) <- P(Y,X) & Q(Y,X)");
    const Metarule metarule = parse_metarule("P(A,B) <- Q(B,A)");
    const Derivability answer = derivability(metarule, rules, {.with_true = false});
    ASSERT_TRUE(answer.derivation);
    EXPECT_EQ(to_text(*answer.derivation, metarule, rules),
              "P = D(Q, Q)    P(X,Y) <- Q(Y,X) & Q(Y,X)\n");
    EXPECT_FALSE(derivability(metarule, rules, {.with_true = false, .extra_atoms = 0}).derivation);
}

TEST(Derivability, PlainSlotsTakeTheExactArityOnly) {
    EXPECT_NE(derived("P(A) <- Q(A), R(A)", "MIL"), "");
    EXPECT_EQ(derived("P(A,B) <- Q(A)", "MIL"), "");
    const Derivability answer =
        derivability(parse_metarule("P(A,B) <- Q(B,A)"), load_protorules("MIL"));
    EXPECT_FALSE(answer.derivation);
    EXPECT_FALSE(answer.complete) << "a bounded search proves nothing";
    EXPECT_EQ(answer.max_atoms, 2);
}

TEST(Derivability, ThreeAndFourBodyAtoms) {
    EXPECT_EQ(layers("P(A,B) <- Q(A,C), R(C,D), S(D,B)"), 2);
    EXPECT_NE(derived("P(A,B) <- Q(A,C), R(A,D), S(C,B), T(D,B)"), "");
    EXPECT_NE(derived("P(A,B) <- Q(A,C), R(C,B), S(A,D), T(C,D)"), "");
}

TEST(Derivability, FiveAtomsOnFourVariablesCannotBeTakenApart) {
    for (const char* set : {"R0", "R*"}) {
        const Derivability answer =
            derivability(parse_metarule("P(A,B) <- Q(A,C), R(A,D), S(B,C), T(B,D), U(C,D)"),
                         load_protorules(set), kEqual);
        EXPECT_FALSE(answer.derivation);
        EXPECT_TRUE(answer.complete);
    }
}

TEST(Separates, FiveAtomsOnFourVariablesNeedAFourthVariable) {
    const Metarule five = parse_metarule("P(A,B) <- Q(A,C), R(A,D), S(B,C), T(B,D), U(C,D)");
    const Instance world = three_colours(five);
    EXPECT_TRUE(separates(world, {0, 1}, five, 3));
    EXPECT_FALSE(separates(world, {0, 1}, five, 4)) << "the clause itself has four variables";
    EXPECT_FALSE(separates(world, {0, 0}, five, 3)) << "the clause gives it: C and D are 1 and 2";
    for (const char* set : {"R0", "R0v", "R*"}) {
        for (const ProtoRule& rule : load_protorules(set)) {
            for (const auto& atoms : {rule.body, rule.disjunct}) {
                for (const ProtoAtom& atom : atoms) {
                    EXPECT_LE(*std::max_element(atom.arguments.begin(), atom.arguments.end()), 2);
                }
            }
        }
    }
}

TEST(Separates, NothingFromAClauseThatIsReachable) {
    // without the last atom three variables at a time are enough, so no world may say otherwise
    const Metarule four = parse_metarule("P(A,B) <- Q(A,C), R(A,D), S(B,C), T(B,D)");
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        Instance world;
        world.constants = 3;
        world.facts.resize(4);
        for (std::vector<Fact>& facts : world.facts) {
            for (int cell = 0; cell < 9; ++cell) {
                if (random.chance(0.5)) {
                    facts.push_back({cell / 3, cell % 3});
                }
            }
        }
        EXPECT_FALSE(separates(world, {0, 1}, four, 3));
    }
}

TEST(Derivability, TheBoundOnQueriesEndsTheSearch) {
    const Derivability answer =
        derivability(parse_metarule("P(A,A) <- Q(B,B), R(B,B)"), load_protorules("R0"),
                     {.with_equal = true, .extra_atoms = 0, .max_queries = 8});
    EXPECT_FALSE(answer.derivation);
    EXPECT_FALSE(answer.complete);
    EXPECT_LE(answer.queries, 8);
}

TEST(Derivability, NamesOfAuxiliariesAvoidThoseOfTheMetarule) {
    EXPECT_THAT(derived("P(A,B) <- aux1(A,B), R(B,C)"), HasSubstr("P = C(aux1, aux2)"));
}

TEST(Compare, NoticesAProgramThatDiffers) {
    const Metarule chain = parse_metarule("p(A,B) <- q(A,C), r(C,B)");
    EXPECT_TRUE(compare(parse_program("p(A,B) :- q(A,C), r(C,B)."), chain).equal);
    EXPECT_FALSE(compare(parse_program("p(A,B) :- q(A,C), r(B,C)."), chain).equal);
    EXPECT_FALSE(compare(parse_program("p(A,B) :- q(A,C), r(D,B)."), chain).equal);
    // over two and three constants a walk of three steps goes on for ever: only four tell them
    // apart
    const Metarule walk = parse_metarule("p(A) <- q(A,B), q(B,C), q(C,D), q(D,E)");
    EXPECT_FALSE(compare(parse_program("p(A) :- q(A,B), q(B,C), q(C,D)."), walk).equal);
}

TEST(Compare, CountsWhatItMet) {
    const Metarule metarule = parse_metarule("p(A,B) <- q(A,B), r(B)");
    const Comparison comparison =
        compare(parse_program("p(A,B) :- r(B), q(A,B)."), metarule, 20, 30);
    EXPECT_EQ(comparison.over_two, 64);
    EXPECT_EQ(comparison.over_three, 30);
    EXPECT_EQ(comparison.over_four, 30);
}

}  // namespace
}  // namespace hri::test
