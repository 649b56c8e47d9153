// SPDX-License-Identifier: Apache-2.0
// The start of a model, and its move to another vocabulary.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri {

namespace {

// True and False own one dimension each; other predicates are 0 there.
constexpr int kTruthColumns = 2;

void start_predicates(Parameters& parameters, const Hierarchy& hierarchy, Init start,
                      Random& random) {
    const int d = parameters.dimension;
    const int predicates = hierarchy.predicates();
    parameters.predicates.assign(
        base::checked_size("embeddings", {{"predicates", predicates}, {"dimensions", d}},
                           sizeof(float)),
        0.0F);
    const auto at = [&](int p, int k) -> float& {
        return parameters.predicates[static_cast<std::size_t>(p * d + k)];
    };
    at(Hierarchy::kTrue, 0) = 1;
    at(Hierarchy::kFalse, 1) = 1;
    const bool identity = start != Init::uniform && d == predicates;
    for (int p = kTruthColumns; p < predicates; ++p)
        for (int k = kTruthColumns; k < d; ++k)
            at(p, k) = identity ? (p == k ? 1.0F : 0.0F) : static_cast<float>(random.uniform());
}

void start_slots(Parameters& parameters, const Hierarchy& hierarchy, const ProtoRules& protorules,
                 Init start, Random& random) {
    const int d = parameters.dimension;
    const auto slots = static_cast<std::int64_t>(hierarchy.slots.size());
    parameters.slots.resize(base::checked_size(
        "embeddings of body atoms", {{"atoms", slots}, {"dimensions", d}}, sizeof(float)));
    for (float& x : parameters.slots)
        x = static_cast<float>(random.uniform(0.0, 0.5));
    if (start != Init::biased)
        return;
    for (const Auxiliary& aux : hierarchy.auxiliaries) {
        const std::size_t conjoined =
            protorules[static_cast<std::size_t>(aux.protorule)].body.size();
        for (std::size_t s = 0; s < aux.slots.size(); ++s) {
            const bool to_true = s == 1 && conjoined == 2;
            parameters.slots[static_cast<std::size_t>(aux.slots[s] * d + (to_true ? 0 : 1))] +=
                1.0F;
        }
    }
}

}  // namespace

std::vector<float> Projection::operator()(const std::vector<float>& vector) const {
    const std::size_t columns = axes.size() / mean.size();
    std::vector<float> row(kTruthColumns + columns, 0.0F);
    for (std::size_t i = 0; i < mean.size(); ++i)
        for (std::size_t k = 0; k < columns; ++k)
            row[kTruthColumns + k] += (vector[i] - mean[i]) * axes[i * columns + k];
    return row;
}

ProtoRules make_protorules(const Options& options) {
    ProtoRules rules = load_protorules(options.rules);
    const bool has_one = std::any_of(rules.begin(), rules.end(),
                                     [](const ProtoRule& rule) { return rule.arity() == 0; });
    if (options.nullary && !has_one) {
        ProtoRule z = parse_protorules("Z: H() <- ~P(X,Y)")[0];
        while (std::any_of(rules.begin(), rules.end(),
                           [&](const ProtoRule& rule) { return rule.name == z.name; }))
            z.name += "0";
        rules.push_back(std::move(z));
    }
    return binarised(rules);
}

std::vector<PredicateSymbol> make_inputs(const std::vector<PredicateSymbol>& inputs,
                                         const Options& options) {
    std::vector<PredicateSymbol> result = inputs;
    const bool has_equality = std::any_of(inputs.begin(), inputs.end(), is_equality);
    if (options.equality && !has_equality)
        result.push_back({"=", 2});
    const std::size_t positive = result.size();
    for (std::size_t i = 0; options.negation && i < positive; ++i)
        result.push_back({result[i].name, result[i].arity, true});
    return result;
}

Model make_model(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                 const Options& options, std::uint64_t seed) {
    validate(options);
    Model model;
    model.options = options;
    model.protorules = make_protorules(options);
    model.inputs = make_inputs(inputs, options);
    model.target = target;
    model.hierarchy = make_hierarchy(model.protorules, model.inputs, target.arity, options);
    const int dimension = options.dimension > 0 ? options.dimension : model.hierarchy.predicates();
    if (dimension <= kTruthColumns)
        throw Error("an embedding dimension of " + std::to_string(dimension) + " is too small", {},
                    "True and False take two dimensions of their own: use 3 or more");
    model.parameters.dimension = dimension;
    Random random(seed, Random::kStart);
    start_predicates(model.parameters, model.hierarchy, options.start, random);
    start_slots(model.parameters, model.hierarchy, model.protorules, options.start, random);
    return model;
}

Model with_inputs(const Model& model, const std::vector<PredicateSymbol>& inputs,
                  const Embeddings& extra) {
    Model result = model;
    for (const PredicateSymbol& input : inputs)
        if (std::find(result.inputs.begin(), result.inputs.end(), input) == result.inputs.end())
            result.inputs.push_back(input);
    const std::size_t added = result.inputs.size() - model.inputs.size();
    if (added == 0)
        return result;
    result.hierarchy =
        make_hierarchy(result.protorules, result.inputs, result.target.arity, result.options);
    const auto d = static_cast<std::size_t>(model.parameters.dimension);
    std::vector<float> rows;  // of the new predicates, in order
    for (std::size_t i = model.inputs.size(); i < result.inputs.size(); ++i) {
        const PredicateSymbol& symbol = result.inputs[i];
        const auto found = extra.find(symbol);
        if (found == extra.end())
            throw Error("the model has no embedding for " + symbol.name + "/" +
                            std::to_string(symbol.arity),
                        {}, "give one, or leave its facts out");
        if (found->second.size() != d)
            throw Error("the embedding of " + symbol.name + "/" + std::to_string(symbol.arity) +
                        " has " + std::to_string(found->second.size()) +
                        " numbers, the model needs " + std::to_string(d));
        rows.insert(rows.end(), found->second.begin(), found->second.end());
        // True's and False's dimensions stay theirs.
        std::fill_n(rows.end() - static_cast<std::ptrdiff_t>(d), kTruthColumns, 0.0F);
    }
    const auto old_inputs_end =
        static_cast<std::ptrdiff_t>((kTruthColumns + model.inputs.size()) * d);
    result.parameters.predicates.insert(result.parameters.predicates.begin() + old_inputs_end,
                                        rows.begin(), rows.end());
    return result;
}

}  // namespace hri
