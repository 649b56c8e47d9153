// SPDX-License-Identifier: Apache-2.0
#include "model/inference.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hri {

namespace {

std::vector<int> united(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> result;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

}  // namespace

template <class Real>
Inference<Real>::Inference(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options)
    : hierarchy_(&hierarchy),
      kernels_(&kernels<Real>(options.fuzzy_and)),
      options_(options),
      first_(hierarchy.first_auxiliary()),
      auxiliaries_(static_cast<int>(hierarchy.auxiliaries.size())),
      predicates_(hierarchy.predicates()) {
    const auto candidates = [&](int slot) -> const std::vector<int>& {
        return hierarchy.slots[static_cast<std::size_t>(slot)].candidates;
    };
    for (const Auxiliary& auxiliary : hierarchy.auxiliaries) {
        RuleStep rule;
        rule.plan = compile(protorules[static_cast<std::size_t>(auxiliary.protorule)]);
        const auto slot_of = [&](const Operand& operand) {
            return auxiliary.slots[static_cast<std::size_t>(operand.slot)];
        };
        rule.left_slot = slot_of(rule.plan.left);
        rule.left_view = views_.add(rule.plan.left.view, candidates(rule.left_slot), predicates_);
        if (rule.plan.disjunct) {
            rule.disjunct_slot = slot_of(*rule.plan.disjunct);
            rule.disjunct_view =
                views_.add(rule.plan.disjunct->view, candidates(rule.disjunct_slot), predicates_);
        }
        if (rule.plan.combine != Combine::single) {
            rule.right_slot = slot_of(rule.plan.right);
            const int right_view = views_.add(rule.plan.right.view, candidates(rule.right_slot), predicates_);
            if (rule.plan.combine == Combine::join)
                views_.want_column_max(right_view);
            auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
                return g.combine == rule.plan.combine && g.left_view == rule.left_view &&
                       g.right_view == right_view;
            });
            if (group == groups_.end()) {
                groups_.push_back({rule.plan.combine, rule.left_view, right_view, {}, {}, {}});
                group = groups_.end() - 1;
            }
            group->rules.push_back(static_cast<int>(rules_.size()));
            group->lefts = united(group->lefts, candidates(rule.left_slot));
            group->rights = united(group->rights, candidates(rule.right_slot));
        }
        rules_.push_back(rule);
    }
    pairs_.resize(groups_.size());
    every_.assign(static_cast<std::size_t>(auxiliaries_), 1);
}

// The pairs whose weight counts for some rule, with those weights.
template <class Real>
void Inference<Real>::list_pairs() {
    const Real least = static_cast<Real>(options_.skip_pairs);
    entries_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        pairs_[g].clear();
        for (const int left : group.lefts) {
            if (is_zero(left, 1))
                continue;
            for (const int right : group.rights) {
                if (is_zero(right, 1))
                    continue;
                const int first = static_cast<int>(entries_.size());
                bool reduces = false;
                for (const int r : group.rules) {
                    const RuleStep& rule = rules_[static_cast<std::size_t>(r)];
                    const Real weight = alpha_of(rule.left_slot)[left] * alpha_of(rule.right_slot)[right];
                    if (weight > least) {
                        entries_.push_back({r, weight});
                        reduces |= rule.reduced();
                    }
                }
                const int count = static_cast<int>(entries_.size()) - first;
                if (count > 0)
                    pairs_[g].push_back({left, right, first, count, is_input(left) && is_input(right), reduces});
            }
        }
    }
}

