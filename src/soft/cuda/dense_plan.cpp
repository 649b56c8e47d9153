// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/dense_plan.hpp"

#include "soft/compiled_rules.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace hri::soft {

namespace {

using hypotheses::Combine;

int size_of(const auto& items) { return static_cast<int>(items.size()); }

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class PlanMaker {
  public:
    PlanMaker(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
              int dimension, const DenseSizes& sizes)
        : h_(hierarchy),
          rules_(compile_rules(hierarchy, protorules)),
          options_(options),
          chunk_(sizes.chunk),
          width_(hierarchy.predicates()),
          first_(hierarchy.first_auxiliary()),
          auxiliaries_(size_of(hierarchy.auxiliaries)) {
        set_sizes(dimension, sizes);
    }

    DensePlan make() {
        plan_.arity = h_.arity;
        plan_.negated = h_.negated;
        plan_.target_candidate = h_.slots.back().candidates;
        plan_.candidate.assign(h_.slots.size() * at(width_), 0);
        for (std::size_t s = 0; s < h_.slots.size(); ++s)
            for (const int p : h_.slots[s].candidates)
                plan_.candidate[s * at(width_) + at(p)] = 1;
        add_rules();
        const int layers = options_.negation ? h_.auxiliaries.back().layer : 1;
        for (int layer = 1; layer <= layers; ++layer)
            add_stratum(options_.negation ? layer : 0, layer == layers);
        index_alpha();
        PlanView& sizes = plan_.sizes;
        sizes.entries = size_of(plan_.entries);
        sizes.matrices = matrices_;
        sizes.pairs = size_of(plan_.pairs);
        sizes.terms = size_of(plan_.terms);
        sizes.reads = size_of(plan_.reads);
        sizes.strata = size_of(plan_.strata);
        sizes.chunk_pairs = 0;
        for (const DenseChunk& chunk : plan_.chunks)
            sizes.chunk_pairs = std::max(sizes.chunk_pairs, chunk.pair_last - chunk.pair_first);
        return std::move(plan_);
    }

  private:
    void set_sizes(int dimension, const DenseSizes& given) {
        PlanView& sizes = plan_.sizes;
        sizes.steps = given.steps;
        sizes.parts = given.parts;
        sizes.predicates = width_;
        sizes.inputs_end = first_;
        sizes.auxiliaries = auxiliaries_;
        sizes.slots = size_of(h_.slots);
        sizes.dimension = dimension;
        sizes.negations = size_of(h_.negated);
        sizes.target_candidates = size_of(h_.slots.back().candidates);
        sizes.target_arity = h_.target_arity;
        set_constants(sizes, given.n);
        sizes.fuzzy_and = options_.fuzzy_and;
        sizes.fuzzy_or = options_.fuzzy_or;
        sizes.similarity = options_.similarity;
        sizes.merges_by_sum = options_.merge == Merge::sum;
        sizes.pools_by_max = options_.pool == Pool::max;
        sizes.target_by_max = options_.target_pool == Pool::max;
        sizes.mask_absent = options_.mask_absent;
        sizes.trains_predicates = options_.train_predicates;
        sizes.gumbel_inside = options_.gumbel_convention == GumbelConvention::inside;
        sizes.regularisation = options_.regularisation;
        sizes.log_floor = options_.log_floor;
        sizes.input_gradients = given.input_gradients;
    }

    int score(int slot, int predicate) const { return slot * width_ + predicate; }

    const std::vector<int>& candidates(int slot) const { return h_.slots[at(slot)].candidates; }

    void add_rules() {
        for (const CompiledRule& rule : rules_.rules) {
            DenseRule added{};
            added.combine = static_cast<int>(rule.plan.combine);
            added.head = static_cast<int>(rule.plan.head);
            added.disjunct_head = static_cast<int>(rule.plan.disjunct_head);
            added.reduce = rule.plan.reduce;
            added.reduce_all = rule.plan.reduce_all;
            added.has_disjunct = rule.disjunct_slot >= 0;
            plan_.rules.push_back(added);
        }
    }

    // Rules that the target's candidates reach in d readings matter until d steps before the last.
    void find_depths(const DenseStratum& stratum) {
        const int never = std::numeric_limits<int>::max() / 2;
        for (int r = stratum.rule_first; r < stratum.rule_last; ++r)
            plan_.rules[at(r)].depth = stratum.is_top ? never : 0;
        if (!stratum.is_top)
            return;
        for (const int p : h_.slots.back().candidates)
            plan_.rules[at(p - first_)].depth = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (int r = stratum.rule_first; r < stratum.rule_last; ++r) {
                const int next = plan_.rules[at(r)].depth + 1;
                for (const int slot : h_.auxiliaries[at(r)].slots)
                    for (const int p : candidates(slot)) {
                        const int a = p - first_;
                        if (a < stratum.rule_first || a >= stratum.rule_last ||
                            plan_.rules[at(a)].depth <= next)
                            continue;
                        plan_.rules[at(a)].depth = next;
                        changed = true;
                    }
            }
        }
    }

