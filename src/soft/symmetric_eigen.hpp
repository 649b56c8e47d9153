// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations.
//
//   const SymmetricEigen eigen = symmetric_eigen({2, 1, 1, 2}, 2);
//   eigen.values                      // 3, 1
//   eigen.vectors                     // (2, 2): the columns are (1, 1) / sqrt(2), (1, -1) /
//   sqrt(2)

#include <cstddef>
#include <vector>

namespace hri::soft {

struct SymmetricEigen {
    std::vector<double> values;  ///< (n), the largest first
    std::vector<double>
        vectors;  ///< (n, n): column k belongs to values[k]; columns are orthonormal
};

/// `matrix`: (n, n), finite and symmetric. The largest entry of each vector is positive.
SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t n);

}  // namespace hri::soft
