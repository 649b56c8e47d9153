// SPDX-License-Identifier: Apache-2.0
#include "hri/diagnosis.hpp"

#include "hri/data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

struct Things {
    InMemoryData data;

    Things() {
        data.name = "things";
        data.facts = {{{"thing", 1}, {}, {}},
                      {{"red", 1}, {}, {}},
                      {{"size", 2}, {}, {}},
                      {{"on", 2}, {}, {}}};
        data.positive = {{{"good", 1}, {}, {}}};
        data.negative = {{{"good", 1}, {}, {}}};
    }

    static std::string name(int i) { return "o" + std::to_string(i); }

    static void add(NamedTuples& to, const std::vector<std::string>& row) {
        to.cells.insert(to.cells.end(), row.begin(), row.end());
        to.values.push_back(1);
    }

    void label(int i, bool positive) {
        add((positive ? data.positive : data.negative).front(), {name(i)});
        add(data.facts[0], {name(i)});
    }

    Problem problem() const {
        InMemoryData used = data;
        std::erase_if(used.facts, [](const NamedTuples& t) { return t.values.empty(); });
        return make_problem(used);
    }
};

std::vector<std::string> hints(const Problem& problem, LearnSettings settings = {}) {
    settings.strategy = Strategy::clauses;
    settings.max_work = 3'000;
    const Report report = learn(problem, {}, settings);
    EXPECT_FALSE(report.fits) << to_text(report.program);
    return diagnose(report, problem, settings).hints;
}

TEST(Diagnosis, DoubtsLabelsWhereAShortRuleHoldsOfNearlyAll) {
    Things things;
    for (int i = 0; i < 60; ++i) {
        const bool red = i % 2 == 0;
        if (red)
            Things::add(things.data.facts[1], {Things::name(i)});
        things.label(i, i < 4 ? !red : red);
    }
    EXPECT_THAT(hints(things.problem()), Contains(HasSubstr("% of the labels may be wrong")));
}

TEST(Diagnosis, NamesNumbersWhereRulesMayNotCompareThem) {
    Things things;
    for (int i = 0; i < 60; ++i) {
        if (i % 10 != 3)
            Things::add(things.data.facts[1], {Things::name(i)});
        Things::add(things.data.facts[2], {Things::name(i), std::to_string(100 + i)});
        things.label(i, i >= 14);
    }
    LearnSettings settings;
    settings.numbers_in_rules = RuleTerms::never;
    settings.constants_in_rules = RuleTerms::never;
    const std::vector<std::string> told = hints(things.problem(), settings);
    EXPECT_THAT(told, Contains(HasSubstr("{numbers_in_rules=always}")));
    EXPECT_THAT(told, Each(Not(HasSubstr("labels may be wrong"))));
}

TEST(Diagnosis, NamesTheBoundOfTheBiasThatLongerClausesNeed) {
    Things things;
    for (int i = 0; i < 60; ++i) {
        if (i % 4 < 2)
            Things::add(things.data.facts[1], {Things::name(i)});
        if (i % 3 > 0)
            Things::add(things.data.facts[3], {Things::name(i), "shelf"});
        things.label(i, i % 4 < 2 && i % 3 > 0);
    }
    Problem problem = things.problem();
    auto bounded = std::make_shared<Database>(*problem.database);
    bounded->bias.max_body = 1;
    problem.database = bounded;
    const std::vector<std::string> told = hints(problem);
    EXPECT_THAT(told, Contains(HasSubstr("beyond the bias's bounds make fewer errors here: "
                                         "max_body(1)")));
    EXPECT_THAT(told, Each(Not(HasSubstr("labels may be wrong"))));
}

TEST(Diagnosis, NamesNegationWhereItHelps) {
    Things things;
    for (int i = 0; i < 60; ++i) {
        if (i % 2 == 0)
            Things::add(things.data.facts[1], {Things::name(i)});
        things.label(i, i % 2 != 0);
    }
    const std::vector<std::string> told = hints(things.problem());
    EXPECT_THAT(told, Contains(HasSubstr("{negation=true}")));
    EXPECT_THAT(told, Each(Not(HasSubstr("labels may be wrong"))));
}

}  // namespace
}  // namespace hri