    // False is 0 and has no entries. Constants fixed in this stratum come first.
    void add_entries(DenseStratum& stratum) {
        std::vector<std::pair<int, int>> wanted;  // (view, predicate)
        const auto want = [&](int view, int slot) {
            for (const int p : candidates(slot))
                if (p != Hierarchy::kFalse)
                    wanted.emplace_back(view, p);
        };
        for (int r = stratum.rule_first; r < stratum.rule_last; ++r) {
            const CompiledRule& rule = rules_.rules[at(r)];
            want(rule.left_view, rule.left_slot);
            if (rule.disjunct_slot >= 0)
                want(rule.disjunct_view, rule.disjunct_slot);
            if (rule.plan.combine != Combine::single)
                want(right_view(rule), rule.right_slot);
        }
        std::sort(wanted.begin(), wanted.end(), [&](const auto& a, const auto& b) {
            return std::tuple(moves(a.second, stratum), a.second, a.first) <
                   std::tuple(moves(b.second, stratum), b.second, b.first);
        });
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        stratum.entry_first = stratum.entry_moving = size_of(plan_.entries);
        entry_at_.clear();
        for (const auto& [view, p] : wanted) {
            entry_at_[{view, p}] = size_of(plan_.entries);
            const hypotheses::View& v = rules_.views[at(view)];
            DenseEntry entry{};
            entry.predicate = p;
            entry.reduce = static_cast<int>(v.reduce);
            entry.transposed = v.transposed;
            entry.first = v.first;
            entry.second = v.second;
            entry.matrix = v.is_identity() ? -1 : matrices_++;
            entry.moves = moves(p, stratum);
            entry.has_gradient = p >= first_ || (plan_.sizes.input_gradients != 0 && p >= 2);
            plan_.entries.push_back(entry);
            if (!entry.moves)
                stratum.entry_moving = size_of(plan_.entries);
        }
        stratum.entry_last = size_of(plan_.entries);
    }

    int right_view(const CompiledRule& rule) const {
        const auto found =
            std::find(rules_.views.begin(), rules_.views.end(), rule.plan.right.view);
        return static_cast<int>(found - rules_.views.begin());
    }

    bool moves(int p, const DenseStratum& stratum) const {
        return p >= first_ + stratum.rule_first && p < first_ + stratum.rule_last;
    }

    /// Candidates that are fixed in the stratum first, negations among them.
    std::vector<int> ordered(int slot, const DenseStratum& stratum) const {
        std::vector<int> result = candidates(slot);
        std::stable_partition(result.begin(), result.end(),
                              [&](int p) { return !moves(p, stratum); });
        return result;
    }

    void add_reads(const DenseStratum& stratum) {
        std::vector<std::vector<int>> by_entry(plan_.entries.size());
        const auto add = [&](int r, int is_disjunct, int view, int slot, int& first, int& last) {
            first = size_of(plan_.reads);
            for (const int p : ordered(slot, stratum)) {
                if (p == Hierarchy::kFalse)
                    continue;
                const int entry = entry_at_.at({view, p});
                by_entry[at(entry)].push_back(size_of(plan_.reads));
                plan_.reads.push_back({r, is_disjunct, score(slot, p), entry});
            }
            last = size_of(plan_.reads);
        };
        for (int r = stratum.rule_first; r < stratum.rule_last; ++r) {
            const CompiledRule& rule = rules_.rules[at(r)];
            DenseRule& to = plan_.rules[at(r)];
            if (rule.plan.combine == Combine::single)
                add(r, 0, rule.left_view, rule.left_slot, to.single_first, to.single_last);
            if (rule.disjunct_slot >= 0)
                add(r, 1, rule.disjunct_view, rule.disjunct_slot, to.disjunct_first,
                    to.disjunct_last);
        }
        for (int e = stratum.entry_first; e < stratum.entry_last; ++e) {
            plan_.entries[at(e)].reads_first = size_of(plan_.entry_reads);
            plan_.entry_reads.insert(plan_.entry_reads.end(), by_entry[at(e)].begin(),
                                     by_entry[at(e)].end());
            plan_.entries[at(e)].reads_last = size_of(plan_.entry_reads);
        }
    }

    // A product with True or a unary predicate costs less; ties then are those of the maxima.
    Shape shape_of(const RuleGroup& group, int left, int right) const {
        if (group.combine == Combine::meet)
            return Shape::meet;
        const auto is_constant = [&](int view, int p) {
            return rules_.views[at(view)].constant_along_second(h_.arity[at(p)]);
        };
        if (is_constant(group.right_view, right))
            return Shape::column;
        const bool outer = h_.arity[at(left)] == 0 || is_constant(group.left_view, left);
        return outer ? Shape::outer : Shape::join;
    }

