// SPDX-License-Identifier: Apache-2.0
// simplified() against the definition of what programs mean.

#include "evaluate/naive_evaluator.hpp"
#include "support/random_programs.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

using test::naive_evaluate;
using test::ProgramSpace;
using test::random_instance;
using test::random_program;

struct Setting {
    const char* name;
    ProgramSpace space;
    int programs;
};

std::vector<Setting> settings() {
    ProgramSpace plain;
    ProgramSpace deep;  // mostly auxiliaries, so that much can be inlined and merged
    deep.inputs = {{"e", 2}, {"u", 1}};
    deep.max_auxiliaries = 6;
    deep.max_rules = 10;
    deep.max_atoms = 2;
    deep.max_variables = 3;
    ProgramSpace constants;
    constants.constants = 0.2;
    ProgramSpace tiny;  // the same few atoms again and again
    tiny.inputs = {{"e", 2}};
    tiny.max_variables = 2;
    tiny.max_auxiliaries = 3;
    ProgramSpace negation;
    negation.negation = 0.35;
    negation.constants = 0.05;
    ProgramSpace all = deep;
    all.negation = 0.3;
    all.equality = 0.15;
    return {{"Negation", negation, 3000},   {"NegationAndEquality", all, 3000},
            {"Plain", plain, 3000},         {"Deep", deep, 3000},
            {"Constants", constants, 3000}, {"Tiny", tiny, 3000}};
}

class Simplified : public testing::TestWithParam<Setting> {};

TEST_P(Simplified, MeansTheSameIsNeverLongerAndCannotBeSimplifiedAgain) {
    const Setting& setting = GetParam();
    Random random(7);
    int shorter = 0;
    for (int i = 0; i < setting.programs; ++i) {
        const Program program = random_program(setting.space, random);
        const Program result = simplified(program);
        const std::string both = to_prolog(program) + "became\n" + to_prolog(result);
        ASSERT_LE(size(result), size(program)) << both;
        ASSERT_EQ(result.vocabulary[result.target], program.vocabulary[program.target]) << both;
        ASSERT_EQ(to_prolog(simplified(result)), to_prolog(result)) << both;
        for (int j = 0; j < 6; ++j) {
            const Instance instance =
                random_instance(setting.space.inputs, 1 + random.below(4), random);
            ASSERT_EQ(naive_evaluate(result, instance), naive_evaluate(program, instance))
                << "program " << i << " on " << instance.constants << " constants\n"
                << both;
        }
        shorter += size(result) < size(program) ? 1 : 0;
    }
    EXPECT_GT(shorter, setting.programs / 2);
}

INSTANTIATE_TEST_SUITE_P(OfRandomPrograms, Simplified, testing::ValuesIn(settings()),
                         [](const auto& setting) { return setting.param.name; });

}  // namespace
}  // namespace hri
