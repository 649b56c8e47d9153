// SPDX-License-Identifier: Apache-2.0

#include "hri/expressivity.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri::test {
namespace {

using testing::HasSubstr;

TEST(Metarule, ReadsBothArrowsAndBothConjunctions) {
    const Metarule metarule = parse_metarule("P(A,B) <- Q(A,C), R(C,B)");
    EXPECT_EQ(metarule, parse_metarule("P(A,B) :- Q(A,C) & R(C,B)."));
    EXPECT_EQ(to_text(metarule), "P(A,B) <- Q(A,C), R(C,B)");
    EXPECT_EQ(metarule.body[1].arguments, (std::vector<int>{2, 1}));
}

TEST(Metarule, AnEmptyBodyIsTrue) {
    EXPECT_EQ(to_text(parse_metarule("P(A,B) <-")), "P(A,B) <- True");
    EXPECT_EQ(to_text(parse_metarule("P(A,B) <- True")), "P(A,B) <- True");
}

TEST(Metarule, PredicatesMayHaveNoArguments) {
    EXPECT_EQ(to_text(parse_metarule("P <- Q(A), R()")), "P <- Q(A), R");
}

TEST(Metarule, EachUnderscoreIsAVariableOfItsOwn) {
    EXPECT_EQ(parse_metarule("P(A) <- Q(A,_), R(_)").variables.size(), 3U);
}

TEST(Metarule, DuplicatesAreVariablesTwiceInOneAtom) {
    EXPECT_TRUE(is_duplicate_free(parse_metarule("P(A,B) <- Q(A,B), R(B,A)")));
    EXPECT_FALSE(is_duplicate_free(parse_metarule("P(A,A) <- Q(A)")));
    EXPECT_FALSE(is_duplicate_free(parse_metarule("P(A) <- Q(B), R(A,A)")));
}

struct Mistake {
    std::string text;
    int column;
    std::string message;
};

TEST(Metarule, MistakesAreToldWithTheirPlace) {
    const std::vector<Mistake> mistakes = {
        {"P(A,B) Q(A,B)", 8, "expected '<-'"},
        {"P(A,B <- Q(A,B)", 7, "expected ')'"},
        {"P(A,B,C) <- Q(A,B)", 7, "more than two arguments"},
        {"P(A) <- Q(A,bob)", 13, "'bob' is a constant"},
        {"P(A) <- Q(F(A))", 11, "function"},
        {"P(A,B) <- Q(A,C), P(C,B)", 19, "the head's predicate 'P' stands in the body"},
        {"P(A) <- Q(A), Q(A,B)", 15, "'Q' had 1 arguments before"},
        {"P(A) <- Equal(A)", 9, "Equal takes two arguments"},
        {"P(A) <- True(A)", 9, "True takes no arguments"},
        {"Equal(A,B) <- Q(A,B)", 1, "built in"},
        {"P(A) <- Q(A),", 14, "expected a body atom"},
        {"P(A) <- Q(A). R(A)", 15, "expected ',' or the end"},
        {"", 1, "expected the head"},
    };
    for (const Mistake& mistake : mistakes) {
        try {
            parse_metarule(mistake.text, "rule");
            ADD_FAILURE() << mistake.text;
        } catch (const Error& error) {
            EXPECT_THAT(error.message(), HasSubstr(mistake.message)) << mistake.text;
            EXPECT_EQ(error.place().file, "rule");
            EXPECT_EQ(error.place().line, 1) << mistake.text;
            EXPECT_EQ(error.place().column, mistake.column) << mistake.text;
        }
    }
}

/// The number of clauses by brute force: all ways to write variables into the positions, two
/// writings being one if renaming variables or exchanging the atoms makes them equal.
std::size_t count(const std::vector<int>& head, const std::vector<int>& arities) {
    int positions = 0;
    for (const int arity : arities) {
        positions += arity;
    }
    const int variables = 2 + positions;
    const auto renamed = [&head](const std::vector<std::vector<int>>& atoms) {
        std::vector<int> names;
        std::vector<std::vector<int>> result;
        const auto rename = [&names](const std::vector<int>& atom) {
            std::vector<int> out;
            for (const int v : atom) {
                const auto found = std::find(names.begin(), names.end(), v);
                out.push_back(static_cast<int>(found - names.begin()));
                if (found == names.end()) {
                    names.push_back(v);
                }
            }
            return out;
        };
        result.push_back(rename(head));
        for (const std::vector<int>& atom : atoms) {
            result.push_back(rename(atom));
        }
        return result;
    };
    int writings = 1;
    for (int i = 0; i < positions; ++i) {
        writings *= variables;
    }
    std::set<std::vector<std::vector<int>>> seen;
    for (int w = 0; w < writings; ++w) {
        std::vector<std::vector<int>> atoms;
        int rest = w;
        for (const int arity : arities) {
            atoms.emplace_back();
            for (int i = 0; i < arity; ++i) {
                atoms.back().push_back(rest % variables);
                rest /= variables;
            }
        }
        const auto one = renamed(atoms);
        std::reverse(atoms.begin(), atoms.end());
        const bool exchangeable = arities.size() == 2 && arities[0] == arities[1];
        seen.insert(exchangeable ? std::min(one, renamed(atoms)) : one);
    }
    return seen.size();
}

TEST(Clauses, AreAllThatAreDifferentUpToNamesAndOrder) {
    std::size_t expected = 0;
    for (const std::vector<int>& head : {std::vector<int>{0}, {0, 1}, {0, 0}}) {
        for (const std::vector<int>& arities :
             {std::vector<int>{}, {1}, {2}, {1, 1}, {1, 2}, {2, 2}}) {
            expected += count(head, arities);
        }
    }
    const std::vector<Metarule> clauses = clauses_up_to(2);
    EXPECT_EQ(clauses.size(), expected);
    std::set<std::string> texts;
    for (const Metarule& clause : clauses) {
        texts.insert(to_text(clause));
        EXPECT_EQ(parse_metarule(to_text(clause)).head, clause.head);
    }
    EXPECT_EQ(texts.size(), clauses.size());
    for (const char* text : {"P(A,B) <- True", "P(A,A) <- Q(A)", "P(A,B) <- Q(A,C), R(C,B)",
                             "P(A) <- Q(B,C), R(D,E)", "P(A,B) <- Q(C)"}) {
        EXPECT_EQ(texts.count(text), 1U) << text;
    }
}

}  // namespace
}  // namespace hri::test
