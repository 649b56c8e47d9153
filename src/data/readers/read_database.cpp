// SPDX-License-Identifier: Apache-2.0

// Relations of a mapping, read from tables.

#include "base/utf8.hpp"
#include "data/raw_dataset.hpp"
#include "data/readers/cell_values.hpp"
#include "data/readers/class_target.hpp"
#include "data/readers/column_types.hpp"
#include "data/readers/delimited.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hri::data {
namespace {

const TypedTable& find_table(const std::vector<TypedTable>& tables, const std::string& wanted,
                             const Place& place) {
    std::string known;
    for (const TypedTable& table : tables) {
        if (table.name == wanted) {
            return table;
        }
        known += (known.empty() ? "" : ", ") + table.name;
    }
    throw Error("the database has no table '" + wanted + "'", place,
                known.empty() ? "it has none at all" : "it has " + known);
}

void check_columns(const TypedTable& table, const RelationMapping& relation) {
    std::vector<std::string> wanted = relation.columns;
    for (const std::string& column :
         {relation.value, relation.label, relation.boolean, relation.unless, relation.by}) {
        wanted.push_back(column);
    }
    for (const std::string& column : wanted) {
        const bool known = column.empty() || table.find(column) != nullptr ||
                           relation.computed.count(column) != 0 ||
                           (column == "rowid" && table.has_row_numbers);
        if (!known) {
            std::string names;
            for (const TypedColumn& c : table.columns) {
                names += (names.empty() ? "" : ", ") + c.schema.name;
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

int arity_of(const RelationMapping& relation) {
    return static_cast<int>(relation.columns.size()) + (relation.aggregate == "count" ? 1 : 0);
}

/// The conversion of the cells of one argument to constants.
struct Argument {
    ColumnType type = ColumnType::text;
    std::string prefix;
    std::string domain;  ///< what constants of the argument are: its type in rules
    std::string column;
};

std::vector<Argument> arguments_of(const std::vector<TypedTable>& tables, const TypedTable& table,
                                   const RelationMapping& relation) {
    std::vector<Argument> result;
    for (std::size_t i = 0; i < relation.columns.size(); ++i) {
        Argument argument;
        argument.column = relation.columns[i];
        argument.prefix = relation.prefixes.empty() ? "" : relation.prefixes[i];
        const TypedColumn* column = table.find(argument.column);
        const bool is_last = i + 1 == relation.columns.size();
        const bool is_computed = relation.computed.count(argument.column) != 0;
        const bool is_number =
            is_last && (relation.aggregate == "sum" || relation.aggregate == "mean");
        if (column != nullptr && !is_computed) {
            argument.type = column->type;
            argument.domain = column->domain;
            if (!column->expression.empty()) {  // which this mapping does not compute
                argument.type = ColumnType::category;
            }
            if (argument.type == ColumnType::boolean) {
                argument.type = column->integers ? ColumnType::number : ColumnType::category;
            }
        }
        if (!relation.types.empty()) {
            argument.type = column_type(relation.types[i], relation.place);
        } else if (is_number) {
            argument.type = ColumnType::number;
        }
        if (argument.domain.empty()) {
            const auto named = std::find_if(
                tables.begin(), tables.end(),
                [&](const TypedTable& one) { return argument.prefix == one.name + ":"; });
            argument.domain = named != tables.end() ? named->name : argument.column;
        }
        if (argument.type == ColumnType::number || argument.type == ColumnType::date ||
            argument.type == ColumnType::time) {
            argument.domain = to_string(argument.type);
        }
        result.push_back(std::move(argument));
    }
    if (relation.aggregate == "count") {
        result.push_back({ColumnType::number, "", "number", "count"});
    }
    return result;
}

class RelationReader {
  public:
    RelationReader(TableSource& database, const std::vector<TypedTable>& tables,
                   const RelationMapping& relation, bool is_target, RawDataset& into)
        : database_(database),
          relation_(relation),
          is_target_(is_target),
          into_(into),
          arguments_(
              arguments_of(tables, find_table(tables, relation.table, relation.place), relation)) {}

    void read() {
        const auto arity = static_cast<std::size_t>(arity_of(relation_));
        std::vector<std::string> extra;
        truth_ = relation_.boolean.empty() ? relation_.unless : relation_.boolean;
        for (const std::string& column : {relation_.value, relation_.label, truth_}) {
            if (!column.empty()) {
                extra.push_back(column);
            }
        }
        value_ = relation_.value.empty() ? SIZE_MAX : arity;
        label_ = relation_.label.empty() ? SIZE_MAX : arity + (value_ == SIZE_MAX ? 0 : 1);
        boolean_ = truth_.empty() ? SIZE_MAX : arity + extra.size() - 1;
        const PredicateSymbol symbol{relation_.name, static_cast<int>(arity)};
        table_ = into_.table(symbol, relation_.place);
        RawDataset::Table& table = into_.tables[static_cast<std::size_t>(table_)];
        table.given = table.given || label_ == SIZE_MAX;
        std::vector<std::string> types;
        for (const Argument& argument : arguments_) {
            types.push_back(argument.domain);
        }
        into_.types.try_emplace(symbol, types);
        const UseRow use = [this](const Cells& cells) { add(cells); };
        if (!needs_select(relation_)) {
            std::vector<std::string> columns = relation_.columns;
            columns.insert(columns.end(), extra.begin(), extra.end());
            return database_.rows(relation_.table, columns, use);
        }
        try {
            database_.query(select_of(relation_, extra), use);
        } catch (const Error& error) {
            if (!error.message().starts_with("SQLite: ") &&
                !error.message().starts_with("PostgreSQL: ")) {
                throw;
            }
            throw Error(error.message(), relation_.place,
                        "where and computed hold SQL over the columns of table " + relation_.table);
        }
    }

  private:
    Place place(const std::string& column) const {
        if (needs_select(relation_)) {
            return relation_.place;
        }
        const Place cell = database_.place(relation_.table, row_, column);
        return cell.file.empty() ? relation_.place : cell;
    }

    void add(const Cells& cells) {
        tuple_.clear();
        bool said = true;
        for (std::size_t i = 0; i < arguments_.size() && said; ++i) {
            said = cells[i] && !cells[i]->empty();  // else nothing is said
            if (said) {
                tuple_.push_back(into_.constants.intern(constant(arguments_[i], *cells[i])));
            }
        }
        if (said) {
            add_tuple(cells);
        }
        ++row_;
    }

    void add_tuple(const Cells& cells) {
        float weight = 1;
        if (value_ != SIZE_MAX && cells[value_] && !cells[value_]->empty()) {
            weight = valuation(*cells[value_], place(relation_.value));
        }
        if (label_ != SIZE_MAX) {
            if (cells[label_] && !cells[label_]->empty()) {
                into_.add_example(table_, place(""), tuple_,
                                  label_of(*cells[label_], place(relation_.label)));
            }
        } else if (boolean_ == SIZE_MAX) {
            into_.add_fact(table_, tuple_, weight);
        } else if (cells[boolean_] && !cells[boolean_]->empty()) {
            const bool holds =
                label_of(*cells[boolean_], place(truth_)) == !relation_.boolean.empty();
            if (is_target_) {
                into_.add_example(table_, place(""), tuple_, holds);
            } else if (holds) {
                into_.add_fact(table_, tuple_, weight);
            }
        }
    }

    std::string constant(const Argument& argument, const std::string& cell) const {
        if (base::valid_utf8(cell) != cell.size()) {
            throw Error("expected UTF-8 in row " + std::to_string(row_ + 1) + " of " +
                            relation_.table + ", column " + argument.column,
                        relation_.place,
                        "leave the column out of the mapping; {proposed_mapping()} gives one");
        }
        std::optional<double> measured;
        switch (argument.type) {
            case ColumnType::number:
                measured = number_in(cell);
                break;
            case ColumnType::date:
                if (const std::optional<std::int64_t> days = days_in(cell.substr(0, 10))) {
                    measured = static_cast<double>(*days);
                }
                break;
            case ColumnType::time:
                measured = seconds_in(cell);
                if (!measured && days_in(cell)) {
                    measured = 86'400.0 * static_cast<double>(*days_in(cell));
                }
                break;
            default:
                return argument.prefix + cell;
        }
        if (!measured) {
            throw Error("expected a " + std::string(to_string(argument.type)) + ", found '" +
                            cell.substr(0, 40) + "' in row " + std::to_string(row_ + 1) + " of " +
                            relation_.table + ", column " + argument.column,
                        place(argument.column), "types = [...] in a mapping says what columns are");
        }
        return argument.prefix + number_name(*measured);
    }

    TableSource& database_;
    const RelationMapping& relation_;
    bool is_target_;
    RawDataset& into_;
    std::vector<Argument> arguments_;
    int table_ = 0;
    std::size_t value_ = SIZE_MAX;
    std::size_t label_ = SIZE_MAX;
    std::size_t boolean_ = SIZE_MAX;
    std::string truth_;  // the column that says whether rows hold
    std::size_t row_ = 0;
    std::vector<std::int32_t> tuple_;
};

bool names_relation(const std::string& target, const RelationMapping& relation) {
    return target == relation.name ||
           target == relation.name + "/" + std::to_string(arity_of(relation));
}

/// Whether a relation says just where the target does not hold: it would give the labels away.
bool gives_away(const RelationMapping& relation, const Mapping& mapping,
                const std::string& target) {
    return !relation.unless.empty() &&
           std::any_of(mapping.relations.begin(), mapping.relations.end(),
                       [&](const RelationMapping& other) {
                           return names_relation(target, other) && other.table == relation.table &&
                                  (other.boolean == relation.unless ||
                                   other.label == relation.unless ||
                                   relation.name == "no_" + other.name);
                       });
}

}  // namespace

Problem read_database(TableSource& database, const std::string& name, const std::string& from,
                      const std::optional<TextFile>& mapping, const ReadOptions& options,
                      const TableOptions& table_options) {
    const std::vector<TypedTable> tables = typed_tables(database);
    Mapping used = mapping ? parse_mapping(*mapping) : propose_mapping(tables, table_options);
    ReadOptions chosen = options;
    if (chosen.target.empty()) {
        chosen.target = used.target;
    }
    if (auto relation = take_class(used, chosen.target, tables, database, {from})) {
        chosen.target = relation->name;
        used.relations.push_back(std::move(*relation));
    }
    RawDataset into;
    into.progress = options.progress;
    into.name = name;
    into.facts_are_examples = true;
    into.target_needed = table_options.target_needed;
    into.no_examples = {mapping ? mapping->path : from, mapping ? 1 : 0, mapping ? 1 : 0};
    into.hint_no_target = "{target} names the relation to learn; {proposed_mapping()} shows them";
    if (!database.declares_keys()) {
        into.hint_no_target = "a column `label` marks examples, or {target} names a relation";
        into.no_examples = mapping ? into.no_examples : Place{from, 1, 1};
    }
    for (const std::string& remark : used.remarks) {
        into.warn({from}, remark);
    }
    for (RelationMapping relation : used.relations) {
        if (gives_away(relation, used, chosen.target)) {
            continue;
        }
        if (!mapping) {
            relation.place = database.place(relation.table, SIZE_MAX, "");
            relation.place = relation.place.file.empty() ? Place{from} : relation.place;
        }
        const TypedTable& table = find_table(tables, relation.table, relation.place);
        if (!relation.of.empty()) {
            find_table(tables, relation.of, relation.place);
        }
        check_columns(table, relation);
        const bool is_target = names_relation(chosen.target, relation);
        RelationReader(database, tables, relation, is_target, into).read();
        if (is_target && table_options.target_needed) {
            check_no_classes(relation, tables, database, relation.place);
        }
        if (chosen.target.empty()) {
            if (auto targets = targets_of_classes(relation, tables, database)) {
                into.instead.emplace(PredicateSymbol{relation.name, arity_of(relation)},
                                     std::move(*targets));
            }
        }
    }
    return build_problem(std::move(into), chosen);
}

TableSummary summarise(TableSource& database, const std::optional<TextFile>& mapping,
                       const TableOptions& table_options) {
    const std::vector<TypedTable> tables = typed_tables(database);
    const Mapping used = mapping ? parse_mapping(*mapping) : propose_mapping(tables, table_options);
    TableSummary summary;
    summary.remarks = used.remarks;
    std::map<std::pair<std::string, std::string>, std::size_t> places;  // [table, column]
    for (const TypedTable& table : tables) {
        for (const TypedColumn& column : table.columns) {
            places.emplace(std::pair(table.name, column.schema.name), summary.columns.size());
            summary.columns.push_back(column.summary);
        }
    }
    for (const RelationMapping& relation : used.relations) {
        const std::string symbol = relation.name + "/" + std::to_string(arity_of(relation));
        std::set<std::string> used_columns(relation.columns.begin(), relation.columns.end());
        used_columns.insert({relation.boolean, relation.unless, relation.label, relation.value});
        for (const std::string& column : used_columns) {
            const auto found = places.find({relation.table, column});
            if (found != places.end()) {
                summary.columns[found->second].relations.push_back(symbol);
            }
        }
        for (const std::string& prefix : relation.prefixes) {
            if (!prefix.empty() && std::find(summary.prefixes.begin(), summary.prefixes.end(),
                                             prefix) == summary.prefixes.end()) {
                summary.prefixes.push_back(prefix);
            }
        }
    }
    return summary;
}

}  // namespace hri::data
