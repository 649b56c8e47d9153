// SPDX-License-Identifier: Apache-2.0
#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

namespace hri {

template <class Real>
Inference<Real>::Inference(const Hierarchy& hierarchy, const ProtoRules& protorules,
                           const Options& options)
    : hierarchy_(&hierarchy),
      kernels_(&kernels<Real>(options.fuzzy_and)),
      options_(options),
      least_(static_cast<Real>(options.skip_pairs)),
      least_gradient_(static_cast<Real>(options.skip_gradients)),
      first_(hierarchy.first_auxiliary()),
      auxiliaries_(static_cast<int>(hierarchy.auxiliaries.size())),
      predicates_(hierarchy.predicates()) {
    for (const Auxiliary& auxiliary : hierarchy.auxiliaries) {
        RuleStep rule;
        rule.plan = compile(protorules[static_cast<std::size_t>(auxiliary.protorule)]);
        const auto slot_of = [&](const Operand& operand) {
            return auxiliary.slots[static_cast<std::size_t>(operand.slot)];
        };
        rule.left_slot = slot_of(rule.plan.left);
        rule.left_view = views_.add(rule.plan.left.view);
        if (rule.plan.disjunct) {
            rule.disjunct_slot = slot_of(*rule.plan.disjunct);
            rule.disjunct_view = views_.add(rule.plan.disjunct->view);
        }
        if (rule.plan.combine != Combine::single) {
            rule.right_slot = slot_of(rule.plan.right);
            const int right_view = views_.add(rule.plan.right.view);
            int left_transposed = -1;
            if (rule.plan.combine == Combine::join) {
                View turned = rule.plan.left.view;
                turned.transposed = !turned.transposed;
                left_transposed = views_.add(turned);
            }
            auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
                return g.combine == rule.plan.combine && g.left_view == rule.left_view &&
                       g.right_view == right_view;
            });
            if (group == groups_.end()) {
                groups_.push_back(
                    {rule.plan.combine, rule.left_view, left_transposed, right_view, {}});
                group = groups_.end() - 1;
            }
            group->rules.push_back(static_cast<int>(rules_.size()));
        }
        rules_.push_back(rule);
    }
    every_.assign(static_cast<std::size_t>(auxiliaries_), 1);
    least_score_.assign(hierarchy.slots.size(), Real(0));
    heads_.assign(static_cast<std::size_t>(predicates_ * predicates_), -1);
    tails_ = heads_;
}

template <class Real>
typename Inference<Real>::Shape Inference<Real>::shape_of(const Group& group, int left,
                                                          int right) const {
    if (group.combine == Combine::meet)
        return Shape::meet;
    const int left_arity = hierarchy_->arity[static_cast<std::size_t>(left)];
    const int right_arity = hierarchy_->arity[static_cast<std::size_t>(right)];
    if (views_.view(group.right_view).constant_along_second(right_arity))
        return Shape::column;
    if (left_arity == 0)
        return Shape::row;
    return views_.view(group.left_view).constant_along_second(left_arity) ? Shape::outer
                                                                          : Shape::join;
}

