// SPDX-License-Identifier: Apache-2.0
#include "hri/priors.hpp"
#include "hri/random.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hri {
namespace {

constexpr int kReserved = 2;  // columns of True and False

/// The root of the mean square of a random start's entries, which are uniform in [0, 1).
const double kSpread = std::sqrt(1.0 / 3.0);

}  // namespace

Prior make_prior(const EmbeddingTable& table, const std::vector<PredicateSymbol>& predicates,
                 int dimension, std::uint64_t seed) {
    const auto count = static_cast<Eigen::Index>(predicates.size());
    const Eigen::Index from = table.dimension;
    const Eigen::Index columns = dimension - kReserved;
    std::vector<Eigen::Index> known;
    Eigen::MatrixXd vectors(count, from);  // of the known ones, in order
    for (Eigen::Index p = 0; p < count; ++p) {
        const auto vector = table.find(predicates[static_cast<std::size_t>(p)].name);
        if (!vector) {
            continue;
        }
        for (Eigen::Index k = 0; k < from; ++k) {
            vectors(static_cast<Eigen::Index>(known.size()), k) =
                static_cast<double>((*vector)[static_cast<std::size_t>(k)]);
        }
        known.push_back(p);
    }
    if (known.empty()) {
        throw Error("the table has a vector for none of the predicates", {},
                    fmt::format("its names are to be like '{}'",
                                predicates.empty() ? "car" : predicates.front().name));
    }
    const auto rows = static_cast<Eigen::Index>(known.size());
    vectors.conservativeResize(rows, from);
    const Eigen::RowVectorXd mean = vectors.colwise().mean();
    const Eigen::MatrixXd centred = vectors.rowwise() - mean;
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinV);
    Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(from, columns);
    const Eigen::Index kept = std::min(columns, svd.matrixV().cols());
    axes.leftCols(kept) = svd.matrixV().leftCols(kept);
    for (Eigen::Index k = 0; k < kept; ++k) {  // an axis has no direction: its largest entry is > 0
        Eigen::Index largest = 0;
        axes.col(k).cwiseAbs().maxCoeff(&largest);
        axes.col(k) *= axes(largest, k) < 0 ? -1.0 : 1.0;
    }
    const double length = std::sqrt((centred * axes).squaredNorm() / static_cast<double>(rows));
    if (length > 0) {
        axes *= kSpread * std::sqrt(static_cast<double>(columns)) / length;
    }

    Prior prior;
    prior.known = static_cast<int>(rows);
    for (Eigen::Index k = 0; k < from; ++k) {
        prior.projection.mean.push_back(static_cast<float>(mean(k)));
        for (Eigen::Index j = 0; j < columns; ++j) {
            prior.projection.axes.push_back(static_cast<float>(axes(k, j)));
        }
    }
    Random random(seed, Random::kStart);
    for (Eigen::Index p = 0, next = 0; p < count; ++p) {
        std::vector<float> row(static_cast<std::size_t>(dimension), 0.0F);
        if (next < rows && known[static_cast<std::size_t>(next)] == p) {
            row = prior.projection(*table.find(predicates[static_cast<std::size_t>(p)].name));
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