    struct Listed {
        DensePair pair;
        std::vector<DenseTerm> terms;
    };

    // Pairs in the order in which rules meet them, those of fixed entries first: with max pooling
    // the first that attains the maximum takes the gradient.
    std::vector<Listed> list_pairs(const DenseStratum& stratum) const {
        std::vector<Listed> listed;
        for (const RuleGroup& group : rules_.groups) {
            std::map<std::pair<int, int>, int> known;
            for (const int r : group.rules) {
                if (r < stratum.rule_first || r >= stratum.rule_last)
                    continue;
                const CompiledRule& rule = rules_.rules[at(r)];
                const std::vector<int> rights = ordered(rule.right_slot, stratum);
                for (const int p : ordered(rule.left_slot, stratum))
                    for (const int q : rights) {
                        if (p == Hierarchy::kFalse || q == Hierarchy::kFalse)
                            continue;
                        const auto [place, is_new] = known.try_emplace({p, q}, size_of(listed));
                        if (is_new) {
                            Listed added{};
                            added.pair.left = entry_at_.at({group.left_view, p});
                            added.pair.right = entry_at_.at({group.right_view, q});
                            added.pair.shape = shape_of(group, p, q);
                            added.pair.depth = std::numeric_limits<int>::max();
                            listed.push_back(std::move(added));
                        }
                        listed[at(place->second)].terms.push_back({0, r, plan_.rules[at(r)].depth,
                                                                   score(rule.left_slot, p),
                                                                   score(rule.right_slot, q)});
                    }
            }
        }
        const auto is_fixed = [&](const Listed& l) {
            return !plan_.entries[at(l.pair.left)].moves && !plan_.entries[at(l.pair.right)].moves;
        };
        std::stable_partition(listed.begin(), listed.end(), is_fixed);
        if (options_.pool == Pool::sum)  // neighbours then do the same
            std::stable_sort(listed.begin(), listed.end(), [&](const Listed& a, const Listed& b) {
                return std::tuple(!is_fixed(a), a.pair.shape) <
                       std::tuple(!is_fixed(b), b.pair.shape);
            });
        return listed;
    }

    int kind_of(const DenseTerm& term) const {
        const DenseRule& rule = plan_.rules[at(term.rule)];
        return rule.reduce_all ? 2 : rule.reduce ? 1 : 0;
    }

    void add_pairs(DenseStratum& stratum) {
        std::vector<Listed> listed = list_pairs(stratum);
        const int first = size_of(plan_.pairs);
        int moving = first;
        for (Listed& l : listed) {
            std::stable_sort(
                l.terms.begin(), l.terms.end(),
                [&](const DenseTerm& a, const DenseTerm& b) { return kind_of(a) < kind_of(b); });
            DensePair& pair = l.pair;
            pair.term_first = size_of(plan_.terms);
            for (DenseTerm& term : l.terms) {
                term.pair = size_of(plan_.pairs);
                (kind_of(term) == 0   ? pair.direct
                 : kind_of(term) == 1 ? pair.reduced
                                      : pair.total) += 1;
                pair.depth = std::min(pair.depth, plan_.rules[at(term.rule)].depth);
                plan_.terms.push_back(term);
            }
            if (pair.shape == Shape::outer)
                plan_.entries[at(pair.right)].needs_columns = 1;
            plan_.pairs.push_back(pair);
            if (!plan_.entries[at(pair.left)].moves && !plan_.entries[at(pair.right)].moves)
                moving = size_of(plan_.pairs);
        }
        stratum.chunk_first = size_of(plan_.chunks);
        add_chunks(first, moving, 1);
        stratum.chunk_moving = size_of(plan_.chunks);
        add_chunks(moving, size_of(plan_.pairs), 0);
        stratum.chunk_last = size_of(plan_.chunks);
    }

    void add_chunks(int first, int last, int is_fixed) {
        for (int from = first; from < last; from += chunk_) {
            DenseChunk chunk{};
            chunk.pair_first = from;
            chunk.pair_last = std::min(from + chunk_, last);
            chunk.is_fixed = is_fixed;
            chunk.term_first = plan_.pairs[at(from)].term_first;
            chunk.term_last = chunk.pair_last == size_of(plan_.pairs)
                                  ? size_of(plan_.terms)
                                  : plan_.pairs[at(chunk.pair_last)].term_first;
            chunk.left_first = size_of(plan_.runs);
            add_runs(chunk, &DensePair::left);
            chunk.left_last = chunk.right_first = size_of(plan_.runs);
            add_runs(chunk, &DensePair::right);
            chunk.right_last = size_of(plan_.runs);
            for (int r = 0; r < auxiliaries_; ++r) {
                plan_.rule_term_first.push_back(size_of(plan_.rule_terms));
                for (int t = chunk.term_first; t < chunk.term_last; ++t)
                    if (plan_.terms[at(t)].rule == r)
                        plan_.rule_terms.push_back(share_of(t, chunk));
                plan_.rule_term_first.push_back(size_of(plan_.rule_terms));
            }
            plan_.chunks.push_back(chunk);
        }
    }

