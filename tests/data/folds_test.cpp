// SPDX-License-Identifier: Apache-2.0
#include "hri/folds.hpp"

#include "hri/error.hpp"
#include "hri/scenes.hpp"
#include "hri/tasks.hpp"

#include "folder_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace hri {
namespace {

using test::FolderTexts;

/// Ten people of which four are nice, in one instance or one each.
Problem people(SplitOptions::When split) {
    FolderTexts texts;
    texts.bk.clear();
    texts.exs.clear();
    for (int i = 0; i < 10; ++i) {
        const std::string name = "p" + std::to_string(i);
        texts.bk += "likes(" + name + ",q" + std::to_string(i) + ").\n";
        texts.exs += (i < 4 ? "pos(nice(" : "neg(nice(") + name + ")).\n";
    }
    texts.bias.reset();
    return texts.read({.split = {.when = split}});
}

std::multiset<std::string> examples(const Source& source, Label label) {
    std::multiset<std::string> names;
    for (const Instance& instance : source.instances)
        for (std::size_t atom = 0; atom < instance.labels.size(); ++atom)
            if (instance.labels[atom] == label)
                names.insert(instance.names[atom]);
    return names;
}

TEST(Fold, DealsEveryExampleToOneFoldAndKindsEvenly) {
    for (const auto split : {SplitOptions::When::never, SplitOptions::When::always}) {
        const Problem problem = people(split);
        for (const Label label : {Label::positive, Label::negative}) {
            const std::multiset<std::string> all = examples(problem.training, label);
            std::multiset<std::string> judged;
            for (int i = 0; i < 2; ++i) {
                const Problem part = fold(problem, 2, i, 1);
                std::multiset<std::string> both = examples(part.training, label);
                const std::multiset<std::string> apart = examples(part.evaluation, label);
                EXPECT_EQ(apart.size(), all.size() / 2);
                judged.insert(apart.begin(), apart.end());
                both.insert(apart.begin(), apart.end());
                EXPECT_EQ(both, all);
            }
            EXPECT_EQ(judged, all);
        }
    }
}

TEST(Fold, DealsImagesWholeAndThoseWithTheTargetEvenly) {
    std::vector<SceneData> images;
    for (std::uint32_t i = 0; i < 12; ++i)
        images.push_back(
            {std::to_string(i),
             3,
             i % 3 == 0 ? std::vector<SceneLabel>{{0, 1}, {1, 0}} : std::vector<SceneLabel>{{1, 0}},
             {{2, 0, 1}}});
    const SceneSet scenes = make_scenes({{"cup", 1}, {"table", 1}, {"on", 2}}, images);
    Problem problem;
    problem.schema = scenes.schema();
    for (std::size_t i = 0; i < scenes.size(); ++i)
        problem.training.instances.push_back(scene_instance(scenes, i, 0));
    for (int i = 0; i < 4; ++i) {
        const Problem part = fold(problem, 4, i, 1);
        EXPECT_EQ(part.training.instances.size(), 9U);
        EXPECT_EQ(part.evaluation.instances.size(), 3U);
        int with_cup = 0;
        for (const Instance& instance : part.evaluation.instances) {
            EXPECT_EQ(instance.count(Label::unlabelled), 0);
            with_cup += instance.count(Label::positive);
        }
        EXPECT_EQ(with_cup, 1);
        for (const Instance& instance : part.training.instances)
            EXPECT_EQ(instance.count(Label::unlabelled), 0);
    }
}

TEST(Fold, KeepsFactsEverywhere) {
    const Problem problem = people(SplitOptions::When::never);
    const Problem part = fold(problem, 5, 0, 1);
    EXPECT_EQ(part.training.instances[0].facts, problem.training.instances[0].facts);
    EXPECT_EQ(part.evaluation.instances[0].facts, problem.training.instances[0].facts);
}

TEST(Fold, DependsOnTheSeed) {
    const Problem problem = people(SplitOptions::When::never);
    const auto apart = [&](std::uint64_t seed) {
        return examples(fold(problem, 5, 0, seed).evaluation, Label::negative);
    };
    EXPECT_EQ(apart(1), apart(1));
    std::set<std::multiset<std::string>> met;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        met.insert(apart(seed));
    EXPECT_GT(met.size(), 5U);
}

TEST(Fold, TreatsAnExampleOfTwoInstancesAsOne) {
    Problem problem = people(SplitOptions::When::always);
    problem.training.instances.push_back(problem.training.instances.front());
    for (int i = 0; i < 4; ++i) {
        const Problem part = fold(problem, 4, i, 1);
        for (const std::string& name : examples(part.evaluation, Label::positive))
            EXPECT_EQ(examples(part.training, Label::positive).count(name), 0U);
    }
}

TEST(Fold, KeepsExamplesOfARareAnswerForTraining) {
    FolderTexts texts;
    texts.bk = "up(s0).\n";
    texts.exs.clear();
    for (int i = 0; i < 10; ++i)  // the last state alone has the answer 1
        for (int answer = 0; answer < 2; ++answer)
            texts.exs += std::string((answer == 1) == (i == 9) ? "pos" : "neg") + "(score(s" +
                         std::to_string(i) + "," + std::to_string(answer) + ")).\n";
    texts.bias =
        "head_pred(score,2).\nbody_pred(up,1).\ntype(score,(state,number)).\n"
        "type(up,(state,)).\n:- clause(C), #count{V : var_type(C,V,state)} != 1.\n";
    const Problem problem = texts.read();
    for (const bool keep_rare : {true, false}) {
        std::size_t held_out = 0;
        int last = 0;  // examples of the last state that are held out
        for (int i = 0; i < 5; ++i) {
            const Problem part = fold(problem, 5, i, 1, keep_rare);
            const ExampleTable& apart = part.database->held_out;
            held_out += apart.positive.size();
            for (std::size_t row = 0; row < apart.positive.size(); ++row)
                last += part.database->constants[static_cast<std::size_t>(apart.cells[2 * row])] ==
                        "s9";
        }
        EXPECT_EQ(held_out, keep_rare ? 18U : 20U);
        EXPECT_EQ(last, keep_rare ? 0 : 2);
    }
}

TEST(HeldOut, SetsApartAShareOfEachKind) {
    const Problem part = held_out(people(SplitOptions::When::never), 0.5, 3);
    EXPECT_EQ(examples(part.evaluation, Label::positive).size(), 2U);
    EXPECT_EQ(examples(part.evaluation, Label::negative).size(), 3U);
    EXPECT_EQ(examples(part.training, Label::negative).size(), 3U);
}

TEST(HeldOut, NeedsExamplesThatAreGivenAndNotGenerated) {
    EXPECT_THROW(held_out(make_problem(find_task("grandparent")), 0.5, 0), Error);
    FolderTexts texts;
    texts.bk = "likes(ann,bob).";
    texts.exs = "pos(nice(ann)).";
    texts.bias.reset();
    EXPECT_THROW(held_out(texts.read(), 0.5, 0), Error);
}

TEST(Sampled, TakesInstancesWithPositiveExamplesForHalfOfIt) {
    Problem problem;
    problem.schema = make_schema({}, {"p", 1});
    for (int i = 0; i < 100; ++i) {
        problem.training.instances.push_back(
            make_instance(problem.schema, 1, i % 20 == 0 ? Label::positive : Label::negative));
    }
    const auto positives = [&](int count) {
        int found = 0;
        const Problem some = sampled(problem, count, 1);
        EXPECT_EQ(some.training.instances.size(), static_cast<std::size_t>(count));
        for (const Instance& instance : some.training.instances)
            found += instance.count(Label::positive);
        return found;
    };
    EXPECT_EQ(positives(4), 2);
    EXPECT_EQ(positives(40), 5) << "all there are";
    for (Instance& instance : problem.training.instances)
        instance.labels[0] = Label::positive;
    EXPECT_EQ(positives(4), 4);
}

TEST(Sampled, KeepsSomeInstancesAsTheyAre) {
    const Problem problem = people(SplitOptions::When::always);
    const Problem some = sampled(problem, 3, 1);
    ASSERT_EQ(some.training.instances.size(), 3U);
    for (const Instance& instance : some.training.instances)
        EXPECT_THAT(problem.training.instances, testing::Contains(instance));
    EXPECT_EQ(sampled(problem, 10, 1).training.instances, problem.training.instances);
}

}  // namespace
}  // namespace hri
