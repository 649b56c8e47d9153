// SPDX-License-Identifier: Apache-2.0

// Facts in memory give the problem that files would give.

#include "hri/data.hpp"

#include "data/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

InMemoryData family() {
    InMemoryData data;
    data.name = "family";
    data.facts = {{{"parent", 2}, {"ann", "bob", "bob", "cleo"}, {1, 0.5F}},
                  {{"old", 1}, {"ann"}, {1}}};
    data.positive = {{{"grandparent", 2}, {"ann", "cleo"}, {1}}};
    data.negative = {{{"grandparent", 2}, {"bob", "ann"}, {1}}};
    return data;
}

std::string message(const InMemoryData& data, const ReadOptions& options = {}) {
    try {
        make_problem(data, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(MakeProblem, GivesWhatFilesGive) {
    const ScratchFolder folder;
    write_file(folder / "bk.pl", "parent(ann,bob). 0.5::parent(bob,cleo). old(ann).\n");
    write_file(folder / "exs.pl", "pos(grandparent(ann,cleo)). neg(grandparent(bob,ann)).\n");
    for (const bool closed_world : {false, true}) {
        ReadOptions options;
        options.closed_world = closed_world;
        const Problem expected = read_task_folder(folder.path(), options);
        const Problem problem = make_problem(family(), options);
        EXPECT_EQ(problem.inputs(), expected.inputs());
        EXPECT_EQ(problem.target(), expected.target());
        EXPECT_EQ(problem.training.instances, expected.training.instances);
    }
}

TEST(MakeProblem, KeepsConstantsThatNoTupleMentions) {
    InMemoryData data = family();
    data.constants = {"zoe", "ann"};
    EXPECT_THAT(make_problem(data).training.instances.front().names,
                ElementsAre("ann", "bob", "cleo", "zoe"));
}

TEST(MakeProblem, NeedsNoExamplesWhereTheTargetIsNamed) {
    InMemoryData data = family();
    data.positive.clear();
    data.negative.clear();
    EXPECT_THAT(message(data), HasSubstr("expected examples, found none"));
    data.target = PredicateSymbol{"grandparent", 2};
    const Problem problem = make_problem(data);
    EXPECT_EQ(problem.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_EQ(problem.training.instances.front().count(Label::unlabelled), 9);
}

TEST(MakeProblem, KeepsInputsWithoutFacts) {
    InMemoryData data = family();
    data.facts.push_back({{"dead", 1}, {}, {}});
    EXPECT_THAT(make_problem(data).inputs(),
                ElementsAre(PredicateSymbol{"parent", 2}, PredicateSymbol{"old", 1},
                            PredicateSymbol{"dead", 1}));
}

TEST(MakeProblem, TellsWhatIsWrong) {
    InMemoryData data = family();
    data.facts[0].cells.pop_back();
    EXPECT_THAT(message(data), HasSubstr("parent/2 has 2 rows and 3 cells"));
    data = family();
    data.facts[0].values[0] = 1.5F;
    EXPECT_THAT(message(data), HasSubstr("above 0 and up to 1"));
    data = family();
    data.facts[0].symbol.name = ":-";
    EXPECT_THAT(message(data), HasSubstr("cannot be called"));
    data = family();
    data.negative[0].symbol.name = "other";
    EXPECT_THAT(message(data), HasSubstr("several targets"));
}

}  // namespace
}  // namespace hri
