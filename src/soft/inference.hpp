// SPDX-License-Identifier: Apache-2.0
#pragma once

// Soft forward chaining through the hierarchy, and its gradient.
//
//   Inference<float> inference(hierarchy, protorules, options);
//   inference.forward(alpha, instance, steps);
//   ... = inference.target();
//   inference.backward(d_alpha, d_target);
//
// One step updates every auxiliary predicate from the previous valuations (the paper's equation for
// one inference step):
//   and = pool_{P,Q} alpha1[P] alpha2[Q] AND(P, Q),  or = OR(and, pool_R alpha3[R] v_R),  v =
//   MERGE(v_old, or)
//
// What makes it fast, and is exact:
// - AND(P, Q) is computed once per step for all rules that combine their slots in the same way;
// - what no longer changes is not computed again: pairs of inputs never change within an instance,
//   and a rule that reads nothing but what is settled is settled one step later;
// - a product with True or a unary predicate is a vector, or a meet instead of a join;
// - an all-zero predicate has no pairs; the last steps compute only what the target still needs;
// - backward recomputes AND(P, Q) instead of storing it: memory grows with steps x predicates x
// n^2. With Options::skip_pairs and skip_gradients above 0, what is negligible is left out.
//
// With a crew, a step over many constants is shared by its threads (inference_shared.cpp), and
// gives the same bits.

#include "hri/model.hpp"

#include "base/thread_pool.hpp"
#include "hypotheses/plan.hpp"
#include "soft/dense.hpp"
#include "soft/kernels/kernels.hpp"
#include "soft/views.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace hri::soft {

template <class Real>
class Inference {
  public:
    /// Of inputs from `learned` on, backward gives the gradient too; -1: of none.
    Inference(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
              int learned = -1, base::ThreadPool* crew = nullptr);

    /// alpha: (slots, predicates), must stay alive until backward. Keeps what backward needs.
    void forward(const Real* alpha, const DenseInstance<Real>& instance, int steps);
    /// Without the memory for backward; steps < 0: until no valuation moves by more than 1e-6.
    void forward_only(const Real* alpha, const DenseInstance<Real>& instance, int steps);

    /// The target's atoms in row-major order, in [0, 1].
    const std::vector<Real>& target() const { return target_; }

    /// Accumulates into d_alpha: (slots, predicates). d_target as target().
    void backward(Real* d_alpha, const Real* d_target);
    /// The same from the gradient of all auxiliaries' last valuations: (auxiliaries, n, ld).
    void backward_values(Real* d_alpha, const Real* d_values);

    /// The gradient of a learned input: (n, ld).
    const Real* d_input(int predicate) const {
        return d_inputs_.data() + (predicate - learned_) * area_;
    }

    /// A valuation after the last step: (n, ld).
    const Real* value(int predicate) const { return value_at(predicate, last_step_); }

    int steps_done() const { return last_step_; }

    /// Whether value() is right of every predicate, and not only of those that the target reads.
    void keep_all(bool all) { all_wanted_ = all; }

  private:
    /// An auxiliary's rule with its slots and views resolved.
    struct RuleStep {
        hypotheses::Plan plan;
        int left_slot = 0;
        int right_slot = 0;
        int disjunct_slot = -1;
        int left_view = 0;
        int disjunct_view = 0;

        bool reduced() const { return plan.reduce; }

        /// The pooled conjunction is the head's matrix as it stands.
        bool direct() const { return plan.head == hypotheses::Plan::Head::direct && !plan.reduce; }
    };

    /// Rules that combine two slots in the same way share their products.
    struct Group {
        hypotheses::Combine combine;
        int left_view;
        int left_transposed;  // a join's left view with its axes exchanged
        int right_view;
        std::vector<int> rules;
    };

    /// Two predicates whose AND counts for some rule. Its terms, from `first` on: rules that take
    /// the product, its maxima over the first axis, its maximum over both.
    struct Pair {
        int left;
        int right;
        int group;
        int first;   // into terms_
        int direct;  // how many of each kind
        int reduced;
        int total;
        Shape shape;
        int settled;          // the step after which neither side changes
        std::uint64_t rules;  // of its terms, as in RuleSet

        int terms() const { return direct + reduced + total; }
    };

    using Terms = const Weighted<Real>*;
    static constexpr int kShared = 64;          // constants from which on a crew is worth its while
    static constexpr std::size_t kListed = 64;  // pairs
    static constexpr int kNotListed = std::numeric_limits<int>::min();

