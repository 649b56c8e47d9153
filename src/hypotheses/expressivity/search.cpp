// SPDX-License-Identifier: Apache-2.0

// Breadth-first search over the meanings of auxiliary predicates, layer by layer.
//
// First with each body atom of the metarule used at most once. Where True fits every slot this is
// no loss: let a derivation unfold to a query E equivalent to the metarule's core T. T occurs in E;
// put True in the place of the leaves outside that occurrence. What remains is T itself, up to the
// names of variables, with the same layers. So every auxiliary is a piece of T (is_piece_of), there
// are finitely many pieces, and a search that ends without T proves that T is out of reach. The
// same holds with recursion and disjunction: T is contained in an infinite union of conjunctive
// queries only if it is contained in one of them.

#include "hypotheses/expressivity/metarule.hpp"
#include "hypotheses/expressivity/query.hpp"
#include "hypotheses/plain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hri {
namespace {

using expressivity::conjunction;
using expressivity::Query;
using expressivity::QueryAtom;

struct Known {
    Query query;
    int layer = 0;
    int cost = 0;  // proto-rules in the tree
    Filler filler;
    int protorule = -1;           // -1: not derived
    std::vector<int> slots = {};  // indices of what it is made of
    std::uint64_t census = 0;     // filled in by Search
};

constexpr int kFalse = 0;

enum class Mode { each_atom_once, atoms_repeat };

class Search {
  public:
    Search(const Metarule& metarule, const ProtoRules& rules, const ExpressivityOptions& options,
           Mode mode)
        : rules_(rules), options_(options), mode_(mode), goal_(expressivity::query_of(metarule)) {
        goal_census_ = census(goal_);
        max_atoms_ = static_cast<int>(goal_.atoms.size()) +
                     (mode == Mode::atoms_repeat ? options.extra_atoms : 0);
        Query falsity;
        falsity.falsity = true;
        add({falsity, 0, 0, {Filler::Kind::falsity, 0}});  // number kFalse
        if (options.with_true) {
            add({Query{}, 0, 0, {Filler::Kind::truth, 0}});
        }
        if (options.with_equal) {
            add({Query{false, {0, 0}, {}}, 0, 0, {Filler::Kind::equal, 0}});
        }
        for (std::size_t i = 0; i < metarule.body.size(); ++i) {
            if (!expressivity::is_built_in(metarule.body[i])) {
                add({expressivity::query_of_predicate(metarule, i),
                     0,
                     0,
                     {Filler::Kind::body, static_cast<int>(i)}});
            }
        }
    }

    Derivability run() {
        std::size_t from = 0;
        while (ids_.count(goal_) == 0 && from < known_.size() && !full()) {
            from = next_layer(from);
        }
        Derivability result;
        result.queries = static_cast<std::int64_t>(known_.size());
        result.layers_searched = layer_;
        result.max_atoms = max_atoms_;
        const auto found = ids_.find(goal_);
        result.complete = mode_ == Mode::each_atom_once && repeating_is_useless() &&
                          (found != ids_.end() || !full());
        if (found != ids_.end()) {
            result.derivation = derivation(found->second);
            result.complete = result.complete || result.derivation->layers <= 1;
        }
        return result;
    }

    bool repeating_is_useless() const {
        if (!options_.with_true) {
            return false;
        }
        return std::all_of(rules_.begin(), rules_.end(), [](const ProtoRule& rule) {
            const auto takes_true = [](const ProtoAtom& atom) { return atom.any_lower_arity; };
            return std::all_of(rule.body.begin(), rule.body.end(), takes_true) &&
                   std::all_of(rule.disjunct.begin(), rule.disjunct.end(), takes_true);
        });
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    bool full() const { return static_cast<std::int64_t>(known_.size()) >= options_.max_queries; }

    /// Keeps what is new, or cheaper on the same layer.
    void add(Known known) {
        const auto [place, is_new] = ids_.emplace(known.query, static_cast<int>(known_.size()));
        known.census = census(known.query);
        if (is_new) {
            known_.push_back(std::move(known));
            return;
        }
        Known& old = known_[at(place->second)];
        if (old.layer == known.layer && known.cost < old.cost) {
            old = std::move(known);
        }
    }

    static bool fits(const Query& query, const ProtoAtom& atom) {
        const int arity = static_cast<int>(atom.arguments.size());
        return atom.any_lower_arity ? query.arity() <= arity : query.arity() == arity;
    }

    /// Whether the goal could be made of this.
    bool is_useful(const Query& query) const {
        if (query.falsity) {
            return true;
        }
        return mode_ == Mode::each_atom_once ? is_piece_of(query, goal_)
                                             : maps_into(query, goal_, false);
    }

    /// Applies every proto-rule with at least one slot in known_[from..]. Returns where the new
    /// layer begins.
    std::size_t next_layer(std::size_t from) {
        ++layer_;
        const std::size_t end = known_.size();
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            std::vector<int> slots(rules_[r].body.size());
            fill(static_cast<int>(r), slots, 0, from, end);
        }
        return end;
    }

    /// The number of occurrences of each symbol, a byte each.
    static std::uint64_t census(const Query& query) {
        std::uint64_t counts = 0;
        for (const QueryAtom& atom : query.atoms) {
            counts += std::uint64_t{1} << (8 * atom.symbol);
        }
        return counts;
    }

