// SPDX-License-Identifier: Apache-2.0
#include "data/readers/class_target.hpp"

#include "data/readers/cell_values.hpp"
#include "data/several_targets.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace hri::data {
namespace {

constexpr const char* kTruth = "hri_class";  // the computed column
constexpr int kMaxClasses = 20;              // that are listed as targets

struct Operator {
    std::string_view symbol;
    std::string_view word;  // of the relation's name
};

constexpr auto kOperators = std::to_array<Operator>(
    {{">=", "_at_least_"}, {"<=", "_at_most_"}, {">", "_above_"}, {"<", "_below_"}, {"=", "_"}});

struct Condition {
    Operator how;
    std::string value;
    bool is_symbolic = false;  // asked for by its symbol, not by the relation's name
};

std::optional<Condition> condition_of(std::string target, const std::string& name) {
    if (target.ends_with("/1")) {
        target.resize(target.size() - 2);
    }
    if (!target.starts_with(name)) {
        return std::nullopt;
    }
    const std::string_view rest = std::string_view(target).substr(name.size());
    for (const Operator& how : kOperators) {
        for (const std::string_view text : {how.symbol, how.word}) {
            if (rest.starts_with(text) && rest.size() > text.size()) {
                return Condition{how, std::string(rest.substr(text.size())), text == how.symbol};
            }
        }
    }
    return std::nullopt;
}

std::string sql_text(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "''" : std::string(1, c);
    }
    return result + "'";
}

const TypedColumn* last_column(const RelationMapping& relation,
                               const std::vector<TypedTable>& tables) {
    if (relation.columns.size() != 2 || !relation.aggregate.empty() || !relation.label.empty()) {
        return nullptr;
    }
    const auto table = std::find_if(tables.begin(), tables.end(), [&](const TypedTable& one) {
        return one.name == relation.table;
    });
    const TypedColumn* column = table == tables.end() ? nullptr : table->find(relation.columns[1]);
    const auto computed = relation.computed.find(relation.columns[1]);
    const bool is_own = column != nullptr && computed != relation.computed.end() &&
                        computed->second != column->expression;
    return is_own ? nullptr : column;
}

/// The plain cell, in SQL.
std::string cell_of(const TypedColumn& column) {
    return column.expression.empty() ? sql_identifier(column.schema.name)
                                     : "(" + column.expression + ")";
}

/// "red, blue, ..." or "3 to 99".
std::string values_of(const TypedColumn& column, bool measures) {
    const ColumnSummary& summary = column.summary;
    if (measures && summary.examples.size() == 2) {
        return summary.examples[0] + " to " + summary.examples[1];
    }
    const bool more = summary.different > static_cast<std::int64_t>(summary.examples.size());
    return fmt::format("{}{}", fmt::join(summary.examples, ", "), more ? ", ..." : "");
}

bool is_measure(const TypedColumn& column) {
    return column.type == ColumnType::number || column.type == ColumnType::date ||
           column.type == ColumnType::time;
}

std::string text_of(const TypedColumn& column) {
    return "CAST(" + cell_of(column) + " AS VARCHAR(1000))";
}

/// The condition in SQL, or nothing where its value does not suit the column.
std::string sql_of(const Condition& condition, const TypedColumn& column) {
    const std::string name = cell_of(column);
    if (condition.how.symbol == "=") {
        return column.type == ColumnType::number && number_in(condition.value)
                   ? name + " = " + number_name(*number_in(condition.value))
                   : text_of(column) + " = " + sql_text(condition.value);
    }
    if (column.type == ColumnType::number && number_in(condition.value)) {
        return fmt::format("{} {} {}", name, condition.how.symbol,
                           number_name(*number_in(condition.value)));
    }
    const bool is_date = column.type == ColumnType::date || column.type == ColumnType::time;
    return is_date && days_in(condition.value.substr(0, 10))
               ? fmt::format("{} {} {}", text_of(column), condition.how.symbol,
                             sql_text(condition.value))
               : "";
}

bool has_rows(TableSource& database, const RelationMapping& relation, const std::string& where) {
    RelationMapping some = relation;
    some.where = where;
    bool found = false;
    database.query(select_of(some) + " LIMIT 1", [&](const Cells&) { found = true; });
    return found;
}

