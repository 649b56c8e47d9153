// SPDX-License-Identifier: Apache-2.0

#include "hri/data.hpp"
#include "hri/protorules.hpp"

#include "data/scratch_folder.hpp"
#include "hypotheses/proto_atoms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The paper's section "Generic Set of Proto-Rules".
const ProtoRule kA{"A", {0}, {any({0, 1}), any({1, 0})}, {}};
const ProtoRule kB{"B", {0, 1}, {any({0, 2}), any({2, 1})}, {}};
const ProtoRule kC{"C", {0, 1}, {any({0, 1}), any({1, 0})}, {}};
const ProtoRule kAStar{"A*", {0}, {any({0, 1}), any({1, 0})}, {any({0, 2})}};
const ProtoRule kBStar{"B*", {0, 1}, {any({0, 2}), any({2, 1})}, {any({0, 1})}};
const ProtoRule kCStar{"C*", {0, 1}, {any({0, 1}), any({1, 0})}, {any({0, 1})}};
const ProtoRule kI{"I", {0, 1}, {any({1, 0})}, {}};

TEST(NamedProtoRules, AreThePapersSets) {
    EXPECT_THAT(load_protorules("R0"), ElementsAre(kA, kB, kC));
    EXPECT_THAT(load_protorules("R0v"), ElementsAre(kAStar, kBStar, kCStar));
    EXPECT_THAT(load_protorules("R*"), ElementsAre(kAStar, kBStar, kCStar, kI));
}

TEST(NamedProtoRules, MayBeTheTextItself) {
    EXPECT_THAT(load_protorules("I: H(X,Y) <- ~P(Y,X)\n"), ElementsAre(kI));
    EXPECT_THROW(load_protorules("I: H(X,Y) <- ~P(Y"), Error);
}

TEST(NamedProtoRules, HoldTheMetaInterpretiveSetWithoutCurry) {
    EXPECT_THAT(load_protorules("MIL"),
                ElementsAre(ProtoRule{"Indent1", {0}, {exact({0})}, {}},
                            ProtoRule{"DIndent1", {0}, {exact({0}), exact({0})}, {}},
                            ProtoRule{"Indent2", {0, 1}, {exact({0, 1})}, {}},
                            ProtoRule{"DIndent2", {0, 1}, {exact({0, 1}), exact({0, 1})}, {}},
                            ProtoRule{"Precon", {0, 1}, {exact({0}), exact({0, 1})}, {}},
                            ProtoRule{"Postcon", {0, 1}, {exact({0, 1}), exact({1})}, {}},
                            ProtoRule{"Chain", {0, 1}, {exact({0, 2}), exact({2, 1})}, {}}));
}

TEST(NamedProtoRules, AnswerToTheirAliases) {
    for (const char* alias : {"r0", "R_0"}) {
        EXPECT_EQ(load_protorules(alias), load_protorules("R0"));
    }
    for (const char* alias : {"r0v", "R_0^v", "R_0^V"}) {
        EXPECT_EQ(load_protorules(alias), load_protorules("R0v"));
    }
    EXPECT_EQ(load_protorules("R_*"), load_protorules("R*"));
    EXPECT_EQ(load_protorules("mil"), load_protorules("MIL"));
}

TEST(NamedProtoRules, ComeFromAFileOfTheUsersOwn) {
    const test::ScratchFolder folder;
    write_file(folder / "own.rules", "Swap: H(X,Y) <- ~P(Y,X)\n");
    const ProtoRules rules = load_protorules((folder / "own.rules").string());
    ASSERT_EQ(rules.size(), 1U);
    EXPECT_EQ(rules[0].name, "Swap");

    write_file(folder / "bad.rules", "\nSwap: H(X,Y) <- ~P(Y,X)x\n");
    try {
        load_protorules((folder / "bad.rules").string());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, (folder / "bad.rules").string());
        EXPECT_EQ(error.place().line, 2);
        EXPECT_EQ(error.place().column, 24);
    }
}

TEST(NamedProtoRules, TellsTheNamesWhereThereIsNeitherSetNorFile) {
    try {
        load_protorules("R7");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("'R7'"));
        EXPECT_THAT(error.hint(), HasSubstr("R0, R0v, R*, MIL"));
    }
}

}  // namespace
}  // namespace hri
