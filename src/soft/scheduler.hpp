// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes the schedule of a training iteration from its unification scores. All memory is kept from
// one iteration to the next.

#include "hri/model.hpp"

#include "soft/compiled_rules.hpp"
#include "soft/schedule.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace hri::soft {

template <class Real>
class Scheduler {
  public:
    /// The hierarchy has to stay alive. `first_gradient`: as in Schedule.
    Scheduler(const Hierarchy& hierarchy, std::shared_ptr<const CompiledRules> rules,
              const Options& options, int first_gradient);

    /// alpha: (slots, predicates). zero: (inputs), whether all of its facts are 0. steps < 0: until
    /// nothing changes. all_needed: the values of all rules are asked for, not only the target's.
    /// Whether more than weights has changed.
    bool update(const Real* alpha, const std::vector<bool>& zero, int steps, bool all_needed);

    const Schedule<Real>& schedule() const { return schedule_; }

    /// Adds to d_alpha what the weights of some of the pair's terms get.
    void weights_backward(Real* d_alpha, const Pair& pair, const Weighted<Real>* terms,
                          const Real* d_weights, int count) const;

  private:
    static constexpr int kNotListed = std::numeric_limits<int>::min();

    /// Where the scores of a rule's conjoined slots begin.
    struct Scores {
        int left;
        int right;
    };

    /// A term while it is collected.
    struct Hit {
        int pair;
        int rule;
        Real weight;
    };

    void list_candidates(const std::vector<bool>& zero);
    bool same_lists(int steps, bool all_needed) const;
    void remember_lists(int steps, bool all_needed);
    void weigh_terms();
    void list_reads();
    void find_converged(int steps);
    void find_needed(int steps, bool all_needed);
    void list_pairs();
    void list_hits(int rule, const RuleGroup& group);
    void add_hit(int left, int right, int rule, const RuleGroup& group, Real weight);
    void list_terms(std::size_t first_pair);
    void order_pairs();
    Shape shape_of(const RuleGroup& group, int left, int right) const;

    const CompiledRule& rule(int r) const { return rules_->rules[static_cast<std::size_t>(r)]; }

    bool is_input(int predicate) const { return predicate < schedule_.first_auxiliary; }

    int converged_after(int auxiliary) const {
        return schedule_
            .converged_after[static_cast<std::size_t>(schedule_.first_auxiliary + auxiliary)];
    }

    const Hierarchy* hierarchy_;
    std::shared_ptr<const CompiledRules> rules_;
    bool is_sum_;  // pooling
    bool merges_by_sum_;
    bool is_exact_;    // nothing is skipped
    Real min_weight_;  // scores and weights up to it are left out, but never the larger half
    int auxiliaries_;
    int predicates_;
    std::vector<Scores> scores_;      // (rules)
    std::vector<int Pair::*> kinds_;  // (rules): the number of terms that the rule's is one of
    const Real* alpha_ = nullptr;
    Schedule<Real> schedule_;

    std::size_t max_candidates_ = 0;
    std::vector<Real> largest_;            // (slots): the largest score
    std::vector<std::vector<int>> reads_;  // [rule]: auxiliaries whose valuations it reads
    std::vector<int> read_by_;             // [auxiliary]: the last rule listed so far
    std::vector<Hit> hits_;
    std::vector<int> heavy_;    // right sides whose weight counts
    std::vector<int> pair_at_;  // (predicates, predicates): into unordered_pairs_, -1 for none
    std::vector<Pair> unordered_pairs_;
    std::vector<int> buckets_;  // numbers of pairs, while they are ordered
    // What the lists were made of. Where nothing is left out, they hold as long as that is the
    // same.
    std::vector<int> listed_, listed_from_;
    int listed_steps_ = kNotListed;
    bool listed_all_ = false;
    bool left_out_ = false;  // a weight that does not count
};

extern template class Scheduler<float>;
extern template class Scheduler<double>;

}  // namespace hri::soft
