// SPDX-License-Identifier: Apache-2.0

#include "tasks/hidden_programs.hpp"

#include "hri/evaluate.hpp"
#include "hri/smallest_hierarchy.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(HiddenPrograms, AreTheSameForTheSameSeed) {
    tasks::HiddenPrograms first(3, 4);
    tasks::HiddenPrograms second(3, 4);
    tasks::HiddenPrograms other(4, 4);
    int different = 0;
    for (int i = 0; i < 8; ++i) {
        const tasks::HiddenProgram a = first.next();
        const tasks::HiddenProgram b = second.next();
        EXPECT_EQ(to_text(a.program), to_text(b.program));
        EXPECT_EQ(a.problem.training.instances, b.problem.training.instances);
        different += to_text(a.program) != to_text(other.next().program) ? 1 : 0;
    }
    EXPECT_GT(different, 0);
}

TEST(HiddenPrograms, HaveOneRuleMoreEachTimeAndLabelTheirOwnData) {
    tasks::HiddenPrograms hidden(5, 6);
    for (std::size_t i = 0; i < 12; ++i) {
        const tasks::HiddenProgram target = hidden.next();
        EXPECT_EQ(target.program.rules.size(), 1 + i % 6);
        EXPECT_EQ(target.kind == tasks::HiddenProgram::Kind::recursion,
                  is_recursive(target.program));
        Random random(1);
        Instance scratch;
        for (const Source* source : {&target.problem.training, &target.problem.evaluation})
            for (int k = 0; k < 5; ++k) {
                const Instance& instance = source->draw(k, random, scratch);
                const Truth truth = evaluate(target.program, instance);
                for (std::size_t atom = 0; atom < truth.size(); ++atom)
                    ASSERT_EQ(instance.labels[atom] == Label::positive, truth[atom] != 0);
            }
    }
}

TEST(HiddenPrograms, MeanDifferentThingsThatOneShortRuleCannotSay) {
    tasks::HiddenPrograms hidden(6, 2);
    std::vector<tasks::HiddenProgram> drawn;
    for (int i = 0; i < 10; ++i)
        drawn.push_back(hidden.next());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (drawn[i].program.rules.size() == 1) {
            EXPECT_GT(drawn[i].program.rules.front().body.size(), 2U);
        }
        for (std::size_t j = i + 1; j < drawn.size(); ++j)
            if (drawn[i].problem.target() == drawn[j].problem.target()) {
                EXPECT_FALSE(
                    same_answers(drawn[i].program, drawn[j].program, drawn[i].problem.inputs()));
            }
    }
}

}  // namespace
}  // namespace hri
