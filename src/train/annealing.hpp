// SPDX-License-Identifier: Apache-2.0
#pragma once

// The decision between two annealing cycles of a training run: has it succeeded, or is the noise to
// rise again?

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/random.hpp"

namespace hri::training {

/// Whether the argmax program is right on each of Options::check_instances fresh training
/// instances, or on all of a fixed source: after the steps of training and at its fixpoint, hence,
/// since what is true stays true, after any number of steps between. And whether the soft model's
/// mean square error is below 1e-4 on every tenth of them, after the steps of evaluation if they
/// are more. These are not the instances that evaluation judges by.
bool succeeds_on_fresh(const Model& model, const Problem& problem, Random& random);

/// Gives every row that training changes unit length. Cosines do not notice, but steps and noise
/// do: gradients of cosines are orthogonal to the rows, so that rows grow with every step and
/// whatever is added to them turns them less and less.
void to_unit_length(Parameters& parameters, bool predicates);

}  // namespace hri::training