// The pairs whose weight counts for some rule, with those weights: first the pairs of inputs, then
// the others.
template <class Real>
void Inference<Real>::list_pairs() {
    entries_.clear();
    pairs_.clear();
    other_pairs_.clear();
    const auto largest = [&](int slot) {
        return *std::max_element(alpha_of(slot), alpha_of(slot) + predicates_);
    };
    for (std::size_t slot = 0; slot < least_score_.size(); ++slot)
        least_score_[slot] = std::min(least_, largest(static_cast<int>(slot)) / 2);
    const auto counted = [&](std::vector<int>& out, int slot) {
        out.clear();
        for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates)
            if (counts(slot, p) && !is_zero(p, 1))
                out.push_back(p);
    };
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        links_.clear();
        for (const int r : group.rules) {
            counted(lefts_, rule(r).left_slot);
            counted(rights_, rule(r).right_slot);
            const Real* right_alpha = alpha_of(rule(r).right_slot);
            const Real least =
                std::min(least_, largest(rule(r).left_slot) * largest(rule(r).right_slot) / 2);
            for (const int left : lefts_) {
                const Real left_weight = alpha_of(rule(r).left_slot)[left];
                for (const int right : rights_) {
                    const Real weight = left_weight * right_alpha[right];
                    if (!(weight > least))
                        continue;
                    const auto at = static_cast<std::size_t>(left * predicates_ + right);
                    const int link = static_cast<int>(links_.size());
                    links_.push_back({r, weight, -1});
                    if (heads_[at] < 0) {
                        heads_[at] = link;
                        const bool inputs = is_input(left) && is_input(right);
                        (inputs ? pairs_ : other_pairs_)
                            .push_back({left, right, static_cast<int>(g), 0, 0,
                                        shape_of(group, left, right), inputs, false});
                    } else {
                        links_[static_cast<std::size_t>(tails_[at])].next = link;
                    }
                    tails_[at] = link;
                }
            }
        }
        for (std::vector<Pair>* list : {&pairs_, &other_pairs_}) {
            for (Pair& pair : *list) {
                if (pair.group != static_cast<int>(g))
                    continue;
                const auto at = static_cast<std::size_t>(pair.left * predicates_ + pair.right);
                pair.first = static_cast<int>(entries_.size());
                for (int link = heads_[at]; link >= 0;
                     link = links_[static_cast<std::size_t>(link)].next) {
                    const Link& entry = links_[static_cast<std::size_t>(link)];
                    entries_.push_back({entry.rule, entry.weight});
                    pair.reduces |= rule(entry.rule).reduced();
                }
                pair.count = static_cast<int>(entries_.size()) - pair.first;
                heads_[at] = -1;
            }
        }
    }
    input_pairs_ = static_cast<int>(pairs_.size());
    pairs_.insert(pairs_.end(), other_pairs_.begin(), other_pairs_.end());

    // Views that nothing reads this time need no computing.
    views_.forget_uses();
    for (const Pair& pair : pairs_) {
        const Group& group = groups_[static_cast<std::size_t>(pair.group)];
        const bool column = pair.shape == Shape::column;
        views_.use(column ? group.left_transposed : group.left_view, pair.left);
        views_.use(group.right_view, pair.right);
        if (pair.shape == Shape::row || pair.shape == Shape::outer)
            views_.use_columns(group.right_view, pair.right);
    }
    const auto use_slot = [&](int view, int slot) {
        for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates)
            if (counts(slot, p))
                views_.use(view, p);
    };
    for (const RuleStep& r : rules_) {
        if (r.plan.combine == Combine::single)
            use_slot(r.left_view, r.left_slot);
        if (r.disjunct_slot >= 0)
            use_slot(r.disjunct_view, r.disjunct_slot);
    }
}

// wanted_[s][r]: whether the target's value after the last step depends on rule r's value after
// step s.
template <class Real>
void Inference<Real>::find_wanted(int steps) {
    if (static_cast<int>(wanted_.size()) == steps + 1)
        return;
    wanted_.assign(static_cast<std::size_t>(steps + 1),
                   std::vector<char>(static_cast<std::size_t>(auxiliaries_), 0));
    const auto want = [&](int slot, std::vector<char>& flags) {
        for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates)
            if (!is_input(p))
                flags[static_cast<std::size_t>(p - first_)] = 1;
    };
    want(hierarchy_->target_slot(), wanted_[static_cast<std::size_t>(steps)]);
    for (auto s = static_cast<std::size_t>(steps); s-- > 0;) {
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            if (wanted_[s + 1][r] == 0)
                continue;
            for (const int slot : hierarchy_->auxiliaries[r].slots)
                want(slot, wanted_[s]);
            if (options_.merge == Merge::sum)
                wanted_[s][r] = 1;
        }
    }
}

