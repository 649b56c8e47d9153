// SPDX-License-Identifier: Apache-2.0
#include "hri/derive.hpp"

#include "hri/error.hpp"
#include "hri/explain.hpp"
#include "hri/library.hpp"

#include "support/database_of.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

Database shop() {
    return test::database_of(
        "sold(ann,tea,3). sold(bob,tea,8). sold(bob,jam,9). near(ann,bob). near(bob,carl).");
}

TEST(Derive, AddsWhatWideRulesWithComparisonsGive) {
    const Program program =
        parse_program("big(X,Y,Z) :- sold(X,Y,Z), Z >= 8.\nbig(X,Y,Z) :- near(X,U), big(U,Y,Z).\n");
    const Database derived = with_derived(program, shop());
    const FactTable* table = find_table(derived, {"big", 3});
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rows(), 4U);  // of ann and bob two each
    EXPECT_EQ(find_table(derived, {"small", 3}), nullptr);
}

TEST(Derive, ExplainsAtomsOfThreeArguments) {
    const Program program =
        parse_program("big(X,Y,Z) :- sold(X,Y,Z), Z >= 8.\nbig(X,Y,Z) :- near(X,U), big(U,Y,Z).\n");
    const Explanation why = explain(program, shop(), {"big", {"ann", "tea", "8"}});
    EXPECT_TRUE(why.holds);
    EXPECT_NE(to_text(why).find("sold(bob,tea,8)  a fact"), std::string::npos) << to_text(why);
    const Explanation why_not = explain(program, shop(), {"big", {"ann", "tea", "3"}});
    EXPECT_FALSE(why_not.holds);
    EXPECT_THROW(explain(program, shop(), {"big", {"ann", "tea", "7"}}), Error);
}

TEST(Library, OffersItsPredicatesAndJoinsTheirRules) {
    Problem problem;
    Schema schema;
    schema.target = {"rich", 1};
    problem.schema = std::make_shared<const Schema>(schema);
    auto database = std::make_shared<Database>(shop());
    database->examples.target = {"rich", 1};
    problem.database = database;
    const Program library =
        parse_program("big(X) :- sold(X,_,Z), Z >= 8.\nfar(X,Y) :- near(X,Z), near(Z,Y).\n");
    const Problem with = with_library(problem, library);
    EXPECT_EQ(find_table(*with.database, {"big", 1})->rows(), 1U);
    EXPECT_EQ(find_table(*with.database, {"far", 2})->rows(), 1U);
    EXPECT_EQ(find_table(*problem.database, {"big", 1}), nullptr);
    const Program learned = parse_program("rich(X) :- near(X,Y), big(Y).");
    const Program whole = with_library_rules(learned, library);
    EXPECT_EQ(whole.rules.size(), 2U);  // far is not used
    EXPECT_THROW(with_library(problem, parse_program("rich(X) :- near(X,_).")), Error);
}

}  // namespace
}  // namespace hri
