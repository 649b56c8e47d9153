// SPDX-License-Identifier: Apache-2.0
#include "hri/data.hpp"
#include "hri/version.hpp"

#include "data/readers/task_files.hpp"
#include "data/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;

Problem weather() {
    Problem problem;
    problem.schema = make_schema({{"rain", 0}, {"Wet", 1}, {"near", 2}}, {"go", 1});
    return problem;
}

Instance two_towns() {
    Instance instance = make_instance(weather().schema, 3);
    instance.names = {"New York", "bonn", "it's"};
    instance.facts[0] = {{}};
    instance.facts[1] = {{1, 0, 0.1F}};
    instance.facts[2] = {{0, 1}, {1, 0, 1e-7F}};
    instance.labels[0] = Label::negative;
    instance.labels[1] = Label::positive;
    return instance;
}

TEST(WriteTaskFolder, WritesWhatPrologReads) {
    const ScratchFolder folder;
    write_task_folder(folder / "made/on/the/way", weather(), two_towns());
    const std::string head = "% written by hri " + std::string(version()) + "\n";
    EXPECT_EQ(read_file(folder / "made/on/the/way/bk.pl"), head +
                                                               "% constants: 'it\\'s'\n"
                                                               "rain.\n"
                                                               "0.1::'Wet'(bonn).\n"
                                                               "near('New York',bonn).\n"
                                                               "1e-07::near(bonn,'New York').\n");
    EXPECT_EQ(read_file(folder / "made/on/the/way/exs.pl"),
              head + "pos(go(bonn)).\nneg(go('New York')).\n");
    EXPECT_EQ(
        read_file(folder / "made/on/the/way/bias.pl"),
        head + "head_pred(go,1).\nbody_pred(rain,0).\nbody_pred('Wet',1).\nbody_pred(near,2).\n");
}

TEST(WriteTaskFolder, IsReadBackAsItWas) {
    const ScratchFolder folder;
    write_task_folder(folder.path(), weather(), two_towns());
    const Problem again = read_task_folder(folder.path());
    EXPECT_EQ(again.inputs(), weather().inputs());
    EXPECT_EQ(again.target(), weather().target());
    EXPECT_THAT(again.training.instances, ElementsAre(two_towns()));
    EXPECT_THAT(again.warnings, ElementsAre());
}

TEST(WriteTaskFolder, IsReadBackWhateverTheNames) {
    Problem problem = weather();
    problem.schema =
        make_schema({{"a\x14", 1}, {"0", 1}, {"[]", 1}, {"-1.5", 2}, {"it's \\", 1}}, {"7", 1});
    Instance instance = make_instance(problem.schema, 2, Label::negative);
    instance.names = {"x\x01", "y\n"};
    instance.facts = {{{0}}, {{1}}, {{0}}, {{0, 1}}, {{1}}};
    const Problem again = data::read_task(data::write_task(problem, instance));
    EXPECT_EQ(again.inputs(), problem.inputs());
    EXPECT_EQ(again.target(), problem.target());
    EXPECT_THAT(again.training.instances, ElementsAre(instance));
}

TEST(WriteTaskFolder, KeepsConstantsThatNothingIsSaidAbout) {
    Problem problem;
    problem.schema = make_schema({{"edge", 2}}, {"path", 2});
    Instance instance = make_instance(problem.schema, 4);
    instance.facts[0] = {{3, 1}};
    const Problem again = data::read_task(data::write_task(problem, instance));
    EXPECT_THAT(again.training.instances, ElementsAre(instance));
}

TEST(WriteTaskFolder, KeepsRandomValuationsToTheLastBit) {
    Problem problem;
    problem.schema = make_schema({{"edge", 2}}, {"on", 0});
    Instance instance = make_instance(problem.schema, 40, Label::positive);
    Random random(3);
    for (int i = 0; i < 40; ++i) {
        for (int j = 0; j < 40; ++j) {
            instance.facts[0].push_back({i, j, static_cast<float>(random.uniform(1e-6, 1))});
        }
    }
    const Problem again = data::read_task(data::write_task(problem, instance));
    EXPECT_THAT(again.training.instances, ElementsAre(instance));
}

TEST(WriteTaskFolder, TellsThatTheFolderCannotBeMade) {
    const ScratchFolder folder;
    write_file(folder / "file", "");
    try {
        write_task_folder(folder / "file/below", weather(), two_towns());
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.what(),
                  (folder / "file/below").string() +
                      ": cannot make this folder: Not a directory (check the path and "
                      "its permissions)");
    }
}

}  // namespace
}  // namespace hri