template <class Real>
void Inference<Real>::begin(const Real* alpha, const DenseInstance<Real>& instance, int history) {
    alpha_ = alpha;
    instance_ = &instance;
    history_ = history;
    const auto area = static_cast<std::size_t>(instance.n * instance.ld);
    const auto all = static_cast<std::size_t>(auxiliaries_) * area;
    const auto kept = static_cast<std::size_t>(history) * all;
    if (values_.size() < kept) {
        values_.resize(kept);
        ands_.resize(kept);
        ors_.resize(kept);
    }
    if (n_ != instance.n) {
        n_ = instance.n;
        ld_ = instance.ld;
        area_ = n_ * ld_;
        const auto vectors = static_cast<std::size_t>(auxiliaries_ * ld_);
        base_.resize(all);
        for (auto* buffer : {&product_, &placed_, &d_product_, &d_disjunct_})
            buffer->assign(area, Real(0));
        for (auto* buffer : {&columns_, &rows_, &d_columns_, &d_rows_})
            buffer->assign(vectors, Real(0));
        row_.assign(static_cast<std::size_t>(ld_), Real(0));
        d_row_.assign(static_cast<std::size_t>(ld_), Real(0));
        winner_.assign(area, 0);
        row_winner_.assign(static_cast<std::size_t>(ld_), 0);
        views_.resize(*kernels_, predicates_, n_, ld_);
        has_vectors_.assign(static_cast<std::size_t>(auxiliaries_), 0);
    }
    std::fill_n(auxiliary_at(values_, 0, 0), all, Real(0));
    list_pairs();
    for (int p = 0; p < first_; ++p)
        views_.update(p, instance.matrix(p));
    std::fill(base_.begin(), base_.end(), Real(0));
    for (int i = 0; i < input_pairs_; ++i)
        pool_pair(pairs_[static_cast<std::size_t>(i)], base_.data(), every_);
    fold_vectors(base_.data(), every_);
}

// AND of the pair's two predicates: product_ (or a matrix that is at hand), or row_ where it is a
// vector.
template <class Real>
const Real* Inference<Real>::combine(const Pair& pair) {
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    switch (pair.shape) {
        case Shape::meet: {
            const Real* left = views_.matrix(group.left_view, pair.left);
            const Real* right = views_.matrix(group.right_view, pair.right);
            if (pair.left == Hierarchy::kTrue)
                return right;
            if (pair.right == Hierarchy::kTrue)
                return left;
            kernels_->meet(product_.data(), left, right, area_);
            return product_.data();
        }
        case Shape::join:
            kernels_->join(product_.data(), views_.matrix(group.left_view, pair.left),
                           views_.matrix(group.right_view, pair.right), n_, ld_);
            return product_.data();
        case Shape::outer:
            kernels_->outer(product_.data(), views_.matrix(group.left_view, pair.left),
                            views_.column_max(group.right_view, pair.right), n_, ld_);
            return product_.data();
        case Shape::column:
            kernels_->join_column(row_.data(), row_winner_.data(),
                                  views_.matrix(group.left_transposed, pair.left),
                                  views_.matrix(group.right_view, pair.right), n_, ld_);
            return row_.data();
        case Shape::row:
            kernels_->outer(row_.data(), views_.matrix(group.left_view, pair.left),
                            views_.column_max(group.right_view, pair.right), 1, ld_);
            return row_.data();
    }
    return nullptr;
}

// The vector in row_ as a matrix in product_.
template <class Real>
void Inference<Real>::expand(const Pair& pair) {
    for (int x = 0; x < n_; ++x)
        for (int y = 0; y < n_; ++y)
            product_[static_cast<std::size_t>(x * ld_ + y)] =
                row_[static_cast<std::size_t>(pair.shape == Shape::column ? x : y)];
}

