// SPDX-License-Identifier: Apache-2.0
// What a training iteration has to compute at all, from its unification scores: candidates that
// count, pairs of them, and in which steps a rule's value changes and is needed.

#include "soft/inference.hpp"

#include <algorithm>
#include <limits>

namespace hri::soft {

namespace {

constexpr int kNever = std::numeric_limits<int>::max();

}  // namespace

template <class Real>
Shape Inference<Real>::shape_of(const Group& group, int left, int right) const {
    if (group.combine == hypotheses::Combine::meet)
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

template <class Real>
void Inference<Real>::list_candidates() {
    counted_.resize(counted_.capacity());  // all candidates
    int count = 0;
    for (std::size_t slot = 0; slot < hierarchy_->slots.size(); ++slot) {
        const std::vector<int>& all = hierarchy_->slots[slot].candidates;
        const Real* alpha = alpha_of(static_cast<int>(slot));
        Real largest = 0;
        for (const int p : all)
            largest = std::max(largest, alpha[p]);
        largest_[slot] = largest;
        const Real least = std::min(least_, largest / 2);
        counted_from_[slot] = count;
        for (const int p : all) {  // without a branch, which nothing could foresee
            counted_[static_cast<std::size_t>(count)] = p;
            count += static_cast<int>(alpha[p] > least) & static_cast<int>(!is_zero(p, 1));
        }
    }
    counted_from_.back() = count;
    counted_.resize(static_cast<std::size_t>(count));
}

// In the exact mode all candidates count in every iteration, and what depends on them alone is the
// same.
template <class Real>
bool Inference<Real>::same_lists(int steps) const {
    return steps == listed_steps_ && all_wanted_ == listed_all_ && counted_ == listed_ &&
           counted_from_ == listed_from_;
}

template <class Real>
void Inference<Real>::remember_lists(int steps) {
    listed_steps_ = is_exact_ && !left_out_ ? steps : kNotListed;
    if (listed_steps_ == kNotListed)
        return;
    listed_all_ = all_wanted_;
    listed_ = counted_;
    listed_from_ = counted_from_;
}

template <class Real>
void Inference<Real>::weigh_terms() {
    for (const Pair& pair : pairs_) {
        Weighted<Real>* terms = terms_.data() + pair.first;
        for (int t = 0; t < pair.terms(); ++t) {
            const Scores& scores = scores_[static_cast<std::size_t>(terms[t].rule)];
            terms[t].weight = alpha_[scores.left + pair.left] * alpha_[scores.right + pair.right];
        }
    }
}

template <class Real>
void Inference<Real>::list_reads() {
    read_by_.assign(static_cast<std::size_t>(auxiliaries_), -1);
    for (int r = 0; r < auxiliaries_; ++r) {
        std::vector<int>& reads = reads_[static_cast<std::size_t>(r)];
        reads.clear();
        for (const int slot : hierarchy_->auxiliaries[static_cast<std::size_t>(r)].slots) {
            const Candidates all = candidates(slot);
            for (const int* p = all.end(); p != all.begin() && !is_input(p[-1]); --p) {
                int& reader = read_by_[static_cast<std::size_t>(p[-1] - first_)];
                if (reader != r)
                    reads.push_back(p[-1] - first_);
                reader = r;
            }
        }
    }
}

// A rule is settled one step after all that it reads; one that depends on itself never is.
template <class Real>
void Inference<Real>::find_settled(int steps) {
    const bool grows = options_.merge == Merge::sum || !is_sum_ || steps < 0;
    std::fill(settled_.begin() + first_, settled_.end(), grows ? kNever : 1);
    for (bool changed = !grows; changed;) {
        changed = false;
        for (int r = 0; r < auxiliaries_; ++r) {
            int& mine = settled_[static_cast<std::size_t>(first_ + r)];
            int after = mine;
            for (const int a : reads_[static_cast<std::size_t>(r)])
                after = a == r || settled(first_ + a) >= steps
                            ? kNever
                            : std::max(after, settled(first_ + a) + 1);
            changed = changed || after != mine;
            mine = after;
        }
    }
}

template <class Real>
void Inference<Real>::find_wanted(int steps) {
    const auto rows = static_cast<std::size_t>(steps + 1);
    for (auto* sets : {&wanted_, &active_, &later_}) {
        sets->resize(rows);
        for (RuleSet& set : *sets)
            set.clear(auxiliaries_);
    }
    for (const int p :
         hierarchy_->slots[static_cast<std::size_t>(hierarchy_->target_slot())].candidates)
        if (!is_input(p))
            wanted_.back().add(p - first_);
    for (int r = 0; all_wanted_ && r < auxiliaries_; ++r)
        wanted_.back().add(r);
    for (std::size_t s = rows - 1; s > 0; --s) {
        RuleSet& before = wanted_[s - 1];
        for (int r = 0; r < auxiliaries_; ++r) {
            if (wanted_[s][r] && static_cast<int>(s) > settled(first_ + r)) {
                before.add(r);
            } else if (wanted_[s][r]) {
                active_[s].add(r);
                for (const int a : reads_[static_cast<std::size_t>(r)])
                    before.add(a);
                if (options_.merge == Merge::sum)
                    before.add(r);
            }
            if (active_[s][r] || (s + 1 < rows && later_[s + 1][r]))
                later_[s].add(r);
        }
        active_[s].close();
        later_[s].close();
    }
}

// The pairs whose weight counts for some rule, with those weights.
template <class Real>
void Inference<Real>::list_pairs() {
    terms_.clear();
    unordered_pairs_.clear();
    left_out_ = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        const std::size_t begin = unordered_pairs_.size();
        hits_.clear();
        for (const int r : group.rules) {
            const int left_slot = rule(r).left_slot;
            const int right_slot = rule(r).right_slot;
            const Real* left_alpha = alpha_of(left_slot);
            const Real* right_alpha = alpha_of(right_slot);
            const Real largest_right = largest_[static_cast<std::size_t>(right_slot)];
            const Real largest = largest_[static_cast<std::size_t>(left_slot)] * largest_right;
            const Real least = std::min(least_, largest / 2);
            const bool total = rule(r).plan.reduce_all;
            const bool reduced = rule(r).reduced() && !total;
            for (const int left : candidates(left_slot)) {
                if (!(left_alpha[left] * largest_right > least)) {
                    left_out_ = true;
                    continue;
                }
                const Candidates rights = candidates(right_slot);
                std::size_t heavy = 0;
                for (const int right : rights) {  // without a branch, as above
                    heavy_[heavy] = right;
                    heavy += left_alpha[left] * right_alpha[right] > least ? 1U : 0U;
                }
                left_out_ =
                    left_out_ || heavy < static_cast<std::size_t>(rights.last - rights.first);
                for (std::size_t h = 0; h < heavy; ++h) {
                    const int right = heavy_[h];
                    const Real weight = left_alpha[left] * right_alpha[right];
                    int& known = pair_at_[static_cast<std::size_t>(left * predicates_ + right)];
                    if (known < 0) {
                        known = static_cast<int>(unordered_pairs_.size());
                        unordered_pairs_.push_back({left, right, static_cast<int>(g), 0, 0, 0, 0,
                                                    shape_of(group, left, right),
                                                    std::max(settled(left), settled(right)), 0});
                    }
                    Pair& pair = unordered_pairs_[static_cast<std::size_t>(known)];
                    (total ? pair.total : reduced ? pair.reduced : pair.direct) += 1;
                    pair.rules |= bit_of(r);
                    hits_.push_back({known, r, weight});
                }
            }
        }
        // Room for each pair's terms, then the terms in it: direct ones, reduced ones, totals.
        for (std::size_t i = begin; i < unordered_pairs_.size(); ++i) {
            Pair& pair = unordered_pairs_[i];
            pair.first = static_cast<int>(terms_.size());
            terms_.resize(terms_.size() + static_cast<std::size_t>(pair.terms()));
            pair_at_[static_cast<std::size_t>(pair.left * predicates_ + pair.right)] = -1;
            pair.total = pair.direct + pair.reduced;
            pair.reduced = pair.direct;
            pair.direct = 0;
        }
        for (const Hit& hit : hits_) {
            Pair& pair = unordered_pairs_[static_cast<std::size_t>(hit.pair)];
            const RuleStep& r = rule(hit.rule);
            int& next = r.plan.reduce_all ? pair.total : r.reduced() ? pair.reduced : pair.direct;
            terms_[static_cast<std::size_t>(pair.first + next)] = {hit.rule, hit.weight};
            ++next;
        }
        for (std::size_t i = begin; i < unordered_pairs_.size(); ++i) {
            Pair& pair = unordered_pairs_[i];
            pair.total -= pair.reduced;
            pair.reduced -= pair.direct;
        }
    }
    order_pairs();
}

// By when they are settled; then, since branches are easier to foresee, by what they cost.
template <class Real>
void Inference<Real>::order_pairs() {
    constexpr int kCounts = 5;
    constexpr int kKinds = 5 * kCounts * kCounts;
    const int last = static_cast<int>(settled_pairs_.size()) - 1;
    const auto bucket = [&](const Pair& pair) {
        const int kind =
            (static_cast<int>(pair.shape) * kCounts + std::min(pair.direct, kCounts - 1)) *
                kCounts +
            std::min(pair.reduced, kCounts - 1);
        return static_cast<std::size_t>(std::min(pair.settled, last) * kKinds +
                                        (is_sum_ ? kind : 0));
    };
    buckets_.assign(settled_pairs_.size() * kKinds, 0);
    for (const Pair& pair : unordered_pairs_)
        ++buckets_[bucket(pair)];
    int sum = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        const int here = buckets_[b];
        buckets_[b] = sum;
        sum += here;
        settled_pairs_[b / kKinds] = sum;
    }
    pairs_.resize(unordered_pairs_.size());
    for (const Pair& pair : unordered_pairs_)
        pairs_[static_cast<std::size_t>(buckets_[bucket(pair)]++)] = pair;
}

// Views that nothing reads need no computing.
template <class Real>
void Inference<Real>::list_uses() {
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
        for (const int p : candidates(slot))
            views_.use(view, p);
    };
    for (const RuleStep& r : rules_) {
        if (r.plan.combine == hypotheses::Combine::single)
            use_slot(r.left_view, r.left_slot);
        if (r.disjunct_slot >= 0)
            use_slot(r.disjunct_view, r.disjunct_slot);
    }
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
