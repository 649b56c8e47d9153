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

/// Builds the predicates first, then the slots: those of a layer may see the whole layer.
class Builder {
  public:
    Builder(const ProtoRules& protorules, const std::vector<PredicateSymbol>& inputs,
            int target_arity, const Options& options)
        : protorules_(protorules), options_(options) {
        h_.inputs = static_cast<int>(inputs.size());
        h_.target_arity = target_arity;
        h_.arity = {0, 0};
        for (const PredicateSymbol& input : inputs)
            h_.arity.push_back(input.arity);
        layer_of_.assign(h_.arity.size(), 0);
    }

    Hierarchy build() {
        for (int layer = 1; layer <= options_.layers; ++layer)
            for (std::size_t r = 0; r < protorules_.size(); ++r)
                add_auxiliaries(r, layer);
        const int positives = h_.predicates();
        if (options_.negation)
            add_negated(positives);
        for (std::size_t a = 0; a < h_.auxiliaries.size(); ++a)
            add_slots(a);
        add_target_slot(positives);
        return std::move(h_);
    }

  private:
    bool is_helper(int p) const {
        const int a = h_.positive(p) - h_.first_auxiliary();
        return a >= 0 && protorules_[static_cast<std::size_t>(
                                         h_.auxiliaries[static_cast<std::size_t>(a)].protorule)]
                             .is_helper;
    }

    /// The auxiliaries of one proto-rule in one layer; its helper comes before each.
    void add_auxiliaries(std::size_t r, int layer) {
        const ProtoRule& rule = protorules_[r];
        if (rule.is_helper)
            return;
        if (layer == options_.layers && options_.last_layer == LastLayer::target_arity &&
            rule.arity() != h_.target_arity)
            return;
        const std::size_t first = rule.helper_atoms.empty() ? r : r - 1;
        for (int copy = 0; copy < options_.auxiliaries; ++copy) {
            for (std::size_t k = first; k <= r; ++k) {
                h_.auxiliaries.push_back(
                    {auxiliary_name(protorules_[k], layer, copy, options_.auxiliaries),
                     layer,
                     static_cast<int>(k),
                     protorules_[k].arity(),
                     {}});
                h_.arity.push_back(protorules_[k].arity());
                layer_of_.push_back(layer);
            }
        }
    }

    void add_negated(int positives) {
        for (int p = h_.first_auxiliary(); p < positives; ++p) {
            const int layer = layer_of_[static_cast<std::size_t>(p)];
            if (layer == options_.layers || is_helper(p))
                continue;
            h_.negated.push_back(p);
            h_.arity.push_back(h_.arity[static_cast<std::size_t>(p)]);
            layer_of_.push_back(layer);
        }
    }

    int add_slot(const ProtoAtom& atom, int self, int layer, bool sees_own_layer) {
        Slot slot;
        for (int p = 0; p < h_.predicates(); ++p) {
            const int its_layer = layer_of_[static_cast<std::size_t>(p)];
            const bool visible =
                its_layer < layer || (sees_own_layer && its_layer == layer && !h_.is_negation(p) &&
                                      (options_.recursivity == Recursivity::full || p == self));
            if (visible && !is_helper(p) && fits(atom, h_.arity[static_cast<std::size_t>(p)]))
                slot.candidates.push_back(p);
        }
        h_.slots.push_back(std::move(slot));
        return static_cast<int>(h_.slots.size()) - 1;
    }

    void add_slots(std::size_t a) {
        Auxiliary& aux = h_.auxiliaries[a];
        const ProtoRule& rule = protorules_[static_cast<std::size_t>(aux.protorule)];
        const int self = h_.first_auxiliary() + static_cast<int>(a);
        const bool recursive = options_.recursivity != Recursivity::none;
        const bool lone_sees_layer = options_.recursivity == Recursivity::full &&
                                     options_.disjunct_visibility == DisjunctVisibility::same;
        // A lone atom (the rule I) follows the disjunct, but only beside rules with disjuncts: a
        // set without any would otherwise lose recursion through its one-atom rules for no reason.
        const bool set_has_disjuncts =
            std::any_of(protorules_.begin(), protorules_.end(),
                        [](const ProtoRule& r) { return !r.disjunct.empty(); });
        const int whole = rule.is_helper ? self + 1 : self;  // the rule that it belongs to
        for (const ProtoAtom& atom : rule.body) {
            if (!rule.helper_atoms.empty() && &atom == rule.body.data()) {
                h_.slots.push_back({{self - 1}});
                aux.slots.push_back(static_cast<int>(h_.slots.size()) - 1);
                continue;
            }
            const bool lone = rule.body.size() == 1 && set_has_disjuncts;
            aux.slots.push_back(
                add_slot(atom, whole, aux.layer, lone ? lone_sees_layer : recursive));
        }
        for (const ProtoAtom& atom : rule.disjunct)
            aux.slots.push_back(add_slot(atom, self, aux.layer, lone_sees_layer));
        for (std::size_t s = 0; s < aux.slots.size(); ++s)
            if (h_.slots[static_cast<std::size_t>(aux.slots[s])].candidates.empty())
                throw Error(
                    "slot " + std::to_string(s + 1) + " of proto-rule " + rule.name + " at layer " +
                        std::to_string(aux.layer) + " has no predicate that it could match",
                    {}, "write ~P instead of P, so that True, False and lower arities may match");
    }

    void add_target_slot(int positives) {
        Slot target;
        for (int p = h_.first_auxiliary(); p < positives; ++p)
            if (layer_of_[static_cast<std::size_t>(p)] == options_.layers && !is_helper(p))
                target.candidates.push_back(p);
        if (target.candidates.empty())
            throw Error("no proto-rule has a head of the target's arity, " +
                            std::to_string(h_.target_arity),
                        {},
                        h_.target_arity == 0
                            ? "use {nullary=true}, which adds the proto-rule Z"
                            : "use another set of proto-rules, or {last_layer=all}");
        h_.slots.push_back(std::move(target));
    }

    const ProtoRules& protorules_;
    const Options& options_;
    Hierarchy h_;
    std::vector<int> layer_of_;  // [predicate]
};

}  // namespace

Hierarchy make_hierarchy(const ProtoRules& protorules, const std::vector<PredicateSymbol>& inputs,
                         int target_arity, const Options& options) {
    return Builder(protorules, inputs, target_arity, options).build();
}

}  // namespace hri
