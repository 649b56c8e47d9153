// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/recursion.hpp"

#include "evaluate/top_down.hpp"
#include "search/clauses/learn_clauses.hpp"
#include "search/clauses/recursive_run.hpp"
#include "support/database_of.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace hri::search {
namespace {

using List = std::string;  // of digits

/// All lists of at most three of the digits 1 to 4, with their heads and tails.
std::vector<List> lists() {
    std::vector<List> all{""};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const char digit : {'1', '2', '3', '4'})
            if (all[i].size() < 3)
                all.push_back(digit + all[i]);
    return all;
}

/// A target f(in,out) over the lists; `label` says which pairs are true.
Database list_task(const std::function<bool(const List&, const List&)>& label,
                   const std::string& output) {
    std::string facts = "even(2). even(4). odd(1). odd(3). empty(l). ";
    for (const List& list : lists())
        if (!list.empty())
            facts += fmt::format("head(l{0},{1}). tail(l{0},l{2}). cons({1},l{2},l{0}). ", list,
                                 list[0], list.substr(1));
    Database data = test::database_of(facts);
    data.examples.target = {"f", 2};
    data.bias.recursion = true;
    data.bias.types = {{{"f", 2}, {"list", output}},    {{"head", 2}, {"list", "digit"}},
                       {{"tail", 2}, {"list", "list"}}, {{"cons", 3}, {"digit", "list", "list"}},
                       {{"even", 1}, {"digit"}},        {{"odd", 1}, {"digit"}},
                       {{"empty", 1}, {"list"}}};
    data.bias.directions = {{{"f", 2}, {"in", "out"}},    {{"head", 2}, {"in", "out"}},
                            {{"tail", 2}, {"in", "out"}}, {{"cons", 3}, {"in", "in", "out"}},
                            {{"even", 1}, {"in"}},        {{"odd", 1}, {"in"}},
                            {{"empty", 1}, {"out"}}};
    const std::vector<List> digits{"1", "2", "3", "4"};
    std::string yes;
    std::string no;
    for (const List& list : lists())
        for (const List& other : output == "list" ? lists() : digits) {
            const std::string atom =
                fmt::format("f(l{},{}{}). ", list, output == "list" ? "l" : "", other);
            if (label(list, other))
                yes += atom;
            else if ((list.size() * 7 + other.size() * 3 + yes.size()) % 5 == 0)
                no += atom;
        }
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    return data;
}

std::ptrdiff_t recursive_rules(const Program& program) {
    return std::count_if(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return std::any_of(rule.body.begin(), rule.body.end(),
                           [&](const Atom& atom) { return atom.predicate == program.target; });
    });
}

TEST(Recursion, FindsTwoRecursiveClausesThatDifferInATest) {
    const Database data = list_task(
        [](const List& list, const List& other) {
            List even;
            std::copy_if(list.begin(), list.end(), std::back_inserter(even),
                         [](char c) { return c % 2 == 0; });
            return other == even;
        },
        "list");
    const ClauseResult result = learn_clauses(data, {.threads = 2});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_EQ(result.program.rules.size(), 3U) << to_text(result.program);
    EXPECT_EQ(recursive_rules(result.program), 2) << to_text(result.program);
}

TEST(Recursion, FindsALongBaseClauseBehindStepsThatPassTheOutputOn) {
    const Database data = list_task(
        [](const List& list, const List& other) {
            return list.size() > 1 && other[0] == list[list.size() - 2];
        },
        "digit");
    const ClauseResult result = learn_clauses(data, {});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_EQ(recursive_rules(result.program), 1) << to_text(result.program);
    EXPECT_EQ(result.program.rules.size(), 2U) << to_text(result.program);
}

TEST(Recursion, GivesWayToAClauseThatIsShorter) {
    const Database data =
        list_task([](const List& list,
                     const List& other) { return list.size() > 1 && other == list.substr(2); },
                  "list");
    const ClauseResult result = learn_clauses(data, {});
    EXPECT_EQ(to_text(result.program), "f(X,Y) <- tail(X,Z) & tail(Z,Y)\n");
}

TEST(Recursion, CountsTheAnswersThatAProgramHas) {
    Database data = list_task(
        [](const List& list, const List& other) { return list.find(other) != List::npos; },
        "digit");
    const evaluation::DatabaseIndex index(data);
    const Language language = with_recursion(make_language(index, {}));
    const auto predicate = [&](const std::string& name) {
        return static_cast<int>(
            std::find_if(language.predicates.begin(), language.predicates.end(),
                         [&](const LanguagePredicate& p) { return p.symbol.name == name; }) -
            language.predicates.begin());
    };
    const BodyRunner runner(index, language, predicate("f"));
    const auto names = evaluation::constant_numbers(data);
    const SearchExamples examples{
        2, 2, 2, {names.at("l12"), names.at("2"), names.at("l123"), names.at("1")}};
    const Body first{{predicate("head"), false, {0, 1}}};
    const Body later{{predicate("tail"), false, {0, 2}}, {predicate("f"), false, {2, 1}}};
    EXPECT_EQ(answer_bits(runner, {first}, {}, examples), 0);
    EXPECT_NEAR(answer_bits(runner, {first}, {later}, examples), 1 + std::log2(3), 1e-9);
}

TEST(LearnClauses, ConnectsTheHeadWhereThatIsAsked) {
    Database data = test::database_of(
        "father(a,b). father(c,d). father(e,f). son(b,g). son(d,h). son(i,j). son(k,l).");
    data.examples.target = {"brother", 2};
    test::add_examples(data, true, "brother(a,g). brother(c,h).");
    test::add_examples(data, false, "brother(e,m). brother(i,j).");
    const ClauseResult free = learn_clauses(data, {.max_body = 2});
    EXPECT_TRUE(free.fits);
    const ClauseResult linked = learn_clauses(data, {.linked = true, .max_body = 2});
    EXPECT_EQ(to_text(linked.program), "brother(X,Y) <- father(X,Z) & son(Z,Y)\n");
    EXPECT_FALSE(learn_clauses(data, {.linked = true, .max_body = 1}).fits);
}

}  // namespace
}  // namespace hri::search
