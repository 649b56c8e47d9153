// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soft/cuda/dense_work.hpp"

namespace hri::soft::phases {

/// Long sums are split: part i of a job takes every parts-th cell from i on.
template <class Real>
HRI_BOTH inline void add_part(const DenseWork<Real>& w, Real* out, int job, int part, Real sum) {
    if (w.plan.parts == 1)
        *out += sum;
    else
        w.partial[static_cast<long long>(part) * w.jobs() + job] = sum;
}

template <class Real>
HRI_BOTH inline Real sum_of_parts(const DenseWork<Real>& w, int job) {
    Real sum = 0;
    for (int i = 0; i < w.plan.parts; ++i)
        sum += w.partial[static_cast<long long>(i) * w.jobs() + job];
    return sum;
}

}  // namespace hri::soft::phases
