// SPDX-License-Identifier: Apache-2.0
#pragma once

// Examples set apart, to be judged by and not learned from, and samples.
//
//   for (int i = 0; i < 5; ++i) {
//       const Problem part = fold(problem, 5, i, seed);
//       const Report report = learn(part, options);        // report.evaluation: the fold's
//   }

#include "hri/data.hpp"

#include <cstdint>

namespace hri {

/// Part `i` of `folds` is evaluated on, the others are trained on. Positive and negative examples
/// are dealt apart, at random, so that every part has its share of both; facts stay everywhere. An
/// example that several instances label goes the same way in all of them. Throws Error where the
/// training data are generated or have fewer examples than parts.
/// `keep_rare`: where a bias says that a clause is about one constant of some type, such as the
/// state of a game, the other arguments are the answer, and examples are dealt by their answer too.
/// Those of an answer that fewer examples have than there are parts are always trained on: nothing
/// else would tell of it.
Problem fold(const Problem& problem, int folds, int i, std::uint64_t seed, bool keep_rare = false);

/// A share (between 0 and 1) of the examples is evaluated on, at least one of each kind there is.
Problem held_out(const Problem& problem, double share, std::uint64_t seed);

/// At most `instances` of the training instances, drawn at random, in their order.
Problem sampled(Problem problem, int instances, std::uint64_t seed);

}  // namespace hri
