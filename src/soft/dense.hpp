// SPDX-License-Identifier: Apache-2.0
#pragma once

// An instance as the matrices that inference reads.

#include "hri/data.hpp"

#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::soft {

template <class Real>
struct DenseInstance {
    int n = 0;
    int ld = 0;
    std::vector<Real> values;   // (2 + inputs, n, ld): True, False, inputs
    std::vector<bool> zero;     // (2 + inputs): no entry is above 0
    std::vector<Label> labels;  // as Instance::labels
    int target_arity = 2;
    std::vector<int> constants;  // [constant of the proto-rules]; -1: the instance lacks it

    const Real* matrix(int predicate) const { return values.data() + predicate * n * ld; }
};

/// `columns[i]` is the position of instance.facts[i] among the model's inputs, -1 to leave it out.
/// `constants`: constants_of() the model's proto-rules. What follows from other inputs (`=`,
/// negations) needs no facts. Fills `dense`, keeping its memory.
template <class Real>
void make_dense(DenseInstance<Real>& dense, const Instance& instance,
                const std::vector<int>& columns, const std::vector<PredicateSymbol>& model_inputs,
                int target_arity, const std::vector<std::string>& constants = {});

/// The positions of `inputs` among `model_inputs`, -1 where it lacks them.
std::vector<int> columns_of(const std::vector<PredicateSymbol>& inputs,
                            const std::vector<PredicateSymbol>& model_inputs);

}  // namespace hri::soft