template <class Real>
void Inference<Real>::pool_pair(const Pair& pair, Real* sums, const std::vector<char>& wanted) {
    bool needed = false;
    for (int e = pair.first; e < pair.first + pair.count && !needed; ++e)
        needed = wanted[static_cast<std::size_t>(entries_[static_cast<std::size_t>(e)].rule)] != 0;
    if (!needed)
        return;
    const bool is_sum = options_.pool == Pool::sum;
    const bool vector = pair.shape == Shape::column || pair.shape == Shape::row;
    const Real* product = combine(pair);
    if (vector && !is_sum) {
        expand(pair);
        product = product_.data();
    }
    if (pair.reduces)
        kernels_->column_max(row_.data(), row_winner_.data(), product, n_, ld_);
    const auto pool = is_sum ? kernels_->add_scaled : kernels_->keep_larger;
    for (int e = pair.first; e < pair.first + pair.count; ++e) {
        const Entry& entry = entries_[static_cast<std::size_t>(e)];
        if (wanted[static_cast<std::size_t>(entry.rule)] == 0)
            continue;
        Real* sum = sums + entry.rule * area_;
        if (vector && is_sum) {
            std::vector<Real>& vectors = pair.shape == Shape::column ? columns_ : rows_;
            kernels_->add_scaled(vectors.data() + entry.rule * ld_, product, entry.weight, ld_);
            has_vectors_[static_cast<std::size_t>(entry.rule)] = 1;
        } else if (!rule(entry.rule).reduced()) {
            pool(sum, product, entry.weight, area_);
        } else if (!rule(entry.rule).plan.reduce_all) {
            pool(sum, row_.data(), entry.weight, ld_);
        } else {
            std::fill_n(placed_.begin(), n_, *std::max_element(row_.begin(), row_.begin() + n_));
            std::fill_n(placed_.begin() + n_, ld_ - n_, Real(0));
            pool(sum, placed_.data(), entry.weight, ld_);
        }
    }
}

// Adds the pooled vectors to the pooled matrices, and clears them.
template <class Real>
void Inference<Real>::fold_vectors(Real* sums, const std::vector<char>& wanted) {
    for (int r = 0; r < auxiliaries_; ++r) {
        if (has_vectors_[static_cast<std::size_t>(r)] == 0)
            continue;
        Real* column = columns_.data() + r * ld_;
        Real* row = rows_.data() + r * ld_;
        if (wanted[static_cast<std::size_t>(r)] != 0)
            kernels_->add_outer_sum(sums + r * area_, column, row, n_, ld_);
        std::fill_n(column, ld_, Real(0));
        std::fill_n(row, ld_, Real(0));
        has_vectors_[static_cast<std::size_t>(r)] = 0;
    }
}

// out = pool_P alpha[slot][P] U[P] over the predicates that are not all zero.
template <class Real>
void Inference<Real>::pool_slot(Real* out, int slot, int view) {
    std::fill_n(out, area_, Real(0));
    const auto pool = options_.pool == Pool::sum ? kernels_->add_scaled : kernels_->keep_larger;
    const Real* alpha = alpha_of(slot);
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates)
        if (counts(slot, p) && !is_zero(p, last_step_))
            pool(out, views_.matrix(view, p), alpha[p], area_);
}

// The pooled conjunction under the head: (n, ld).
template <class Real>
void Inference<Real>::place(Real* out, const RuleStep& rule, const Real* sum) {
    const bool is_row = rule.reduced();
    for (int x = 0; x < n_; ++x) {
        for (int y = 0; y < n_; ++y) {
            Real v = 0;
            switch (rule.plan.head) {
                case Plan::Head::direct:
                    v = is_row ? sum[x] : sum[x * ld_ + y];
                    break;
                case Plan::Head::transposed:
                    v = is_row ? sum[y] : sum[y * ld_ + x];
                    break;
                case Plan::Head::diagonal:
                    v = x == y ? (is_row ? sum[x] : sum[x * ld_]) : Real(0);
                    break;
            }
            out[x * ld_ + y] = v;
        }
    }
}

template <class Real>
void Inference<Real>::prepare_views(int s) {
    if (s == 0)
        return;  // all auxiliaries are 0 and nothing reads them
    const std::vector<char>& wanted = wanted_at(s);
    for (int a = 0; a < auxiliaries_; ++a)
        if (wanted[static_cast<std::size_t>(a)] != 0)
            views_.update(first_ + a, auxiliary_at(values_, a, s));
}

