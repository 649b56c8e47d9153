// SPDX-License-Identifier: Apache-2.0
#include "hri/data.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(Instance, ResetEmptiesItAndKeepsTheMemory) {
    const SharedSchema schema = make_schema({{"p", 1}, {"q", 2}}, {"t", 2});
    Instance instance = make_instance(schema, 10);
    EXPECT_EQ(instance.labels.size(), 100U);
    instance.facts[1].assign(50, Fact{1, 2});
    instance.names = {"a"};
    const Fact* facts = instance.facts[1].data();
    const Label* labels = instance.labels.data();
    instance.reset(7, Label::negative);
    EXPECT_EQ(instance.schema, schema);
    EXPECT_EQ(instance.constants, 7);
    EXPECT_TRUE(instance.names.empty());
    EXPECT_TRUE(instance.facts[1].empty());
    EXPECT_EQ(instance.facts[1].data(), facts);
    EXPECT_EQ(instance.labels, std::vector<Label>(49, Label::negative));
    EXPECT_EQ(instance.labels.data(), labels);
    instance.schema = make_schema({}, {"t", 0});
    instance.reset(7, Label::positive);
    EXPECT_EQ(instance.labels.size(), 1U);
    EXPECT_TRUE(instance.facts.empty());
}

TEST(Instance, WithoutASchemaHasNoInputs) {
    Instance instance;
    EXPECT_THROW(instance.inputs(), Error);
    EXPECT_THROW(instance.reset(3, Label::negative), Error);
}

TEST(Instance, IsEqualWhereInputsAndTargetAreTheSame) {
    const Instance one = make_instance(make_schema({{"p", 1}}, {"t", 1}), 2);
    EXPECT_EQ(one, make_instance(make_schema({{"p", 1}}, {"t", 1}), 2));
    EXPECT_NE(one, make_instance(make_schema({{"q", 1}}, {"t", 1}), 2));
    EXPECT_NE(one, Instance{});
}

TEST(Instance, NamesConstantsByTheirNumberUnlessTheyHaveNames) {
    Instance instance = make_instance(make_schema({}), 2);
    EXPECT_EQ(instance.name_of(1), "1");
    instance.names = {"ann", "bob"};
    EXPECT_EQ(instance.name_of(1), "bob");
}

TEST(Instance, CountsLabels) {
    Instance instance;
    instance.labels = {Label::positive, Label::negative, Label::unlabelled, Label::negative};
    EXPECT_EQ(instance.count(Label::negative), 2);
    EXPECT_EQ(instance.count(Label::positive), 1);
    EXPECT_EQ(instance.count(Label::unlabelled), 1);
}

TEST(Source, WithAListCyclesThroughIt) {
    Source source;
    source.instances.resize(3);
    Random random(0);
    Instance scratch;
    EXPECT_TRUE(source.fixed());
    EXPECT_EQ(&source.draw(1, random, scratch), &source.instances[1]);
    EXPECT_EQ(&source.draw(5, random, scratch), &source.instances[2]);
}

TEST(Source, WithAGeneratorFillsTheScratch) {
    Source source;
    source.generate = [schema = make_schema({}, {"t", 1})](Random& random, Instance& instance) {
        instance.schema = schema;
        instance.reset(1 + random.below(100), Label::negative);
    };
    Random random(7);
    Random same(7);
    Instance scratch;
    EXPECT_FALSE(source.fixed());
    EXPECT_FALSE(source.empty());
    EXPECT_EQ(&source.draw(0, random, scratch), &scratch);
    EXPECT_EQ(scratch.constants, 1 + same.below(100));
}

TEST(Source, WithNothingRefusesToDraw) {
    const Source source;
    Random random(0);
    Instance scratch;
    EXPECT_TRUE(source.empty());
    EXPECT_THROW(source.draw(0, random, scratch), Error);
}

TEST(Source, FindsTheInstanceThatNamesConstants) {
    Source source;
    source.instances.resize(3);
    source.instances[0].names = {"ann", "bob"};
    source.instances[1].names = {"bob", "cleo"};
    EXPECT_EQ(&source.with_constants({"cleo", "bob"}), &source.instances[1]);
    EXPECT_EQ(&source.with_constants({"bob"}), &source.instances[0]);
    EXPECT_EQ(&source.with_constants({"zoe"}), &source.instances[0]);  // told by what asks for it
}

}  // namespace
}  // namespace hri