/// The last column of a relation whose values are classes or measures of its rows, which stand in
/// no other column, or null.
const TypedColumn* unnamed_values(const RelationMapping& relation,
                                  const std::vector<TypedTable>& tables) {
    const TypedColumn* last = last_column(relation, tables);
    if (last == nullptr || (last->type != ColumnType::category && !is_measure(*last))) {
        return nullptr;
    }
    for (const TypedTable& table : tables) {
        const TypedColumn* first =
            table.name == relation.table ? table.find(relation.columns[0]) : nullptr;
        if (first != nullptr && first->type != ColumnType::key) {
            return nullptr;
        }
    }
    return is_measure(*last) || !last->shares_domain ? last : nullptr;
}

}  // namespace

std::optional<RelationMapping> take_class(Mapping& mapping, const std::string& target,
                                          const std::vector<TypedTable>& tables,
                                          TableSource& database, const Place& place) {
    std::vector<RelationMapping>& all = mapping.relations;
    const auto is_named = [&](const RelationMapping& relation) {
        return target == relation.name || target.starts_with(relation.name + "/");
    };
    if (std::any_of(all.begin(), all.end(), is_named)) {
        return std::nullopt;
    }
    for (auto relation = all.begin(); relation != all.end(); ++relation) {
        const std::optional<Condition> condition = condition_of(target, relation->name);
        const TypedColumn* column = last_column(*relation, tables);
        if (!condition || column == nullptr) {
            continue;
        }
        const std::string holds = sql_of(*condition, *column);
        if (holds.empty() || !has_rows(database, *relation, holds)) {
            if (!condition->is_symbolic) {
                continue;
            }
            throw Error(fmt::format("target: no row of {} has {}{}{}", relation->table,
                                    column->schema.name, condition->how.symbol, condition->value),
                        place, "the column holds " + values_of(*column, is_measure(*column)));
        }
        RelationMapping made = *relation;
        made.name += std::string(condition->how.word) + condition->value;
        made.columns.pop_back();
        for (std::vector<std::string>* list : {&made.types, &made.prefixes}) {
            if (!list->empty()) {
                list->pop_back();
            }
        }
        made.computed[kTruth] =
            fmt::format("CASE WHEN {} IS NULL OR {} = '' THEN NULL WHEN {} THEN 1 ELSE 0 END",
                        cell_of(*column), text_of(*column), holds);
        made.boolean = kTruth;
        all.erase(relation);
        return made;
    }
    return std::nullopt;
}

std::optional<std::vector<std::string>> targets_of_classes(const RelationMapping& relation,
                                                           const std::vector<TypedTable>& tables,
                                                           TableSource& database) {
    const TypedColumn* column = unnamed_values(relation, tables);
    if (column == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> targets;
    if (!is_measure(*column)) {
        const std::string name = cell_of(*column);
        const std::string values = fmt::format(
            "SELECT DISTINCT {} FROM {} WHERE {} IS NOT NULL AND {} <> '' "
            "ORDER BY 1 LIMIT {}",
            name, sql_identifier(relation.table), name, text_of(*column), kMaxClasses);
        database.query(values, [&](const Cells& cells) {
            targets.push_back(fmt::format("{}_{}/1", relation.name, *cells[0]));
        });
    }
    return targets;
}

void check_no_classes(const RelationMapping& target, const std::vector<TypedTable>& tables,
                      TableSource& database, const Place& place) {
    const TypedColumn* last = unnamed_values(target, tables);
    if (last == nullptr) {
        return;
    }
    if (is_measure(*last)) {
        throw Error(fmt::format("target: column {} of {} holds {}s, and a rule does not name a {}",
                                last->schema.name, target.table, to_string(last->type),
                                to_string(last->type)),
                    place,
                    fmt::format("{{target={}>=VALUE}} learns which rows have at least that; the "
                                "values are {}",
                                target.name, values_of(*last, true)));
    }
    // each class is a target where they are few
    const bool all = last->summary.different <= kMaxClasses;
    throw SeveralTargets(
        Error(fmt::format("target: column {} of {} holds classes, and a rule tells one class "
                          "from the others: {}",
                          last->schema.name, target.table, values_of(*last, false)),
              place,
              fmt::format("{{target={}=VALUE}} learns which rows have that value", target.name)),
        targets_of_classes(target, tables, database).value_or(std::vector<std::string>()), all);
}

}  // namespace hri::data
