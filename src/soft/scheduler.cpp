// SPDX-License-Identifier: Apache-2.0
#include "soft/scheduler.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::soft {

template <class Real>
Scheduler<Real>::Scheduler(const Hierarchy& hierarchy, std::shared_ptr<const CompiledRules> rules,
                           const Options& options, int first_gradient)
    : hierarchy_(&hierarchy),
      rules_(std::move(rules)),
      is_sum_(options.pool == Pool::sum),
      merges_by_sum_(options.merge == Merge::sum),
      is_exact_(options.skip_pairs == 0 && options.skip_gradients == 0),
      min_weight_(static_cast<Real>(options.skip_pairs)),
      auxiliaries_(static_cast<int>(hierarchy.auxiliaries.size())),
      predicates_(hierarchy.predicates()) {
    for (const CompiledRule& r : rules_->rules) {
        scores_.push_back({r.left_slot * predicates_, r.right_slot * predicates_});
        kinds_.push_back(r.plan.reduce_all ? &Pair::total
                         : r.plan.reduce   ? &Pair::reduced
                                           : &Pair::direct);
    }
    const std::size_t all =
        base::checked_size("pairs of predicates",
                           {{"predicates", predicates_}, {"predicates", predicates_}}, sizeof(int));
    // An iteration lists no more than the exact mode would count.
    const auto size_of = [&](int slot) {
        return hierarchy.slots[static_cast<std::size_t>(slot)].candidates.size();
    };
    for (int slot = 0; slot <= hierarchy.target_slot(); ++slot)
        max_candidates_ += size_of(slot);
    std::size_t terms = 0;
    for (const RuleGroup& group : rules_->groups) {
        std::size_t hits = 0;
        for (const int r : group.rules)
            hits += size_of(rule(r).left_slot) * size_of(rule(r).right_slot);
        base::require_memory("body atoms' pairs",
                             {{"auxiliaries", auxiliaries_}, {"predicates", predicates_}},
                             static_cast<double>(hits) * sizeof(Hit));
        hits_.reserve(std::max(hits_.capacity(), hits));
        terms += hits;
    }
    const std::size_t pairs = std::min(terms, rules_->groups.size() * all);
    base::require_memory("body atoms' pairs",
                         {{"auxiliaries", auxiliaries_}, {"predicates", predicates_}},
                         static_cast<double>(terms) * (sizeof(Weighted<Real>) + sizeof(Real)) +
                             2.0 * static_cast<double>(pairs) * sizeof(Pair));
    schedule_.first_auxiliary = hierarchy.first_auxiliary();
    schedule_.first_gradient = first_gradient;
    schedule_.terms.reserve(terms);
    schedule_.pairs.reserve(pairs);
    schedule_.candidates.reserve(max_candidates_);
    schedule_.candidates_from.resize(hierarchy.slots.size() + 1);
    schedule_.converged_after.assign(static_cast<std::size_t>(predicates_), 0);
    unordered_pairs_.reserve(pairs);
    listed_.reserve(is_exact_ ? max_candidates_ : 0);
    largest_.resize(hierarchy.slots.size());
    reads_.resize(rules_->rules.size());
    for (std::vector<int>& reads : reads_)
        reads.reserve(rules_->rules.size());
    pair_at_.assign(all, -1);
    heavy_.resize(static_cast<std::size_t>(predicates_));
}

template <class Real>
bool Scheduler<Real>::update(const Real* alpha, const std::vector<bool>& zero, int steps,
                             bool all_needed) {
    alpha_ = alpha;
    list_candidates(zero);
    if (same_lists(steps, all_needed)) {
        weigh_terms();
        return false;
    }
    schedule_.steps = steps;
    list_reads();
    find_converged(steps);
    find_needed(steps, all_needed);
    list_pairs();
    order_pairs();
    remember_lists(steps, all_needed);
    return true;
}