template <class Real>
void Inference<Real>::apply_rule(int r, int s) {
    const RuleStep& rule = this->rule(r);
    Real* sum = auxiliary_at(ands_, r, s);
    if (rule.plan.combine == Combine::single)
        pool_slot(sum, rule.left_slot, rule.left_view);
    Real* out = auxiliary_at(values_, r, s);
    const Real* conjunction = sum;
    if (!rule.direct()) {
        place(placed_.data(), rule, sum);
        conjunction = placed_.data();
    }
    if (rule.disjunct_slot >= 0) {
        Real* other = auxiliary_at(ors_, r, s);
        pool_slot(other, rule.disjunct_slot, rule.disjunct_view);
        if (rule.plan.disjunct_head == Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    other[x * ld_ + y] = x == y ? other[x * ld_ + y] : Real(0);
        kernels_->either[static_cast<int>(options_.fuzzy_or)](out, conjunction, other, area_);
    } else {
        std::copy_n(conjunction, area_, out);
    }
    // MERGE = max needs no work: valuations start at 0 and a step is monotone, so that the new
    // value is never below the old one. It therefore also takes the whole gradient.
    if (options_.merge == Merge::sum && s > 1) {
        const Real* old = auxiliary_at(values_, r, s - 1);
        for (int i = 0; i < area_; ++i)
            out[i] = std::min(Real(1), old[i] + out[i]);
    }
}

template <class Real>
void Inference<Real>::step(int s) {
    const std::vector<char>& wanted = wanted_at(s);
    last_step_ = s - 1;
    prepare_views(s - 1);
    Real* sums = auxiliary_at(ands_, 0, s);
    std::copy(base_.begin(), base_.end(), sums);
    if (s > 1) {  // before, all auxiliaries are 0
        for (std::size_t i = static_cast<std::size_t>(input_pairs_); i < pairs_.size(); ++i)
            pool_pair(pairs_[i], sums, wanted);
        fold_vectors(sums, wanted);
    }
    for (int r = 0; r < auxiliaries_; ++r)
        if (wanted[static_cast<std::size_t>(r)] != 0)
            apply_rule(r, s);
    last_step_ = s;
}

template <class Real>
void Inference<Real>::finish_target() {
    const int n = n_;
    const bool pairs = hierarchy_->target_arity == 2;
    const int slot = hierarchy_->target_slot();
    target_.assign(static_cast<std::size_t>(pairs ? n * n : n), Real(0));
    const Real* alpha = alpha_of(slot);
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates) {
        const Real* v = value_at(p, last_step_);
        for (int x = 0; x < n; ++x) {
            if (pairs) {
                for (int y = 0; y < n; ++y) {
                    Real& out = target_[static_cast<std::size_t>(x * n + y)];
                    const Real term = alpha[p] * v[x * ld_ + y];
                    out = options_.target_pool == Pool::sum ? out + term : std::max(out, term);
                }
            } else {  // a binary auxiliary counts by its existential projection
                Real& out = target_[static_cast<std::size_t>(x)];
                const Real term = alpha[p] * *std::max_element(v + x * ld_, v + x * ld_ + n);
                out = options_.target_pool == Pool::sum ? out + term : std::max(out, term);
            }
        }
    }
    for (Real& v : target_)
        v = std::clamp(v, Real(0), Real(1));
}

template <class Real>
void Inference<Real>::forward(const Real* alpha, const DenseInstance<Real>& instance, int steps) {
    find_wanted(steps);
    begin(alpha, instance, steps + 1);
    last_step_ = 0;
    for (int s = 1; s <= steps; ++s)
        step(s);
    finish_target();
}

template <class Real>
void Inference<Real>::forward_only(const Real* alpha, const DenseInstance<Real>& instance,
                                   int steps) {
    if (steps >= 0)
        find_wanted(steps);
    else
        wanted_.assign(1, every_);
    begin(alpha, instance, 2);
    last_step_ = 0;
    // A crisp value takes at most n^2 steps per predicate to arrive, soft ones creep towards their
    // limit: the bound only guards against endless creeping.
    const int most = steps >= 0 ? steps : std::max(10'000, n_ * n_ * auxiliaries_ + 1);
    for (int s = 1; s <= most; ++s) {
        step(s);
        if (steps < 0) {
            Real change = 0;
            const Real* now = auxiliary_at(values_, 0, s);
            const Real* before = auxiliary_at(values_, 0, s - 1);
            for (int i = 0; i < auxiliaries_ * area_; ++i)
                change = std::max(change, std::abs(now[i] - before[i]));
            if (change <= Real(1e-6))
                break;
        }
    }
    finish_target();
    if (steps < 0)
        wanted_.clear();
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri
