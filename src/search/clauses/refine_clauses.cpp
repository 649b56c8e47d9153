// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/refine_clauses.hpp"

#include "evaluate/top_down.hpp"
#include "search/clauses/unfolded_clauses.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

namespace hri::search {

namespace {

constexpr int kMaxChanges = 30;
constexpr double kMinShare = 0.02;  // of the instances with a positive example, for a predicate
                                    // to be tried

using Bits = std::vector<std::uint64_t>;

/// A literal over these variables, as an atom of a program.
Atom atom_of(Program& program, const PredicateSymbol& symbol, int first, int second) {
    Atom atom{program.vocabulary.intern(symbol), {Term::variable(first)}};
    if (symbol.arity == 2)
        atom.arguments.push_back(Term::variable(second));
    return atom;
}

Atom head_of(const Program& program) {
    Atom head{program.target, {}};
    for (int i = 0; i < program.vocabulary[program.target].arity; ++i)
        head.arguments.push_back(Term::variable(i));
    return head;
}

class Refinement {
  public:
    Refinement(const RefinementData& data, const ExampleTable& examples, const Program& start,
               const ProgramCost& cost, const std::function<bool()>& stop)
        : data_(data),
          examples_(examples),
          cost_of_program_(cost),
          stop_(stop),
          arity_(examples.target.arity),
          positive_((examples.positive.size() + 63) / 64, 0) {
        std::set<int> with_positives;
        for (std::size_t e = 0; e < examples.positive.size(); ++e) {
            first_.emplace(tuple(e).front(), e);
            if (examples.positive[e] != 0) {
                set(positive_, e);
                with_positives.insert(data.instance_of(tuple(e).front()));
            }
        }
        for (std::size_t p = 0; p < data.predicates().size(); ++p) {
            const std::vector<int>& with = data.instances_with(p);
            std::vector<int> both;
            std::set_intersection(with_positives.begin(), with_positives.end(), with.begin(),
                                  with.end(), std::back_inserter(both));
            if (data.predicates()[p] != examples.target &&
                static_cast<double>(both.size()) >
                    kMinShare * static_cast<double>(with_positives.size()))
                (data.predicates()[p].arity == 1 ? unary_ : binary_).push_back(static_cast<int>(p));
        }
        for (const Clause& clause : unfolded_clauses(start, data.predicates()))
            incumbent_.push_back({clause, covered(clause)});
        cost_ = cost_of(incumbent_);
    }

