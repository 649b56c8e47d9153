// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"
#include "hri/smallest_hierarchy.hpp"

#include "train/planted.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

struct TrainedRules : testing::Test {
    PlantedSet set = planted_set(6, 8, 3, 400, 8, 1);
    Multitask learned = [this] {
        MultitaskSettings settings;
        settings.rounds = 60;
        return learn_targets(set.scenes, multitask_options(), settings).learned;
    }();

    /// Calls visit(truth, whether the object is the target) for each named object of the images,
    /// its name hidden.
    template <class Visit>
    void each_object(const Program& program, std::uint32_t target, Visit visit) const {
        for (std::size_t i = 0; i < set.scenes.size(); ++i)
            for (const SceneLabel& label : set.scenes[i].names) {
                const Instance instance = scene_instance(set.scenes, i, label.predicate);
                visit(evaluate(program, instance)[label.object] != 0, label.predicate == target);
            }
    }
};

TEST_F(TrainedRules, CoverWhatTheyAreSaidToCover) {
    const std::vector<ConfidentRules> rules = extract_rules(set.scenes, learned);
    ASSERT_EQ(rules.size(), set.targets.size());
    std::size_t count = 0;
    for (std::size_t t = 0; t < rules.size(); ++t) {
        double before = 1;
        for (std::size_t r = 0; r < rules[t].rules.size(); ++r) {
            Program one = rules[t].program;
            one.rules = {rules[t].program.rules[r]};
            const RuleConfidence& said = rules[t].rules[r];
            RuleConfidence counted;
            each_object(one, set.targets[t], [&](bool is_covered, bool is_target) {
                counted.covered += is_covered ? 1 : 0;
                counted.correct += is_covered && is_target ? 1 : 0;
            });
            EXPECT_EQ(said.covered, counted.covered) << to_text(one);
            EXPECT_EQ(said.correct, counted.correct) << to_text(one);
            EXPECT_GT(said.confidence, 0);
            EXPECT_LE(said.confidence, before);
            before = said.confidence;
            ++count;
        }
    }
    EXPECT_GE(count, 5U);
}

TEST_F(TrainedRules, AreDrawnFromOtherProgramsToo) {
    std::vector<Program> planted;
    for (std::size_t t = 0; t < set.targets.size(); ++t)
        planted.push_back(parse_program(text_of(set.rules[t], set.scenes)));
    const std::vector<ConfidentRules> rules = extract_rules(set.scenes, learned, planted);
    for (std::size_t t = 0; t < rules.size(); ++t) {
        ASSERT_FALSE(rules[t].rules.empty());
        Program first = rules[t].program;
        first.rules.resize(1);
        EXPECT_TRUE(same_answers(first, planted[t], set.scenes.predicates())) << to_text(first);
        EXPECT_THAT(to_prolog(rules[t]), testing::HasSubstr("% confidence 0."));
        parse_program(to_prolog(rules[t]));
    }
}

TEST_F(TrainedRules, AreTheSameForAnyNumberOfThreads) {
    const std::vector<ConfidentRules> one = extract_rules(set.scenes, learned);
    const std::vector<ConfidentRules> two = extract_rules(set.scenes, learned, {}, {.threads = 2});
    for (std::size_t t = 0; t < one.size(); ++t)
        EXPECT_EQ(to_prolog(one[t]), to_prolog(two[t]));
}

TEST_F(TrainedRules, AddUpWhereTheyCoverAnObject) {
    const std::vector<ConfidentRules> rules = extract_rules(set.scenes, learned);
    const SceneScores score = confidence_scores(set.scenes, set.targets, rules);
    for (std::size_t image = 0; image < 20; ++image) {
        const auto n = static_cast<std::size_t>(set.scenes[image].objects);
        std::vector<float> scores(set.targets.size() * n);
        score(image, kHideOwnLabel, scores);
        for (std::size_t t = 0; t < rules.size(); ++t) {
            const Instance instance = scene_instance(set.scenes, image, set.targets[t]);
            std::vector<double> missed(n, 1 - rules[t].otherwise);
            for (std::size_t r = 0; r < rules[t].rules.size(); ++r) {
                Program one = rules[t].program;
                one.rules = {rules[t].program.rules[r]};
                const Truth truth = evaluate(one, instance);
                for (std::size_t object = 0; object < n; ++object)
                    missed[object] *= truth[object] != 0 ? 1 - rules[t].rules[r].confidence : 1;
            }
            for (std::size_t object = 0; object < n; ++object)
                EXPECT_NEAR(scores[t * n + object], -std::log(missed[object]), 1e-4);
        }
    }
}

}  // namespace
}  // namespace hri::test
