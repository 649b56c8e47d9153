// SPDX-License-Identifier: Apache-2.0

#include "hypotheses/expressivity/layer_assignment.hpp"

#include "hri/model.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <set>

namespace hri::expressivity {
namespace {

using base::at;

}  // namespace

Placement::Placement(Pieces& pieces, const ProtoRules& rules, const Options& options,
                     std::int64_t tries)
    : pieces_(pieces), rules_(rules), options_(options), left_(tries) {
    has_disjuncts_ = std::any_of(rules.begin(), rules.end(),
                                 [](const ProtoRule& rule) { return !rule.disjunct.empty(); });
}

std::vector<Placement::Node> Placement::find() {
    const int room = options_.layers * options_.auxiliaries * static_cast<int>(rules_.size());
    cut_ = true;
    for (max_auxiliaries_ = 1; max_auxiliaries_ <= room && left_ > 0 && cut_; ++max_auxiliaries_) {
        cut_ = false;
        if (place(pieces_.target(), options_.layers, options_.layers)) {
            return nodes_;
        }
    }
    return {};
}

int Placement::sees(const Node& node, std::size_t slot) const {
    const ProtoRule& rule = rules_[at(node.protorule)];
    const bool disjunct = slot >= rule.body.size();
    const bool lone = rule.body.size() == 1 && has_disjuncts_;
    const bool own = disjunct || lone ? options_.recursivity == Recursivity::full &&
                                            options_.disjunct_visibility == DisjunctVisibility::same
                                      : options_.recursivity != Recursivity::none;
    return own ? node.layer : node.layer - 1;
}

bool Placement::visible(int from, std::size_t slot, int to) const {
    const Node& user = nodes_[at(from)];
    const int layer = nodes_[at(to)].layer;
    return layer <= sees(user, slot) &&
           (layer < user.layer || options_.recursivity == Recursivity::full || from == to);
}

bool Placement::has_room(int layer, int r) const {
    if (layer == options_.layers && options_.last_layer == LastLayer::target_arity &&
        rules_[at(r)].arity() != pieces_.arity(pieces_.target())) {
        return false;
    }
    return std::count_if(nodes_.begin(), nodes_.end(), [&](const Node& node) {
               return node.layer == layer && node.protorule == r;
           }) < options_.auxiliaries;
}

bool Placement::too_many() const {
    std::set<Item> missing;
    for (const Open& open : open_) {
        if (std::none_of(nodes_.begin(), nodes_.end(),
                         [&](const Node& node) { return node.item == open.item; })) {
            missing.insert(open.item);
        }
    }
    return static_cast<int>(nodes_.size() + missing.size()) > max_auxiliaries_;
}

int Placement::lowest(const Item& item) {
    int layer = 1;
    for (const Node& node : nodes_) {
        if (pieces_.recursive(item).count(node.item) > 0) {
            layer = node.item == item ? options_.layers + 1 : std::max(layer, node.layer);
        }
    }
    return layer;
}

bool Placement::says_nothing_new(const Open& open) const {
    for (std::size_t n = 0; open.piece && n < nodes_.size(); ++n) {
        if (nodes_[n].item == open.item && consists_of(static_cast<int>(n), open.node)) {
            return true;
        }
    }
    return false;
}

bool Placement::fill() {
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

bool Placement::consists_of(int node, int part) const {
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

bool Placement::place(const Item& item, int lowest, int highest) {
    if (static_cast<int>(nodes_.size()) >= max_auxiliaries_) {
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

bool Placement::place(const Item& item, int layer, const Pieces::Way& way, const Item& rest) {
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

bool Placement::add(const Item& item, int layer, const Pieces::Way& way,
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

void Placement::want(int node, std::size_t slot, const Item& item) {
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

}  // namespace hri::expressivity