template <class Real>
void Scheduler<Real>::list_candidates(const std::vector<bool>& zero) {
    std::vector<int>& candidates = schedule_.candidates;
    candidates.resize(max_candidates_);
    int count = 0;
    for (std::size_t slot = 0; slot < hierarchy_->slots.size(); ++slot) {
        const std::vector<int>& all = hierarchy_->slots[slot].candidates;
        const Real* alpha = alpha_ + static_cast<int>(slot) * predicates_;
        Real largest = 0;
        for (const int p : all)
            largest = std::max(largest, alpha[p]);
        largest_[slot] = largest;
        const Real least = std::min(min_weight_, largest / 2);
        schedule_.candidates_from[slot] = count;
        for (const int p : all) {  // without a branch, which nothing could predict
            const bool is_zero = is_input(p) && zero[static_cast<std::size_t>(p)];
            candidates[static_cast<std::size_t>(count)] = p;
            count += static_cast<int>(alpha[p] > least) & static_cast<int>(!is_zero);
        }
    }
    schedule_.candidates_from.back() = count;
    candidates.resize(static_cast<std::size_t>(count));
}

// In the exact mode all candidates count in every iteration, and what depends on them alone is the
// same.
template <class Real>
bool Scheduler<Real>::same_lists(int steps, bool all_needed) const {
    return steps == listed_steps_ && all_needed == listed_all_ && schedule_.candidates == listed_ &&
           schedule_.candidates_from == listed_from_;
}

template <class Real>
void Scheduler<Real>::remember_lists(int steps, bool all_needed) {
    listed_steps_ = is_exact_ && !left_out_ ? steps : kNotListed;
    if (listed_steps_ == kNotListed)
        return;
    listed_all_ = all_needed;
    listed_ = schedule_.candidates;
    listed_from_ = schedule_.candidates_from;
}

// The weight of a term is the product of its two scores.
template <class Real>
void Scheduler<Real>::weigh_terms() {
    for (const Pair& pair : schedule_.pairs) {
        Weighted<Real>* terms = schedule_.terms.data() + pair.first;
        for (int t = 0; t < pair.terms(); ++t) {
            const Scores& scores = scores_[static_cast<std::size_t>(terms[t].rule)];
            terms[t].weight = alpha_[scores.left + pair.left] * alpha_[scores.right + pair.right];
        }
    }
}

template <class Real>
void Scheduler<Real>::weights_backward(Real* d_alpha, const Pair& pair, const Weighted<Real>* terms,
                                       const Real* d_weights, int count) const {
    for (int t = 0; t < count; ++t) {
        const Scores& scores = scores_[static_cast<std::size_t>(terms[t].rule)];
        const int left = scores.left + pair.left;
        const int right = scores.right + pair.right;
        d_alpha[left] += d_weights[t] * alpha_[right];
        d_alpha[right] += d_weights[t] * alpha_[left];
    }
}

template <class Real>
void Scheduler<Real>::list_reads() {
    const int first = schedule_.first_auxiliary;
    read_by_.assign(static_cast<std::size_t>(auxiliaries_), -1);
    for (int r = 0; r < auxiliaries_; ++r) {
        std::vector<int>& reads = reads_[static_cast<std::size_t>(r)];
        reads.clear();
        for (const int slot : hierarchy_->auxiliaries[static_cast<std::size_t>(r)].slots) {
            const Candidates all = schedule_.candidates_of(slot);
            for (const int* p = all.end(); p != all.begin() && !is_input(p[-1]); --p) {
                int& reader = read_by_[static_cast<std::size_t>(p[-1] - first)];
                if (reader != r)
                    reads.push_back(p[-1] - first);
                reader = r;
            }
        }
    }
}

// A rule converges one step after all that it reads; one that depends on itself never does.
template <class Real>
void Scheduler<Real>::find_converged(int steps) {
    const bool grows = merges_by_sum_ || !is_sum_ || steps < 0;
    std::vector<int>& converged = schedule_.converged_after;
    std::fill(converged.begin() + schedule_.first_auxiliary, converged.end(),
              grows ? Schedule<Real>::kNever : 1);
    for (bool changed = !grows; changed;) {
        changed = false;
        for (int r = 0; r < auxiliaries_; ++r) {
            int& mine = converged[static_cast<std::size_t>(schedule_.first_auxiliary + r)];
            int after = mine;
            for (const int a : reads_[static_cast<std::size_t>(r)])
                after = a == r || converged_after(a) >= steps
                            ? Schedule<Real>::kNever
                            : std::max(after, converged_after(a) + 1);
            changed = changed || after != mine;
            mine = after;
        }
    }
}