    bool too_many_atoms(const std::vector<int>& slots, std::size_t count) const {
        std::size_t atoms = 0;
        std::uint64_t counts = 0;
        for (std::size_t i = 0; i < count; ++i) {
            atoms += known_[at(slots[i])].query.atoms.size();
            counts += known_[at(slots[i])].census;
        }
        constexpr std::uint64_t kHigh = 0x8080808080808080U;
        return atoms > at(max_atoms_) || (mode_ == Mode::each_atom_once &&
                                          (((goal_census_ | kHigh) - counts) & kHigh) != kHigh);
    }

    void fill(int rule, std::vector<int>& slots, std::size_t next, std::size_t from,
              std::size_t end) {
        const std::vector<ProtoAtom>& body = rules_[at(rule)].body;
        if (next == body.size()) {
            apply(rule, slots, from, end);
            return;
        }
        for (std::size_t i = 0; i < end && !full(); ++i) {
            if (!fits(known_[i].query, body[next])) {
                continue;
            }
            if (i == kFalse && rules_[at(rule)].disjunct.empty()) {
                continue;
            }
            // Where False fits all slots of a conjunction, it fills all or none.
            if (next > 0 && body[0].any_lower_arity && body[next].any_lower_arity &&
                (i == kFalse) != (slots[0] == kFalse)) {
                continue;
            }
            slots[next] = static_cast<int>(i);
            if (too_many_atoms(slots, next + 1)) {
                continue;
            }
            fill(rule, slots, next + 1, from, end);
        }
    }

    void apply(int r, const std::vector<int>& slots, std::size_t from, std::size_t end) {
        const ProtoRule& rule = rules_[at(r)];
        const bool fresh = std::any_of(slots.begin(), slots.end(), [from](int i) {
            return static_cast<std::size_t>(i) >= from;
        });
        if (rule.disjunct.empty() && !fresh) {
            return;
        }
        const Query body = meaning(rule.head, rule.body, slots);
        if (rule.disjunct.empty()) {
            keep(r, slots, body);
            return;
        }
        const bool takes_false = rule.disjunct[0].any_lower_arity;
        for (std::size_t i = 0; i < end; ++i) {
            const Query& filler = known_[i].query;
            const bool redundant = takes_false && body.falsity == filler.falsity;
            if (redundant || !fits(filler, rule.disjunct[0]) || (!fresh && i < from)) {
                continue;
            }
            const Query other = meaning(rule.head, rule.disjunct, {static_cast<int>(i)});
            std::vector<int> all = slots;
            all.push_back(static_cast<int>(i));
            // A union is one conjunctive query only where one side contains the other.
            if (maps_into(body, other, true)) {
                keep(r, all, body);
            } else if (maps_into(other, body, true)) {
                keep(r, all, other);
            }
        }
    }

    Query meaning(const std::vector<int>& head, const std::vector<ProtoAtom>& atoms,
                  const std::vector<int>& slots) const {
        std::vector<const Query*> queries;
        queries.reserve(slots.size());
        for (const int i : slots) {
            queries.push_back(&known_[at(i)].query);
        }
        Query query = conjunction(head, atoms, queries);
        return mode_ == Mode::atoms_repeat ? core(std::move(query)) : query;
    }

    void keep(int rule, const std::vector<int>& slots, const Query& query) {
        if (!is_useful(query)) {
            return;
        }
        int cost = 1;
        for (const int i : slots) {
            cost += known_[at(i)].cost;
        }
        add({query, layer_, cost, {Filler::Kind::step, 0}, rule, slots});
    }

    Derivation derivation(int root) const {
        Derivation result;
        std::map<int, Filler> done;
        result.root = collect(root, result, done);
        result.layers = known_[at(root)].layer;
        return result;
    }

    Filler collect(int id, Derivation& result, std::map<int, Filler>& done) const {
        const Known& known = known_[at(id)];
        if (known.protorule < 0) {
            return known.filler;
        }
        const auto seen = done.find(id);
        if (seen != done.end()) {
            return seen->second;
        }
        DerivationStep step{known.protorule, {}, known.layer};
        for (const int slot : known.slots) {
            step.slots.push_back(collect(slot, result, done));
        }
        const Filler filler{Filler::Kind::step, static_cast<int>(result.steps.size())};
        result.steps.push_back(std::move(step));
        done[id] = filler;
        return filler;
    }

    const ProtoRules& rules_;
    const ExpressivityOptions& options_;
    Mode mode_;
    Query goal_;
    std::uint64_t goal_census_ = 0;
    int max_atoms_ = 0;
    int layer_ = 0;
    std::vector<Known> known_;
    std::map<Query, int> ids_;
};

}  // namespace

Derivability derivability(const Metarule& metarule, const ProtoRules& rules,
                          const ExpressivityOptions& options) {
    hypotheses::expect_plain(rules);
    Search once(metarule, rules, options, Mode::each_atom_once);
    Derivability result = once.run();
    if (result.derivation || result.complete || options.extra_atoms <= 0) {
        return result;
    }
    return Search(metarule, rules, options, Mode::atoms_repeat).run();
}

}  // namespace hri
