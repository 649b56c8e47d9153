// SPDX-License-Identifier: Apache-2.0
#include "search/clause_search.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

namespace hri::search {

namespace {

using evaluation::Bits;
using evaluation::Clause;
using evaluation::Literal;

constexpr int kMaxChanges = 30;
constexpr double kMinShare = 0.02;  // of the instances with a positive example, for a predicate
                                    // to be tried

class Refinement {
  public:
    Refinement(const ClauseTask& task, const std::vector<Clause>& start,
               const ClauseObjective& objective, const std::function<bool()>& stop)
        : task_(task), objective_(objective), stop_(stop), arity_(task.atoms.target.arity) {
        std::set<int> with_positives;
        for (std::size_t e = 0; e < task.atoms.examples.size(); ++e)
            if ((task.atoms.positive[e / 64] >> (e % 64) & 1U) != 0)
                with_positives.insert(task.atoms.examples[e].instance);
        for (std::size_t p = 0; p < task.predicates.size(); ++p) {
            const std::vector<int>& with = task.atoms.facts->instances_with(static_cast<int>(p));
            std::vector<int> both;
            std::set_intersection(with_positives.begin(), with_positives.end(), with.begin(),
                                  with.end(), std::back_inserter(both));
            if (task.predicates[p] != task.atoms.target &&
                static_cast<double>(both.size()) >
                    kMinShare * static_cast<double>(with_positives.size()))
                (task.predicates[p].arity == 1 ? unary_ : binary_).push_back(static_cast<int>(p));
        }
        for (const Clause& clause : start)
            incumbent_.push_back({clause, covered(task_.atoms, clause)});
        cost_ = cost_of(incumbent_);
    }

    RefinedClauses run() {
        RefinedClauses result;
        result.cost_before = cost_;
        for (int i = 0; i < kMaxChanges && change(); ++i) {
        }
        result.cost = cost_;
        result.program = program_of(task_, clauses_in(incumbent_));
        if (incumbent_.empty()) {
            const Atom never = head_of(result.program);
            result.program.rules.push_back({never, {never}});
        }
        result.program = simplified(result.program);
        return result;
    }

  private:
    struct Covering {
        Clause clause;
        Bits bits;
    };

    Atom head_of(const Program& program) const {
        Atom head{program.target, {}};
        for (int i = 0; i < arity_; ++i)
            head.arguments.push_back(Term::variable(i));
        return head;
    }

    static std::vector<Clause> clauses_in(const std::vector<Covering>& coverings) {
        std::vector<Clause> clauses;
        for (const Covering& covering : coverings)
            clauses.push_back(covering.clause);
        return clauses;
    }

    double cost_of(const std::vector<Covering>& coverings) const {
        const Bits& positive = task_.atoms.positive;
        Score score;
        for (std::size_t w = 0; w < positive.size(); ++w) {
            std::uint64_t covered = 0;
            for (const Covering& covering : coverings)
                covered |= covering.bits[w];
            score.positives += std::popcount(positive[w]);
            score.false_positives += std::popcount(covered & ~positive[w]);
            score.false_negatives += std::popcount(positive[w] & ~covered);
        }
        score.negatives = static_cast<std::int64_t>(task_.atoms.examples.size()) - score.positives;
        return objective_.rules(program_of(task_, clauses_in(coverings))) +
               objective_.errors(score);
    }

    /// Takes the best of all single changes. False where none helps.
    bool change() {
        best_cost_ = cost_;
        tried_.clear();
        for (const int p : binary_)
            for (const Literal& opening : openings(p))
                offer_clause(std::nullopt, {opening});
        for (std::size_t i = 0; i < incumbent_.size(); ++i) {
            std::vector<Covering> fewer = incumbent_;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            offer(std::move(fewer));
            const Clause clause = incumbent_[i].clause;
            for (Clause& other : changes(clause))
                offer_clause(i, std::move(other));
        }
        if (best_cost_ >= cost_)  // a clause whose relation alone holds too often
            for (const int p : binary_)
                for (const int name : unary_)
                    for (const Literal& opening : openings(p))
                        offer_clause(std::nullopt, {opening, {name, arity_, arity_}});
        if (best_cost_ >= cost_)
            return false;
        incumbent_ = std::move(best_);
        cost_ = best_cost_;
        return true;
    }

    void offer(std::vector<Covering> candidate) {
        const double cost = cost_of(candidate);
        if (cost < best_cost_ - 1e-9) {
            best_cost_ = cost;
            best_ = std::move(candidate);
        }
    }

    /// A new clause in the place of an old one, if one is named, and beside all.
    void offer_clause(std::optional<std::size_t> old, Clause clause) {
        if (clause.size() > kMaxBody || (stop_ && stop_()))
            return;
        const Covering fresh{clause, covered(task_.atoms, clause)};
        if (old) {
            std::vector<Covering> changed = incumbent_;
            changed[*old] = fresh;
            offer(std::move(changed));
        }
        if (tried_.insert(std::move(clause)).second) {
            std::vector<Covering> more = incumbent_;
            more.push_back(fresh);
            offer(std::move(more));
        }
    }

    bool is_unary(const Literal& literal) const {
        return task_.predicates[static_cast<std::size_t>(literal.predicate)].arity == 1;
    }

    /// From an argument of the head to a new variable.
    std::vector<Literal> openings(int predicate) const {
        std::vector<Literal> result;
        for (int v = 0; v < arity_; ++v) {
            result.push_back({predicate, v, arity_});
            result.push_back({predicate, arity_, v});
        }
        return result;
    }

    /// A literal dropped, with another predicate or turned round, or one more.
    std::vector<Clause> changes(const Clause& clause) const {
        std::vector<Clause> result;
        int variables = 0;
        for (std::size_t a = 0; a < clause.size(); ++a) {
            variables = std::max({variables, clause[a].first + 1, clause[a].second + 1});
            if (clause.size() > 1) {
                Clause shorter = clause;
                shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(a));
                result.push_back(std::move(shorter));
            }
            for (const int p : is_unary(clause[a]) ? unary_ : binary_) {
                Clause other = clause;
                other[a].predicate = p;
                if (p != clause[a].predicate)
                    result.push_back(other);
                if (is_unary(clause[a]))
                    continue;
                std::swap(other[a].first, other[a].second);
                result.push_back(std::move(other));
            }
        }
        const auto add = [&](const Literal& literal) {
            result.push_back(clause);
            result.back().push_back(literal);
        };
        for (int v = 0; v < variables; ++v)
            for (const int p : unary_)
                add({p, v, v});
        if (variables < kMaxVariables)
            for (int v = 0; v < variables; ++v)
                for (const int p : binary_) {
                    add({p, v, variables});
                    add({p, variables, v});
                }
        return result;
    }

    const ClauseTask& task_;
    const ClauseObjective& objective_;
    const std::function<bool()>& stop_;
    int arity_;                        // of the target
    std::vector<int> unary_, binary_;  // that are tried
    std::vector<Covering> incumbent_, best_;
    double cost_ = 0, best_cost_ = 0;
    std::set<Clause> tried_;  // of the change under way
};

}  // namespace

RefinedClauses refine(const ClauseTask& task, const std::vector<Clause>& start,
                      const ClauseObjective& objective, const std::function<bool()>& stop) {
    return Refinement(task, start, objective, stop).run();
}

}  // namespace hri::search
