// SPDX-License-Identifier: Apache-2.0
#include "hri/data.hpp"

#include <algorithm>
#include <cstddef>

namespace hri {

std::string Instance::name_of(int constant) const {
    return names.empty() ? std::to_string(constant) : names[static_cast<std::size_t>(constant)];
}

void Instance::reset(int n, int inputs, int target_arity, Label fill) {
    constants = n;
    names.clear();
    facts.resize(static_cast<std::size_t>(inputs));
    for (std::vector<Fact>& of_predicate : facts) {
        of_predicate.clear();
    }
    std::size_t atoms = 1;
    for (int i = 0; i < target_arity; ++i) {
        atoms *= static_cast<std::size_t>(n);
    }
    labels.assign(atoms, fill);
}

int Instance::count(Label label) const {
    return static_cast<int>(std::count(labels.begin(), labels.end(), label));
}

const Instance& Source::draw(int i, Random& random, Instance& scratch) const {
    if (fixed()) {
        return instances[static_cast<std::size_t>(i) % instances.size()];
    }
    if (!generate) {
        throw Error("there are no instances to draw from");
    }
    generate(random, scratch);
    return scratch;
}

const Instance& Source::with_constants(const std::vector<std::string>& names) const {
    for (const Instance& instance : instances) {
        const bool has_all = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
            return std::find(instance.names.begin(), instance.names.end(), name) !=
                   instance.names.end();
        });
        if (has_all) {
            return instance;
        }
    }
    return instances.front();
}

}  // namespace hri
