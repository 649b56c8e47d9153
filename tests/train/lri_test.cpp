// SPDX-License-Identifier: Apache-2.0

#include "hri/lri.hpp"

#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include "support/gradient_check.hpp"
#include "support/swi_prolog.hpp"
#include "train/lri/objective.hpp"
#include "train/naive_lri.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

/// A model over two unary and two binary inputs, with fuzzy facts that are all different.
struct Case {
    LriModel model;
    int n = 0;
    soft::DenseInstance<double> dense;
    std::vector<std::vector<double>> facts;  // as naive_lri() takes them
    std::vector<double> predicates;
    std::vector<double> rules;
};

Case random_case(const ProtoRules& templates, int target_arity, And fuzzy_and, Random& random) {
    Case c;
    Options options;
    options.fuzzy_and = fuzzy_and;
    const std::vector<PredicateSymbol> inputs = {{"p", 1}, {"q", 1}, {"r", 2}, {"s", 2}};
    c.model = make_lri(inputs, {"target", target_arity}, {templates, {1, 2}}, options, 1);
    c.n = 2 + random.below(4);
    Instance instance = make_instance(make_schema(inputs, c.model.target), c.n);
    c.facts.assign(c.model.arities().size(),
                   std::vector<double>(static_cast<std::size_t>(c.n * c.n), 0.0));
    for (std::size_t p = 0; p < inputs.size(); ++p)
        for (int x = 0; x < c.n; ++x)
            for (int y = 0; y < (inputs[p].arity == 2 ? c.n : 1); ++y)
                if (random.chance(0.6)) {
                    const auto value = static_cast<float>(random.uniform(0.2, 1));
                    instance.facts[p].push_back({x, y, value});
                    c.facts[p][static_cast<std::size_t>(x * c.n + y)] = static_cast<double>(value);
                }
    for (Label& label : instance.labels)
        label = random.chance(0.2)   ? Label::unlabelled
                : random.chance(0.5) ? Label::positive
                                     : Label::negative;
    soft::make_dense(c.dense, instance, soft::columns_of(inputs, inputs), inputs, target_arity);
    const auto fill = [&](std::vector<double>& out, std::size_t count) {
        out.resize(count);
        for (double& x : out)
            x = random.uniform(-0.3, 1);  // noise makes cosines negative
    };
    fill(c.predicates, c.model.predicates.size());
    fill(c.rules, c.model.rules.size());
    return c;
}

TEST(Lri, InfersAsItsEquationsSay) {
    Random random(1);
    int positive = 0;
    for (const And fuzzy_and : {And::min, And::product})
        for (int i = 0; i < 40; ++i) {
            const int arity = 1 + i % 2;
            const int steps = i % 5;
            Case c = random_case(lri_templates(), arity, fuzzy_and, random);
            lri::LriObjective<double> objective(c.model);
            const std::vector<double>& fast =
                objective.infer(c.predicates.data(), c.rules.data(), c.dense, steps);
            const std::vector<double> naive =
                naive_lri(c.model, c.predicates, c.rules, c.facts, c.n, steps);
            ASSERT_EQ(fast.size(), naive.size());
            for (std::size_t a = 0; a < fast.size(); ++a) {
                ASSERT_NEAR(fast[a], naive[a], 1e-12) << i << ", atom " << a;
                positive += naive[a] > 0 ? 1 : 0;
            }
        }
    EXPECT_GT(positive, 300);
}

TEST(Lri, EachTemplateAloneInfersAsItsEquationSays) {
    Random random(2);
    for (const ProtoRule& rule : lri_templates())
        for (int i = 0; i < 10; ++i) {
            Case c = random_case({rule}, rule.arity(), And::min, random);
            for (double& x : c.predicates)
                x = std::abs(x);
            for (double& x : c.rules)
                x = std::abs(x);
            lri::LriObjective<double> objective(c.model);
            const std::vector<double>& fast =
                objective.infer(c.predicates.data(), c.rules.data(), c.dense, 3);
            const std::vector<double> naive =
                naive_lri(c.model, c.predicates, c.rules, c.facts, c.n, 3);
            ASSERT_THAT(fast, testing::Pointwise(testing::DoubleNear(1e-12), naive)) << rule.name;
            EXPECT_GT(*std::max_element(naive.begin(), naive.end()), 0) << rule.name;
        }
}

TEST(Lri, GradientIsThatOfFiniteDifferences) {
    Random random(3);
    int points = 0;
    for (int i = 0; i < 60; ++i) {
        Case c =
            random_case(lri_templates(), 1 + i % 2, i % 3 == 0 ? And::product : And::min, random);
        lri::LriObjective<double> objective(c.model);
        const int steps = 1 + i % 4;
        const std::size_t rows = c.predicates.size();
        std::vector<double> point = c.predicates;
        point.insert(point.end(), c.rules.begin(), c.rules.end());
        const auto loss = [&](const std::vector<double>& x) {
            return objective.loss(x.data(), x.data() + rows, c.dense, steps);
        };
        loss(point);
        std::vector<double> gradient(point.size(), -7.0);  // must be overwritten
        objective.gradient(gradient.data(), gradient.data() + rows);
        const GradientCheck check = check_gradient(point, gradient, loss);
        if (check.usable * 10 < check.coordinates * 8 || check.norm < 1e-4)
            continue;
        ++points;
        EXPECT_LE(check.norm_error, 1e-6) << i;
        EXPECT_LE(check.worst_error, 1e-6) << i;
    }
    EXPECT_GT(points, 20);
}