// wanted_[s][r]: whether the target's value after the last step depends on rule r's value after step s.
template <class Real>
void Inference<Real>::find_wanted(int steps) {
    if (static_cast<int>(wanted_.size()) == steps + 1)
        return;
    wanted_.assign(static_cast<std::size_t>(steps + 1), std::vector<char>(static_cast<std::size_t>(auxiliaries_), 0));
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
void Inference<Real>::begin(const Real* alpha, const DenseInstance<Real>& instance, int history, bool keep) {
    alpha_ = alpha;
    instance_ = &instance;
    n_ = instance.n;
    ld_ = instance.ld;
    area_ = n_ * ld_;
    history_ = history;
    keep_ = keep;
    const auto area = static_cast<std::size_t>(area_);
    const auto all = static_cast<std::size_t>(auxiliaries_) * area;
    const auto kept = static_cast<std::size_t>(history) * all;
    if (values_.size() < kept) {
        values_.resize(kept);
        ands_.resize(kept);
        ors_.resize(kept);
    }
    if (base_.size() != all) {
        base_.resize(all);
        for (auto* buffer : {&product_, &placed_, &d_product_, &d_placed_, &d_disjunct_, &unused_})
            buffer->assign(area, Real(0));
        row_.assign(static_cast<std::size_t>(ld_), Real(0));
        d_row_.assign(static_cast<std::size_t>(ld_), Real(0));
        winner_.assign(area, 0);
        row_winner_.assign(static_cast<std::size_t>(ld_), 0);
    }
    std::fill_n(auxiliary_at(values_, 0, 0), all, Real(0));
    views_.resize(*kernels_, predicates_, n_, ld_);
    for (int p = 0; p < first_; ++p)
        views_.update(p, instance.matrix(p));

    list_pairs();
    std::fill(base_.begin(), base_.end(), Real(0));
        for (std::size_t g = 0; g < groups_.size(); ++g)
        for (const Pair& pair : pairs_[g])
            if (pair.inputs)
                pool_pair(groups_[g], pair, base_.data(), every_);
}

template <class Real>
void Inference<Real>::combine(Real* out, const Group& group, const Pair& pair) {
    const Real* left = views_.matrix(group.left_view, pair.left);
    if (group.combine == Combine::meet) {
        kernels_->meet(out, left, views_.matrix(group.right_view, pair.right), area_);
        return;
    }
    const int left_arity = hierarchy_->arity[static_cast<std::size_t>(pair.left)];
    if (views_.view(group.left_view).constant_along_second(left_arity))
        kernels_->outer(out, left, views_.column_max(group.right_view, pair.right), n_, ld_);
    else
        kernels_->join(out, left, views_.matrix(group.right_view, pair.right), n_, ld_);
}

template <class Real>
void Inference<Real>::pool_pair(const Group& group, const Pair& pair, Real* sums,
                                const std::vector<char>& wanted) {
    bool needed = false;
    for (int e = pair.first; e < pair.first + pair.count && !needed; ++e)
        needed = wanted[static_cast<std::size_t>(entries_[static_cast<std::size_t>(e)].rule)] != 0;
    if (!needed)
        return;
    combine(product_.data(), group, pair);
    if (pair.reduces)
        kernels_->column_max(row_.data(), row_winner_.data(), product_.data(), n_, ld_);
    const auto pool = options_.pool == Pool::sum ? kernels_->add_scaled : kernels_->keep_larger;
    for (int e = pair.first; e < pair.first + pair.count; ++e) {
        const Entry& entry = entries_[static_cast<std::size_t>(e)];
        if (wanted[static_cast<std::size_t>(entry.rule)] == 0)
            continue;
        const RuleStep& rule = rules_[static_cast<std::size_t>(entry.rule)];
        Real* sum = sums + entry.rule * area_;
        if (!rule.reduced()) {
            pool(sum, product_.data(), entry.weight, area_);
        } else if (!rule.plan.reduce_all) {
            pool(sum, row_.data(), entry.weight, ld_);
        } else {
            std::fill_n(placed_.begin(), n_, *std::max_element(row_.begin(), row_.begin() + n_));
            std::fill_n(placed_.begin() + n_, ld_ - n_, Real(0));
            pool(sum, placed_.data(), entry.weight, ld_);
        }
    }
}

// out = pool_P alpha[slot][P] U[P] over the predicates that are not all zero.
template <class Real>
void Inference<Real>::pool_disjunct(Real* out, const RuleStep& rule) {
    std::fill_n(out, area_, Real(0));
    const auto pool = options_.pool == Pool::sum ? kernels_->add_scaled : kernels_->keep_larger;
    const Real* alpha = alpha_of(rule.disjunct_slot);
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(rule.disjunct_slot)].candidates)
        if (alpha[p] > static_cast<Real>(options_.skip_pairs) && !is_zero(p, last_step_))
            pool(out, views_.matrix(rule.disjunct_view, p), alpha[p], area_);
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
    for (int a = 0; a < auxiliaries_; ++a)
        if (wanted_[static_cast<std::size_t>(std::min<std::size_t>(static_cast<std::size_t>(s), wanted_.size() - 1))]
                   [static_cast<std::size_t>(a)] != 0)
            views_.update(first_ + a, auxiliary_at(values_, a, s));
}