    RefinedClauses run() {
        RefinedClauses result;
        result.cost_before = cost_;
        for (int i = 0; i < kMaxChanges && change(); ++i) {
        }
        result.cost = cost_;
        result.program = program_of(incumbent_);
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

    static void set(Bits& bits, std::size_t e) { bits[e / 64] |= std::uint64_t{1} << (e % 64); }

    static bool is_set(const Bits& bits, std::size_t e) {
        return (bits[e / 64] >> (e % 64) & 1U) != 0;
    }

    static std::size_t count(const Bits& bits) {
        std::size_t all = 0;
        for (const std::uint64_t word : bits)
            all += static_cast<std::size_t>(std::popcount(word));
        return all;
    }

    std::span<const std::int32_t> tuple(std::size_t example) const {
        const auto width = static_cast<std::size_t>(arity_);
        return {examples_.cells.data() + example * width, width};
    }

    const PredicateSymbol& symbol(const Literal& literal) const {
        return data_.predicates()[static_cast<std::size_t>(literal.predicate)];
    }

    Program program_of(const std::vector<Covering>& coverings) const {
        Program program;
        program.target = program.vocabulary.intern(examples_.target);
        for (const Covering& covering : coverings) {
            Rule rule{head_of(program), {}};
            for (const Literal& literal : covering.clause)
                rule.body.push_back(
                    atom_of(program, symbol(literal), literal.first, literal.second));
            program.rules.push_back(std::move(rule));
        }
        return program;
    }

    /// A clause as a program that looks at the instance of the head's first variable alone.
    Program within_instance(const Clause& clause) const {
        Program program = program_of({{clause, {}}});
        std::set<int> reached{0, arity_ - 1};
        int variables = arity_;
        for (const Literal& literal : clause)
            variables = std::max({variables, literal.first + 1, literal.second + 1});
        const auto link = [&](int variable) {
            if (!reached.insert(variable).second)
                return;
            for (const int member : {0, variable})
                program.rules.front().body.push_back(
                    atom_of(program, data_.membership(), member, variables));
        };
        Clause open = clause;
        while (!open.empty()) {
            const auto next = std::find_if(open.begin(), open.end(), [&](const Literal& literal) {
                return reached.count(literal.first) + reached.count(literal.second) > 0;
            });
            if (next == open.end()) {
                link(open.front().first);
                continue;
            }
            reached.insert({next->first, next->second});
            open.erase(next);
        }
        return program;
    }

    /// The examples that a clause covers, of those that a part of it does. Only those are looked at
    /// that its rarest literal over the head's first variable leaves.
    Bits covered(const Clause& clause, const Bits* part = nullptr) const {
        Bits bits(positive_.size(), 0);
        const evaluation::DatabaseIndex& index = data_.index();
        const Literal* rarest = nullptr;
        for (const Literal& literal : clause)
            if ((literal.first == 0 || literal.second == 0) &&
                (rarest == nullptr ||
                 index.rows(literal.predicate) < index.rows(rarest->predicate)))
                rarest = &literal;
        evaluation::TopDown run(index, within_instance(clause), {},
                                {.steps = std::numeric_limits<std::int64_t>::max()});
        const auto look = [&](std::size_t e) {
            if (!is_set(bits, e) && run.holds(tuple(e)))
                set(bits, e);
        };
        if (part != nullptr &&
            (rarest == nullptr || index.rows(rarest->predicate) > count(*part))) {
            for (std::size_t w = 0; w < part->size(); ++w)
                for (std::uint64_t left = (*part)[w]; left != 0; left &= left - 1)
                    look(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
            return bits;
        }
        if (rarest == nullptr) {
            for (std::size_t e = 0; e < examples_.positive.size(); ++e)
                look(e);
            return bits;
        }
        const auto width = static_cast<std::size_t>(symbol(*rarest).arity);
        const std::span<const std::int32_t> rows = index.match(rarest->predicate, 0, nullptr);
        std::int32_t last = -1;
        for (std::size_t r = rarest->first == 0 ? 0 : 1; r < rows.size(); r += width) {
            if (rows[r] == last)
                continue;
            last = rows[r];
            const auto [first, end] = first_.equal_range(last);
            for (auto example = first; example != end; ++example)
                if (part == nullptr || is_set(*part, example->second))
                    look(example->second);
        }
        return bits;
    }

    double cost_of(const std::vector<Covering>& coverings) const {
        Score score;
        for (std::size_t w = 0; w < positive_.size(); ++w) {
            std::uint64_t covered = 0;
            for (const Covering& covering : coverings)
                covered |= covering.bits[w];
            score.positives += std::popcount(positive_[w]);
            score.false_positives += std::popcount(covered & ~positive_[w]);
            score.false_negatives += std::popcount(positive_[w] & ~covered);
        }
        score.negatives = static_cast<std::int64_t>(examples_.positive.size()) - score.positives;
        return cost_of_program_(program_of(coverings), score);
    }

    /// Takes the best of all single changes. False where none helps.
    bool change() {
        best_cost_ = cost_;
        tried_.clear();
        for (const int p : binary_)
            for (const Literal& opening : openings(p)) {
                const auto known = opened_.find(opening);
                Bits bits = offer_clause(std::nullopt, {opening},
                                         known == opened_.end() ? nullptr : &known->second);
                opened_.insert_or_assign(opening, std::move(bits));
            }
        for (std::size_t i = 0; i < incumbent_.size(); ++i) {
            std::vector<Covering> fewer = incumbent_;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            offer(std::move(fewer));
            const Covering now = incumbent_[i];
            for (Clause& other : changes(now.clause)) {
                const bool is_longer = other.size() > now.clause.size();
                offer_clause(i, std::move(other), is_longer ? &now.bits : nullptr);
            }
        }
        if (best_cost_ >= cost_)  // a clause whose relation alone holds too often
            for (const int p : binary_)
                for (const int name : unary_)
                    for (const Literal& opening : openings(p))
                        offer_clause(std::nullopt, {opening, {name, arity_, arity_}},
                                     &opened_[opening]);
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

    /// A new clause in the place of an old one, if one is named, and beside all. `part`: what a
    /// part of it covers. Gives what it covers.
    Bits offer_clause(std::optional<std::size_t> old, Clause clause, const Bits* part) {
        if (clause.size() > kMaxBody || (stop_ && stop_()))
            return positive_;
        const Covering fresh{clause, covered(clause, part)};
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
        return fresh.bits;
    }

    bool is_unary(const Literal& literal) const { return symbol(literal).arity == 1; }

    /// Adds a literal from an argument of the head to a new variable.
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

    const RefinementData& data_;
    const ExampleTable& examples_;
    const ProgramCost& cost_of_program_;
    const std::function<bool()>& stop_;
    int arity_;                                                 // of the target
    Bits positive_;                                             // [example]
    std::unordered_multimap<std::int32_t, std::size_t> first_;  // examples by first argument
    std::vector<int> unary_, binary_;                           // that are tried
    std::vector<Covering> incumbent_, best_;
    double cost_ = 0, best_cost_ = 0;
    std::map<Literal, Bits> opened_;  // what an opening alone covers
    std::set<Clause> tried_;          // of the change under way
};

/// The facts with a predicate more: which instance a constant is of. Instances are the constants
/// behind all others.
Database with_membership(data::InstanceDatabase facts) {
    Database database = std::move(facts.database);
    FactTable membership{{"instance of", 2}, {}, {}};
    for (std::size_t i = 0; i + 1 < facts.starts.size(); ++i) {
        const auto instance = static_cast<std::int32_t>(database.constants.size());
        database.constants.push_back({});
        for (std::int32_t c = facts.starts[i]; c < facts.starts[i + 1]; ++c)
            membership.cells.insert(membership.cells.end(), {c, instance});
    }
    database.tables.push_back(std::move(membership));
    return database;
}

}  // namespace

RefinementData::RefinementData(data::InstanceDatabase facts)
    : instances_(facts.instances()),
      database_(with_membership(std::move(facts))),
      index_(database_) {
    for (const FactTable& table : database_.tables) {
        predicates_.push_back(table.symbol);
        std::vector<int>& with = with_.emplace_back();
        const auto width = static_cast<std::size_t>(table.symbol.arity);
        for (std::size_t r = 0; r < table.cells.size(); r += width)
            if (const int i = instance_of(table.cells[r]); with.empty() || with.back() != i)
                with.push_back(i);
    }
    predicates_.pop_back();  // the membership
}

ExampleTable RefinementData::labelled_constants(std::size_t name) const {
    ExampleTable examples{predicates_[name], {}, std::vector<char>(instances_.size(), 0)};
    for (std::size_t c = 0; c < instances_.size(); ++c)
        examples.cells.push_back(static_cast<std::int32_t>(c));
    for (const std::int32_t constant : database_.tables[name].cells)
        examples.positive[static_cast<std::size_t>(constant)] = 1;
    return examples;
}

RefinedClauses refine_clauses(const RefinementData& data, const ExampleTable& examples,
                              const Program& start, const ProgramCost& cost,
                              const std::function<bool()>& stop) {
    return Refinement(data, examples, start, cost, stop).run();
}

}  // namespace hri::search