// Runs backwards from the predicates that are needed after the last step.
template <class Real>
void Scheduler<Real>::find_needed(int steps, bool all_needed) {
    const bool endless = steps < 0;
    const std::size_t rows = endless ? 1 : static_cast<std::size_t>(steps) + 1;
    std::vector<RuleSet>& needed = schedule_.needed;
    std::vector<RuleSet>& computed = schedule_.computed;
    std::vector<RuleSet>& later = schedule_.needed_later;
    for (auto* sets : {&needed, &computed, &later}) {
        sets->resize(rows);
        for (RuleSet& set : *sets)
            set.clear(auxiliaries_);
        for (int r = 0; endless && r < auxiliaries_; ++r)
            sets->front().add(r);
    }
    for (const int p : hierarchy_->slots.back().candidates)
        if (!is_input(p))
            needed.back().add(p - schedule_.first_auxiliary);
    for (int r = 0; all_needed && r < auxiliaries_; ++r)
        needed.back().add(r);
    for (std::size_t s = rows - 1; s > 0; --s) {
        RuleSet& before = needed[s - 1];
        for (int r = 0; r < auxiliaries_; ++r) {
            if (needed[s][r] && static_cast<int>(s) > converged_after(r)) {
                before.add(r);
            } else if (needed[s][r]) {
                computed[s].add(r);
                for (const int a : reads_[static_cast<std::size_t>(r)])
                    before.add(a);
                if (merges_by_sum_)
                    before.add(r);
            }
            if (computed[s][r] || (s + 1 < rows && later[s + 1][r]))
                later[s].add(r);
        }
    }
    for (auto* sets : {&needed, &computed, &later})
        for (RuleSet& set : *sets)
            set.update_masks();
}

template <class Real>
Shape Scheduler<Real>::shape_of(const RuleGroup& group, int left, int right) const {
    if (group.combine == hypotheses::Combine::meet)
        return Shape::meet;
    const auto is_constant = [&](int view, int predicate) {
        return rules_->views[static_cast<std::size_t>(view)].constant_along_second(
            hierarchy_->arity[static_cast<std::size_t>(predicate)]);
    };
    if (is_constant(group.right_view, right))
        return Shape::column;
    if (hierarchy_->arity[static_cast<std::size_t>(left)] == 0)
        return Shape::row;
    return is_constant(group.left_view, left) ? Shape::outer : Shape::join;
}

// The pairs whose weight counts for some rule, with those weights.
template <class Real>
void Scheduler<Real>::list_pairs() {
    schedule_.terms.clear();
    unordered_pairs_.clear();
    left_out_ = false;
    for (const RuleGroup& group : rules_->groups) {
        const std::size_t first = unordered_pairs_.size();
        hits_.clear();
        for (const int r : group.rules)
            list_hits(r, group);
        list_terms(first);
    }
}

template <class Real>
void Scheduler<Real>::list_hits(int r, const RuleGroup& group) {
    const int left_slot = rule(r).left_slot;
    const int right_slot = rule(r).right_slot;
    const Real* left_alpha = alpha_ + left_slot * predicates_;
    const Real* right_alpha = alpha_ + right_slot * predicates_;
    const Real largest_right = largest_[static_cast<std::size_t>(right_slot)];
    const Real largest = largest_[static_cast<std::size_t>(left_slot)] * largest_right;
    const Real least = std::min(min_weight_, largest / 2);
    const Candidates rights = schedule_.candidates_of(right_slot);
    for (const int left : schedule_.candidates_of(left_slot)) {
        if (!(left_alpha[left] * largest_right > least)) {
            left_out_ = true;
            continue;
        }
        std::size_t heavy = 0;
        for (const int right : rights) {  // without a branch, as above
            heavy_[heavy] = right;
            heavy += left_alpha[left] * right_alpha[right] > least ? 1U : 0U;
        }
        left_out_ = left_out_ || heavy < static_cast<std::size_t>(rights.last - rights.first);
        for (std::size_t h = 0; h < heavy; ++h)
            add_hit(left, heavy_[h], r, group, left_alpha[left] * right_alpha[heavy_[h]]);
    }
}

