// SPDX-License-Identifier: Apache-2.0
#include "hri/priors.hpp"
#include "hri/random.hpp"

#include "soft/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace hri {
namespace {

constexpr int kReserved = 2;  // columns of True and False

/// Variance beside the largest that counts as none: a rounding error of the sums.
constexpr double kSmallest = 1e-12;

/// The root of the mean square of a random start's entries, which are uniform in [0, 1).
const double kSpread = std::sqrt(1.0 / 3.0);

/// Makes every column's mean zero, and returns what it was. `matrix`: (rows, columns).
std::vector<double> subtract_mean(std::vector<double>& matrix, std::size_t columns) {
    std::vector<double> mean(columns, 0.0);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        mean[i % columns] += matrix[i];
    }
    const std::size_t rows = matrix.size() / columns;
    for (double& value : mean) {
        value /= static_cast<double>(rows);
    }
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        matrix[i] -= mean[i % columns];
    }
    return mean;
}

/// (from, columns): the `columns` directions in which the rows of `centred` (rows, from) differ
/// most, 0 where they differ in fewer. Scaled so that the projected rows are as long as a start.
std::vector<double> principal_axes(const std::vector<double>& centred, std::size_t from,
                                   std::size_t columns) {
    std::vector<double> covariance(from * from, 0.0);
    for (std::size_t row = 0; row < centred.size(); row += from) {
        for (std::size_t i = 0; i < from; ++i) {
            for (std::size_t j = 0; j < from; ++j) {
                covariance[i * from + j] += centred[row + i] * centred[row + j];
            }
        }
    }
    const soft::SymmetricEigen eigen = soft::symmetric_eigen(std::move(covariance), from);
    std::size_t kept = 0;
    double variance = 0;  // of the projected rows: the sum of the eigenvalues
    while (kept < std::min(columns, from) && eigen.values[kept] > kSmallest * eigen.values[0]) {
        variance += eigen.values[kept++];
    }
    const std::size_t rows = centred.size() / from;
    const double scale = kSpread * std::sqrt(static_cast<double>(columns * rows) / variance);
    std::vector<double> axes(from * columns, 0.0);
    for (std::size_t i = 0; i < from; ++i) {
        for (std::size_t k = 0; k < kept; ++k) {
            axes[i * columns + k] = scale * eigen.vectors[i * from + k];
        }
    }
    return axes;
}

}  // namespace

Prior make_prior(const EmbeddingTable& table, const std::vector<PredicateSymbol>& predicates,
                 int dimension, std::uint64_t seed) {
    const auto from = static_cast<std::size_t>(table.dimension);
    const auto columns = static_cast<std::size_t>(dimension - kReserved);
    std::vector<std::size_t> known;
    std::vector<double> vectors;  // (known, from)
    for (std::size_t p = 0; p < predicates.size(); ++p) {
        if (const auto vector = table.find(predicates[p].name)) {
            vectors.insert(vectors.end(), vector->begin(), vector->end());
            known.push_back(p);
        }
    }
    if (known.empty()) {
        throw Error("the table has a vector for none of the predicates", {},
                    fmt::format("its names are to be like '{}'",
                                predicates.empty() ? "car" : predicates.front().name));
    }
    const std::vector<double> mean = subtract_mean(vectors, from);
    const std::vector<double> axes = principal_axes(vectors, from, columns);

    Prior prior;
    prior.known = static_cast<int>(known.size());
    prior.projection.mean.assign(mean.begin(), mean.end());
    prior.projection.axes.assign(axes.begin(), axes.end());
    Random random(seed, Random::kStart);
    for (std::size_t p = 0, next = 0; p < predicates.size(); ++p) {
        std::vector<float> row(static_cast<std::size_t>(dimension), 0.0F);
        if (next < known.size() && known[next] == p) {
            row = prior.projection(*table.find(predicates[p].name));
            ++next;
        } else {
            for (std::size_t k = kReserved; k < row.size(); ++k) {
                row[k] = static_cast<float>(kSpread * random.normal());
            }
        }
        prior.rows.insert(prior.rows.end(), row.begin(), row.end());
    }
    return prior;
}

std::map<std::uint32_t, std::uint32_t> nearest_predicates(
    const EmbeddingTable& table, const std::vector<PredicateSymbol>& predicates,
    const std::set<std::uint32_t>& of, const std::set<std::uint32_t>& among) {
    const auto vector = [&](std::uint32_t p) { return table.find(predicates[p].name); };
    const auto dot = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    std::map<std::uint32_t, std::uint32_t> nearest;
    for (const std::uint32_t p : of) {
        const auto mine = vector(p);
        double best = -std::numeric_limits<double>::infinity();
        for (const std::uint32_t other : among) {
            const auto its = mine ? vector(other) : std::nullopt;
            const double norm = its ? std::sqrt(dot(*its, *its)) : 0;
            if (norm > 0 && dot(*mine, *its) / norm > best) {
                best = dot(*mine, *its) / norm;
                nearest[p] = other;
            }
        }
    }
    return nearest;
}

std::vector<ClosePair> closest_pairs(const std::vector<float>& rows, int dimension, int count) {
    const auto d = static_cast<std::size_t>(dimension);
    const std::size_t n = rows.size() / d;
    std::vector<double> unit(rows.begin(), rows.end());
    for (std::size_t r = 0; r < n; ++r) {
        double sum = 0;
        for (std::size_t k = 0; k < d; ++k) {
            sum += unit[r * d + k] * unit[r * d + k];
        }
        for (std::size_t k = 0; k < d && sum > 0; ++k) {
            unit[r * d + k] /= std::sqrt(sum);
        }
    }
    std::vector<ClosePair> pairs;
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = a + 1; b < n; ++b) {
            double cosine = 0;
            for (std::size_t k = 0; k < d; ++k) {
                cosine += unit[a * d + k] * unit[b * d + k];
            }
            pairs.push_back({static_cast<int>(a), static_cast<int>(b), cosine});
        }
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const ClosePair& a, const ClosePair& b) {
        return a.similarity > b.similarity;
    });
    pairs.resize(std::min(pairs.size(), static_cast<std::size_t>(count)));
    return pairs;
}

}  // namespace hri
