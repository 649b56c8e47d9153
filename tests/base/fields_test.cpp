// SPDX-License-Identifier: Apache-2.0
#include "hri/compositions.hpp"
#include "hri/customers.hpp"
#include "hri/export.hpp"
#include "hri/expressivity.hpp"
#include "hri/graph_scenes.hpp"
#include "hri/learn.hpp"
#include "hri/mine.hpp"
#include "hri/multitask.hpp"
#include "hri/ranking.hpp"
#include "hri/rl.hpp"
#include "hri/scene_rules.hpp"
#include "hri/scenes.hpp"
#include "hri/tables.hpp"
#include "hri/trainable.hpp"

#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

using testing::HasSubstr;

template <class Settings>
class Fields : public testing::Test {};

using AllSettings =
    testing::Types<Options, LearnSettings, TrainSettings, ReadOptions, SplitOptions,
                   MultitaskSettings, RefineRulesSettings, RlSettings, SceneOptions, RecallOptions,
                   SceneRuleSettings, NameSoftmaxSettings, GenerateOptions, ExpressivityOptions,
                   TableOptions, MineSettings, RankSettings, TrainableSettings, SqlOptions,
                   CustomerSettings, StorySettings, GraphSceneSettings>;
TYPED_TEST_SUITE(Fields, AllSettings);

TYPED_TEST(Fields, AreNamedOnceAndExplainedInASentence) {
    std::set<std::string> names;
    for (const Field<TypeParam>& field : fields_of<TypeParam>()) {
        SCOPED_TRACE(field.name);
        EXPECT_TRUE(names.insert(field.name).second) << "twice";
        ASSERT_GT(field.help.size(), 10U);
        EXPECT_TRUE(field.help.back() == '.' && std::isupper(field.help.front()) != 0)
            << field.help;
        EXPECT_FALSE(field.group.empty());
        EXPECT_FALSE(field.expected.empty());
    }
    EXPECT_FALSE(names.empty());
}

TYPED_TEST(Fields, TakeTheirDefaultsBack) {
    const TypeParam defaults;
    EXPECT_NO_THROW(check_fields(defaults));
    for (const Field<TypeParam>& field : fields_of<TypeParam>()) {
        SCOPED_TRACE(field.name);
        TypeParam settings;
        EXPECT_NO_THROW(field.set(settings, field.get(defaults)));
        EXPECT_EQ(field.get(settings), field.get(defaults));
    }
}

TYPED_TEST(Fields, RefuseWhatIsNoneOfTheirValues) {
    using Kind = FieldInfo::Kind;
    for (const Field<TypeParam>& field : fields_of<TypeParam>()) {
        if (field.kind == Kind::text || field.kind == Kind::list) {
            continue;
        }
        TypeParam settings;
        try {
            field.set(settings, "no value");
            ADD_FAILURE() << field.name << " takes anything";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(field.name + ": "));
        }
        EXPECT_EQ(field.get(settings), field.get(TypeParam{})) << "a refused value changes nothing";
    }
}

TEST(ShowFields, LetsEachFrontEndWriteFieldsItsOwnWay) {
    const auto flags = [](const std::string& name, const std::string& value) {
        return "--" + name + (value.empty() ? "" : " " + value);
    };
    EXPECT_EQ(show_fields("use {split=always}, or {target}", flags),
              "use --split always, or --target");
    EXPECT_EQ(show_fields("{{a} {A} {} {", flags), "{--a {A} {} {");
    EXPECT_EQ(show_fields("", flags), "");
    const Error error("too wide", {}, "{reify=true} splits it, {split=always} too, {target}");
    EXPECT_STREQ(error.what(), "too wide (reify splits it, split = always too, target)");
    EXPECT_THAT(error.hint(), HasSubstr("{reify=true}"));
}

}  // namespace
}  // namespace hri
