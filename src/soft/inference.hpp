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
//   and = pool_{P,Q} alpha1[P] alpha2[Q] AND(P, Q)
//   or  = OR(and, pool_R alpha3[R] v_R)
//   v   = MERGE(v_old, or)
//
// The parts: Schedule says what is computed in which step, Workspace holds the buffers, PairOps and
// SmallPairs compute and, RuleOps or and v, and TargetPool the target. All are exact, unless
// Options::skip_pairs or skip_gradients leave out what is negligible:
// - AND(P, Q) is computed once per step for all rules that combine their slots in the same way;
// - what has converged is not computed again;
// - a product with True or a unary predicate is a vector, or a meet instead of a join;
// - an all-zero predicate has no pairs; the last steps compute only what the target still needs;
// - backward computes AND(P, Q) again: memory grows with steps x predicates x n^2.
//
// Pairs are computed in batches, in their order. First each pair of a batch is computed by one
// worker: its product, and backward the product's gradient. Then what several pairs add to is
// summed in the order of the pairs: forward by blocks of rows, backward by the predicate that gets
// the gradient. So every sum has one order, for any number of workers. One worker has batches of
// one pair.

#include "hri/model.hpp"

#include "base/thread_pool.hpp"
#include "soft/dense.hpp"
#include "soft/pair_ops.hpp"
#include "soft/rule_ops.hpp"
#include "soft/scheduler.hpp"
#include "soft/small_pairs.hpp"
#include "soft/target.hpp"
#include "soft/views.hpp"
#include "soft/workspace.hpp"

#include <memory>
#include <vector>

namespace hri::soft {

template <class Real>
class Inference {
  public:
    /// backward() also gives the gradients of inputs from `first_gradient` on; -1: of none.
    Inference(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
              int first_gradient = -1, base::ThreadPool* pool = nullptr);

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

    /// The gradient of an input from first_gradient on: (n, ld).
    const Real* d_input(int predicate) const {
        return d_inputs_.data() + (predicate - schedule().first_gradient) * space_.area;
    }

    /// A valuation after the last step: (n, ld).
    const Real* value(int predicate) const { return value_at(predicate, last_step_); }

    /// A valuation after a step, where forward() keeps it.
    const Real* value_at(int predicate, int s) const {
        if (is_input(predicate))
            return instance_->matrix(predicate);
        return space_.at(space_.values, predicate - first_,
                         std::min(s, converged_after(predicate)));
    }

    /// The entries of a matrix (n, ld).
    int area() const { return space_.area; }

    int steps_done() const { return last_step_; }

    /// Whether value() is right of every predicate, and not only of those that the target reads.
    void keep_all(bool all) { all_needed_ = all; }

    /// The schedule of the last forward pass.
    const Schedule<Real>& schedule() const { return scheduler_.schedule(); }

  private:
    static constexpr int kMinParallel = 64;  // constants from which on several workers pay off

    // Forward.
    void begin(const Real* alpha, const DenseInstance<Real>& instance, int steps, int history);
    void mark_views();
    void update_views(int s);
    void step(int s);
    void pool_pairs(PairRange range, Real* sums, const RuleSet& live);
    void pool_batches(PairRange range, Real* sums, const RuleSet& live);
    void add_vectors(Real* sums, const RuleSet& live);
    void pool_slot(Real* out, int slot, int view);
    void apply_rule(int rule, int s);
    void pool_target();
    bool has_moved(int s);

    // Backward, step by step from the last to the first.
    void run_backward(Real* d_alpha);
    void backward_step(Real* d_alpha, int s);
    void backward_rules(int s);
    void backward_rule(int rule, int s);
    void backward_slots(Real* d_alpha, int s);
    void backward_slot(Real* d_alpha, int slot, int view, const Real* d_out, const Real* out,
                       int predicate);
    void backward_pairs(Real* d_alpha, PairRange range, int s, Real* d_sums, const RuleSet& live);
    void backward_batches(Real* d_alpha, PairRange range, const SumGradients<Real>& d_sums,
                          const RuleSet& live);
    void sum_vectors(const Real* d_sums, const RuleSet& live);
    void backward_product(PairWorkspace<Real>& w, int predicate);

    /// Sets the next pairs with live terms up; how many. `range` is what is left.
    int next_batch(PairRange& range, const RuleSet& live);

    /// work(0) .. work(count - 1), in this order or at once.
    template <class Work>
    void each(int count, const Work& work) {
        if (workers_ > 1)
            pool_->each(count, work);
        else
            for (int i = 0; i < count; ++i)
                work(i);
    }

    /// work(predicate) for every predicate that gets gradients at once, or work(-1) for all of
    /// them.
    template <class Work>
    void each_predicate(const Work& work) {
        if (workers_ > 1)
            pool_->each(predicates_, work);
        else
            work(-1);
    }

    template <class Work>
    void each_rule(const RuleSet& rules, const Work& work) {
        each(auxiliaries_, [&](int r) {
            if (rules[r])
                work(r);
        });
    }

    bool is_input(int predicate) const { return predicate < first_; }

    bool is_zero(int predicate, int s) const {
        return is_input(predicate) ? instance_->zero[static_cast<std::size_t>(predicate)] : s == 0;
    }

    int converged_after(int predicate) const {
        return schedule().converged_after[static_cast<std::size_t>(predicate)];
    }

    RuleValues<Real> rule_values(int r, int s) {
        return {space_.at(space_.values, r, s),
                s > 1 ? space_.at(space_.values, r, s - 1) : nullptr, space_.at(space_.ands, r, s),
                space_.at(space_.ors, r, s)};
    }

    const Real* alpha_of(int slot) const { return alpha_ + slot * predicates_; }

    const CompiledRule& rule(int r) const { return rules_->rules[static_cast<std::size_t>(r)]; }

    const Hierarchy* hierarchy_;
    const Kernels<Real>* kernels_;
    base::ThreadPool* pool_;
    bool is_sum_;  // pooling
    Real min_gradient_;
    int first_;  // first auxiliary predicate
    int auxiliaries_;
    int predicates_;
    int workers_ = 1;
    bool all_needed_ = false;
    std::shared_ptr<const CompiledRules> rules_;
    Scheduler<Real> scheduler_;
    Workspace<Real> space_;
    ViewSet<Real> views_;
    PairOps<Real> pair_ops_;
    SmallPairs<Real> small_pairs_;
    RuleOps<Real> rule_ops_;
    TargetPool<Real> target_pool_;

    const Real* alpha_ = nullptr;
    const DenseInstance<Real>* instance_ = nullptr;
    int last_step_ = 0;
    std::vector<int> view_step_;              // (auxiliary): of the value that the views hold
    std::vector<const Real*> target_values_;  // (target's candidates)
    std::vector<Real> target_;
    std::vector<Real> d_terms_;   // (term): weights' gradients where all of a pair's are live
    std::vector<Real> d_inputs_;  // (inputs with gradients, n, ld)
    RuleSet has_gradient_, ever_gradient_;  // in this step; in this or a later one
};

extern template class Inference<float>;
extern template class Inference<double>;

}  // namespace hri::soft
