// SPDX-License-Identifier: Apache-2.0

// A program is taken apart into pieces (reach/query.hpp): the queries that proto-rules can put
// together to a rule's body. Then auxiliaries are placed, one piece each, until every slot is
// filled: a search over which piece goes where, smaller models first.

#include "hri/represent.hpp"

#include "logic/dependencies.hpp"
#include "logic/unfold.hpp"
#include "reach/query.hpp"
#include "rules/plain.hpp"
#include "symbolic/meaning.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hri {
namespace {

using reaching::conjunction;
using reaching::Query;
using reaching::QueryAtom;
using reaching::QueryBuilder;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What an auxiliary means: a union of queries, by their numbers, ascending.
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
           const ProtoRules& rules)
        : program_(program),
          rules_(rules),
          components_(components(program)),
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

    static constexpr int kTrue = 0;

    const Item& target() const { return item_of_[program_.target.id]; }

    /// The input that the query is; -1: none.
    int input(int query) const {
        const auto found = std::find(inputs_.begin(), inputs_.end(), query);
        return found == inputs_.end() ? -1 : static_cast<int>(found - inputs_.begin());
    }

    bool is_defined(int query) const { return defined_.count(query) > 0; }

    /// The union that a slot needs which matches the query: a predicate stands for its rules.
    Item item(int query) const { return is_defined(query) ? defined_.at(query) : Item{query}; }

    const std::set<Way>& ways(int query) { return ways_[query]; }

    /// Queries that, in a rule's disjunct, mean this one.
    std::vector<int> disjuncts(int protorule, int query) const {
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

    /// What the predicates mean that stand in it and call themselves, directly or not.
    const std::set<Item>& recursive(const Item& item) {
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

    int arity(const Item& item) const { return queries_[at(item[0])].arity(); }

  private:
    int number(const Query& query) {
        const auto [found, fresh] = numbers_.emplace(query, static_cast<int>(queries_.size()));
        if (fresh) {
            queries_.push_back(query);
        }
        return found->second;
    }

    /// (0, 1) <- p(0, 1)
    Query leaf(Predicate p) const {
        QueryBuilder builder;
        std::vector<int> arguments;
        for (int i = 0; i < program_.vocabulary[p].arity; ++i) {
            arguments.push_back(builder.fresh());
        }
        builder.add(static_cast<int>(p.id), arguments);
        return builder.query(arguments);
    }

    static std::vector<int> variables_of(const Atom& atom) {
        std::vector<int> variables;
        for (const Term& term : atom.arguments) {
            variables.push_back(term.index());
        }
        return variables;
    }

    static Query query_of(const Rule& rule) {
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

    static bool fits(const Query& query, const ProtoAtom& atom) {
        const int arity = static_cast<int>(atom.arguments.size());
        return atom.any_lower_arity ? query.arity() <= arity : query.arity() == arity;
    }

    /// All pieces of a rule's body, from its predicates up.
    void take_apart(const Rule& rule, int clause) {
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

    void put_together(int r, std::vector<int>& slots, std::size_t fresh, std::size_t end,
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
            return std::find(pieces.begin() + static_cast<std::ptrdiff_t>(fresh), pieces.end(),
                             slot) != pieces.end();
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

    const Program& program_;
    const ProtoRules& rules_;
    Components components_;
    std::vector<Query> queries_;
    std::map<Query, int> numbers_;
    std::vector<int> inputs_;      // queries
    std::vector<Item> item_of_;    // [predicate]
    std::map<int, Item> defined_;  // [query of one atom with a predicate that has rules]
    std::map<Item, std::set<Item>> recursive_;
    std::map<int, std::set<Way>> ways_;  // [query]
};

/// Puts auxiliaries into the layers of a hierarchy.
class Placement {
  public:
    struct Node {
        Item item;
        int layer = 1;
        int protorule = 0;
        std::vector<int> fillers;  // predicates: kGiven + True, False, inputs; else nodes
        std::vector<bool> pieces;  // [slot]: the filler is a piece of what this one means
    };

    static constexpr int kGiven = -1000;

    Placement(Pieces& pieces, const ProtoRules& rules, const Options& options, std::int64_t tries)
        : pieces_(pieces), rules_(rules), options_(options), left_(tries) {
        has_disjuncts_ = std::any_of(rules.begin(), rules.end(),
                                     [](const ProtoRule& rule) { return !rule.disjunct.empty(); });
    }

    /// The nodes, the target's first; empty where there is no room.
    std::vector<Node> find() {
        const int room = options_.layers * options_.auxiliaries * static_cast<int>(rules_.size());
        cut_ = true;
        for (most_ = 1; most_ <= room && left_ > 0 && cut_; ++most_) {
            cut_ = false;
            if (place(pieces_.target(), options_.layers, options_.layers)) {
                return nodes_;
            }
        }
        return {};
    }

    bool gave_up() const { return left_ <= 0; }

  private:
    struct Open {
        int node;
        std::size_t slot;
        Item item;
        bool piece;  // else it stands for a predicate of the program, which may call this one
    };

    /// The highest layer that a slot of a node may match; its own layer stands for itself alone
    /// under iso-recursion.
    int sees(const Node& node, std::size_t slot) const {
        const ProtoRule& rule = rules_[at(node.protorule)];
        const bool disjunct = slot >= rule.body.size();
        const bool lone = rule.body.size() == 1 && has_disjuncts_;
        const bool own = disjunct || lone ? options_.recursivity == Recursivity::full &&
                                                options_.disjunct_sees == DisjunctSees::same
                                          : options_.recursivity != Recursivity::none;
        return own ? node.layer : node.layer - 1;
    }

    bool visible(int from, std::size_t slot, int to) const {
        const Node& user = nodes_[at(from)];
        const int layer = nodes_[at(to)].layer;
        return layer <= sees(user, slot) &&
               (layer < user.layer || options_.recursivity == Recursivity::full || from == to);
    }

    bool has_room(int layer, int r) const {
        if (layer == options_.layers && options_.last_layer == LastLayer::target_arity &&
            rules_[at(r)].arity() != pieces_.arity(pieces_.target())) {
            return false;
        }
        return std::count_if(nodes_.begin(), nodes_.end(), [&](const Node& node) {
                   return node.layer == layer && node.protorule == r;
               }) < options_.auxiliaries;
    }

    /// Whether what is open needs more auxiliaries than may be placed.
    bool too_many() const {
        std::set<Item> missing;
        for (const Open& open : open_) {
            if (std::none_of(nodes_.begin(), nodes_.end(),
                             [&](const Node& node) { return node.item == open.item; })) {
                missing.insert(open.item);
            }
        }
        return static_cast<int>(nodes_.size() + missing.size()) > most_;
    }

    /// The lowest layer that sees the recursive predicates that the item calls, once they have
    /// their place. They have one: a second would say the same.
    int lowest(const Item& item) {
        int layer = 1;
        for (const Node& node : nodes_) {
            if (pieces_.recursive(item).count(node.item) > 0) {
                layer = node.item == item ? options_.layers + 1 : std::max(layer, node.layer);
            }
        }
        return layer;
    }

    /// Whether the slot's node is itself a piece of an auxiliary with that meaning.
    bool says_nothing_new(const Open& open) const {
        for (std::size_t n = 0; open.piece && n < nodes_.size(); ++n) {
            if (nodes_[n].item == open.item && consists_of(static_cast<int>(n), open.node)) {
                return true;
            }
        }
        return false;
    }

    /// Fills what is open.
    bool fill() {
        if (open_.empty()) {
            return true;
        }
        if (left_ <= 0) {
            return false;
        }
        if (too_many()) {
            cut_ = true;
            return false;
        }
        // What recursion needs first: it must share a layer, and fails soonest.
        const auto recursive = std::find_if(open_.rbegin(), open_.rend(), [this](const Open& o) {
            return !pieces_.recursive(o.item).empty();
        });
        const auto next = recursive == open_.rend() ? open_.end() - 1 : recursive.base() - 1;
        const std::vector<Open> before = open_;
        const Open open = *next;
        open_.erase(next);
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const int node = static_cast<int>(n);
            if (nodes_[n].item == open.item && visible(open.node, open.slot, node) &&
                !(open.piece && consists_of(node, open.node))) {
                nodes_[at(open.node)].fillers[open.slot] = node;
                if (fill()) {
                    return true;
                }
            }
        }
        nodes_[at(open.node)].fillers[open.slot] = static_cast<int>(nodes_.size());
        const Node& user = nodes_[at(open.node)];
        int highest = sees(user, open.slot);
        if (options_.recursivity == Recursivity::iso) {
            highest = std::min(highest, user.layer - 1);
        }
        if (!says_nothing_new(open) && place(open.item, lowest(open.item), highest)) {
            return true;
        }
        nodes_[at(open.node)].fillers[open.slot] = kGiven;
        open_ = before;
        return false;
    }

    /// Whether one is the other, or a piece of a piece ... of it is: a piece of itself says
    /// nothing.
    bool consists_of(int node, int part) const {
        if (node == part) {
            return true;
        }
        const Node& whole = nodes_[at(node)];
        for (std::size_t s = 0; s < whole.fillers.size(); ++s) {
            if (whole.pieces[s] && whole.fillers[s] >= 0 && consists_of(whole.fillers[s], part)) {
                return true;
            }
        }
        return false;
    }

    /// One more auxiliary with that meaning, in one of these layers, and all that follows.
    bool place(const Item& item, int lowest, int highest) {
        if (static_cast<int>(nodes_.size()) >= most_) {
            cut_ = true;
            return false;
        }
        for (int layer = highest; layer >= lowest; --layer) {
            for (const int query : item) {
                Item rest = item;
                rest.erase(std::find(rest.begin(), rest.end(), query));
                for (const Pieces::Way& way : pieces_.ways(query)) {
                    if (has_room(layer, way.protorule) && place(item, layer, way, rest)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    bool place(const Item& item, int layer, const Pieces::Way& way, const Item& rest) {
        const ProtoRule& rule = rules_[at(way.protorule)];
        if (rule.disjunct.empty()) {
            return rest.empty() && add(item, layer, way, std::nullopt);
        }
        if (rest.empty()) {
            return add(item, layer, way, std::nullopt);
        }
        if (rest.size() > 1) {
            return add(item, layer, way, rest);
        }
        const std::vector<int> disjuncts = pieces_.disjuncts(way.protorule, rest[0]);
        return std::any_of(disjuncts.begin(), disjuncts.end(),
                           [&](int query) { return add(item, layer, way, Item{query}); });
    }

    bool add(const Item& item, int layer, const Pieces::Way& way,
             const std::optional<Item>& disjunct) {
        --left_;
        const ProtoRule& rule = rules_[at(way.protorule)];
        const int node = static_cast<int>(nodes_.size());
        const std::vector<Open> before = open_;
        const std::vector<Node> nodes = nodes_;
        nodes_.push_back({item, layer, way.protorule, std::vector<int>(at(rule.slots()), kGiven),
                          std::vector<bool>(at(rule.slots()), true)});
        for (std::size_t s = 0; s < way.slots.size(); ++s) {
            want(node, s, {way.slots[s]});
        }
        if (!rule.disjunct.empty()) {
            const std::size_t s = rule.body.size();
            if (disjunct) {
                want(node, s, *disjunct);
            } else {
                nodes_.back().fillers[s] = kGiven + Hierarchy::kFalse;
            }
        }
        if (fill()) {
            return true;
        }
        open_ = before;
        nodes_ = nodes;
        return false;
    }

    void want(int node, std::size_t slot, const Item& item) {
        int& filler = nodes_[at(node)].fillers[slot];
        const int input = item.size() == 1 ? pieces_.input(item[0]) : -1;
        if (item == Item{Pieces::kTrue}) {
            filler = kGiven + Hierarchy::kTrue;
        } else if (input >= 0) {
            filler = kGiven + 2 + input;
        } else {
            const bool defined = item.size() == 1 && pieces_.is_defined(item[0]);
            nodes_[at(node)].pieces[slot] = !defined;
            open_.push_back({node, slot, defined ? pieces_.item(item[0]) : item, !defined});
        }
    }

    Pieces& pieces_;
    const ProtoRules& rules_;
    const Options& options_;
    std::int64_t left_;
    bool has_disjuncts_ = false;
    int most_ = 1;      // auxiliaries
    bool cut_ = false;  // more of them might have helped
    std::vector<Node> nodes_;
    std::vector<Open> open_;
};

/// The model whose slots match what the nodes are made of.
Model model_of(const std::vector<Placement::Node>& nodes,
               const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
               const Options& options) {
    Model model = make_model(inputs, target, options, 0);
    const Hierarchy& h = model.hierarchy;
    std::vector<int> predicate_of(nodes.size(), -1);
    std::vector<bool> taken(h.auxiliaries.size(), false);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (std::size_t a = 0; a < taken.size() && predicate_of[n] < 0; ++a) {
            if (!taken[a] && h.auxiliaries[a].layer == nodes[n].layer &&
                h.auxiliaries[a].protorule == nodes[n].protorule) {
                taken[a] = true;
                predicate_of[n] = h.first_auxiliary() + static_cast<int>(a);
            }
        }
    }
    std::vector<int> matches = best_matches(model);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Auxiliary& aux = h.auxiliaries[at(predicate_of[n] - h.first_auxiliary())];
        for (std::size_t s = 0; s < aux.slots.size(); ++s) {
            const int filler = nodes[n].fillers[s];
            matches[at(aux.slots[s])] =
                filler < 0 ? filler - Placement::kGiven : predicate_of[at(filler)];
        }
    }
    matches[at(h.target_slot())] = predicate_of[0];
    set_matches(model, matches);
    return model;
}

/// The longest chain of auxiliaries; nothing where they go round in a circle.
std::optional<int> chain(const std::vector<Placement::Node>& nodes) {
    std::vector<int> steps(nodes.size(), 1);
    for (std::size_t round = 0; round <= nodes.size(); ++round) {
        bool changed = false;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            for (const int filler : nodes[n].fillers) {
                if (filler >= 0 && steps[n] <= steps[at(filler)]) {
                    steps[n] = steps[at(filler)] + 1;
                    changed = true;
                }
            }
        }
        if (!changed) {
            return steps[0];
        }
    }
    return std::nullopt;
}

void check(const Program& program) {
    for (const Rule& rule : program.rules) {
        std::vector<Atom> atoms = rule.body;
        atoms.push_back(rule.head);
        for (const Atom& atom : atoms) {
            const bool constants =
                std::any_of(atom.arguments.begin(), atom.arguments.end(),
                            [](const Term& term) { return !term.is_variable(); });
            if (constants || atom.arguments.size() > 2) {
                throw Error("a rule of " + program.vocabulary[rule.head.predicate].name +
                                (constants ? " has a constant"
                                           : " has a predicate of more than two arguments"),
                            {}, "proto-rules have variables and at most binary predicates");
            }
        }
    }
}

}  // namespace

std::optional<Representation> represent(const Program& program,
                                        const std::vector<PredicateSymbol>& inputs,
                                        const Options& options, const RepresentLimits& limits) {
    check(program);
    if (has_negation(program)) {
        throw Error("the program has negated atoms", {},
                    "the least model is known for programs without negation");
    }
    const ProtoRules rules = load_protorules(options.rules);
    expect_plain(rules);
    const PredicateSymbol& target = program.vocabulary[program.target];
    const Program shorter = unfolded(program);
    Pieces as_it_stands(program, inputs, rules);
    Pieces unfolded_ones(shorter, inputs, rules);
    bool least = true;
    for (int auxiliaries = 1; auxiliaries <= limits.auxiliaries; ++auxiliaries) {
        for (int layers = 1; layers <= limits.layers; ++layers) {
            Options sized = options;
            sized.auxiliaries = auxiliaries;
            sized.layers = layers;
            for (Pieces* pieces : {&as_it_stands, &unfolded_ones}) {
                const bool twice = pieces == &unfolded_ones && shorter.rules == program.rules;
                if (twice || pieces->target().empty()) {
                    continue;
                }
                Placement placement(*pieces, rules, sized, limits.tries);
                const std::vector<Placement::Node> nodes = placement.find();
                least = least && !placement.gave_up();
                if (!nodes.empty()) {
                    return Representation{model_of(nodes, inputs, target, sized),
                                          static_cast<int>(nodes.size()), chain(nodes), least};
                }
            }
        }
    }
    return std::nullopt;
}

bool same_answers(const Program& a, const Program& b, const std::vector<PredicateSymbol>& inputs,
                  int instances, std::uint64_t seed) {
    Random random(seed, Random::kEvaluation);
    const int arity = a.vocabulary[a.target].arity;
    const std::vector<Instance> probes =
        random_instances(inputs, arity, {instances, 1, 6, 0.0, 1.0}, random);
    return meaning(a, inputs, probes) == meaning(b, inputs, probes);
}

std::vector<PredicateSymbol> input_predicates(const Program& program) {
    const std::vector<bool> defined = defined_predicates(program);
    std::vector<PredicateSymbol> inputs;
    for (std::size_t p = 0; p < defined.size(); ++p) {
        if (!defined[p]) {
            inputs.push_back(program.vocabulary.symbols()[p]);
        }
    }
    return inputs;
}

}  // namespace hri
