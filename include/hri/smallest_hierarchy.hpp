// SPDX-License-Identifier: Apache-2.0
#pragma once

// The smallest model that can say what a program says.
//
//   Program program = parse_program("even(X) :- zero(X).\n"
//                                   "even(X) :- even(Y), succ(Y,Z), succ(Z,X).\n");
//   auto found = represent(program, {{"zero", 1}, {"succ", 2}}, Options{});
//   found->model                    // its slots are set to the program: extract() gives it back

#include "hri/model.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hri {

struct RepresentLimits {
    int layers = 6;
    int auxiliaries = 3;           ///< per proto-rule and layer
    std::int64_t tries = 200'000;  ///< auxiliaries put in a place, for each size of model
};

struct Representation {
    Model model;   ///< options.layers and options.auxiliaries are the smallest
    int used = 0;  ///< auxiliaries that the target reaches
    /// Inference steps until the target is right on any data; none where the program is recursive
    /// and larger data take more.
    std::optional<int> steps;
    bool smallest = true;  ///< no smaller size was left undecided
};

/// Looks for the fewest auxiliaries per proto-rule, then the fewest layers, with the proto-rules,
/// recursivity and visibility of `options`. Each rule of the program, as it stands or with
/// predicates of one rule unfolded, is taken apart into pieces that proto-rules put together; a
/// program that means the same by another way may need less. Throws Error where the program has
/// constants or predicates of more than two arguments.
std::optional<Representation> represent(const Program& program,
                                        const std::vector<PredicateSymbol>& inputs,
                                        const Options& options, const RepresentLimits& limits = {});

/// Whether two programs give the same answers at their fixpoints on that many random instances of
/// 1 to 6 constants, sparse and dense.
bool same_answers(const Program& a, const Program& b, const std::vector<PredicateSymbol>& inputs,
                  int instances = 500, std::uint64_t seed = 1);

/// The predicates that no rule defines, in order of appearance.
std::vector<PredicateSymbol> input_predicates(const Program& program);

}  // namespace hri