    static std::uint64_t bit_of(int rule) { return std::uint64_t(1) << (rule % 64); }

    /// Some of the rules. The masks have a bit for each, shared by every 64th: whether one of them
    /// is in the set, and whether one is not.
    struct RuleSet {
        std::vector<char> has;
        std::uint64_t some_in = 0;
        std::uint64_t some_out = 0;

        void clear(int rules);

        void add(int rule) { has[static_cast<std::size_t>(rule)] = 1; }

        void close();  // after the last change

        bool operator[](int rule) const { return has[static_cast<std::size_t>(rule)] != 0; }
    };

    /// The terms of a pair whose rules are in some set, and how many there are of each kind.
    struct Live {
        Terms terms;
        int direct;
        int reduced;
        int total;

        int count() const { return direct + reduced + total; }
    };

    /// What one pair is worked on with, so that several are at once.
    struct PairWorkspace {
        const Pair* pair;
        Live live;
        const Real* product;  // (n, ld), or (ld) where it is a vector; null: not computed yet
        bool scatters;        // the product has a gradient that counts
        std::vector<Real> matrix, won_left, won_right, d_product;  // (n, ld)
        std::vector<Real> row, d_row, all, d_all;                  // (ld)
        std::vector<Index<Real>> winner, row_winner;
        std::vector<Weighted<Real>> terms;  // those that are live, where not all are
        std::vector<Real> d_weights;        // (term)

        bool is_vector() const { return pair->shape == Shape::column || pair->shape == Shape::row; }

        Joined<Real> joined() {
            return {matrix.data(), winner.data(), won_left.data(), won_right.data()};
        }
    };

    /// The views of a pair's sides; by_columns: of the right one, its columns' maxima.
    struct Sides {
        int left;
        int right;
        bool by_columns;
    };

    /// Pairs side by side that have their shape and `settled` in common.
    struct Run {
        std::size_t first;
        std::size_t last;
        Shape shape;
        int settled;
        bool small;           // they are worked off in a list
        std::uint64_t rules;  // of all its pairs
    };

    struct Candidates {
        const int* first;
        const int* last;

        const int* begin() const { return first; }

        const int* end() const { return last; }
    };

    // What is in play, from the scores.
    void list_candidates();
    void list_reads();
    bool same_lists(int steps) const;
    void remember_lists(int steps);
    void weigh_terms();
    void find_settled(int steps);
    void find_wanted(int steps);
    void list_pairs();
    void order_pairs();
    void list_uses();
    void list_runs();
    Sides sides_of(const Pair& pair) const;
    template <class Body>
    void each_list(const Run& run, const RuleSet& live, const Body& body);
    Shape shape_of(const Group& group, int left, int right) const;
    // Steps.
    void resize(const DenseInstance<Real>& instance);
    void begin(const Real* alpha, const DenseInstance<Real>& instance, int steps, int history);
    void step(int s);
    void finish_target();
    void pool_pairs(std::size_t first, std::size_t last, Real* sums, const RuleSet& wanted);
    void pool_pair(const Pair& pair, Real* sums, const RuleSet& wanted);
    void pool_terms(Real* sums, Terms terms, int count, const Real* in, int stride, int size);
    void fold_vectors(Real* sums, const RuleSet& wanted);
    const Real* combine(const Pair& pair);
    void expand(const Pair& pair);
    void reduce(const Pair& pair, const Real* product);
    Live live_terms(const Pair& pair, const RuleSet& live, Weighted<Real>* room);
    void apply_rule(int rule, int s);
    void pool_slot(Real* out, int slot, int view);
    void place(Real* out, const RuleStep& rule, const Real* sum);
    void prepare_views(int s);

    /// How many pairs are settled after step t; they come first.
    int settled_by(int t) const {
        const auto last = static_cast<int>(settled_pairs_.size()) - 2;
        return t < 0 ? 0 : settled_pairs_[static_cast<std::size_t>(std::min(t, last))];
    }

    Joined<Real> joined() {
        return {product_.data(), winner_.data(), won_left_.data(), won_right_.data()};
    }

    const RuleSet& active_at(int s) const {
        return active_[std::min(static_cast<std::size_t>(s), active_.size() - 1)];
    }

