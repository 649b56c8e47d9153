// SPDX-License-Identifier: Apache-2.0

// What program search believes of a program, against the evaluator that judges it in the end.

#include "search/instance_state.hpp"

#include "hri/evaluate.hpp"
#include "hri/tasks.hpp"

#include "search/relations.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace hri {
namespace {

Matches random_matches(const hypotheses::ProgramSpace& space, Random& random) {
    Matches matches;
    for (const Slot& slot : space.hierarchy().slots)
        matches.push_back(slot.candidates[static_cast<std::size_t>(
            random.below(static_cast<int>(slot.candidates.size())))]);
    return matches;
}

search::Errors errors_by_evaluation(const hypotheses::ProgramSpace& space, const Matches& matches,
                                    const Instance& instance) {
    Scorer scorer;
    scorer.add(instance.labels, evaluate(extract(space.skeleton, matches), instance));
    const Score score = scorer.score();
    return {static_cast<int>(score.false_positives), static_cast<int>(score.false_negatives)};
}

struct Setting {
    const char* task;
    const char* rules;
    int constants;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.task; }

Options options_of(const Task& task, const Setting& setting) {
    Options options;
    options.rules = setting.rules;
    for (const auto& [name, value] : task.options)
        set_option(options, name, value);
    return options;
}

class Worlds : public testing::TestWithParam<Setting> {};

TEST_P(Worlds, JudgeEveryProgramAsTheEvaluatorDoes) {
    const Task& task = find_task(GetParam().task);
    const Problem problem = make_problem(task, {GetParam().constants, 0});
    Options options = options_of(task, GetParam());
    options.layers = 3;
    const hypotheses::ProgramSpace space(problem.inputs(), problem.target(), options);
    Random random(5);
    Instance scratch;
    for (int i = 0; i < 60; ++i) {
        const Instance& instance = problem.training.draw(i, random, scratch);
        const auto world = search::InstanceState::make(space, instance.constants);
        world->load(instance);
        const Matches matches = random_matches(space, random);
        hypotheses::Reached reached;
        reached.find(space, matches);
        const search::Errors found = world->judge({&matches, &reached, -1});
        const search::Errors expected = errors_by_evaluation(space, matches, instance);
        EXPECT_EQ(found.false_positives, expected.false_positives);
        EXPECT_EQ(found.false_negatives, expected.false_negatives);
    }
}

// Slot by slot, some changes kept and some not: what is remembered never goes stale.
TEST_P(Worlds, StayRightWhileTheIncumbentChanges) {
    const Task& task = find_task(GetParam().task);
    const Problem problem = make_problem(task, {GetParam().constants, 0});
    const Options options = options_of(task, GetParam());
    const hypotheses::ProgramSpace space(problem.inputs(), problem.target(), options);
    Random random(6);
    Instance scratch;
    const Instance& instance = problem.training.draw(0, random, scratch);
    const auto world = search::InstanceState::make(space, instance.constants);
    world->load(instance);
    Matches matches = random_matches(space, random);
    hypotheses::Reached reached;
    reached.find(space, matches);
    world->judge({&matches, &reached, -1});
    world->accept({&matches, &reached, -1});
    for (int i = 0; i < 400; ++i) {
        const int slot = random.below(space.slots());
        const std::vector<int>& candidates =
            space.hierarchy().slots[static_cast<std::size_t>(slot)].candidates;
        Matches changed = matches;
        changed[static_cast<std::size_t>(slot)] =
            candidates[static_cast<std::size_t>(random.below(static_cast<int>(candidates.size())))];
        const int owner = space.auxiliary_of[static_cast<std::size_t>(slot)];
        if (owner >= 0 && !reached.contains(owner)) {
            matches = changed;
            continue;
        }
        hypotheses::Reached trial_reached;
        trial_reached.find(space, changed);
        const search::Candidate trial{&changed, &trial_reached, owner};
        const search::Errors found = world->judge(trial);
        const search::Errors expected = errors_by_evaluation(space, changed, instance);
        ASSERT_EQ(found.false_positives, expected.false_positives) << "change " << i;
        ASSERT_EQ(found.false_negatives, expected.false_negatives) << "change " << i;
        if (random.chance(0.5)) {
            world->accept(trial);
            matches = changed;
            reached = trial_reached;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Search, Worlds,
    testing::Values(Setting{"connectedness", "R*", 5}, Setting{"adjacent-to-red", "R*", 8},
                    Setting{"grandparent", "R0v", 9}, Setting{"son", "R*", 16},
                    Setting{"less-than", "R*", 17}, Setting{"cyclic", "R0", 70},
                    Setting{"leaf", "R*", 6}, Setting{"unreachable", "R0v", 11},
                    Setting{"sibling", "R*", 18}, Setting{"sibling", "R0", 7},
                    Setting{"has-cycle", "R*", 5}, Setting{"alarm", "R*", 12},
                    Setting{"path-of-three", "R*", 6}, Setting{"red-triangle", "R*", 12},
                    Setting{"from-start", "R*", 7}, Setting{"from-start", "R*", 14},
                    Setting{"multiple-of-three", "R*", 65}),
    [](const auto& the) {
        std::string name = the.param.task;
        std::erase(name, '-');
        return name + std::to_string(the.param.constants);
    });

/// Every layout against the definitions, bit by bit.
template <class Relations>
void compare_with_definitions(int n) {
    using Word = typename Relations::Word;
    const Relations relations(n);
    Random random(static_cast<std::uint64_t>(n));
    using Bits = std::vector<std::vector<bool>>;
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const auto draw = [&] {
        Bits bits(at(n), std::vector<bool>(at(n)));
        for (auto& row : bits)
            for (std::size_t j = 0; j < at(n); ++j)
                row[j] = random.chance(0.3);
        return bits;
    };
    const auto serialised = [&](const Bits& bits) {
        std::vector<Word> words(relations.area(), Word{0});
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (bits[at(i)][at(j)])
                    relations.set(words.data(), i, j);
        return words;
    };
    const auto made = [&](auto define) {
        Bits bits(at(n), std::vector<bool>(at(n)));
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                bits[at(i)][at(j)] = define(i, j);
        return serialised(bits);
    };
    const Bits left = draw();
    const Bits right = draw();
    const std::vector<Word> a = serialised(left);
    const std::vector<Word> b = serialised(right);
    std::vector<Word> out(relations.area());
    std::vector<Word> vector(relations.row_words());

    relations.transpose(out.data(), a.data());
    EXPECT_EQ(out, made([&](int i, int j) { return left[at(j)][at(i)]; }));
    relations.meet(out.data(), a.data(), b.data());
    EXPECT_EQ(out, made([&](int i, int j) { return left[at(i)][at(j)] && right[at(i)][at(j)]; }));
    relations.join(out.data(), a.data(), b.data());
    EXPECT_EQ(out, made([&](int i, int j) {
                  for (int z = 0; z < n; ++z)
                      if (left[at(i)][at(z)] && right[at(z)][at(j)])
                          return true;
                  return false;
              }));
    const auto some_in_row = [&](int i) {
        return std::find(left[at(i)].begin(), left[at(i)].end(), true) != left[at(i)].end();
    };
    const auto some_in_column = [&](int j) {
        return std::any_of(left.begin(), left.end(), [&](const auto& row) { return row[at(j)]; });
    };
    relations.rows(vector.data(), a.data());
    relations.spread(out.data(), vector.data());
    EXPECT_EQ(out, made([&](int i, int) { return some_in_row(i); }));
    relations.columns(vector.data(), a.data());
    relations.repeat(out.data(), vector.data());
    EXPECT_EQ(out, made([&](int, int j) { return some_in_column(j); }));
    relations.diagonal(vector.data(), a.data());
    relations.on_diagonal(out.data(), vector.data());
    EXPECT_EQ(out, made([&](int i, int j) { return i == j && left[at(i)][at(i)]; }));
    relations.fill(out.data());
    EXPECT_EQ(out, made([](int, int) { return true; }));
}

TEST(Relations, FollowTheirDefinitionsInEveryLayout) {
    for (int n = 1; n <= 8; ++n)
        compare_with_definitions<search::TinyRelations>(n);
    for (int n = 1; n <= 16; ++n)
        compare_with_definitions<search::SmallRelations>(n);
    for (const int n : {1, 7, 63, 64, 65, 130})
        compare_with_definitions<search::LargeRelations>(n);
}

}  // namespace
}  // namespace hri
