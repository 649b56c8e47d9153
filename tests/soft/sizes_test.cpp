// SPDX-License-Identifier: Apache-2.0

// Models and instances whose buffers an int cannot count are refused before memory is taken.

#include "hri/model.hpp"
#include "hri/trainable.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

std::vector<PredicateSymbol> many_inputs(int count, int arity) {
    std::vector<PredicateSymbol> inputs;
    for (int i = 0; i < count; ++i) {
        inputs.push_back({"p" + std::to_string(i), arity});
    }
    return inputs;
}

template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.message();
    }
    return "no error";
}

TEST(Sizes, OfEmbeddingsAreLimited) {
    for (const int inputs : {46'341, 65'537, 66'000}) {
        const std::string message = error_of([&] {
            make_model(many_inputs(inputs, 1), {"t", 1}, {}, 0);
        });
        EXPECT_NE(message.find("at most 2,147,483,647 are supported"), std::string::npos)
            << message;
    }
}

TEST(Sizes, OfInputMatricesAreLimited) {
    const Model two = make_model({{"e", 2}, {"f", 2}}, {"t", 1}, {}, 0);
    EXPECT_NE(
        error_of([&] { Trainable<float>(two).set_facts(33'000); }).find("33,000 constants x 33,"),
        std::string::npos);
    const Model many = make_model(many_inputs(86, 2), {"t", 1}, {}, 0);
    const Instance instance = make_instance(make_schema(many_inputs(86, 2)), 7'000);
    EXPECT_NE(
        error_of([&] { infer(many, instance, 1, 1); }).find("88 predicates x 7,000 constants"),
        std::string::npos);
}

TEST(Sizes, OfPairsOfPredicatesAreLimited) {
    Options options;
    options.dimension = 3;  // embeddings are small
    const Model model = make_model(many_inputs(47'000, 1), {"t", 1}, options, 0);
    const Instance instance = make_instance(make_schema(many_inputs(47'000, 1)), 2);
    const std::string message = error_of([&] { infer(model, instance, 1, 1); });
    EXPECT_NE(message.find("at most 2,147,483,647"), std::string::npos) << message;
}

}  // namespace
}  // namespace hri
