// SPDX-License-Identifier: Apache-2.0
// The pairs of a step over many constants, shared by a crew.
//
// Pairs come in batches, in their order. First each pair of a batch is worked on by one thread, at
// a desk: its product, and backward the product's gradient. Then what several pairs add to is
// summed, in the order of the pairs: forward by blocks of rows, backward by the predicate that gets
// the gradient. So every sum has the order that inference.cpp and inference_backward.cpp give it,
// whatever the number of threads. Max pooling, whose gradient goes from pair to pair, is not
// shared.

#include "soft/inference.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

namespace {

constexpr std::size_t kDeskBytes = std::size_t(32) << 20;  // of all desks
constexpr std::size_t kMaxDesks = 64;
constexpr int kBlocks = 4;  // of rows for each thread, so that a slow one takes fewer
constexpr int kMinRows = 8;

}  // namespace

template <class Real>
void Inference<Real>::make_desks() {
    const auto area = static_cast<std::size_t>(area_);
    const auto ld = static_cast<std::size_t>(ld_);
    const std::size_t bytes = area * (4 * sizeof(Real) + sizeof(Index<Real>));
    const auto least = static_cast<std::size_t>(2 * crew_->size());
    desk_count_ = std::max(least, std::min(kMaxDesks, kDeskBytes / bytes));
    workspaces_.resize(std::max(workspaces_.size(), desk_count_));
    for (std::size_t k = 0; k < desk_count_; ++k) {
        PairWorkspace& workspace = workspaces_[k];
        for (auto* buffer :
             {&workspace.matrix, &workspace.won_left, &workspace.won_right, &workspace.d_product})
            buffer->resize(area);
        for (auto* buffer : {&workspace.row, &workspace.d_row, &workspace.all, &workspace.d_all})
            buffer->assign(ld, Real(0));
        workspace.winner.resize(area);
        workspace.row_winner.resize(ld);
        workspace.terms.resize(rules_.size());
        workspace.d_weights.resize(rules_.size());
    }
}

// Puts the next pairs with live terms on desks; how many. `next` is the first that has to wait.
template <class Real>
int Inference<Real>::next_batch(std::size_t& next, std::size_t last, const RuleSet& live_rules) {
    std::size_t count = 0;
    for (; next < last && count < desk_count_; ++next) {
        PairWorkspace& workspace = workspaces_[count];
        workspace.pair = &pairs_[next];
        workspace.live = live_terms(*workspace.pair, live_rules, workspace.terms.data());
        workspace.product = nullptr;
        if (workspace.live.count() > 0)
            ++count;
    }
    return static_cast<int>(count);
}

template <class Real>
void Inference<Real>::share_pool(std::size_t first, std::size_t last, Real* sums,
                                 const RuleSet& wanted) {
    const int blocks = std::min(kBlocks * crew_->size(), n_ / kMinRows);
    while (first < last) {
        const int workspaces = next_batch(first, last, wanted);
        crew_->each(workspaces, [&](int k) {
            PairWorkspace& workspace = workspaces_[static_cast<std::size_t>(k)];
            if (workspace.pair->shape == Shape::join || workspace.is_vector() ||
                workspace.live.reduced + workspace.live.total > 0)
                multiply(workspace);
        });
        crew_->each(blocks + 1, [&](int b) {
            if (b == 0)
                pool_vectors(workspaces, sums);
            else
                pool_rows(workspaces, sums, (b - 1) * n_ / blocks,
                          b * n_ / blocks - (b - 1) * n_ / blocks);
        });
    }
}

// The product of the desk's pair, and its maxima as its terms need them.
template <class Real>
void Inference<Real>::multiply(PairWorkspace& workspace) {
    const Pair& pair = *workspace.pair;
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    if (pair.shape == Shape::column) {
        kernels_->join_column(workspace.row.data(), workspace.row_winner.data(),
                              views_.matrix(group.left_transposed, pair.left),
                              views_.matrix(group.right_view, pair.right), n_, ld_);
        workspace.product = workspace.row.data();
    } else if (pair.shape == Shape::row) {
        kernels_->outer(workspace.row.data(), views_.matrix(group.left_view, pair.left),
                        views_.column_max(group.right_view, pair.right), 1, ld_);
        workspace.product = workspace.row.data();
    } else if (workspace.product == nullptr) {
        workspace.product = multiply_rows(workspace.matrix.data(), pair, 0, n_);
    }
    if (workspace.live.reduced + workspace.live.total == 0)
        return;
    kernels_->column_max(workspace.row.data(), workspace.row_winner.data(), workspace.product, n_,
                         ld_);
    if (workspace.live.total > 0)
        std::fill_n(workspace.all.begin(), n_,
                    *std::max_element(workspace.row.begin(), workspace.row.begin() + n_));
}