TEST(Lri, TheUnionOfTemplatesHasEighteen) {
    EXPECT_EQ(lri_templates().size(), 14U);
    const LriTask all = lri_task(find_task("fizz"), "rlri");
    EXPECT_EQ(all.templates.size(), 18U);
    EXPECT_EQ(all.auxiliaries, (std::vector<int>{2, 2}));
    const auto count = [&](const char* name) {
        return std::count_if(all.templates.begin(), all.templates.end(),
                             [&](const ProtoRule& rule) { return rule.name == name; });
    };
    for (const char* twice : {"T2", "T3", "T5", "T12", "T13"})
        EXPECT_EQ(count(twice), 2) << twice;
    EXPECT_EQ(count("T16"), 0);
}

TEST(Lri, EveryTaskOfTheTableHasTemplates) {
    for (const Task& task : all_tasks())
        if (task.in_table) {
            const LriTask lri = lri_task(task, "task");
            EXPECT_FALSE(lri.templates.empty()) << task.name;
            EXPECT_NO_THROW(make_lri(task.inputs, task.target, lri, {}, 0)) << task.name;
        }
}

/// Points a rule's atoms at predicates: head, first and second body atom.
void aim(LriModel& model, std::size_t rule, const std::vector<std::size_t>& at) {
    const auto d = static_cast<std::size_t>(model.dimension);
    std::fill_n(&model.rules[3 * rule * d], 3 * d, 0.0F);
    for (std::size_t atom = 0; atom < at.size(); ++atom)
        model.rules[(3 * rule + atom) * d + at[atom]] = 1.0F;
}

TEST(Lri, ExtractsWhatItsRulesPointAt) {
    const Task& task = find_task("grandparent");
    LriModel model = make_lri(task.inputs, task.target, lri_task(task, "task"), {}, 0);
    aim(model, 0, {2, 0});     // aux <- father
    aim(model, 1, {2, 1});     // aux <- mother
    aim(model, 2, {3, 2, 2});  // grandparent <- aux, aux
    const Program program = extract(model);
    EXPECT_EQ(to_text(program),
              "grandparent(X,Y) <- aux1(X,Z) & aux1(Z,Y)\n"
              "aux1(X,Y) <- father(X,Y) | mother(X,Y)\n");
    const Problem problem = make_problem(task);
    Random random(5, Random::kEvaluation);
    Instance instance;
    problem.evaluation.generate(random, instance);
    const std::vector<float> soft = infer(model, instance, 4);
    for (std::size_t i = 0; i < soft.size(); ++i)
        EXPECT_EQ(soft[i] == 1.0F, instance.labels[i] == Label::positive) << i;
}

TEST(Lri, LeavesOutRulesThatMatchNothingWell) {
    const Task& task = find_task("predecessor");
    LriModel model = make_lri(task.inputs, task.target, lri_task(task, "task"), {}, 0);
    aim(model, 0, {0, 0});  // a head that is no intensional predicate
    EXPECT_TRUE(extract(model).rules.empty());
}

TEST(Lri, LearnsRecursionAndInvention) {
    for (const char* name : {"less-than", "grandparent", "adjacent-to-red"}) {
        const Task& task = find_task(name);
        LearnSettings settings;
        settings.strategy = Strategy::gradient;
        settings.lri = lri_task(task, "task");
        settings.time_limit = 0;
        Options options;
        options.train_steps = task.train_steps;
        const Problem problem = make_problem(task);
        const Report report = learn(problem, options, settings);
        EXPECT_TRUE(report.fits) << name;
        EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem)) << name;
        EXPECT_EQ(report.evaluation->accuracy, 1) << name << "\n" << to_text(report.program);
        ASSERT_TRUE(report.lri) << name;
        EXPECT_EQ(to_text(extract(*report.lri)), to_text(report.raw)) << name;
    }
}

TEST(Lri, TheSeedAloneDecidesARun) {
    const Task& task = find_task("son");
    Options options;
    options.iterations = 50;
    const auto trained = [&](std::uint64_t seed) {
        TrainSettings settings;
        settings.seed = seed;
        settings.log_every = 10;
        return train_lri(make_problem(task), lri_task(task, "rlri"), options, settings);
    };
    const LriResult once = trained(4);
    EXPECT_EQ(once.model.rules, trained(4).model.rules);
    EXPECT_NE(once.model.rules, trained(5).model.rules);
    EXPECT_EQ(once.iterations, 50);
    ASSERT_EQ(once.curve.size(), 6U);
    EXPECT_EQ(once.curve[0].sharpness.size(), 2U);
    EXPECT_GT(once.curve[0].accuracy, 0);
}

TEST(Lri, RefusesTemplatesOfAnotherKind) {
    const Task& task = find_task("grandparent");
    for (const char* text : {"A: H(X) <- ~P(X,Y) & ~Q(Y,X)", "A: H(X,Y) <- P(X,Y) | Q(X,Y)",
                             "A: H(X,Y) <- P(X,X)", "A: H(X) <- P(X,Y) & Q(Y,Z)"})
        EXPECT_THROW(make_lri(task.inputs, task.target, {parse_protorules(text), {}}, {}, 0), Error)
            << text;
    EXPECT_THROW(lri_task("task"), Error);
    EXPECT_THROW(lri_task(find_task("leaf"), "task"), Error);
}

}  // namespace
}  // namespace hri::test
