// SPDX-License-Identifier: Apache-2.0
#include "logic/merged.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(United, KeepsWhatTwoProgramsInventedApart) {
    const Program first = parse_program(
        "grandparent(X,Y) :- aux1(X,Z), aux1(Z,Y). aux1(X,Y) :- father(X,Y). aux1(X,Y) :- "
        "mother(X,Y).");
    const Program second = parse_program(
        "childless(X) :- \\+ aux1(X). aux1(X) :- father(X,Y). aux1(X) :- father(ann,X).");
    EXPECT_EQ(to_text(logic::merged({first, second})),
              "grandparent(X,Y) <- aux1(X,Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- father(X,Y) | mother(X,Y)\n"
              "childless(X) <- \\+ aux2(X)\n"
              "aux2(X) <- father(X,Y) | father(ann,X)\n");
}

TEST(United, GivesInventedPredicatesNoNameThatDataHave) {
    const Program first = parse_program("p(X) :- q(X,Y), r(Y). q(X,Y) :- e(Y,X).");
    const Program second = parse_program("s(X) :- aux1(X).");
    EXPECT_EQ(to_text(logic::merged({first, second})),
              "p(X) <- aux2(X,Y) & r(Y)\naux2(X,Y) <- e(Y,X)\ns(X) <- aux1(X)\n");
}

TEST(United, IsTheProgramItselfWhereThereIsOne) {
    const Program program = parse_program("p(X) :- aux1(X). aux1(X) :- q(X,X).");
    EXPECT_EQ(to_prolog(logic::merged({program})), to_prolog(program));
}

}  // namespace
}  // namespace hri
