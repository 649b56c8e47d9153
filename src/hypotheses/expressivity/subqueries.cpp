// SPDX-License-Identifier: Apache-2.0

#include "hypotheses/expressivity/subqueries.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace hri::expressivity {
namespace {

using expressivity::conjunction;
using expressivity::QueryAtom;
using expressivity::QueryBuilder;

using base::at;

}  // namespace

Pieces::Pieces(const Program& program, const std::vector<PredicateSymbol>& inputs,
               const ProtoRules& rules)
    : program_(program),
      rules_(rules),
      components_(logic::components(program)),
      item_of_(at(program.vocabulary.size())) {
    number(Query{});  // kTrue
    for (const PredicateSymbol& input : inputs) {
        const auto known = program.vocabulary.find(input);
        inputs_.push_back(known ? number(leaf(*known)) : -1);
    }
    for (const Rule& rule : program.rules) {
        const int clause = number(query_of(rule));
        Item& item = item_of_[rule.head.predicate.id];
        item.push_back(clause);
        std::sort(item.begin(), item.end());
        item.erase(std::unique(item.begin(), item.end()), item.end());
        take_apart(rule, clause);
    }
    for (std::size_t p = 0; p < item_of_.size(); ++p) {
        if (!item_of_[p].empty()) {
            defined_[number(leaf({static_cast<std::uint32_t>(p)}))] = item_of_[p];
        }
    }
}

int Pieces::input(int query) const {
    const auto found = std::find(inputs_.begin(), inputs_.end(), query);
    return found == inputs_.end() ? -1 : static_cast<int>(found - inputs_.begin());
}

std::vector<int> Pieces::disjuncts(int protorule, int query) const {
    const ProtoRule& rule = rules_[at(protorule)];
    std::vector<int> found;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
        if (fits(queries_[i], rule.disjunct[0]) &&
            conjunction(rule.head, rule.disjunct, {&queries_[i]}) == queries_[at(query)]) {
            found.push_back(static_cast<int>(i));
        }
    }
    return found;
}

const std::set<Item>& Pieces::recursive(const Item& item) {
    const auto [known, fresh] = recursive_.emplace(item, std::set<Item>{});
    for (std::size_t i = 0; fresh && i < item.size(); ++i) {
        for (const QueryAtom& atom : queries_[at(item[i])].atoms) {
            if (components_.recursive[at(components_.of[at(atom.symbol)])]) {
                known->second.insert(item_of_[at(atom.symbol)]);
            }
        }
    }
    return known->second;
}

int Pieces::number(const Query& query) {
    const auto [found, fresh] = numbers_.emplace(query, static_cast<int>(queries_.size()));
    if (fresh) {
        queries_.push_back(query);
    }
    return found->second;
}

expressivity::Query Pieces::leaf(Predicate p) const {
    QueryBuilder builder;
    std::vector<int> arguments;
    for (int i = 0; i < program_.vocabulary[p].arity; ++i) {
        arguments.push_back(builder.fresh());
    }
    builder.add(static_cast<int>(p.id), arguments);
    return builder.query(arguments);
}

std::vector<int> Pieces::variables_of(const Atom& atom) {
    std::vector<int> variables;
    for (const Term& term : atom.arguments) {
        variables.push_back(term.index());
    }
    return variables;
}

expressivity::Query Pieces::query_of(const Rule& rule) {
    QueryBuilder builder;
    int largest = -1;
    const auto note = [&](const Atom& atom) {
        for (const Term& term : atom.arguments) {
            largest = std::max(largest, term.index());
        }
    };
    note(rule.head);
    std::for_each(rule.body.begin(), rule.body.end(), note);
    for (int v = 0; v <= largest; ++v) {
        builder.fresh();
    }
    for (const Atom& atom : rule.body) {
        builder.add(static_cast<int>(atom.predicate.id), variables_of(atom));
    }
    return core(builder.query(variables_of(rule.head)));
}

bool Pieces::fits(const Query& query, const ProtoAtom& atom) {
    const int arity = static_cast<int>(atom.arguments.size());
    return atom.any_lower_arity ? query.arity() <= arity : query.arity() == arity;
}

void Pieces::take_apart(const Rule& rule, int clause) {
    std::vector<int> pieces = {kTrue};
    for (const Atom& atom : rule.body) {
        const int p = number(leaf(atom.predicate));
        if (std::find(pieces.begin(), pieces.end(), p) == pieces.end()) {
            pieces.push_back(p);
        }
    }
    const Query whole = queries_[at(clause)];
    for (std::size_t done = 0; done < pieces.size();) {
        const std::size_t end = pieces.size();
        std::vector<int> slots;
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            put_together(static_cast<int>(r), slots, done, end, pieces, whole);
        }
        done = end;
    }
}

void Pieces::put_together(int r, std::vector<int>& slots, std::size_t fresh, std::size_t end,
                          std::vector<int>& pieces, const Query& whole) {
    const ProtoRule& rule = rules_[at(r)];
    if (slots.size() < rule.body.size()) {
        for (std::size_t i = 0; i < end; ++i) {
            if (fits(queries_[at(pieces[i])], rule.body[slots.size()])) {
                slots.push_back(pieces[i]);
                put_together(r, slots, fresh, end, pieces, whole);
                slots.pop_back();
            }
        }
        return;
    }
    const bool is_new = std::any_of(slots.begin(), slots.end(), [&](int slot) {
        return std::find(pieces.begin() + static_cast<std::ptrdiff_t>(fresh), pieces.end(), slot) !=
               pieces.end();
    });
    std::vector<const Query*> queries;
    std::size_t atoms = 0;
    for (const int slot : slots) {
        queries.push_back(&queries_[at(slot)]);
        atoms += queries.back()->atoms.size();
    }
    if (!is_new || atoms > whole.atoms.size()) {
        return;
    }
    const Query made = conjunction(rule.head, rule.body, queries);
    if (!is_piece_of(made, whole)) {
        return;
    }
    const int piece = number(made);
    ways_[piece].insert({r, slots});
    if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) {
        pieces.push_back(piece);
    }
}

}  // namespace hri::expressivity