    DenseShare share_of(int t, const DenseChunk& chunk) const {
        const DenseTerm& term = plan_.terms[at(t)];
        const bool is_column =
            plan_.pairs[at(term.pair)].shape == Shape::column && kind_of(term) == 0;
        return {t, term.pair - chunk.pair_first, is_column, 0};
    }

    void add_runs(const DenseChunk& chunk, int DensePair::*side) {
        std::map<int, std::vector<int>> by_entry;
        for (int k = chunk.pair_first; k < chunk.pair_last; ++k)
            if (plan_.entries[at(plan_.pairs[at(k)].*side)].has_gradient)
                by_entry[plan_.pairs[at(k)].*side].push_back(k);
        for (const auto& [entry, pairs] : by_entry) {
            const int from = size_of(plan_.run_pairs);
            plan_.run_pairs.insert(plan_.run_pairs.end(), pairs.begin(), pairs.end());
            plan_.runs.push_back({entry, from, size_of(plan_.run_pairs)});
        }
    }

    // Which entries see a rule: its own stratum's, and those of later ones, negations included.
    void index_entries(const DenseStratum& stratum) {
        for (int r = 0; r < auxiliaries_; ++r) {
            plan_.fixed_first.push_back(size_of(plan_.fixed_entries));
            for (int e = stratum.entry_first; e < stratum.entry_moving; ++e)
                if (plan_.entries[at(e)].has_gradient &&
                    h_.positive(plan_.entries[at(e)].predicate) == first_ + r)
                    plan_.fixed_entries.push_back(e);
        }
        plan_.fixed_first.push_back(size_of(plan_.fixed_entries));
        for (int r = stratum.rule_first; r < stratum.rule_last; ++r) {
            plan_.moving_first.push_back(size_of(plan_.moving_entries));
            for (int e = stratum.entry_moving; e < stratum.entry_last; ++e)
                if (plan_.entries[at(e)].predicate == first_ + r)
                    plan_.moving_entries.push_back(e);
        }
        if (stratum.is_top)
            plan_.moving_first.push_back(size_of(plan_.moving_entries));
    }

    void add_stratum(int layer, bool is_top) {
        DenseStratum stratum{};
        stratum.is_top = is_top;
        const auto& all = h_.auxiliaries;
        const auto in_layer = [&](const Auxiliary& a) { return layer == 0 || a.layer == layer; };
        stratum.rule_first =
            static_cast<int>(std::find_if(all.begin(), all.end(), in_layer) - all.begin());
        stratum.rule_last =
            stratum.rule_first + static_cast<int>(std::count_if(all.begin(), all.end(), in_layer));
        find_depths(stratum);
        add_entries(stratum);
        add_reads(stratum);
        add_pairs(stratum);
        index_entries(stratum);
        plan_.strata.push_back(stratum);
    }

    void index_alpha() {
        std::vector<std::vector<std::pair<int, int>>> by_score(h_.slots.size() * at(width_));
        for (int t = 0; t < size_of(plan_.terms); ++t) {
            const DenseTerm& term = plan_.terms[at(t)];
            by_score[at(term.left_alpha)].emplace_back(t, term.right_alpha);
            by_score[at(term.right_alpha)].emplace_back(t, term.left_alpha);
        }
        for (const auto& terms : by_score) {
            plan_.alpha_first.push_back(size_of(plan_.alpha_terms));
            for (const auto& [term, other] : terms) {
                plan_.alpha_terms.push_back(term);
                plan_.alpha_others.push_back(other);
            }
        }
        plan_.alpha_first.push_back(size_of(plan_.alpha_terms));
    }

    const Hierarchy& h_;
    CompiledRules rules_;
    const Options& options_;
    int chunk_;
    int width_;  // predicates
    int first_;  // auxiliary
    int auxiliaries_;
    int matrices_ = 0;
    std::map<std::pair<int, int>, int> entry_at_;  // [view, predicate], of the stratum
    DensePlan plan_;
};

}  // namespace

DensePlan make_dense_plan(const Hierarchy& hierarchy, const ProtoRules& protorules,
                          const Options& options, int dimension, const DenseSizes& sizes) {
    return PlanMaker(hierarchy, protorules, options, dimension, sizes).make();
}

}  // namespace hri::soft
