// SPDX-License-Identifier: Apache-2.0
#include "hri/learn.hpp"

#include "data/instance_database.hpp"
#include "search/clauses/learn_clauses.hpp"
#include "search/clauses/refine_clauses.hpp"
#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

/// Scenes of a few pieces, good where a large piece touches a blue one or a red piece is upright.
Problem scenes(int count) {
    Problem problem;
    problem.name = "scenes";
    problem.schema = make_schema(
        {{"piece", 2}, {"touches", 2}, {"large", 1}, {"blue", 1}, {"red", 1}, {"upright", 1}},
        {"good", 1});
    Random random(5);
    for (int i = 0; i < count; ++i) {
        Instance scene = make_instance(problem.schema, 5);  // the scene is 0
        bool good = false;
        for (int piece = 1; piece < 5; ++piece) {
            scene.facts[0].push_back({0, piece});
            for (std::size_t property = 2; property < 6; ++property)
                if (random.chance(0.4))
                    scene.facts[property].push_back({piece, 0});
        }
        const auto has = [&](std::size_t property, int piece) {
            return std::find(scene.facts[property].begin(), scene.facts[property].end(),
                             Fact{piece, 0}) != scene.facts[property].end();
        };
        for (int piece = 1; piece < 5; ++piece) {
            good = good || (has(4, piece) && has(5, piece));
            for (int other = 1; other < 5; ++other)
                if (piece != other && random.chance(0.3)) {
                    scene.facts[1].push_back({piece, other});
                    good = good || (has(2, piece) && has(3, other));
                }
        }
        scene.labels[0] = good ? Label::positive : Label::negative;
        problem.training.instances.push_back(std::move(scene));
    }
    return problem;
}

data::InstanceDatabase facts_of(const Problem& problem) {
    return data::instance_database(problem.training.instances, problem.inputs(), problem.target());
}