    // Backward.
    void backward_step(Real* d_alpha, int s);
    void backward_rules(int s);
    void backward_rule(int rule, int s);
    void backward_slots(Real* d_alpha, int s);
    void backward_slot(Real* d_alpha, int slot, int view, const Real* d_out, const Real* out,
                       int predicate);
    void sum_vectors(const Real* d_sums, const RuleSet& live);
    void backward_pairs(Real* d_alpha, std::size_t first, std::size_t last, int s, Real* d_sums,
                        const RuleSet& live);
    void backward_pair(Real* d_alpha, const Pair& pair, int s, Real* d_sums, const RuleSet& live);
    Real collect(const Live& live, const Real* product, Real* d_weights, Real* d_sums,
                 bool d_product, int s);
    void add_weights(Real* d_alpha, const Pair& pair, Terms terms, const Real* d_weights,
                     int count);
    void add_scores(Real* d_alpha, const Pair& pair, Terms terms, const Real* d_weights, int count);
    Real backward_terms(Real* d_in, Real* d_weights, Real* d_sums, Terms terms, int count,
                        const Real* in, int stride, int size, int s);
    void scatter(const Pair& pair);
    void place_backward(Real* d_sum, const RuleStep& rule, const Real* d_out);
    void start_backward();
    void run_backward(Real* d_alpha);
    void seed_target(Real* d_alpha, const Real* d_target);
    void seed_best(Real* d_slot, const Real* d_target);

    // Shared by a crew.
    bool is_shared() const { return crew_ != nullptr && n_ >= kShared && is_sum_; }

    /// work(0) .. work(count - 1), in this order or at once.
    template <class Work>
    void each(int count, const Work& work) {
        if (is_shared())
            crew_->each(count, work);
        else
            for (int i = 0; i < count; ++i)
                work(i);
    }

    void make_desks();
    int next_batch(std::size_t& next, std::size_t last, const RuleSet& live);
    void share_pool(std::size_t first, std::size_t last, Real* sums, const RuleSet& wanted);
    void multiply(PairWorkspace& workspace);
    const Real* multiply_rows(Real* out, const Pair& pair, int x, int rows);
    void pool_rows(int workspaces, Real* sums, int x, int rows);
    void pool_vectors(int workspaces, Real* sums);
    void share_backward(Real* d_alpha, std::size_t first, std::size_t last, const Real* d_sums,
                        const RuleSet& live);
    void differentiate(PairWorkspace& workspace, const Real* d_sums);
    Real collect(PairWorkspace& workspace, const Real* d_sums, bool given);
    void scatter(PairWorkspace& workspace, int predicate);

    bool is_input(int predicate) const { return predicate < first_; }

    /// Whether nobody asks for its gradient.
    bool is_given(int predicate) const { return predicate < learned_; }

    bool is_zero(int predicate, int s) const {
        return is_input(predicate) ? instance_->zero[static_cast<std::size_t>(predicate)] : s == 0;
    }

    const Real* value_at(int predicate, int s) const {
        if (is_input(predicate))
            return instance_->matrix(predicate);
        const int step = std::min(s, settled(predicate));
        return values_.data() + ((step % history_) * auxiliaries_ + predicate - first_) * area_;
    }

    /// The step after which a predicate does not change.
    int settled(int predicate) const { return settled_[static_cast<std::size_t>(predicate)]; }

    Real* auxiliary_at(std::vector<Real>& buffer, int auxiliary, int s) {
        return buffer.data() + ((s % history_) * auxiliaries_ + auxiliary) * area_;
    }

    const Real* alpha_of(int slot) const { return alpha_ + slot * predicates_; }

    /// The slot's candidates whose score is large enough to count and that are not all zero,
    /// ascending.
    Candidates candidates(int slot) const {
        const auto i = static_cast<std::size_t>(slot);
        return {counted_.data() + counted_from_[i], counted_.data() + counted_from_[i + 1]};
    }

    /// The same, of one predicate or (-1) of all.
    Candidates candidates(int slot, int predicate) const {
        const Candidates all = candidates(slot);
        if (predicate < 0)
            return all;
        const auto range = std::equal_range(all.first, all.last, predicate);
        return {range.first, range.second};
    }

    const RuleStep& rule(int r) const { return rules_[static_cast<std::size_t>(r)]; }

