// SPDX-License-Identifier: Apache-2.0
#include "hri/model.hpp"

#include <algorithm>

namespace hri {

namespace {

/// Whether a predicate may stand in an atom.
bool fits(const ProtoAtom& atom, int predicate_arity) {
    const int arity = static_cast<int>(atom.arguments.size());
    return atom.any_lower_arity ? predicate_arity <= arity : predicate_arity == arity;
}

std::string auxiliary_name(const ProtoRule& rule, int layer, int copy, int copies) {
    std::string name = rule.name + "_" + std::to_string(layer);
    if (copies > 1)
        name += "." + std::to_string(copy + 1);
    return name;
}

}  // namespace

Hierarchy make_hierarchy(const ProtoRules& protorules, const std::vector<PredicateSymbol>& inputs,
                         int target_arity, const Options& options) {
    Hierarchy h;
    h.inputs = static_cast<int>(inputs.size());
    h.target_arity = target_arity;
    h.arity = {0, 0};
    for (const PredicateSymbol& input : inputs)
        h.arity.push_back(input.arity);

    // Predicates first, since the slots of a layer may see the whole layer.
    std::vector<int> layer_of(h.arity.size(), 0);
    const auto is_helper = [&](int p) {
        const int a = h.positive(p) - h.first_auxiliary();
        return a >= 0 && protorules[static_cast<std::size_t>(
                                        h.auxiliaries[static_cast<std::size_t>(a)].protorule)]
                             .is_helper;
    };
    for (int layer = 1; layer <= options.layers; ++layer) {
        for (std::size_t r = 0; r < protorules.size(); ++r) {
            if (protorules[r].is_helper)
                continue;
            const ProtoRule& rule = protorules[r];
            if (layer == options.layers && options.last_layer == LastLayer::target_arity &&
                rule.arity() != target_arity)
                continue;
            const std::size_t first =
                rule.helper_atoms.empty() ? r : r - 1;  // its link comes before
            for (int copy = 0; copy < options.auxiliaries; ++copy) {
                for (std::size_t k = first; k <= r; ++k) {
                    h.auxiliaries.push_back(
                        {auxiliary_name(protorules[k], layer, copy, options.auxiliaries),
                         layer,
                         static_cast<int>(k),
                         protorules[k].arity(),
                         {}});
                    h.arity.push_back(protorules[k].arity());
                    layer_of.push_back(layer);
                }
            }
        }
    }
    const int positives = h.predicates();
    for (int p = h.first_auxiliary(); options.negation && p < positives; ++p) {
        const int layer = layer_of[static_cast<std::size_t>(p)];
        if (layer == options.layers || is_helper(p))
            continue;
        h.negated.push_back(p);
        h.arity.push_back(h.arity[static_cast<std::size_t>(p)]);
        layer_of.push_back(layer);
    }

    const int predicates = h.predicates();
    const auto add_slot = [&](const ProtoAtom& atom, int self, int layer, bool sees_own_layer) {
        Slot slot;
        for (int p = 0; p < predicates; ++p) {
            const int its_layer = layer_of[static_cast<std::size_t>(p)];
            const bool visible =
                its_layer < layer || (sees_own_layer && its_layer == layer && !h.is_negation(p) &&
                                      (options.recursivity == Recursivity::full || p == self));
            if (visible && !is_helper(p) && fits(atom, h.arity[static_cast<std::size_t>(p)]))
                slot.candidates.push_back(p);
        }
        h.slots.push_back(std::move(slot));
        return static_cast<int>(h.slots.size()) - 1;
    };
    for (std::size_t a = 0; a < h.auxiliaries.size(); ++a) {
        Auxiliary& aux = h.auxiliaries[a];
        const ProtoRule& rule = protorules[static_cast<std::size_t>(aux.protorule)];
        const int self = h.first_auxiliary() + static_cast<int>(a);
        const bool recursive = options.recursivity != Recursivity::none;
        const bool lone_sees_layer = options.recursivity == Recursivity::full &&
                                     options.disjunct_visibility == DisjunctVisibility::same;
        // A lone atom (the rule I) follows the disjunct, but only beside rules with disjuncts: a
        // set without any would otherwise lose recursion through its one-atom rules for no reason.
        const bool set_has_disjuncts =
            std::any_of(protorules.begin(), protorules.end(),
                        [](const ProtoRule& r) { return !r.disjunct.empty(); });
        const int whole = rule.is_helper ? self + 1 : self;  // the rule that it belongs to
        for (const ProtoAtom& atom : rule.body) {
            if (!rule.helper_atoms.empty() && &atom == rule.body.data()) {
                h.slots.push_back({{self - 1}});
                aux.slots.push_back(static_cast<int>(h.slots.size()) - 1);
                continue;
            }
            const bool lone = rule.body.size() == 1 && set_has_disjuncts;
            aux.slots.push_back(
                add_slot(atom, whole, aux.layer, lone ? lone_sees_layer : recursive));
        }
        for (const ProtoAtom& atom : rule.disjunct)
            aux.slots.push_back(add_slot(atom, self, aux.layer, lone_sees_layer));
        for (std::size_t s = 0; s < aux.slots.size(); ++s)
            if (h.slots[static_cast<std::size_t>(aux.slots[s])].candidates.empty())
                throw Error(
                    "slot " + std::to_string(s + 1) + " of proto-rule " + rule.name + " at layer " +
                        std::to_string(aux.layer) + " has no predicate that it could match",
                    {}, "write ~P instead of P, so that True, False and lower arities may match");
    }

    Slot target;
    for (int p = h.first_auxiliary(); p < positives; ++p)
        if (layer_of[static_cast<std::size_t>(p)] == options.layers && !is_helper(p))
            target.candidates.push_back(p);
    if (target.candidates.empty())
        throw Error(
            "no proto-rule has a head of the target's arity, " + std::to_string(target_arity), {},
            target_arity == 0 ? "use {nullary=true}, which adds the proto-rule Z"
                              : "use another set of proto-rules, or {last_layer=all}");
    h.slots.push_back(std::move(target));
    return h;
}

}  // namespace hri