template <class Real>
void Inference<Real>::apply_rule(int r, int s) {
    const RuleStep& rule = rules_[static_cast<std::size_t>(r)];
    Real* sum = auxiliary_at(ands_, r, s);
    if (rule.plan.combine == Combine::single) {
        std::fill_n(sum, area_, Real(0));
        const auto pool = options_.pool == Pool::sum ? kernels_->add_scaled : kernels_->keep_larger;
        const Real* alpha = alpha_of(rule.left_slot);
        for (const int p : hierarchy_->slots[static_cast<std::size_t>(rule.left_slot)].candidates)
            if (alpha[p] > static_cast<Real>(options_.skip_pairs) && !is_zero(p, s - 1))
                pool(sum, views_.matrix(rule.left_view, p), alpha[p], area_);
    }
    Real* out = auxiliary_at(values_, r, s);
    const bool direct = rule.plan.head == Plan::Head::direct && !rule.reduced();
    const Real* conjunction = sum;
    if (!direct) {
        place(placed_.data(), rule, sum);
        conjunction = placed_.data();
    }
    if (rule.disjunct_slot >= 0) {
        Real* other = auxiliary_at(ors_, r, s);
        pool_disjunct(other, rule);
        if (rule.plan.disjunct_head == Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    other[x * ld_ + y] = x == y ? other[x * ld_ + y] : Real(0);
        for (int i = 0; i < area_; ++i) {
            const Real a = conjunction[i];
            const Real b = other[i];
            switch (options_.fuzzy_or) {
                case Or::max:
                    out[i] = a > b ? a : b;
                    break;
                case Or::prodminus:
                    out[i] = a + b - a * b;
                    break;
                case Or::lukasiewicz:
                    out[i] = std::min(Real(1), a + b);
                    break;
            }
        }
    } else {
        std::copy_n(conjunction, area_, out);
    }
    // MERGE = max needs no work: valuations start at 0 and a step is monotone, so that the new value is
    // never below the old one. It therefore also takes the whole gradient.
    if (options_.merge == Merge::sum && s > 1) {
        const Real* old = auxiliary_at(values_, r, s - 1);
        for (int i = 0; i < area_; ++i)
            out[i] = std::min(Real(1), old[i] + out[i]);
    }
}

template <class Real>
void Inference<Real>::step(int s) {
    const std::vector<char>& wanted =
        wanted_[std::min<std::size_t>(static_cast<std::size_t>(s), wanted_.size() - 1)];
    last_step_ = s - 1;
    prepare_views(s - 1);
    Real* sums = auxiliary_at(ands_, 0, s);
    std::copy(base_.begin(), base_.end(), sums);
    if (s > 1)  // before, all auxiliaries are 0
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const Pair& pair : pairs_[g])
                if (!pair.inputs)
                    pool_pair(groups_[g], pair, sums, wanted);
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
    begin(alpha, instance, steps + 1, true);
    last_step_ = 0;
    for (int s = 1; s <= steps; ++s)
        step(s);
    finish_target();
}

template <class Real>
void Inference<Real>::forward_only(const Real* alpha, const DenseInstance<Real>& instance, int steps) {
    if (steps >= 0) {
        find_wanted(steps);
    } else {
        wanted_.assign(1, std::vector<char>(static_cast<std::size_t>(auxiliaries_), 1));
    }
    begin(alpha, instance, 2, false);
    last_step_ = 0;
    // A crisp value takes at most n^2 steps per predicate to arrive, soft ones creep towards their limit: the bound only
    // guards against endless creeping.
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
