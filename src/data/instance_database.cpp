// SPDX-License-Identifier: Apache-2.0
#include "data/instance_database.hpp"

namespace hri::data {

namespace {

void add_row(FactTable& table, std::int32_t first, std::int32_t second) {
    table.cells.push_back(first);
    if (table.symbol.arity == 2)
        table.cells.push_back(second);
}

void end_instance(InstanceDatabase& result, int constants) {
    result.starts.push_back(result.starts.back() + constants);
}

void name_constants(InstanceDatabase& result) {
    result.database.constants.assign(static_cast<std::size_t>(result.starts.back()), {});
}

}  // namespace

std::vector<std::int32_t> InstanceDatabase::instances() const {
    std::vector<std::int32_t> result;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        result.resize(static_cast<std::size_t>(starts[i + 1]), static_cast<std::int32_t>(i));
    return result;
}

InstanceDatabase instance_database(const std::vector<Instance>& instances,
                                   const std::vector<PredicateSymbol>& inputs,
                                   const PredicateSymbol& target) {
    InstanceDatabase result;
    Database& database = result.database;
    std::vector<std::size_t> tables;
    for (std::size_t p = 0; p < inputs.size(); ++p)
        if (inputs[p].arity > 0 && !inputs[p].negated) {
            tables.push_back(p);
            database.tables.push_back({inputs[p], {}, {}});
        }
    database.examples.target = target;
    for (const Instance& instance : instances) {
        const std::int32_t start = result.starts.back();
        for (std::size_t t = 0; t < tables.size(); ++t)
            for (const Fact& fact : instance.facts[tables[t]])
                if (fact.value >= 0.5F)
                    add_row(database.tables[t], start + fact.first, start + fact.second);
        for (std::size_t atom = 0; atom < instance.labels.size(); ++atom) {
            if (instance.labels[atom] == Label::unlabelled)
                continue;
            const auto a = static_cast<std::int32_t>(atom);
            const std::int32_t n = instance.constants;
            database.examples.cells.push_back(start + (target.arity == 2 ? a / n : a));
            if (target.arity == 2)
                database.examples.cells.push_back(start + a % n);
            database.examples.positive.push_back(instance.labels[atom] == Label::positive ? 1 : 0);
        }
        end_instance(result, instance.constants);
    }
    name_constants(result);
    return result;
}

InstanceDatabase instance_database(const SceneSet& scenes, std::span<const std::uint32_t> images) {
    InstanceDatabase result;
    std::vector<FactTable>& tables = result.database.tables;
    for (const PredicateSymbol& predicate : scenes.predicates())
        tables.push_back({predicate, {}, {}});
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        const std::int32_t start = result.starts.back();
        const auto number = [&](std::uint32_t object) {
            return start + static_cast<std::int32_t>(object);
        };
        for (const SceneLabel& name : scene.names)
            add_row(tables[name.predicate], number(name.object), 0);
        for (const SceneRelation& relation : scene.relations)
            add_row(tables[relation.predicate], number(relation.subject), number(relation.object));
        end_instance(result, scene.objects);
    }
    name_constants(result);
    return result;
}

}  // namespace hri::data