// Some rows of a product that is a matrix: in `out`, or where they are at hand.
template <class Real>
const Real* Inference<Real>::multiply_rows(Real* out, const Pair& pair, int x, int rows) {
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const Real* left = views_.matrix(group.left_view, pair.left) + x * ld_;
    const Real* right = views_.matrix(group.right_view, pair.right);
    if (pair.shape == Shape::join)
        kernels_->join(out, left, right, rows, n_, ld_);
    else if (pair.shape == Shape::outer)
        kernels_->outer(out, left, views_.column_max(group.right_view, pair.right), rows, ld_);
    else if (pair.left == Hierarchy::kTrue)
        return right + x * ld_;
    else if (pair.right == Hierarchy::kTrue)
        return left;
    else
        kernels_->meet(out, left, right + x * ld_, rows * ld_);
    return out;
}

template <class Real>
void Inference<Real>::pool_rows(int workspaces, Real* sums, int x, int rows) {
    for (int k = 0; k < workspaces; ++k) {
        const PairWorkspace& workspace = workspaces_[static_cast<std::size_t>(k)];
        if (workspace.live.direct == 0 || workspace.is_vector())
            continue;
        const Real* in = workspace.product != nullptr
                             ? workspace.product + x * ld_
                             : multiply_rows(product_.data() + x * ld_, *workspace.pair, x, rows);
        kernels_->pool(sums + x * ld_, workspace.live.terms, workspace.live.direct, in, area_,
                       rows * ld_);
    }
}

template <class Real>
void Inference<Real>::pool_vectors(int workspaces, Real* sums) {
    for (int k = 0; k < workspaces; ++k) {
        const PairWorkspace& workspace = workspaces_[static_cast<std::size_t>(k)];
        const Live& live = workspace.live;
        if (workspace.is_vector()) {
            std::vector<Real>& vectors = workspace.pair->shape == Shape::column ? columns_ : rows_;
            kernels_->pool(vectors.data(), live.terms, live.direct, workspace.product, ld_, ld_);
            for (int t = 0; t < live.direct; ++t)
                has_vectors_[static_cast<std::size_t>(live.terms[t].rule)] = 1;
            continue;
        }
        Terms terms = live.terms + live.direct;
        if (live.reduced > 0)
            kernels_->pool(sums, terms, live.reduced, workspace.row.data(), area_, ld_);
        if (live.total > 0)
            kernels_->pool(sums, terms + live.reduced, live.total, workspace.all.data(), area_,
                           ld_);
    }
}

template <class Real>
void Inference<Real>::share_backward(Real* d_alpha, std::size_t first, std::size_t last,
                                     const Real* d_sums, const RuleSet& live) {
    while (first < last) {
        const int workspaces = next_batch(first, last, live);
        crew_->each(workspaces, [&](int k) {
            differentiate(workspaces_[static_cast<std::size_t>(k)], d_sums);
        });
        crew_->each(1 + predicates_ - learned_, [&](int i) {
            for (int k = 0; k < workspaces; ++k) {
                PairWorkspace& workspace = workspaces_[static_cast<std::size_t>(k)];
                if (i > 0)
                    scatter(workspace, learned_ + i - 1);
                else
                    add_weights(d_alpha, *workspace.pair, workspace.live.terms,
                                workspace.d_weights.data(), workspace.live.count());
            }
        });
    }
}

// The gradients of the product and of its weights.
template <class Real>
void Inference<Real>::differentiate(PairWorkspace& workspace, const Real* d_sums) {
    const Pair& pair = *workspace.pair;
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const bool given = is_given(pair.left) && is_given(pair.right);
    if (pair.shape == Shape::join && !given) {
        kernels_->join_with_winner(workspace.joined(), views_.matrix(group.left_view, pair.left),
                                   views_.matrix(group.right_view, pair.right), n_, n_, ld_);
        workspace.product = workspace.matrix.data();
    }
    multiply(workspace);
    std::fill_n(workspace.d_weights.begin(), workspace.live.count(), Real(0));
    const Real largest = collect(workspace, d_sums, given);
    workspace.scatters = !given && largest > min_gradient_;
}

