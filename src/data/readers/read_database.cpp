// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"
#include "data/raw_dataset.hpp"
#include "data/readers/database.hpp"
#include "data/readers/delimited.hpp"

#include <algorithm>

namespace hri::data {
namespace {

const TableSchema& find_table(const std::vector<TableSchema>& tables,
                              const RelationMapping& relation) {
    std::string known;
    for (const TableSchema& table : tables) {
        if (table.name == relation.table) {
            return table;
        }
        known += (known.empty() ? "" : ", ") + table.name;
    }
    throw Error("the database has no table '" + relation.table + "'", relation.place,
                known.empty() ? "it has none at all" : "it has " + known);
}

void check_columns(const TableSchema& table, const RelationMapping& relation) {
    std::vector<std::string> wanted = relation.columns;
    wanted.push_back(relation.value);
    wanted.push_back(relation.label);
    for (const std::string& column : wanted) {
        const bool known =
            column.empty() || std::any_of(table.columns.begin(), table.columns.end(),
                                          [&](const ColumnSchema& c) { return c.name == column; });
        if (!known) {
            std::string names;
            for (const ColumnSchema& c : table.columns) {
                names += (names.empty() ? "" : ", ") + c.name;
            }
            throw Error("table " + table.name + " has no column '" + column + "'", relation.place,
                        "it has " + names);
        }
    }
    if (relation.columns.size() > static_cast<std::size_t>(kMaxArityRead)) {
        throw Error("expected at most " + std::to_string(kMaxArityRead) + " columns",
                    relation.place);
    }
}

void read_relation(Database& database, const RelationMapping& relation, RawDataset& into) {
    std::vector<std::string> columns = relation.columns;
    const std::size_t arity = columns.size();
    const std::size_t value = relation.value.empty() ? SIZE_MAX : columns.size();
    if (value != SIZE_MAX) {
        columns.push_back(relation.value);
    }
    const std::size_t label = relation.label.empty() ? SIZE_MAX : columns.size();
    if (label != SIZE_MAX) {
        columns.push_back(relation.label);
    }
    const int table = into.table({relation.name, static_cast<int>(arity)}, relation.place);
    into.tables[static_cast<std::size_t>(table)].given = label == SIZE_MAX;
    std::vector<std::int32_t> tuple;
    std::size_t row = 0;
    database.rows(relation.table, columns, [&](const Cells& cells) {
        tuple.clear();
        ++row;
        for (std::size_t i = 0; i < arity; ++i) {
            if (!cells[i] || cells[i]->empty()) {
                return;  // nothing is said
            }
            if (base::valid_utf8(*cells[i]) != cells[i]->size()) {
                throw Error("expected UTF-8 in row " + std::to_string(row) + " of " +
                                relation.table + ", column " + columns[i],
                            relation.place,
                            "leave the column out of the mapping; {proposed_mapping()} gives one");
            }
            tuple.push_back(into.constants.intern(
                relation.prefixes.empty() ? *cells[i] : relation.prefixes[i] + *cells[i]));
        }
        float weight = 1;
        if (value != SIZE_MAX && cells[value]) {
            weight = valuation(*cells[value], relation.place);
        }
        if (label == SIZE_MAX) {
            into.add_fact(table, tuple, weight);
        } else if (cells[label] && !cells[label]->empty()) {
            into.add_example(table, relation.place, tuple, label_of(*cells[label], relation.place));
        }
    });
}

}  // namespace

Problem read_database(Database& database, const std::string& name, const std::string& from,
                      const std::optional<TextFile>& mapping, const ReadOptions& options) {
    const std::vector<TableSchema> tables = database.tables();
    const Mapping used = mapping ? parse_mapping(*mapping) : propose_mapping(tables);
    RawDataset into;
    into.name = name;
    into.facts_are_examples = true;
    into.no_examples = {mapping ? mapping->path : from, mapping ? 1 : 0, mapping ? 1 : 0};
    into.hint_no_target = "{target} names the relation to learn; {proposed_mapping()} shows them";
    for (const std::string& remark : used.remarks) {
        into.warn({from}, remark);
    }
    for (RelationMapping relation : used.relations) {
        relation.place = mapping ? relation.place : Place{from};
        check_columns(find_table(tables, relation), relation);
        read_relation(database, relation, into);
    }
    ReadOptions chosen = options;
    if (chosen.target.empty()) {
        chosen.target = used.target;
    }
    return build_problem(std::move(into), chosen);
}

}  // namespace hri::data