template <class Real>
void Scheduler<Real>::add_hit(int left, int right, int r, const RuleGroup& group, Real weight) {
    int& known = pair_at_[static_cast<std::size_t>(left * predicates_ + right)];
    if (known < 0) {
        known = static_cast<int>(unordered_pairs_.size());
        const std::vector<int>& converged = schedule_.converged_after;
        const Shape shape = shape_of(group, left, right);
        unordered_pairs_.push_back(
            {left, right, shape == Shape::column ? group.left_transposed : group.left_view,
             group.right_view, 0, 0, 0, 0, shape,
             std::max(converged[static_cast<std::size_t>(left)],
                      converged[static_cast<std::size_t>(right)]),
             0});
    }
    Pair& pair = unordered_pairs_[static_cast<std::size_t>(known)];
    pair.*kinds_[static_cast<std::size_t>(r)] += 1;
    pair.rules |= RuleSet::bit_of(r);
    hits_.push_back({known, r, weight});
}

// Room for each pair's terms, then the terms in it: direct ones, reduced ones, totals.
template <class Real>
void Scheduler<Real>::list_terms(std::size_t first_pair) {
    std::vector<Weighted<Real>>& terms = schedule_.terms;
    for (std::size_t i = first_pair; i < unordered_pairs_.size(); ++i) {
        Pair& pair = unordered_pairs_[i];
        pair.first = static_cast<int>(terms.size());
        terms.resize(terms.size() + static_cast<std::size_t>(pair.terms()));
        pair_at_[static_cast<std::size_t>(pair.left * predicates_ + pair.right)] = -1;
        pair.total = pair.direct + pair.reduced;  // counts become places of the next term
        pair.reduced = pair.direct;
        pair.direct = 0;
    }
    for (const Hit& hit : hits_) {
        Pair& pair = unordered_pairs_[static_cast<std::size_t>(hit.pair)];
        int& next = pair.*kinds_[static_cast<std::size_t>(hit.rule)];
        terms[static_cast<std::size_t>(pair.first + next)] = {hit.rule, hit.weight};
        ++next;
    }
    for (std::size_t i = first_pair; i < unordered_pairs_.size(); ++i) {
        Pair& pair = unordered_pairs_[i];
        pair.total -= pair.reduced;
        pair.reduced -= pair.direct;
    }
}

// The order of convergence; then of shape and numbers of terms, so that branches are easier
// to predict.
template <class Real>
void Scheduler<Real>::order_pairs() {
    constexpr int kCounts = 5;
    constexpr int kKinds = kShapes * kCounts * kCounts;
    std::vector<int>& converged = schedule_.converged_pairs;
    converged.resize(static_cast<std::size_t>(std::max(schedule_.steps, 1)) + 1);
    const int last = static_cast<int>(converged.size()) - 1;
    const auto bucket = [&](const Pair& pair) {
        const int kind =
            (static_cast<int>(pair.shape) * kCounts + std::min(pair.direct, kCounts - 1)) *
                kCounts +
            std::min(pair.reduced, kCounts - 1);
        return static_cast<std::size_t>(std::min(pair.converged_after, last) * kKinds +
                                        (is_sum_ ? kind : 0));
    };
    buckets_.assign(converged.size() * kKinds, 0);
    for (const Pair& pair : unordered_pairs_)
        ++buckets_[bucket(pair)];
    int sum = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        const int here = buckets_[b];
        buckets_[b] = sum;
        sum += here;
        converged[b / kKinds] = sum;
    }
    schedule_.pairs.resize(unordered_pairs_.size());
    for (const Pair& pair : unordered_pairs_)
        schedule_.pairs[static_cast<std::size_t>(buckets_[bucket(pair)]++)] = pair;
}

template class Scheduler<float>;
template class Scheduler<double>;

}  // namespace hri::soft
