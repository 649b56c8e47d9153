// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/learn_clauses.hpp"

#include "hri/error.hpp"
#include "hri/random.hpp"

#include "evaluate/top_down.hpp"
#include "search/clauses/combine.hpp"
#include "search/clauses/language.hpp"
#include "support/database_of.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hri::search {
namespace {

/// States with a score each; next(S,N) is the score's successor where the button was pressed, and
/// the score itself otherwise.
Database game() {
    Database data = test::database_of(
        "press(s1). press(s3). press(s4). "
        "score(s1,p,1). score(s2,p,2). score(s3,p,3). score(s4,p,2). "
        "score(s5,p,3). score(s6,p,1). "
        "succ(1,2). succ(2,3). succ(3,4). idle(s2). idle(s5). "
        "idle(s6).");
    data.examples.target = {"next", 3};
    test::add_examples(data, true,
                       "next(s1,p,2). next(s2,p,2). next(s3,p,4). next(s4,p,3). next(s5,p,3). "
                       "next(s6,p,1).");
    test::add_examples(data, false,
                       "next(s1,p,1). next(s1,p,3). next(s2,p,3). next(s2,p,1). next(s3,p,3). "
                       "next(s3,p,2). next(s4,p,2). next(s5,p,4). next(s6,p,2). next(s6,p,4).");
    return data;
}

TEST(LearnClauses, FindsTwoRulesOfATernaryTarget) {
    const Database data = game();
    const ClauseResult result = learn_clauses(data, {.max_tests = 12'000});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_EQ(result.program.rules.size(), 2U) << to_text(result.program);
    ASSERT_EQ(result.evidence.size(), 2U);
    EXPECT_EQ(result.evidence[0].positives + result.evidence[1].positives, 6);
    EXPECT_EQ(result.evidence[0].only, result.evidence[0].positives);
    EXPECT_EQ(result.evidence[0].negatives, 0);
}

/// goal(S,R,N): the player's score in a state, 100 just where the counter is at 0. There is one
/// player, so that what says who plays parts no examples.
Database goal_of_a_game(bool has_roles) {
    std::string facts = has_roles ? "role(robot). " : "";
    facts += "succ(0,1). succ(1,2). succ(2,3). zero(0). low(0). high(100). ";
    std::string yes;
    std::string no;
    for (int s = 0; s < 12; ++s) {
        facts += fmt::format("counter(s{},{}). ", s, s % 4);
        yes += fmt::format("goal(s{},robot,{}). ", s, s % 4 == 0 ? 100 : 0);
        no += fmt::format("goal(s{},robot,{}). ", s, s % 4 == 0 ? 0 : 100);
    }
    Database data = test::database_of(facts);
    data.examples.target = {"goal", 3};
    data.bias.types = {{{"goal", 3}, {"ex", "agent", "score"}},
                       {{"counter", 2}, {"ex", "int"}},
                       {{"succ", 2}, {"int", "int"}},
                       {{"role", 1}, {"agent"}},
                       {{"zero", 1}, {"int"}},
                       {{"low", 1}, {"score"}},
                       {{"high", 1}, {"score"}}};
    data.bias.single_types = {"ex"};
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    return data;
}

TEST(LearnClauses, NamesAnArgumentThatIsTheSameInAllExamples) {
    const ClauseResult result = learn_clauses(goal_of_a_game(true), {});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_EQ(result.program.rules.size(), 2U) << to_text(result.program);
    EXPECT_NE(to_text(result.program).find("role(Y)"), std::string::npos)
        << to_text(result.program);
    EXPECT_FALSE(learn_clauses(goal_of_a_game(false), {.max_tests = 50'000}).fits)
        << "no literal gives the player a value";
}

TEST(LearnClauses, TakesClausesOfMoreLiteralsWhereABiasSpeaksOfThem) {
    std::string facts;
    std::string yes;
    std::string no;
    const std::string colours[] = {"red", "green", "blue", "white"};
    for (int s = 0; s < 16; ++s) {
        for (int c = 0; c < 4; ++c)
            if ((s >> c & 1) != 0)
                facts += fmt::format("part(s{0},p{0}_{1}). {2}(p{0}_{1}). ", s, c, colours[c]);
        facts += fmt::format("part(s{0},q{0}). ", s);
        (s == 15 ? yes : no) += fmt::format("whole(s{}). ", s);
    }
    Database data = test::database_of(facts);
    data.examples.target = {"whole", 1};
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    EXPECT_FALSE(learn_clauses(data, {.max_tests = 100'000}).fits);  // eight literals
    data.bias.types = {{{"whole", 1}, {"state"}}, {{"part", 2}, {"state", "piece"}}};
    for (const std::string& colour : colours)
        data.bias.types[{colour, 1}] = {"piece"};
    data.bias.single_types = {"state"};
    const ClauseResult result = learn_clauses(data, {.max_tests = 100'000});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_EQ(result.program.rules.front().body.size(), 8U) << to_text(result.program);
}

TEST(LearnClauses, GivesTheSameProgramForAnyNumberOfThreads) {
    const Database data = game();
    const ClauseResult one = learn_clauses(data, {.threads = 1, .max_tests = 5'000});
    const ClauseResult three = learn_clauses(data, {.threads = 3, .max_tests = 5'000});
    EXPECT_EQ(to_text(one.program), to_text(three.program));
    EXPECT_EQ(one.tested, three.tested);
    EXPECT_EQ(one.duplicates, three.duplicates);
}

TEST(LearnClauses, GoesOnFromEveryStateAsIfItHadNotStopped) {
    for (const Database& data : {game(), goal_of_a_game(true)}) {
        std::vector<std::string> states;
        ClauseSettings settings{.max_tests = 6'000};
        settings.checkpoint = [&](const std::string& state) { states.push_back(state); };
        const ClauseResult whole = learn_clauses(data, settings);
        ASSERT_GT(states.size(), 2U);
        for (const std::string& state : states) {
            const ClauseResult rest =
                learn_clauses(data, {.threads = 2, .max_tests = 6'000, .resume = state});
            EXPECT_EQ(to_text(rest.program), to_text(whole.program));
            EXPECT_EQ(rest.tested, whole.tested);
            EXPECT_EQ(rest.duplicates, whole.duplicates);
            EXPECT_EQ(rest.equal, whole.equal);
            EXPECT_EQ(rest.bits, whole.bits);
            EXPECT_EQ(rest.levels, whole.levels);
        }
    }
}

TEST(LearnClauses, RefusesStatesThatAreDamagedOrOfAnotherRun) {
    const Database data = game();
    std::string state;
    learn_clauses(
        data, {.max_tests = 6'000, .checkpoint = [&](const std::string& text) { state = text; }});
    EXPECT_NO_THROW(learn_clauses(data, {.max_tests = 6'000, .resume = state}));
    EXPECT_THROW(learn_clauses(data, {.seed = 1, .resume = state}), Error);
    EXPECT_THROW(learn_clauses(goal_of_a_game(true), {.resume = state}), Error);
    EXPECT_THROW(learn_clauses(data, {.resume = state.substr(0, state.size() - 8)}), Error);
    Random random(1);
    for (int i = 0; i < 1'000; ++i) {
        std::string damaged = state;
        for (int k = 0; k < 3; ++k)
            damaged[static_cast<std::size_t>(random.below(static_cast<int>(damaged.size())))] =
                static_cast<char>(random.below(256));
        try {  // some changes are to numbers that may have any value
            learn_clauses(data, {.max_tests = 1, .resume = damaged});
        } catch (const Error&) {
        }
    }
}

/// Orders, of which those from an amount on were returned; with `regions`, only those of the north.
Database orders(int count, bool regions) {
    std::string facts;
    std::string yes;
    std::string no;
    for (int i = 0; i < count; ++i) {
        const std::string name = "o" + std::to_string(i);
        const int amount = (i * 7919) % count + 1'000;
        const bool north = !regions || i % 3 == 0;
        facts += "amount(" + name + "," + std::to_string(amount) + "). ";
        if (regions)
            facts += "region(" + name + (north ? ",north). " : ",south). ");
        (north && amount >= 4'217 ? yes : no) += "returned(" + name + "). ";
    }
    Database data = test::database_of(facts);
    data.examples.target = {"returned", 1};
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    return data;
}

TEST(LearnClauses, FindsAThresholdOfMoreExamplesThanASample) {
    const ClauseResult result = learn_clauses(orders(6'000, false), {.max_tests = 2'000});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_NE(to_text(result.program).find(">= 4217"), std::string::npos)
        << to_text(result.program);
}

TEST(LearnClauses, GoesOnWithThresholdsThatAllExamplesChose) {
    const Database data = orders(5'000, true);
    std::vector<std::string> states;
    ClauseSettings settings{.max_tests = 3'000};
    settings.checkpoint = [&](const std::string& state) { states.push_back(state); };
    const ClauseResult whole = learn_clauses(data, settings);
    ASSERT_GT(states.size(), 1U);
    for (const std::string& state : states) {
        const ClauseResult rest = learn_clauses(data, {.max_tests = 3'000, .resume = state});
        EXPECT_EQ(to_text(rest.program), to_text(whole.program));
        EXPECT_EQ(rest.tested, whole.tested);
        EXPECT_EQ(rest.bits, whole.bits);
    }
}

TEST(LearnClauses, FindsAThreshold) {
    Database data;
    std::string facts;
    std::string yes;
    std::string no;
    for (int i = 0; i < 40; ++i) {
        const int amount = (i * 37) % 200;
        facts += "amount(c" + std::to_string(i) + "," + std::to_string(amount) + "). ";
        (amount >= 100 ? yes : no) += "good(c" + std::to_string(i) + "). ";
    }
    data = test::database_of(facts);
    data.examples.target = {"good", 1};
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    const ClauseResult result = learn_clauses(data, {.max_tests = 100'000});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    const auto& symbols = result.program.vocabulary.symbols();
    EXPECT_TRUE(std::any_of(symbols.begin(), symbols.end(), [](const PredicateSymbol& s) {
        return s.name == ">=";
    })) << to_text(result.program);
}

TEST(LearnClauses, FindsAConstantBySupport) {
    std::string facts;
    std::string yes;
    std::string no;
    for (int i = 0; i < 30; ++i) {
        const char* colour = i % 3 == 0 ? "red" : i % 3 == 1 ? "blue" : "green";
        facts += "has(c" + std::to_string(i) + "," + colour + "). ";
        (i % 3 == 0 ? yes : no) += "good(c" + std::to_string(i) + "). ";
    }
    Database data = test::database_of(facts);
    data.examples.target = {"good", 1};
    test::add_examples(data, true, yes);
    test::add_examples(data, false, no);
    const ClauseResult result = learn_clauses(data, {.max_tests = 100'000});
    EXPECT_TRUE(result.fits);
    EXPECT_EQ(to_text(result.program), "good(X) <- has(X,red)\n");
    EXPECT_FALSE(learn_clauses(data, {.max_tests = 5'000, .constants = Wanted::never}).fits);
}

TEST(LearnClauses, LearnsARecursiveProgramFromBaseAndStep) {
    Database data = test::database_of(
        "parent(a,b). parent(b,c). parent(c,d). parent(d,e). parent(x,y). parent(y,z).");
    data.bias.recursion = true;
    data.examples.target = {"above", 2};
    test::add_examples(data, true,
                       "above(a,b). above(a,c). above(a,e). above(b,d). above(x,z). above(c,e).");
    test::add_examples(data, false,
                       "above(b,a). above(a,z). above(x,b). above(e,a). above(z,x). above(d,a).");
    const ClauseResult result = learn_clauses(data, {.max_tests = 200'000});
    EXPECT_TRUE(result.fits) << to_text(result.program);
    EXPECT_TRUE(is_recursive(result.program)) << to_text(result.program);
    // on an atom that no example has
    const evaluation::DatabaseIndex index(data);
    const evaluation::ConstantNumbers names = evaluation::constant_numbers(data);
    evaluation::TopDown run(index, result.program, names);
    const std::vector<std::int32_t> atom = {names.at("a"), names.at("d")};
    EXPECT_TRUE(run.holds(atom));
}

TEST(LearnClauses, UsesKnownFactsOfTheTargetButNeverTheAtomItself) {
    Database data = test::database_of(
        "wife(a,b). wife(c,d). wife(e,f). wife(g,h). "
        "grandson(b,k). grandson(d,l). grandson(f,m). grandson(h,n). grandson(a,k). "
        "grandson(c,l).");
    data.examples.target = {"grandson", 2};
    test::add_examples(data, true, "grandson(a,k). grandson(c,l). grandson(e,m). grandson(g,n).");
    test::add_examples(data, false, "grandson(a,l). grandson(c,k). grandson(e,n). grandson(g,m).");
    const ClauseResult result = learn_clauses(data, {.max_tests = 100'000});
    EXPECT_TRUE(result.fits);
    EXPECT_EQ(to_text(result.program), "grandson(X,Y) <- wife(X,Z) & grandson(Z,Y)\n");
}

TEST(CanonicalForm, DoesNotDependOnNamesAndOrder) {
    const Database data = game();
    const evaluation::DatabaseIndex index(data);
    const Language language = make_language(index, {});
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        Body body;
        const int literals = 1 + random.below(4);
        for (int i = 0; i < literals; ++i) {
            BodyLiteral literal;
            literal.predicate = random.below(static_cast<int>(language.predicates.size()));
            const int arity =
                language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
            for (int a = 0; a < arity; ++a)
                literal.terms[static_cast<std::size_t>(a)] = random.below(7);
            body.push_back(literal);
        }
        std::vector<std::int32_t> names = {3, 4, 5, 6};
        random.shuffle(names);
        Body renamed = body;
        for (BodyLiteral& literal : renamed)
            for (std::int32_t& term : literal.terms)
                if (term >= 3)
                    term = names[static_cast<std::size_t>(term - 3)];
        random.shuffle(renamed);
        // variables are numbered without gaps in bodies that are searched
        std::vector<char> used(7, 0);
        for (const BodyLiteral& literal : body) {
            const int arity =
                language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
            for (int a = 0; a < arity; ++a)
                used[static_cast<std::size_t>(literal.terms[static_cast<std::size_t>(a)])] = 1;
        }
        if (std::count(used.begin() + 3, used.end(), 1) != 4)
            continue;
        EXPECT_EQ(canonical_form(language, body), canonical_form(language, renamed));
    }
}

/// Eight clauses of six literals, each of which covers five of 40 positive examples.
std::vector<PoolClause> narrow_clauses() {
    std::vector<PoolClause> pool;
    for (int i = 0; i < 8; ++i) {
        PoolClause clause;
        clause.body.resize(6);
        clause.covered.assign(2, 0);
        clause.positives = 5;
        clause.bits = 50;
        for (int e = 5 * i; e < 5 * i + 5; ++e)
            clause.covered[0] |= std::uint64_t(1) << e;
        pool.push_back(clause);
    }
    return pool;
}

TEST(Combine, TakesAtMostSoManyClauses) {
    const std::vector<PoolClause> pool = narrow_clauses();
    const PoolExamples examples{40, 40, 1, 1};
    EXPECT_EQ(describe_well(pool, examples, 0, {1, 0}).chosen.size(), 8U);
    EXPECT_EQ(describe_well(pool, examples, 3, {1, 0}).chosen.size(), 3U);
    EXPECT_EQ(cover_exactly(pool, examples, 1'000, 8).chosen.size(), 8U);
    EXPECT_TRUE(cover_exactly(pool, examples, 1'000, 7).chosen.empty());
}

TEST(Combine, MakesLiteralsCheaperWhereHiddenExamplesSayThatTheyHold) {
    const std::vector<PoolClause> pool = narrow_clauses();
    const PoolExamples examples{40, 40, 1, 1};
    EXPECT_TRUE(describe_well(pool, examples, 0).chosen.empty());  // seven atoms for five examples
    const ClausePrice price = choose_price(pool, examples, 0, 0, {});
    EXPECT_FALSE(describe_well(pool, examples, 0, price).chosen.empty());
    EXPECT_EQ(choose_price(pool, examples, 0, 0, [] { return true; }), ClausePrice{});
    EXPECT_EQ(choose_price(pool, {5, 75, 1, 1}, 0, 0, {}), ClausePrice{});  // too few to hide
}

TEST(Combine, CoversExactlyWithTheFewestBits) {
    // 6 positives; three pairs cost more than two triples, and one clause covers a negative
    std::vector<PoolClause> pool;
    const auto add = [&](std::uint64_t covered, int positives, int negatives, double bits) {
        PoolClause clause;
        clause.covered = {covered};
        clause.positives = positives;
        clause.negatives = negatives;
        clause.bits = bits;
        pool.push_back(std::move(clause));
    };
    add(0b0000011, 2, 0, 10);
    add(0b0001100, 2, 0, 10);
    add(0b0110000, 2, 0, 10);
    add(0b0010101, 3, 0, 12);
    add(0b0101010, 3, 0, 12);
    add(0b1111111, 6, 1, 5);
    const PoolExamples examples{6, 1, 1, 1};
    const Combination best = cover_exactly(pool, examples, 10'000, 0);
    EXPECT_EQ(best.false_negatives, 0);
    EXPECT_EQ(best.false_positives, 0);
    EXPECT_DOUBLE_EQ(best.clause_bits, 24);
}

}  // namespace
}  // namespace hri::search
