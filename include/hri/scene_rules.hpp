// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules with confidences for every name of scene graphs, and a softmax over names that weighs them.
//
//   SceneRules rules = learn_scene_rules(scenes, training, scenes.targets());
//   std::cout << to_prolog(rules, scene_target(scenes, "shirt"));
//       % confidence 0.21: right for 962 of 3734
//       shirt(X) :- wear(Y,X), person(Y).
//   recalls(scenes, test, scenes.targets(), rule_scores(scenes, rules), {.normalised = false});
//
// Examples are the objects of the images. The name of each is hidden in its own image:
// that is how guesses are judged.

#include "hri/fields.hpp"
#include "hri/recall.hpp"
#include "hri/scenes.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hri {

/// The body of a clause about an object X, in one number; see evaluate/scene_bodies.hpp.
struct SceneBody {
    std::uint64_t code = 0;
    auto operator<=>(const SceneBody&) const = default;
};

/// Shapes of bodies beside relation(X,Y) and relation(X,Y), name(Y) in both directions.
enum class SceneBodyShapes {
    neighbours,  ///< none
    pairs,       ///< two relations of X: to two neighbours, or to one
    two_hops,    ///< a relation of X to a neighbour, and of that one to a named one
    all
};

struct SceneRuleSettings {
    SceneBodyShapes bodies = SceneBodyShapes::all;
    int min_correct = 2;    ///< objects of the name that a rule covers
    double smoothing = 10;  ///< objects added to the covered ones; as frequent as the name
    int threads = 1;        ///< the result does not depend on them
};

template <>
const std::vector<Field<SceneRuleSettings>>& fields_of<SceneRuleSettings>();

/// What a rule covers in training.
struct RuleConfidence {
    std::int64_t correct = 0;
    std::int64_t covered = 0;
    double confidence =
        0;  ///< that its reason holds, whatever other rules say; learned with theirs
    auto operator<=>(const RuleConfidence&) const = default;
};

/// name(X) <- body.
struct SceneRule : RuleConfidence {
    SceneBody body;
    auto operator<=>(const SceneRule&) const = default;
};

struct NameRules {
    std::uint32_t target = 0;
    std::vector<SceneRule> rules;  ///< the most confident first
    double otherwise = 0;          ///< the confidence where no rule covers an object
    double bits = 0;               ///< of the rules, and of the names by them
    double bits_without = 0;       ///< of the names by their frequency alone
};

struct SceneRules {
    std::vector<PredicateSymbol> predicates;  ///< unary first
    SceneBodyShapes bodies = SceneBodyShapes::all;
    std::vector<NameRules> names;  ///< in the order of the targets
};

/// For each target the rules that describe its objects in the fewest bits: those of the rules, and
/// of whether each object has the name. The rules that cover an object are taken as independent
/// reasons for the name, and their confidences are the likeliest ones together. Throws Error where
/// there are more predicates than a body's number can hold.
SceneRules learn_scene_rules(const SceneSet& scenes, std::span<const std::uint32_t> training,
                             std::span<const std::uint32_t> targets,
                             const SceneRuleSettings& settings = {});

/// Ranks by confidence: the score of an object is -log of the probability that the reasons of all
/// rules that cover it fail. Not to be normalised. `rules` are copied, `scenes` has to outlive what
/// is returned.
SceneScores rule_scores(const SceneSet& scenes, const SceneRules& rules);

/// The names that rules give to an object.
struct NameGuess {
    std::size_t name = 0;    ///< into SceneRules::names
    double probability = 0;  ///< that one of the rules is right, as reasons that do not
                             ///< depend on each other; not over names
    std::vector<std::size_t> rules = {};  ///< of that name that cover the object, the surest first
};

/// The likeliest names of an object, at most `top`, where no object of its image is known by the
/// name `hidden`.
std::vector<NameGuess> guess_names(const SceneSet& scenes, const SceneRules& rules,
                                   std::size_t image, std::uint32_t object, std::uint32_t hidden,
                                   std::size_t top);

/// One rule of names[i], as Prolog.
std::string rule_text(const SceneRules& rules, std::size_t i, std::size_t rule);

/// Objects of one name for which another one has the higher score.
struct Confusion {
    std::size_t name = 0;  ///< of the rules' names
    std::size_t guess = 0;
    std::int64_t count = 0;          ///< objects of the name whose first guess is the other one
    std::int64_t objects = 0;        ///< of the name
    std::uint32_t image = 0;         ///< of the example: where the guess leads most
    std::uint32_t object = 0;        ///< of that image
    std::vector<std::size_t> rules;  ///< of the guess that cover the object, the surest first
};

/// The most frequent mistakes of rules: pairs of names, at most `count`. An object
/// that no rule covers counts for the name that is the most frequent otherwise.
std::vector<Confusion> confusions(const SceneSet& scenes, std::span<const std::uint32_t> images,
                                  const SceneRules& rules, std::size_t count);

/// The rules of names[i], as a program.
Program program_of(const SceneRules& rules, std::size_t i);
/// Prolog; a comment before each rule says its confidence.
std::string to_prolog(const SceneRules& rules, std::size_t i);

/// A softmax over names, linear in the bodies that hold of an object and in other scores of it.
struct NameSoftmaxSettings {
    SceneBodyShapes bodies = SceneBodyShapes::two_hops;
    bool use_bodies = true;           ///< false: the other scores and how frequent names are, alone
    int min_covered = 30;             ///< objects that bodies of two relations cover
    std::size_t max_bodies = 20'000;  ///< the most frequent ones
    int epochs = 10;
    std::size_t max_images = 500;  ///< to learn the weights of other scores from
    std::uint64_t seed = 0;
};

template <>
const std::vector<Field<NameSoftmaxSettings>>& fields_of<NameSoftmaxSettings>();

/// Learned by gradient steps on the cross-entropy of the names of the training images' objects.
/// `soft`: the valuations of models for the same targets, in [0, 1], or nothing. The scores are the
/// logarithms of probabilities over the targets: they are not to be normalised. `scenes` has to
/// outlive what is returned; one thread at a time may call it.
SceneScores softmax_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                           std::span<const std::uint32_t> targets,
                           const NameSoftmaxSettings& settings = {}, const SceneScores& soft = {});

}  // namespace hri
