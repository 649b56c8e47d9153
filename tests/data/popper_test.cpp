// SPDX-License-Identifier: Apache-2.0

// Task folders that another system's users have made.

#include "hri/data.hpp"

#include "paths.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <ostream>

namespace hri {
namespace {

struct Expected {
    const char* folder;
    PredicateSymbol target;
    int inputs;
    int constants;
    int facts;
    int positives;
    int negatives;
};

// gtest's name for a case
std::ostream& operator<<(std::ostream& out, const Expected& expected) {
    return out << expected.folder;
}

std::filesystem::path popper() { return std::filesystem::path(HRI_SHARED_DATA) / "popper"; }

class Popper : public testing::TestWithParam<Expected> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(popper())) {
            GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
        }
    }
};

TEST_P(Popper, FolderIsRead) {
    const Expected& expected = GetParam();
    const Problem problem = read_task_folder(popper() / expected.folder,
                                             {.split = {.when = SplitOptions::When::never}});
    EXPECT_EQ(problem.name, expected.folder);
    EXPECT_EQ(problem.target(), expected.target);
    EXPECT_EQ(static_cast<int>(problem.inputs().size()), expected.inputs);
    const Instance& instance = problem.training.instances.at(0);
    std::size_t facts = 0;
    for (const auto& of_predicate : instance.facts) {
        facts += of_predicate.size();
    }
    EXPECT_EQ(instance.constants, expected.constants);
    EXPECT_EQ(static_cast<int>(facts), expected.facts);
    EXPECT_EQ(instance.count(Label::positive), expected.positives);
    EXPECT_EQ(instance.count(Label::negative), expected.negatives);
}

INSTANTIATE_TEST_SUITE_P(
    Data, Popper,
    testing::Values(Expected{"kinship-pi", {"grandparent", 2}, 2, 8, 8, 5, 1},
                    Expected{"kinship-ancestor", {"ancestor", 2}, 2, 12, 12, 3, 0},
                    Expected{"andersen", {"pt", 2}, 4, 8, 7, 7, 0},
                    Expected{"zendo1", {"zendo", 1}, 15, 180, 905, 20, 20},
                    Expected{"zendo3", {"zendo", 1}, 15, 474, 2343, 50, 50},
                    Expected{"trains1", {"f", 1}, 15, 8561, 23915, 394, 606},
                    Expected{"trains2", {"f", 1}, 15, 8561, 23915, 20, 81},
                    Expected{"imdb3", {"f", 2}, 5, 380, 1031, 4075, 117726},
                    Expected{"noisy-drugdrug", {"interacts", 2}, 13, 355, 1768, 1975, 2232}),
    [](const auto& the) {
        std::string name = the.param.folder;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(PopperFolder, WithFortyThousandConstantsIsTooLargeForOneInstance) {
    if (!std::filesystem::exists(popper())) {
        GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
    }
    try {
        read_task_folder(popper() / "noisy-wn18rr1",
                         {.split = {.when = SplitOptions::When::never}});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("the instance is too large"), std::string::npos);
    }
}

}  // namespace
}  // namespace hri
