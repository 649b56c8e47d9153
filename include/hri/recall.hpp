// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recall at k: the ranks of the objects of scenes by the scores of many targets.
//
//   Recalls found = recalls(scenes, images, targets, freq_scores(scenes, training, targets));
//   found.per_object.recall_at_1

#include "hri/evaluate.hpp"
#include "hri/fields.hpp"
#include "hri/scenes.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hri {

/// Stands for a name to be hidden: each target's own.
constexpr std::uint32_t kHideOwnLabel = UINT32_MAX;

/// Fills [target][object] with how much each object of an image looks like each target, in the
/// order in which the targets were given, where no object's name `hidden` is known.
using SceneScores =
    std::function<void(std::size_t image, std::uint32_t hidden, std::span<float> scores)>;

/// Shares of the objects, or of an image's atoms, that are found among the k best.
struct Recall {
    double recall_at_1 = 0;
    double recall_at_5 = 0;
    std::int64_t count = 0;  ///< objects, or images
};

/// Three readings of "R@k".
struct Recalls {
    /// Primary. For each object of name t, the targets are ranked by their scores of this object,
    /// t hidden. It is found where fewer than k other targets score at least as much.
    Recall per_object;
    /// The paper's words: all (object, target) atoms of an image are ranked together, each target's
    /// own name hidden from it; the share of the true ones among the k best, averaged over images.
    Recall per_image;
    /// The authors' code: as per_object, but what is within 1e-5 of the best (of the sixth best for
    /// k = 5) is found.
    Recall as_authors_code;
    std::vector<Recall> of_target;  ///< per_object, target by target
};

struct RecallOptions {
    bool normalised = true;     ///< each target's scores over an image's objects have L2 norm 1
    int images_per_target = 0;  ///< the first of those that have it; the authors' code: 3; 0: all
};

template <>
const std::vector<Field<RecallOptions>>& fields_of<RecallOptions>();

Recalls recalls(const SceneSet& scenes, std::span<const std::uint32_t> images,
                std::span<const std::uint32_t> targets, const SceneScores& scores,
                const RecallOptions& options = {});

/// Accuracy, precision and recall of one target over all objects, at 0.5.
Score score_target(const SceneSet& scenes, std::span<const std::uint32_t> images,
                   std::uint32_t target,
                   const std::function<std::vector<float>(const Instance& instance)>& valuation);

/// Scores 0 and 1 by a program for each target.
SceneScores program_scores(const SceneSet& scenes, std::span<const std::uint32_t> targets,
                           const std::vector<Program>& programs);

/// The baseline Freq: counts which targets stand in which relation to which names in `training`.
/// Each neighbour (relation, its direction, other name) of an object votes with its count for the
/// target that has it most often, or with `all_partners` for every target. Its scores are counts:
/// they are not to be normalised.
SceneScores freq_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                        std::span<const std::uint32_t> targets, bool all_partners = false);

/// Naive Bayes over neighbours: the logarithm of how frequent a target is among the objects of
/// `training`, and of how frequent each neighbour (relation, direction, other name) is among its
/// own. Not to be normalised.
SceneScores bayes_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                         std::span<const std::uint32_t> targets);

/// Logistic regression: a softmax over the targets, linear in an object's neighbours (relation,
/// direction, other name) and in its relations alone, each target's own name hidden in training.
/// The same seed gives the same weights. Not to be normalised.
SceneScores logistic_scores(const SceneSet& scenes, std::span<const std::uint32_t> training,
                            std::span<const std::uint32_t> targets, std::uint64_t seed = 0);

}  // namespace hri