    const Hierarchy* hierarchy_;
    const Kernels<Real>* kernels_;
    base::ThreadPool* crew_;
    Options options_;
    bool is_sum_;    // pooling
    bool is_exact_;  // nothing is skipped
    bool all_wanted_ = false;
    Real least_;  // scores and weights up to it are left out, but never the larger half
    Real min_gradient_;
    int first_;    // first auxiliary predicate
    int learned_;  // first predicate with a gradient
    int auxiliaries_;
    int predicates_;
    std::vector<RuleStep> rules_;  // by auxiliary

    struct Scores {
        int left;  // where the slot's scores begin
        int right;
    };

    std::vector<Scores> scores_;  // by auxiliary, of conjoined slots
    std::vector<Group> groups_;
    std::vector<Pair> pairs_;  // ordered by `settled`
    std::vector<Pair> unordered_pairs_;
    std::vector<int> buckets_;        // numbers of pairs, while they are ordered
    std::vector<int> settled_pairs_;  // [t]: how many pairs are settled after step t
    std::vector<Weighted<Real>> terms_;
    std::vector<Weighted<Real>> live_;  // those of some pairs that are wanted
    std::vector<Run> runs_;
    std::vector<PairWork<Real>> work_;       // by pair
    std::vector<PairWork<Real>> some_work_;  // of pairs that have fewer terms for a while
    std::vector<const Pair*> some_pairs_;

    struct Hit {
        int pair;
        int rule;
        Real weight;
    };

    std::vector<Hit> hits_;     // terms while they are collected
    std::vector<int> heavy_;    // right sides whose weight counts
    std::vector<int> pair_at_;  // (predicates, predicates): into unordered_pairs_, -1 for none
    std::vector<int> counted_, counted_from_;  // candidates by slot
    // What the lists were made of; where nothing is left out, they hold as long as that is the
    // same.
    std::vector<int> listed_, listed_from_;
    int listed_steps_ = kNotListed;
    bool listed_all_ = false;
    bool left_out_ = false;                // a weight that is 0
    std::vector<Real> largest_;            // the largest score, by slot
    std::vector<int> settled_;             // by predicate
    std::vector<std::vector<int>> reads_;  // [rule]: auxiliaries whose valuations it reads
    std::vector<int> read_by_;             // [auxiliary]: the last rule listed so far
    ViewSet<Real> views_;

    const Real* alpha_ = nullptr;
    const DenseInstance<Real>* instance_ = nullptr;
    int n_ = 0, ld_ = 0, area_ = 0, history_ = 1, last_step_ = 0;
    std::vector<Real> values_;  // (history, auxiliaries, n, ld)
    std::vector<Real> ands_;  // (history, auxiliaries, n, ld): pooled conjunctions, before the head
    std::vector<Real> ors_;   // (history, auxiliaries, n, ld): pooled disjuncts
    std::vector<Real> base_;  // (auxiliaries, n, ld): pooled products of inputs
    std::vector<Real> columns_, rows_;  // (auxiliaries, ld): pooled products that are vectors
    std::vector<char> has_vectors_;
    // (step, auxiliary): wanted, the target depends on its value after that step; active, and that
    // value is computed in that step; later, it is active in that step or a later one.
    std::vector<RuleSet> wanted_, active_, later_;
    std::vector<int> view_step_;  // (auxiliary): of the value that the views hold
    std::vector<Real> target_;

    std::vector<Real> product_, won_left_, won_right_, placed_, d_product_;  // (n, ld)
    std::vector<Real> row_, d_row_, all_, d_all_;                            // (ld)
    std::vector<Real> d_weights_;                                            // (term) of live_
    std::vector<Real> d_terms_;  // (term) of all, over the steps
    std::vector<Index<Real>> winner_, row_winner_;
    std::vector<Real> d_values_, d_previous_;  // (auxiliaries, n, ld)
    std::vector<Real> d_ands_, d_ands_sum_;    // (auxiliaries, n, ld)
    std::vector<Real> d_ors_;                  // (auxiliaries, n, ld)
    std::vector<Real> d_inputs_;               // (learned inputs, n, ld)
    std::vector<Real> d_columns_, d_rows_;     // (auxiliaries, ld)
    RuleSet has_gradient_, ever_gradient_;
    std::vector<PairWorkspace> workspaces_;
    std::size_t desk_count_ = 0;  // of them in use
};

extern template class Inference<float>;
extern template class Inference<double>;

}  // namespace hri::soft