// From the pooled sums; the largest of what the product gets.
template <class Real>
Real Inference<Real>::collect(PairWorkspace& workspace, const Real* d_sums, bool given) {
    const auto through = [&](Real* d_in, int from, int count, const Real* d_out, const Real* in,
                             int stride, int size) {
        Terms terms = workspace.live.terms + from;
        Real* d_weights = workspace.d_weights.data() + from;
        if (count > 0 && !given)
            return kernels_->pool_terms_backward(d_in, d_weights, d_out, terms, count, in, stride,
                                                 size);
        kernels_->pool_weights(d_weights, d_out, terms, count, in, stride, size);
        return Real(0);
    };
    const Live& live = workspace.live;
    if (workspace.is_vector())
        return through(workspace.d_row.data(), 0, live.direct,
                       (workspace.pair->shape == Shape::column ? d_columns_ : d_rows_).data(),
                       workspace.product, ld_, ld_);
    if (live.direct == 0)
        std::fill_n(workspace.d_product.begin(), area_, Real(0));
    Real largest = through(workspace.d_product.data(), 0, live.direct, d_sums, workspace.product,
                           area_, area_);
    if (live.reduced + live.total == 0)
        return largest;
    std::fill_n(workspace.d_row.begin(), ld_, Real(0));
    through(workspace.d_row.data(), live.direct, live.reduced, d_sums, workspace.row.data(), area_,
            ld_);
    through(workspace.d_all.data(), live.direct + live.reduced, live.total, d_sums,
            workspace.all.data(), area_, ld_);
    if (given)
        return 0;
    if (live.total > 0) {
        const auto top = std::max_element(workspace.row.begin(), workspace.row.begin() + n_);
        for (int x = 0; x < n_; ++x)
            workspace.d_row[static_cast<std::size_t>(top - workspace.row.begin())] +=
                workspace.d_all[static_cast<std::size_t>(x)];
    }
    for (int y = 0; y < n_; ++y) {
        const auto i = static_cast<std::size_t>(y);
        const int x = static_cast<int>(workspace.row_winner[i]);
        Real& d = workspace.d_product[static_cast<std::size_t>(x * ld_ + y)];
        d += workspace.d_row[i];
        largest = std::max(largest, std::abs(d));
    }
    return largest;
}

// To the predicate, where it is one of the pair.
template <class Real>
void Inference<Real>::scatter(PairWorkspace& workspace, int predicate) {
    const Pair& pair = *workspace.pair;
    if (!workspace.scatters || (pair.left != predicate && pair.right != predicate))
        return;
    const Sides sides = sides_of(pair);
    const Real* left = views_.matrix(sides.left, pair.left);
    const Real* right = sides.by_columns ? views_.column_max(sides.right, pair.right)
                                         : views_.matrix(sides.right, pair.right);
    Real* d_left = nullptr;
    Real* d_right = nullptr;
    if (pair.left == predicate) {
        d_left = views_.d_matrix(sides.left, pair.left);
        views_.touch(sides.left, pair.left);
    }
    if (pair.right == predicate) {
        d_right = sides.by_columns ? views_.d_column_max(sides.right, pair.right)
                                   : views_.d_matrix(sides.right, pair.right);
        views_.touch(sides.right, pair.right);
    }
    const Real* d_out = (workspace.is_vector() ? workspace.d_row : workspace.d_product).data();
    switch (pair.shape) {
        case Shape::meet:
            kernels_->meet_backward(d_left, d_right, d_out, left, right, area_);
            break;
        case Shape::join:
            kernels_->join_backward(d_left, d_right, d_out, workspace.joined(), n_, ld_);
            break;
        case Shape::column:
            kernels_->join_column_backward(d_left, d_right, d_out, workspace.row_winner.data(),
                                           left, right, n_, ld_);
            break;
        case Shape::outer:
        case Shape::row:
            kernels_->outer_backward(d_left, d_right, d_out, left, right,
                                     workspace.is_vector() ? 1 : n_, ld_);
            break;
    }
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