/// Clauses for a problem's training instances.
Program cover(const Problem& problem) {
    const data::InstanceDatabase facts = facts_of(problem);
    return search::learn_clauses(facts.database, {.max_tests = 20'000}).program;
}

TEST(Covering, FindsTheRulesOfADisjunction) {
    const Problem problem = scenes(200);
    const Program program = cover(problem);
    EXPECT_EQ(program.rules.size(), 2U) << to_text(program);
    const Score score = score_program(program, problem.training, 0, 0);
    EXPECT_EQ(score.false_positives + score.false_negatives, 0) << to_text(program);
    EXPECT_TRUE(test::swi_prolog_agrees(program, problem));
}

TEST(Refinement, MendsAClauseOfInstances) {
    const Problem problem = scenes(200);
    const data::InstanceDatabase facts = facts_of(problem);
    const Program narrow =
        parse_program("good(X) :- piece(X,Y), touches(Y,Z), red(Y), upright(Y).");
    const Score before = score_program(narrow, problem.training, 0, 0);
    const auto bits = [](const Program& rules, const Score& score) {
        return program_bits(rules, 6) + error_bits(score);
    };
    const auto errors = [](const Program&, const Score& score) {
        return static_cast<double>(1'000 * score.false_positives + score.false_negatives);
    };
    for (const search::ProgramCost& cost :
         {search::ProgramCost(bits), search::ProgramCost(errors)}) {
        const search::RefinedClauses refined = search::refine_clauses(
            search::RefinementData(facts), facts.database.examples, narrow, cost, {});
        EXPECT_LT(refined.cost, refined.cost_before);
        const Score after = score_program(refined.program, problem.training, 0, 0);
        EXPECT_LT(after.false_negatives, before.false_negatives) << to_text(refined.program);
        EXPECT_EQ(after.false_positives, 0) << to_text(refined.program);
    }
}

TEST(Covering, HasNoRuleWhereNothingTellsExamplesApart) {
    Problem problem = scenes(20);
    for (std::size_t i = 0; i < problem.training.instances.size(); ++i) {
        problem.training.instances[i] = problem.training.instances[0];
        problem.training.instances[i].labels[0] = i % 2 == 0 ? Label::positive : Label::negative;
    }
    EXPECT_TRUE(cover(problem).rules.empty());
}

/// Some labels the other way round.
void flip(Problem& problem, double share, std::uint64_t seed) {
    Random random(seed);
    for (Instance& instance : problem.training.instances)
        for (Label& label : instance.labels)
            if (label != Label::unlabelled && random.chance(share))
                label = label == Label::positive ? Label::negative : Label::positive;
}

TEST(Covering, FindsTheRulesBehindWrongLabelsWhenTolerant) {
    const Problem clean = scenes(400);
    Problem noisy = clean;
    flip(noisy, 0.1, 3);
    const Program program = cover(noisy);
    const Score score = score_program(program, clean.training, 0, 0);
    EXPECT_GT(score.accuracy, 0.97) << to_text(program);
    EXPECT_LE(program.rules.size(), 3U) << to_text(program);
}

TEST(Covering, ExplainsNothingOfLabelsDrawnAtRandom) {
    Problem problem = scenes(100);
    flip(problem, 0.5, 4);
    const Program program = cover(problem);
    const Score score = score_program(program, problem.training, 0, 0);
    Score without = score;
    without.false_positives = 0;
    without.false_negatives = score.positives;
    EXPECT_GE(program_bits(program, 6) + error_bits(score), error_bits(without))
        << to_text(program);
}

/// People in films, of whom those with a film in common and of one sex are a pair, and an actor
/// with a director: films have many people, and a sex half of them.
Problem films() {
    Problem problem;
    problem.schema =
        make_schema({{"film", 2}, {"sex", 2}, {"actor", 1}, {"director", 1}}, {"pair", 2});
    constexpr int kFilms = 6, kPeople = 100, kAll = kFilms + kPeople + 2;
    Random random(8);
    Instance world = make_instance(problem.schema, kAll);
    std::vector<int> film(kPeople), sex(kPeople), job(kPeople);
    for (int p = 0; p < kPeople; ++p) {
        const auto i = static_cast<std::size_t>(p);
        film[i] = random.below(kFilms);
        sex[i] = random.below(2);
        job[i] = random.below(3);
        world.facts[0].push_back({film[i], kFilms + p});
        world.facts[1].push_back({kFilms + p, kFilms + kPeople + sex[i]});
        if (job[i] < 2)
            world.facts[static_cast<std::size_t>(2 + job[i])].push_back({kFilms + p, 0});
    }
    for (std::size_t a = 0; a < kPeople; ++a)
        for (std::size_t b = 0; b < kPeople; ++b) {
            const bool together =
                film[a] == film[b] && (sex[a] == sex[b] || (job[a] == 0 && job[b] == 1));
            world.labels[(kFilms + a) * kAll + kFilms + b] =
                together ? Label::positive : Label::negative;
        }
    problem.training.instances = {world};
    return problem;
}

TEST(Covering, NeedsFewAtomsWhereConstantsHaveManyNeighbours) {
    const Problem problem = films();
    const Program program = cover(problem);
    EXPECT_EQ(program.rules.size(), 2U) << to_text(program);
    const Score score = score_program(program, problem.training, 0, 0);
    EXPECT_EQ(score.false_positives + score.false_negatives, 0) << to_text(program);
    EXPECT_TRUE(test::swi_prolog_agrees(program, problem));
}

TEST(Covering, LearnsBinaryTargets) {
    Problem problem;
    problem.schema = make_schema({{"parent", 2}}, {"grandparent", 2});
    Instance family = make_instance(problem.schema, 6, Label::negative);
    family.facts[0] = {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {4, 5}};
    for (const auto& [a, b] : {std::pair{0, 2}, {0, 3}, {1, 4}, {3, 5}})
        family.labels[static_cast<std::size_t>(a * 6 + b)] = Label::positive;
    problem.training.instances = {family};
    const Program program = cover(problem);
    EXPECT_EQ(size(program), 3) << to_text(program);
    const Score score = score_program(program, problem.training, 0, 0);
    EXPECT_EQ(score.false_positives + score.false_negatives, 0) << to_text(program);
    EXPECT_TRUE(test::swi_prolog_agrees(program, problem));
}

}  // namespace
}  // namespace hri
