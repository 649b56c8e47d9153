// SPDX-License-Identifier: Apache-2.0
// The data as tables and graphs.

#include "learned.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hri::studio {

namespace {

constexpr int kMaxRows = 500;
constexpr int kMaxNodes = 60;  // of a drawn graph

/// Predicates that instances lack: of three and more arguments.
std::vector<const FactTable*> wide_tables(const OpenData& data) {
    std::vector<const FactTable*> tables;
    if (data.problem.database) {
        for (const FactTable& table : data.problem.database->tables) {
            if (table.symbol.arity > 2) {
                tables.push_back(&table);
            }
        }
    }
    return tables;
}

Json row_json(const OpenData& data, const FactTable& table, std::size_t row) {
    const auto width = static_cast<std::size_t>(table.symbol.arity);
    Json cells = Json::array();
    for (std::size_t i = 0; i < width; ++i) {
        cells.push_back(data.problem.database
                            ->constants[static_cast<std::size_t>(table.cells[row * width + i])]);
    }
    return cells;
}

Json row_json(const Instance& instance, const Fact& fact, int arity) {
    Json row = Json::array();
    if (arity > 0) {
        row.push_back(instance.name_of(fact.first));
    }
    if (arity > 1) {
        row.push_back(instance.name_of(fact.second));
    }
    return row;
}

/// An atom that is known to hold, else any labelled one; empty where there is none.
std::string first_example(const OpenData& data) {
    for (const Label wanted : {Label::positive, Label::negative}) {
        for (const Instance& instance : data.shown) {
            for (std::size_t atom = 0; atom < instance.labels.size(); ++atom) {
                if (instance.labels[atom] == wanted) {
                    return atom_text(instance, static_cast<int>(atom));
                }
            }
        }
        if (data.problem.database) {
            const ExampleTable& examples = data.problem.database->examples;
            for (std::size_t row = 0; row < examples.positive.size(); ++row) {
                if ((examples.positive[row] != 0) == (wanted == Label::positive)) {
                    return example_text(data, row);
                }
            }
        }
    }
    return {};
}

}  // namespace

Json Workspace::data() const {
    const std::shared_ptr<const OpenData> data = opened();
    if (data->world) {
        Json about = data->world->about();
        about["kind"] = data->kind();
        about["source"] = data->source;
        return about;
    }
    const Problem& problem = data->problem;
    Json predicates = Json::array();
    for (std::size_t p = 0; p < problem.inputs().size(); ++p) {
        const PredicateSymbol& input = problem.inputs()[p];
        std::size_t facts = 0;
        Json first;
        for (const Instance& instance : data->shown) {
            facts += instance.facts[p].size();
            if (first.is_null() && !instance.facts[p].empty()) {
                first = row_json(instance, instance.facts[p].front(), input.arity);
            }
        }
        const auto types = problem.schema->types.find(input);
        predicates.push_back(
            {{"name", input.name},
             {"arity", input.arity},
             {"facts", facts},
             {"example", std::move(first)},
             {"types",
              types == problem.schema->types.end() ? std::vector<std::string>{} : types->second}});
    }
    for (const FactTable* table : wide_tables(*data)) {
        predicates.push_back({{"name", table->symbol.name},
                              {"arity", table->symbol.arity},
                              {"facts", table->rows()},
                              {"example", table->rows() > 0 ? row_json(*data, *table, 0) : Json()},
                              {"types", std::vector<std::string>{}},
                              {"wide", true}});
    }
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
    Json instances = Json::array();
    for (const Instance& instance : data->shown) {
        positives += instance.count(Label::positive);
        negatives += instance.count(Label::negative);
        if (instances.size() < kMaxRows) {
            instances.push_back(
                {{"constants", instance.constants}, {"drawable", instance.constants <= kMaxNodes}});
        }
    }
    if (data->shown.empty() && problem.database) {
        for (const char positive : problem.database->examples.positive) {
            ++(positive != 0 ? positives : negatives);
        }
    }
    return {{"kind", "relations"},
            {"source", data->source},
            {"name", problem.name},
            {"target", {{"name", problem.target().name}, {"arity", problem.target().arity}}},
            {"targets", data->targets},
            {"generated", data->generated},
            {"guessed", data->guessed},
            {"closed_world", data->closed_world},
            {"example", first_example(*data)},
            {"predicates", std::move(predicates)},
            {"instance_count", data->shown.size()},
            {"instances", std::move(instances)},
            {"positives", positives},
            {"negatives", negatives},
            {"warnings", problem.warnings},
            {"notes", problem.notes}};
}

Json Workspace::facts(const std::string& predicate, int instance, int offset, int count) const {
    const std::shared_ptr<const OpenData> data = relations();
    for (const FactTable* table : wide_tables(*data)) {
        if (fmt::format("{}/{}", table->symbol.name, table->symbol.arity) == predicate) {
            const auto size = static_cast<int>(table->rows());
            const int first = std::clamp(offset, 0, size);
            const int last = first + std::min(size - first, std::clamp(count, 0, kMaxRows));
            Json rows = Json::array();
            for (int i = first; i < last; ++i) {
                rows.push_back(row_json(*data, *table, static_cast<std::size_t>(i)));
            }
            return {{"count", size}, {"offset", first}, {"rows", std::move(rows)}};
        }
    }
    const std::vector<PredicateSymbol>& inputs = data->problem.inputs();
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const PredicateSymbol& s) {
        return fmt::format("{}/{}", s.name, s.arity) == predicate;
    });
    if (found == inputs.end() || instance < 0 || instance >= static_cast<int>(data->shown.size())) {
        throw Error("there is no such predicate or instance");
    }
    const Instance& shown = data->shown[static_cast<std::size_t>(instance)];
    const std::vector<Fact>& all = shown.facts[static_cast<std::size_t>(found - inputs.begin())];
    const auto size = static_cast<int>(all.size());
    const int first = std::clamp(offset, 0, size);
    const int last = std::min(size, first + std::clamp(count, 0, kMaxRows));
    Json rows = Json::array();
    for (int i = first; i < last; ++i) {
        rows.push_back(row_json(shown, all[static_cast<std::size_t>(i)], found->arity));
    }
    return {{"count", size}, {"offset", first}, {"rows", std::move(rows)}};
}

Json Workspace::graph(int instance) const {
    const std::shared_ptr<const OpenData> data = relations();
    if (instance < 0 || instance >= static_cast<int>(data->shown.size())) {
        throw Error("there is no such instance");
    }
    const Instance& shown = data->shown[static_cast<std::size_t>(instance)];
    if (shown.constants > kMaxNodes) {
        throw Error(fmt::format("this instance has {} constants; at most {} are drawn",
                                shown.constants, kMaxNodes));
    }
    Json nodes = Json::array();
    for (int c = 0; c < shown.constants; ++c) {
        nodes.push_back({{"name", shown.name_of(c)}, {"labels", Json::array()}});
    }
    Json edges = Json::array();
    for (std::size_t p = 0; p < shown.facts.size(); ++p) {
        const PredicateSymbol& input = shown.inputs()[p];
        for (const Fact& fact : shown.facts[p]) {
            if (input.arity == 1) {
                nodes[static_cast<std::size_t>(fact.first)]["labels"].push_back(input.name);
            } else if (input.arity == 2) {
                edges.push_back(
                    {{"from", fact.first}, {"to", fact.second}, {"predicate", input.name}});
            }
        }
    }
    return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

}  // namespace hri::studio
