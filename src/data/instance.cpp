// SPDX-License-Identifier: Apache-2.0
#include "hri/data.hpp"

#include "base/checked_size.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <tuple>
#include <utility>

namespace hri {

SharedSchema make_schema(std::vector<PredicateSymbol> inputs, PredicateSymbol target) {
    return std::make_shared<const Schema>(
        Schema{.inputs = std::move(inputs), .target = std::move(target)});
}

Instance make_instance(SharedSchema schema, int n, Label fill) {
    Instance instance;
    instance.schema = std::move(schema);
    instance.reset(n, fill);
    return instance;
}

const std::vector<PredicateSymbol>& Instance::inputs() const {
    if (!schema) {
        throw Error("the instance has no schema", {}, "make_instance() gives it one");
    }
    return schema->inputs;
}

std::string Instance::name_of(int constant) const {
    return names.empty() ? std::to_string(constant) : names[static_cast<std::size_t>(constant)];
}

int Instance::find(const std::string& name) const {
    if (!names.empty()) {
        const auto known = std::find(names.begin(), names.end(), name);
        return known == names.end() ? -1 : static_cast<int>(known - names.begin());
    }
    int value = -1;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), value);
    const bool plain = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() &&
                       (name == "0" || (name[0] != '0' && name[0] != '-'));
    return plain && value < constants ? value : -1;
}

void Instance::reset(int n, Label fill) {
    facts.resize(inputs().size());
    constants = n;
    names.clear();
    for (std::vector<Fact>& of_predicate : facts) {
        of_predicate.clear();
    }
    std::size_t atoms = 1;
    for (int i = 0; i < schema->target.arity; ++i) {
        atoms = base::checked_size("labels",
                                   {{"atoms", static_cast<std::int64_t>(atoms)}, {"constants", n}},
                                   sizeof(Label));
    }
    labels.assign(atoms, fill);
}

int Instance::count(Label label) const {
    return static_cast<int>(std::count(labels.begin(), labels.end(), label));
}

bool Instance::operator==(const Instance& other) const {
    const bool same_schema = schema == other.schema ||
                             (schema && other.schema && schema->inputs == other.schema->inputs &&
                              schema->target == other.schema->target);
    const auto content = [](const Instance& of) {
        return std::tie(of.constants, of.names, of.facts, of.labels, of.listed, of.unlisted);
    };
    return same_schema && content(*this) == content(other);
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
