// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program taken apart into the queries that proto-rules can put together to its rules' bodies.

#include "hri/logic.hpp"
#include "hri/protorules.hpp"

#include "hypotheses/expressivity/query.hpp"
#include "logic/dependencies.hpp"

#include <map>
#include <set>
#include <vector>

namespace hri::expressivity {

/// The meaning of an auxiliary: a union of queries, by their numbers, ascending.
using Item = std::vector<int>;

/// A program's rules as queries, and every way to put their pieces together.
class Pieces {
  public:
    struct Way {
        int protorule = 0;
        std::vector<int> slots;  // queries, conjoined ones only
        auto operator<=>(const Way&) const = default;
    };

    Pieces(const Program& program, const std::vector<PredicateSymbol>& inputs,
           const ProtoRules& rules);

    static constexpr int kTrue = 0;

    const Item& target() const { return item_of_[program_.target.id]; }

    /// The input that the query is; -1: none.
    int input(int query) const;

    bool is_defined(int query) const { return defined_.count(query) > 0; }

    /// The union that a slot needs which matches the query: a predicate stands for its rules.
    Item item(int query) const { return is_defined(query) ? defined_.at(query) : Item{query}; }

    const std::set<Way>& ways(int query) { return ways_[query]; }

    /// Queries that, in a rule's disjunct, mean this one.
    std::vector<int> disjuncts(int protorule, int query) const;

    /// What the predicates mean that stand in it and call themselves, directly or not.
    const std::set<Item>& recursive(const Item& item);

    int arity(const Item& item) const {
        return queries_[static_cast<std::size_t>(item[0])].arity();
    }

  private:
    using Query = expressivity::Query;

    int number(const Query& query);

    /// (0, 1) <- p(0, 1)
    Query leaf(Predicate p) const;

    static std::vector<int> variables_of(const Atom& atom);

    static Query query_of(const Rule& rule);

    static bool fits(const Query& query, const ProtoAtom& atom);

    /// All pieces of a rule's body, from its predicates up.
    void take_apart(const Rule& rule, int clause);

    void put_together(int r, std::vector<int>& slots, std::size_t fresh, std::size_t end,
                      std::vector<int>& pieces, const Query& whole);

    const Program& program_;
    const ProtoRules& rules_;
    logic::Components components_;
    std::vector<Query> queries_;
    std::map<Query, int> numbers_;
    std::vector<int> inputs_;      // queries
    std::vector<Item> item_of_;    // [predicate]
    std::map<int, Item> defined_;  // [query of one atom with a predicate that has rules]
    std::map<Item, std::set<Item>> recursive_;
    std::map<int, std::set<Way>> ways_;  // [query]
};

}  // namespace hri::expressivity
