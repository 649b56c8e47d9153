// SPDX-License-Identifier: Apache-2.0
#include "hri/logic.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

std::string error_of(const std::string& text) {
    try {
        parse_program(text, "p.pl");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(ParseProgram, ReadsDefiniteClauses) {
    const Program program = parse_program(
        "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
        "parent(X,Y) :- father(X,Y).  % and mothers\n");
    EXPECT_EQ(program.vocabulary[program.target], (PredicateSymbol{"grandparent", 2}));
    ASSERT_EQ(program.rules.size(), 2U);
    const Rule& first = program.rules[0];
    const Predicate parent = *program.vocabulary.find({"parent", 2});
    EXPECT_EQ(first.head.arguments, (std::vector<Term>{Term::variable(0), Term::variable(1)}));
    EXPECT_EQ(first.body[0], (Atom{parent, {Term::variable(0), Term::variable(2)}}));
    EXPECT_EQ(first.body[1], (Atom{parent, {Term::variable(2), Term::variable(1)}}));
    EXPECT_EQ(size(program), 5);
}

TEST(ParseProgram, TakesEachUnderscoreAsAVariableOfItsOwn) {
    const Program program = parse_program("p(X) :- e(X,_), e(_,X), e(_A,_A).");
    const Rule& rule = program.rules[0];
    EXPECT_NE(rule.body[0].arguments[1], rule.body[1].arguments[0]);
    EXPECT_EQ(rule.body[2].arguments[0], rule.body[2].arguments[1]);
}

TEST(ParseProgram, KeepsConstantsByName) {
    const Program program = parse_program("p(ann,X) :- e(X,-3), e('Bob B',[]), e(ann,2.5).");
    EXPECT_EQ(program.vocabulary.constants(),
              (std::vector<std::string>{"ann", "-3", "Bob B", "[]", "2.5"}));
    EXPECT_EQ(program.rules[0].head.arguments[0], Term::constant(0));
    EXPECT_EQ(program.rules[0].body[2].arguments[0], Term::constant(0));
}

TEST(ParseProgram, TellsPredicatesOfOneNameApartByArity) {
    const Program program = parse_program("p :- p(X), p(X,X).");
    EXPECT_EQ(program.vocabulary.size(), 3);
}

TEST(ParseProgram, LeavesOutTrueAndRulesThatFail) {
    const Program program =
        parse_program("p(X) :- true. q(X) :- e(X), false. p(X) :- fail. p(X) :- true, e(X).");
    ASSERT_EQ(program.rules.size(), 2U);
    EXPECT_TRUE(program.rules[0].body.empty());
    EXPECT_EQ(program.rules[1].body.size(), 1U);
}

TEST(ParseProgram, TakesCalledGoalsAsGoals) {
    const Program program = parse_program("p(X) :- call(e(X)), call(call(true)).");
    ASSERT_EQ(program.rules[0].body.size(), 1U);
    EXPECT_EQ(program.vocabulary[program.rules[0].body[0].predicate].name, "e");
}

TEST(ParseProgram, SkipsDirectives) {
    const Program program = parse_program(
        ":- module(m, [p/2]).\n:- use_module(library(tabling)).\n:- table p/2, q/1.\n:- dynamic "
        "e/2.\n"
        ":- initialization(main).\n:- initialization main.\n:- set_prolog_flag(double_quotes, "
        "codes).\n"
        "?- p(X,Y).\np(X,Y) :- e(X,Y).\n");
    EXPECT_EQ(program.rules.size(), 1U);
    EXPECT_EQ(program.vocabulary.size(), 2);
}

TEST(ParseProgram, FindsTheTargetInAComment) {
    EXPECT_EQ(parse_program("% target: q/1\np(X) :- q(X). q(X) :- e(X).").target, (Predicate{1}));
    const Program quoted = parse_program("p(X) :- e(X).\n%%  target: 'Has father'/2\n");
    EXPECT_EQ(quoted.vocabulary[quoted.target], (PredicateSymbol{"Has father", 2}));
    EXPECT_TRUE(parse_program("% target: never/0\n").rules.empty());
    // other comments mean nothing
    const Program program =
        parse_program("% target: the moon\n% target: 'open\n% target: p/7\np :- e.");
    EXPECT_EQ(program.vocabulary[program.target].name, "p");
}

TEST(ParseProgram, ReadsNegationAndEquality) {
    const Program program = parse_program(
        "p(X) :- e(X,Y), \\+ q(Y), not call(r), X \\= Y, X = a, \\+ X = b. q(X) :- e(X,X).");
    const auto symbol = [&](std::size_t i) {
        return program.vocabulary[program.rules[0].body[i].predicate];
    };
    EXPECT_EQ(symbol(0), (PredicateSymbol{"e", 2}));
    EXPECT_EQ(symbol(1), (PredicateSymbol{"q", 1, true}));
    EXPECT_EQ(symbol(2), (PredicateSymbol{"r", 0, true}));
    EXPECT_EQ(symbol(3), (PredicateSymbol{"=", 2, true}));
    EXPECT_EQ(symbol(4), (PredicateSymbol{"=", 2}));
    EXPECT_EQ(symbol(5), (PredicateSymbol{"=", 2, true}));
    EXPECT_EQ(program.vocabulary.positive(program.rules[0].body[1].predicate),
              program.rules[1].head.predicate);
}

TEST(ParseProgram, TakesVariablesThatOnlyANegationHasAsPrologDoes) {
    EXPECT_EQ(to_text(parse_program("leaf(X) :- node(X), \\+ edge(X,_).")),
              "leaf(X) <- node(X) & \\+ some_edge(X)\nsome_edge(X) <- edge(X,Y)\n");
    EXPECT_EQ(to_text(parse_program("some_p(X) :- q(X), \\+ p(Y,Y), \\+ p(a,Z).")),
              "some_p(X) <- q(X) & \\+ some_p_ & \\+ some_p__\n"
              "some_p_ <- p(X,X)\nsome_p__ <- p(a,X)\n");
    const char* const plain = "one_way(X,Y) <- edge(X,Y) & \\+ edge(Y,X)\n";
    EXPECT_EQ(to_text(parse_program("one_way(X,Y) :- edge(X,Y), \\+ edge(Y,X).")), plain);
}

TEST(ParseProgram, ReadsBackTheGoalsThatMakeNegationSafe) {
    const Program program = parse_program("leaf(X) :- \\+ inner(X). inner(X) :- e(X,Y).");
    const std::string text = to_prolog(program);
    EXPECT_EQ(text,
              "% target: leaf/1\n% domain: constant/1\n:- dynamic constant/1, e/2.\n"
              "leaf(X) :- constant(X), \\+ inner(X).\ninner(X) :- e(X,_).\n");
    EXPECT_EQ(to_prolog(parse_program(text)), text);
    EXPECT_EQ(to_text(parse_program(text)), "leaf(X) <- \\+ inner(X)\ninner(X) <- e(X,Y)\n");
}

TEST(ParseProgram, RefusesWhatIsNotAClauseAndSaysWhere) {
    EXPECT_EQ(error_of("\\+ p(X) :- e(X)."),
              "p.pl:1:1: negation in a head or in another negation (write \\+ before a goal of a "
              "body)");
    EXPECT_EQ(error_of("p(X) :- e(X), \\+ \\+ q(X)."),
              "p.pl:1:18: negation in a head or in another negation (write \\+ before a goal of a "
              "body)");
    EXPECT_EQ(error_of("p(X) :- e(X), \\+ q(X). q(X) :- p(X)."),
              "p.pl: a predicate depends on its own negation (what is negated must be defined "
              "without the rule's head)");
    EXPECT_EQ(error_of("p(s(X)) :- p(X)."),
              "p.pl:1:3: the function 's' with variables as argument (arguments are variables and "
              "terms without variables)");
    EXPECT_EQ(error_of("p(X) :- q([X|_])."),
              "p.pl:1:11: a list with variables as argument (take lists apart by predicates of the "
              "data, such as head(L,X))");
    EXPECT_EQ(error_of("p(X) :- q([a])."), "no error");
    EXPECT_EQ(error_of("p(\"text\")."),
              "p.pl:1:3: a string as argument (write constants with single quotes: 'like this')");
    EXPECT_EQ(error_of("\np(X,Y,Z) :- q(X)."), "no error");
    EXPECT_EQ(error_of("p(X) :- q(X) ; r(X)."),
              "p.pl:1:14: a disjunction inside a rule (write one rule for each alternative)");
    EXPECT_EQ(error_of("p(X) :- q(X), !."),
              "p.pl:1:15: control such as '!' is not supported (rules are logic only: the order of "
              "goals does not "
              "matter)");
    EXPECT_EQ(
        error_of("p(X,Y) :- q(X), X \\== Y."),
        "p.pl:1:19: the built-in '\\==' is not supported (give such a relation as facts of an "
        "input predicate)");
    EXPECT_EQ(error_of("p(X) :- X."),
              "p.pl:1:9: a variable where an atom is expected (names of predicates begin with a "
              "small letter)");
    EXPECT_EQ(error_of("0.5::p(a)."),
              "p.pl:1:4: a probability in a program (fuzzy values belong to facts)");
    EXPECT_EQ(error_of("3."), "p.pl:1:1: expected an atom such as p(X,a) as the head of a rule");
    EXPECT_EQ(error_of("a, b :- c."),
              "p.pl:1:2: expected one atom here (a rule looks like head :- goal, goal.)");
    EXPECT_EQ(error_of("  % nothing\n"),
              "p.pl:1:1: there is no rule here (a rule looks like grandparent(X,Y) :- parent(X,Z), "
              "parent(Z,Y).)");
}

TEST(Vocabulary, InternsEachSymbolOnce) {
    Vocabulary vocabulary;
    const Predicate p = vocabulary.intern({"p", 2});
    EXPECT_EQ(vocabulary.intern({"p", 2}), p);
    EXPECT_NE(vocabulary.intern({"p", 1}), p);
    EXPECT_EQ(vocabulary.find({"p", 0}), std::nullopt);
    EXPECT_EQ(vocabulary.intern_constant("a"), 0);
    EXPECT_EQ(vocabulary.intern_constant("b"), 1);
    EXPECT_EQ(vocabulary.intern_constant("a"), 0);
    EXPECT_EQ(vocabulary.find_constant("b"), 1);
    EXPECT_EQ(vocabulary.find_constant("c"), std::nullopt);
}

TEST(IsRecursive, SeesMutualRecursion) {
    EXPECT_FALSE(is_recursive(parse_program("p(X) :- q(X), q(X). q(X) :- e(X).")));
    EXPECT_TRUE(is_recursive(parse_program("p(X) :- p(X).")));
    EXPECT_TRUE(is_recursive(parse_program("p(X) :- q(X). q(X) :- r(X). r(X) :- p(X).")));
}

TEST(IsRecursive, FollowsLongChains) {
    std::string chain;
    for (int i = 0; i < 50'000; ++i) {
        chain += "p" + std::to_string(i) + " :- p" + std::to_string(i + 1) + ".\n";
    }
    EXPECT_FALSE(is_recursive(parse_program(chain)));
    EXPECT_TRUE(is_recursive(parse_program(chain + "p50000 :- p0.")));
}

}  // namespace
}  // namespace hri
