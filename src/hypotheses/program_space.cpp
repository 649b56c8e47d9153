// SPDX-License-Identifier: Apache-2.0
#include "hypotheses/program_space.hpp"

#include <algorithm>

namespace hri::hypotheses {

ProgramSpace::ProgramSpace(const std::vector<PredicateSymbol>& inputs,
                           const PredicateSymbol& target, const Options& options) {
    validate(options);
    skeleton.options = options;
    skeleton.protorules = make_protorules(options);
    skeleton.inputs = make_inputs(inputs, options);
    skeleton.target = target;
    skeleton.hierarchy =
        make_hierarchy(skeleton.protorules, skeleton.inputs, target.arity, options);
    compile_plans();
}

ProgramSpace::ProgramSpace(const Model& model) {
    skeleton.options = model.options;
    skeleton.protorules = model.protorules;
    skeleton.inputs = model.inputs;
    skeleton.target = model.target;
    skeleton.hierarchy = model.hierarchy;
    compile_plans();
}

void ProgramSpace::compile_plans() {
    constants = constants_of(skeleton.protorules);
    for (const ProtoRule& rule : skeleton.protorules)
        plans.push_back(compile(rule, constants));
    auxiliary_of.assign(hierarchy().slots.size(), -1);
    for (int a = 0; a < auxiliaries(); ++a)
        for (const int slot : hierarchy().auxiliaries[static_cast<std::size_t>(a)].slots)
            auxiliary_of[static_cast<std::size_t>(slot)] = a;
}

void Reached::find(const ProgramSpace& space, const Matches& matches) {
    const Hierarchy& h = space.hierarchy();
    is_member.assign(h.auxiliaries.size(), 0);
    recursive.assign(static_cast<std::size_t>(space.skeleton.options.layers) + 1, 0);
    open_.clear();
    const auto add = [&](int auxiliary) {
        if (auxiliary >= 0 && is_member[static_cast<std::size_t>(auxiliary)] == 0) {
            is_member[static_cast<std::size_t>(auxiliary)] = 1;
            open_.push_back(auxiliary);
        }
    };
    add(space.auxiliary(matches[static_cast<std::size_t>(h.target_slot())]));
    while (!open_.empty()) {
        const Auxiliary& aux = h.auxiliaries[static_cast<std::size_t>(open_.back())];
        open_.pop_back();
        for (const int slot : aux.slots) {
            const int used = space.auxiliary(matches[static_cast<std::size_t>(slot)]);
            if (used < 0)
                continue;
            add(used);
            if (h.auxiliaries[static_cast<std::size_t>(used)].layer == aux.layer)
                recursive[static_cast<std::size_t>(aux.layer)] = 1;
        }
    }
    auxiliaries.clear();
    for (int a = 0; a < space.auxiliaries(); ++a)
        if (contains(a))
            auxiliaries.push_back(a);
}

int atoms(const ProgramSpace& space, const Matches& matches, const Reached& reached) {
    const Hierarchy& h = space.hierarchy();
    int count = 0;
    for (const int a : reached.auxiliaries) {
        const Auxiliary& aux = h.auxiliaries[static_cast<std::size_t>(a)];
        const std::size_t conjoined =
            space.skeleton.protorules[static_cast<std::size_t>(aux.protorule)].body.size();
        const auto rule = [&](std::size_t first, std::size_t last) {
            int size = 1;
            for (std::size_t s = first; s < last; ++s) {
                const int p = matches[static_cast<std::size_t>(aux.slots[s])];
                if (p == Hierarchy::kFalse)
                    return 0;
                size += p == Hierarchy::kTrue ? 0 : 1;
            }
            return size;
        };
        count += rule(0, conjoined);
        if (aux.slots.size() > conjoined)
            count += rule(conjoined, aux.slots.size());
    }
    return count;
}

}  // namespace hri::hypotheses
