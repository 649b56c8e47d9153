// SPDX-License-Identifier: Apache-2.0

// What the model can be asked to do beyond the paper: the soft model against the evaluator on
// programs of every extension, and models that are saved and read again.

#include "hri/evaluate.hpp"
#include "hri/model.hpp"
#include "hri/tasks.hpp"

#include "data/scratch_folder.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

Options options_of(const Task& task) {
    Options options;
    options.layers = 3;
    options.temperature = options.final_temperature = 0.01;  // as good as crisp
    for (const auto& [name, value] : task.options) {
        set_option(options, name, value);
    }
    return options;
}

/// Every slot takes some predicate.
void match_at_random(Model& model, Random& random) {
    Matches matches;
    for (const Slot& slot : model.hierarchy.slots) {
        matches.push_back(slot.candidates[static_cast<std::size_t>(
            random.below(static_cast<int>(slot.candidates.size())))]);
    }
    set_matches(model, matches);
}

class Extension : public testing::TestWithParam<Task> {};

TEST_P(Extension, MeansTheSameSoftlyAndAsAProgram) {
    const Task& task = GetParam();
    const Problem problem = make_problem(task);
    Random random(11);
    Instance scratch;
    int varied = 0;
    for (int i = 0; i < 60; ++i) {
        Model model = make_model(problem.inputs(), problem.target(), options_of(task),
                                 static_cast<std::uint64_t>(i));
        match_at_random(model, random);
        const Program program = extract(model);
        const Instance& instance = problem.training.draw(i, random, scratch);
        const std::vector<float> soft = infer(model, instance, -1);
        const Truth truth = evaluate(program, instance);
        ASSERT_EQ(soft.size(), truth.size());
        for (std::size_t a = 0; a < truth.size(); ++a) {
            ASSERT_NEAR(static_cast<double>(soft[a]), truth[a], 0.01)
                << to_text(program) << "atom " << a << " on " << instance.constants;
        }
        ASSERT_EQ(evaluate(simplified(program), instance), truth) << to_text(program);
        varied += std::count(truth.begin(), truth.end(), 1) > 0 ? 1 : 0;
    }
    EXPECT_GT(varied, 3);
}

TEST_P(Extension, IsSavedWithTheModel) {
    const Task& task = GetParam();
    const Problem problem = make_problem(task);
    Model model = make_model(problem.inputs(), problem.target(), options_of(task), 3);
    Random random(4);
    match_at_random(model, random);
    const test::ScratchFolder folder;
    save_model(folder / "model.safetensors", model);
    const Model read = load_model(folder / "model.safetensors");
    EXPECT_EQ(read.options, model.options);
    EXPECT_EQ(read.protorules, model.protorules);
    EXPECT_EQ(read.inputs, model.inputs);
    EXPECT_EQ(to_text(extract(read)), to_text(extract(model)));
}

std::string name_of(const testing::TestParamInfo<Task>& info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Model, Extension, testing::ValuesIn(extension_tasks()), name_of);

TEST(Extensions, AreOffUnlessAskedFor) {
    const Model model = make_model({{"edge", 2}}, {"t", 2}, Options{}, 0);
    EXPECT_EQ(model.inputs.size(), 1U);
    EXPECT_TRUE(model.hierarchy.negated.empty());
    EXPECT_EQ(model.protorules, load_protorules("R*"));
}

TEST(Extensions, NegateInputsAndLowerLayersOnly) {
    Options options;
    options.negation = true;
    options.layers = 3;
    const Model model = make_model({{"edge", 2}}, {"t", 2}, options, 0);
    EXPECT_EQ(model.inputs, (std::vector<PredicateSymbol>{{"edge", 2}, {"edge", 2, true}}));
    const Hierarchy& h = model.hierarchy;
    EXPECT_FALSE(h.negated.empty());
    for (const Auxiliary& auxiliary : h.auxiliaries) {
        for (const int slot : auxiliary.slots) {
            for (const int p : h.slots[static_cast<std::size_t>(slot)].candidates) {
                if (h.is_negation(p)) {
                    const int a = h.positive(p) - h.first_auxiliary();
                    EXPECT_LT(h.auxiliaries[static_cast<std::size_t>(a)].layer, auxiliary.layer);
                }
            }
        }
    }
}

}  // namespace
}  // namespace hri
