// SPDX-License-Identifier: Apache-2.0
#include "soft/workspace.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::soft {

namespace {

constexpr std::size_t kBatchBytes = std::size_t(32) << 20;  // of all pairs of a batch
constexpr std::size_t kMaxBatch = 64;

}  // namespace

template <class Real>
bool Workspace<Real>::resize(int constants, int stride, int kept_steps) {
    history = kept_steps;
    const std::size_t kept = base::checked_size(
        "valuations",
        {{"steps", history}, {"auxiliaries", rules}, {"constants", constants}, {"columns", stride}},
        sizeof(Real));
    const auto cells = static_cast<std::size_t>(constants) * static_cast<std::size_t>(stride);
    const std::size_t all = static_cast<std::size_t>(rules) * cells;
    for (auto* buffer : {&values, &ands, &ors})
        buffer->resize(std::max(buffer->size(), kept));
    if (n == constants)
        return false;
    n = constants;
    ld = stride;
    area = n * ld;
    base.resize(all);
    for (auto* buffer : {&scratch, &claimed})
        buffer->assign(cells, Real(0));
    for (auto* buffer : {&columns, &rows, &d_columns, &d_rows})
        buffer->assign(static_cast<std::size_t>(rules) * static_cast<std::size_t>(ld), Real(0));
    for (auto* buffer : {&values, &d_ands})  // what fills up their rows is never written
        std::fill(buffer->begin(), buffer->end(), Real(0));
    has_vectors.assign(static_cast<std::size_t>(rules), 0);
    return true;
}

template <class Real>
void Workspace<Real>::resize_batch(int workers) {
    const auto cells = static_cast<std::size_t>(area);
    const auto width = static_cast<std::size_t>(ld);
    const auto terms = static_cast<std::size_t>(rules);
    const std::size_t bytes = cells * (4 * sizeof(Real) + sizeof(Index<Real>));
    const auto least = static_cast<std::size_t>(2 * workers);
    batch = workers == 1 ? 1 : std::max(least, std::min(kMaxBatch, kBatchBytes / bytes));
    pairs.resize(std::max(pairs.size(), batch));
    for (std::size_t k = 0; k < batch; ++k) {
        PairWorkspace<Real>& w = pairs[k];
        for (auto* buffer : {&w.matrix, &w.won_left, &w.won_right, &w.d_matrix})
            buffer->resize(cells);
        for (auto* buffer : {&w.row, &w.d_row, &w.all, &w.d_all})
            buffer->assign(width, Real(0));
        w.winner.resize(cells);
        w.row_winner.assign(width, 0);
        w.some_terms.resize(terms);
        w.d_some_weights.resize(terms);
    }
}

template <class Real>
void Workspace<Real>::resize_backward() {
    const auto all = static_cast<std::size_t>(rules) * static_cast<std::size_t>(area);
    for (auto* buffer : {&d_values, &d_previous, &d_ands, &d_ands_sum, &d_ors})
        buffer->resize(std::max(buffer->size(), all));
}

template struct Workspace<float>;
template struct Workspace<double>;

}  // namespace hri::soft
