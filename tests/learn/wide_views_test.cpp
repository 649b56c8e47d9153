// SPDX-License-Identifier: Apache-2.0

// The hierarchy over predicates of three arguments, which it sees as views.

#include "hri/learn.hpp"

#include "data/readers/task_files.hpp"
#include "data/views.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

/// A robot's moves and gifts: does(State,Agent,Action), next(State,State).
Problem moves() {
    std::string bk;
    std::string exs;
    for (int state = 0; state < 12; ++state) {
        const std::string s = "s" + std::to_string(state);
        const bool up = state % 3 == 0;
        bk += "does(" + s + ",robot," + (up ? "up" : "down") + ").\n";
        bk += "does(" + s + ",child," + (state % 2 == 0 ? "up" : "down") + ").\n";
        if (state < 11)
            bk += "next(" + s + ",s" + std::to_string(state + 1) + ").\n";
        exs += std::string(up ? "pos" : "neg") + "(rises(" + s + ")).\n";
    }
    data::TaskFiles files;
    files.background = {"bk.pl", bk};
    files.examples = {"exs.pl", exs};
    return data::read_task(files, {});
}

TEST(WideViews, ShowPairsOfArgumentsAndSelectionsByConstants) {
    const Problem problem = moves();
    std::vector<std::string> names;
    for (const PredicateSymbol& input : problem.inputs())
        names.push_back(input.name);
    for (const char* expected : {"does(X,Y,_)", "does(X,_,Y)", "does(_,X,Y)", "does(X,robot,Y)",
                                 "does(X,Y,up)", "does(X,robot,up)"})
        EXPECT_EQ(std::count(names.begin(), names.end(), expected), 1) << expected;
    const Program views = data::views_of(problem);
    EXPECT_NE(to_prolog(views).find("does(X,robot,up)."), std::string::npos) << to_prolog(views);
}

TEST(WideViews, GradientAndSearchLearnOverThemAndNameTheWidePredicate) {
    const Problem problem = moves();
    for (const Strategy strategy : {Strategy::search, Strategy::gradient}) {
        LearnSettings settings;
        settings.strategy = strategy;
        settings.time_limit = 0;
        settings.max_work = 300'000;
        settings.restarts = 3;
        const Report report = learn(problem, Options{}, settings);
        ASSERT_TRUE(report.fits) << to_string(strategy);
        const std::string text = to_text(report.program);
        EXPECT_NE(text.find("does(X,robot,up)"), std::string::npos) << text;
        EXPECT_EQ(text.find('\''), std::string::npos) << text;
        const Program read = parse_program(to_prolog(report.program));
        EXPECT_EQ(to_text(read), text);
    }
}

TEST(WideViews, OfAVetoedPredicateLeaveToo) {
    LearnSettings settings;
    settings.strategy = Strategy::search;
    settings.time_limit = 0;
    settings.max_work = 20'000;
    settings.constraints.vetoed_predicates = {"does/3"};
    const Report report = learn(moves(), Options{}, settings);
    EXPECT_EQ(to_text(report.program).find("does"), std::string::npos);
}

}  // namespace
}  // namespace hri
