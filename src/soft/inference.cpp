// SPDX-License-Identifier: Apache-2.0
#include "soft/inference.hpp"

#include "base/flush.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

template <class Real>
Inference<Real>::Inference(const Hierarchy& hierarchy, const ProtoRules& protorules,
                           const Options& options, int learned, base::ThreadPool* crew)
    : hierarchy_(&hierarchy),
      kernels_(&kernels<Real>(options.fuzzy_and)),
      crew_(crew != nullptr && crew->size() > 1 ? crew : nullptr),
      options_(options),
      is_sum_(options.pool == Pool::sum),
      is_exact_(options.skip_pairs == 0 && options.skip_gradients == 0),
      least_(static_cast<Real>(options.skip_pairs)),
      min_gradient_(static_cast<Real>(options.skip_gradients)),
      first_(hierarchy.first_auxiliary()),
      learned_(learned < 0 ? first_ : learned),
      auxiliaries_(static_cast<int>(hierarchy.auxiliaries.size())),
      predicates_(hierarchy.predicates()) {
    const std::vector<std::string> constants = constants_of(protorules);
    for (const Auxiliary& auxiliary : hierarchy.auxiliaries) {
        RuleStep rule;
        rule.plan = hypotheses::compile(protorules[static_cast<std::size_t>(auxiliary.protorule)],
                                        constants);
        const auto slot_of = [&](const hypotheses::Operand& operand) {
            return auxiliary.slots[static_cast<std::size_t>(operand.slot)];
        };
        rule.left_slot = slot_of(rule.plan.left);
        rule.left_view = views_.add(rule.plan.left.view);
        if (rule.plan.disjunct) {
            rule.disjunct_slot = slot_of(*rule.plan.disjunct);
            rule.disjunct_view = views_.add(rule.plan.disjunct->view);
        }
        if (rule.plan.combine != hypotheses::Combine::single) {
            rule.right_slot = slot_of(rule.plan.right);
            const int right_view = views_.add(rule.plan.right.view);
            int left_transposed = -1;
            if (rule.plan.combine == hypotheses::Combine::join) {
                hypotheses::View turned = rule.plan.left.view;
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
        scores_.push_back({rule.left_slot * predicates_, rule.right_slot * predicates_});
    }
    // What a training iteration lists is bounded by what counts in the exact mode.
    std::size_t candidates = 0;
    for (const Slot& slot : hierarchy.slots)
        candidates += slot.candidates.size();
    std::size_t terms = 0;
    for (const Group& group : groups_) {
        std::size_t hits = 0;
        for (const int r : group.rules)
            hits += hierarchy.slots[static_cast<std::size_t>(rule(r).left_slot)].candidates.size() *
                    hierarchy.slots[static_cast<std::size_t>(rule(r).right_slot)].candidates.size();
        hits_.reserve(std::max(hits_.capacity(), hits));
        terms += hits;
    }
    const auto all = static_cast<std::size_t>(predicates_) * static_cast<std::size_t>(predicates_);
    const std::size_t pairs = std::min(terms, groups_.size() * all);
    terms_.reserve(terms);
    d_terms_.reserve(terms);
    work_.reserve(pairs);
    runs_.reserve(pairs);
    listed_.reserve(is_exact_ ? candidates : 0);
    pairs_.reserve(pairs);
    unordered_pairs_.reserve(pairs);
    counted_.reserve(candidates);
    counted_from_.resize(hierarchy.slots.size() + 1);
    largest_.resize(hierarchy.slots.size());
    settled_.assign(static_cast<std::size_t>(predicates_), 0);
    reads_.resize(rules_.size());
    for (std::vector<int>& reads : reads_)
        reads.reserve(rules_.size());
    live_.resize(kListed * rules_.size());
    d_weights_.resize(kListed * rules_.size());
    some_work_.resize(kListed);
    some_pairs_.resize(kListed);
    pair_at_.assign(all, -1);
    heavy_.resize(static_cast<std::size_t>(predicates_));
}

template <class Real>
void Inference<Real>::resize(const DenseInstance<Real>& instance) {
    const auto area = static_cast<std::size_t>(instance.n * instance.ld);
    const auto all = static_cast<std::size_t>(auxiliaries_) * area;
    const auto kept = static_cast<std::size_t>(history_) * all;
    if (values_.size() < kept) {
        values_.resize(kept);
        ands_.resize(kept);
        ors_.resize(kept);
    }
    if (n_ == instance.n)
        return;
    listed_steps_ = kNotListed;
    n_ = instance.n;
    ld_ = instance.ld;
    area_ = n_ * ld_;
    base_.resize(all);
    for (auto* buffer : {&product_, &won_left_, &won_right_, &placed_, &d_product_})
        buffer->assign(area, Real(0));
    for (auto* buffer : {&columns_, &rows_, &d_columns_, &d_rows_})
        buffer->assign(static_cast<std::size_t>(auxiliaries_ * ld_), Real(0));
    for (auto* buffer : {&row_, &d_row_, &all_, &d_all_})
        buffer->assign(static_cast<std::size_t>(ld_), Real(0));
    winner_.assign(area, 0);
    row_winner_.assign(static_cast<std::size_t>(ld_), 0);
    for (auto* buffer : {&values_, &d_ands_})  // place() leaves what fills up their rows
        std::fill(buffer->begin(), buffer->end(), Real(0));
    views_.resize(*kernels_, predicates_, n_, ld_);
    has_vectors_.assign(static_cast<std::size_t>(auxiliaries_), 0);
    if (is_shared())
        make_desks();
}

// steps < 0: without end.
template <class Real>
void Inference<Real>::begin(const Real* alpha, const DenseInstance<Real>& instance, int steps,
                            int history) {
    alpha_ = alpha;
    instance_ = &instance;
    history_ = history;
    resize(instance);
    list_candidates();
    if (same_lists(steps)) {
        weigh_terms();
    } else {
        list_reads();
        find_settled(steps);
        if (steps < 0) {
            for (auto* sets : {&wanted_, &active_, &later_}) {
                sets->resize(1);
                sets->front().clear(auxiliaries_);
                for (int r = 0; r < auxiliaries_; ++r)
                    sets->front().add(r);
                sets->front().close();
            }
        } else {
            find_wanted(steps);
        }
        settled_pairs_.resize(static_cast<std::size_t>(std::max(steps, 1)) + 1);
        list_pairs();
        list_uses();
        d_terms_.resize(terms_.size());
        list_runs();
        remember_lists(steps);
    }
    views_.set_constants(instance.constants, hierarchy_->arity);
    each(first_, [&](int p) { views_.update(p, instance.matrix(p)); });
    view_step_.assign(static_cast<std::size_t>(auxiliaries_), -1);
    std::fill_n(base_.begin(), static_cast<std::size_t>(auxiliaries_ * area_), Real(0));
    std::fill_n(auxiliary_at(values_, 0, 0), auxiliaries_ * area_, Real(0));
    last_step_ = 0;
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
                           views_.matrix(group.right_view, pair.right), n_, n_, ld_);
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

// row_ = the maxima of the product over its first axis, all_ = the maximum over both; as the pair's
// terms need them.
template <class Real>
void Inference<Real>::reduce(const Pair& pair, const Real* product) {
    if (pair.reduced + pair.total == 0)
        return;
    kernels_->column_max(row_.data(), row_winner_.data(), product, n_, ld_);
    if (pair.total > 0)
        std::fill_n(all_.begin(), n_, *std::max_element(row_.begin(), row_.begin() + n_));
}

template <class Real>
void Inference<Real>::RuleSet::clear(int rules) {
    has.assign(static_cast<std::size_t>(rules), 0);
    close();
}

template <class Real>
void Inference<Real>::RuleSet::close() {
    some_in = some_out = 0;
    for (std::size_t r = 0; r < has.size(); ++r)
        (has[r] != 0 ? some_in : some_out) |= bit_of(static_cast<int>(r));
}

template <class Real>
typename Inference<Real>::Live Inference<Real>::live_terms(const Pair& pair, const RuleSet& live,
                                                           Weighted<Real>* room) {
    Terms from = terms_.data() + pair.first;
    if ((pair.rules & live.some_out) == 0)
        return {from, pair.direct, pair.reduced, pair.total};
    if ((pair.rules & live.some_in) == 0)
        return {from, 0, 0, 0};
    Weighted<Real>* to = room;
    const auto take = [&](int count) {
        const Weighted<Real>* before = to;
        for (const Terms end = from + count; from != end; ++from)
            if (live[from->rule])
                *to++ = *from;
        return static_cast<int>(to - before);
    };
    const int direct = take(pair.direct);
    const int reduced = take(pair.reduced);
    return {room, direct, reduced, take(pair.total)};
}

template <class Real>
void Inference<Real>::pool_terms(Real* sums, Terms terms, int count, const Real* in, int stride,
                                 int size) {
    if (is_sum_)
        kernels_->pool(sums, terms, count, in, stride, size);
    else
        for (Terms t = terms; t != terms + count; ++t)
            kernels_->keep_larger(sums + t->rule * stride, in, t->weight, size);
}

template <class Real>
void Inference<Real>::pool_pair(const Pair& pair, Real* sums, const RuleSet& wanted) {
    const Live live = live_terms(pair, wanted, live_.data());
    if (live.count() == 0)
        return;
    const bool vector = pair.shape == Shape::column || pair.shape == Shape::row;
    const Real* product = combine(pair);
    if (vector && is_sum_) {
        std::vector<Real>& vectors = pair.shape == Shape::column ? columns_ : rows_;
        pool_terms(vectors.data(), live.terms, live.direct, product, ld_, ld_);
        for (int t = 0; t < live.direct; ++t)
            has_vectors_[static_cast<std::size_t>(live.terms[t].rule)] = 1;
        return;
    }
    if (vector) {
        expand(pair);
        product = product_.data();
    }
    reduce(pair, product);
    Terms terms = live.terms;
    if (live.direct > 0)
        pool_terms(sums, terms, live.direct, product, area_, area_);
    if (live.reduced > 0)
        pool_terms(sums, terms + live.direct, live.reduced, row_.data(), area_, ld_);
    if (live.total > 0)
        pool_terms(sums, terms + live.direct + live.reduced, live.total, all_.data(), area_, ld_);
}

// Adds the pooled vectors to the pooled matrices, and clears them.
template <class Real>
void Inference<Real>::fold_vectors(Real* sums, const RuleSet& wanted) {
    each(auxiliaries_, [&](int r) {
        if (has_vectors_[static_cast<std::size_t>(r)] == 0)
            return;
        Real* column = columns_.data() + r * ld_;
        Real* row = rows_.data() + r * ld_;
        if (wanted[r])
            kernels_->add_outer_sum(sums + r * area_, column, row, n_, ld_);
        std::fill_n(column, ld_, Real(0));
        std::fill_n(row, ld_, Real(0));
        has_vectors_[static_cast<std::size_t>(r)] = 0;
    });
}

// out = pool_P alpha[slot][P] U[P] over the predicates that are not all zero.
template <class Real>
void Inference<Real>::pool_slot(Real* out, int slot, int view) {
    std::fill_n(out, area_, Real(0));
    const auto pool = is_sum_ ? kernels_->add_scaled : kernels_->keep_larger;
    const Real* alpha = alpha_of(slot);
    for (const int p : candidates(slot))
        if (!is_zero(p, last_step_))
            pool(out, views_.matrix(view, p), alpha[p], area_);
}

// The pooled conjunction under the head: (n, ld), but for what fills up its rows.
template <class Real>
void Inference<Real>::place(Real* out, const RuleStep& rule, const Real* sum) {
    const bool is_row = rule.reduced();
    for (int x = 0; x < n_; ++x) {
        for (int y = 0; y < n_; ++y) {
            Real v = 0;
            switch (rule.plan.head) {
                case hypotheses::Plan::Head::direct:
                    v = is_row ? sum[x] : sum[x * ld_ + y];
                    break;
                case hypotheses::Plan::Head::transposed:
                    v = is_row ? sum[y] : sum[y * ld_ + x];
                    break;
                case hypotheses::Plan::Head::diagonal:
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
    const RuleSet& wanted = wanted_[std::min(static_cast<std::size_t>(s), wanted_.size() - 1)];
    each(auxiliaries_, [&](int a) {
        const auto i = static_cast<std::size_t>(a);
        const int changed = std::min(s, settled(first_ + a));
        if (!wanted[a] || view_step_[i] == changed)
            return;
        view_step_[i] = changed;
        views_.update(first_ + a, value_at(first_ + a, s));
    });
}

template <class Real>
void Inference<Real>::apply_rule(int r, int s) {
    const RuleStep& rule = this->rule(r);
    Real* sum = auxiliary_at(ands_, r, s);
    if (rule.plan.combine == hypotheses::Combine::single)
        pool_slot(sum, rule.left_slot, rule.left_view);
    Real* out = auxiliary_at(values_, r, s);
    const Real* conjunction = sum;
    if (!rule.direct()) {
        place(out, rule, sum);
        conjunction = out;
    }
    if (rule.disjunct_slot >= 0) {
        Real* other = auxiliary_at(ors_, r, s);
        pool_slot(other, rule.disjunct_slot, rule.disjunct_view);
        if (rule.plan.disjunct_head == hypotheses::Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    other[x * ld_ + y] = x == y ? other[x * ld_ + y] : Real(0);
        kernels_->disjunction[static_cast<int>(options_.fuzzy_or)](out, conjunction, other, area_);
    } else if (conjunction != out) {
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
    const RuleSet& active = active_at(s);
    last_step_ = s - 1;
    prepare_views(s - 1);
    // What is settled from now on goes into base_, once.
    const int settled = settled_by(s - 1);
    const RuleSet& later = later_[std::min(static_cast<std::size_t>(s), later_.size() - 1)];
    if (settled_by(s - 2) < settled) {
        pool_pairs(static_cast<std::size_t>(settled_by(s - 2)), static_cast<std::size_t>(settled),
                   base_.data(), later);
        fold_vectors(base_.data(), later);
    }
    Real* sums = auxiliary_at(ands_, 0, s);
    each(auxiliaries_, [&](int r) {
        if (active[r])
            std::copy_n(base_.data() + r * area_, area_, sums + r * area_);
    });
    if (s > 1) {  // before, all auxiliaries are 0
        pool_pairs(static_cast<std::size_t>(settled), pairs_.size(), sums, active);
        fold_vectors(sums, active);
    }
    each(auxiliaries_, [&](int r) {
        if (active[r])
            apply_rule(r, s);
    });
    last_step_ = s;
}

// The target's atoms: pooled over its slot's candidates, clamped. A binary candidate of a unary
// target counts by its existential projection, and so do all of a target without arguments.
template <class Real>
void Inference<Real>::finish_target() {
    const bool pairs = hierarchy_->target_arity == 2;
    const bool one = hierarchy_->target_arity == 0;
    const int slot = hierarchy_->target_slot();
    const Real* alpha = alpha_of(slot);
    const auto pool =
        options_.target_pool == Pool::sum ? kernels_->add_scaled : kernels_->keep_larger;
    std::vector<Real>& pooled = placed_;
    std::fill_n(pooled.begin(), pairs ? area_ : ld_, Real(0));
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates) {
        const Real* v = value_at(p, last_step_);
        if (!pairs) {
            kernels_->row_max(row_.data(), row_winner_.data(), v, n_, ld_);
            if (one)
                row_[0] = *std::max_element(row_.begin(), row_.begin() + n_);
            v = row_.data();
        }
        pool(pooled.data(), v, alpha[p], pairs ? area_ : ld_);
    }
    target_.resize(static_cast<std::size_t>(pairs ? n_ * n_ : one ? 1 : n_));
    for (int x = 0; x < (pairs ? n_ : 1); ++x)
        for (int y = 0; y < (one ? 1 : n_); ++y)
            target_[static_cast<std::size_t>(x * n_ + y)] =
                std::min(pooled[static_cast<std::size_t>(x * ld_ + y)], Real(1));
}

template <class Real>
void Inference<Real>::forward(const Real* alpha, const DenseInstance<Real>& instance, int steps) {
    const base::FlushSubnormals flush;
    begin(alpha, instance, steps, steps + 1);
    for (int s = 1; s <= steps; ++s)
        step(s);
    finish_target();
}

template <class Real>
void Inference<Real>::forward_only(const Real* alpha, const DenseInstance<Real>& instance,
                                   int steps) {
    const base::FlushSubnormals flush;
    begin(alpha, instance, steps, 2);
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
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
