// SPDX-License-Identifier: Apache-2.0
#include "export/sql_inputs.hpp"

#include "hri/fields.hpp"

#include "data/readers/column_types.hpp"

#include <algorithm>

namespace hri::exporting {
namespace {

using data::RelationMapping;

std::string column_name(std::size_t i) { return i == 0 ? "a" : i == 1 ? "b" : "c"; }

/// Seconds since 1970. Times without a zone are those of Greenwich, whatever zone a session has.
std::string seconds(const std::string& column, bool postgresql) {
    if (postgresql) {
        const std::string text = "CAST(" + column + " AS TEXT)";
        return "CAST(EXTRACT(EPOCH FROM CAST(CASE WHEN " + text +
               " ~ ':[0-9.]+([Zz]|[+-][0-9:]+)$' THEN " + text + " ELSE " + text +
               " || '+00' END AS TIMESTAMPTZ)) AS DOUBLE PRECISION)";
    }
    // SQLite knows +01:00 alone, and neither +01 nor +0100
    const auto sign_at = [&](int place) {
        return "WHEN LENGTH(" + column + ") > 15 AND SUBSTR(" + column + ", " +
               std::to_string(place) + ", 1) IN ('+', '-') THEN ";
    };
    return "CAST(strftime('%s', CASE " + sign_at(-3) + column + " || ':00' " + sign_at(-5) +
           "SUBSTR(" + column + ", 1, LENGTH(" + column + ") - 2) || ':' || SUBSTR(" + column +
           ", -2) ELSE " + column + " END) AS INTEGER)";
}

/// Days, seconds and numbers as hri reads them.
std::string measured(const std::string& column, ColumnType type, bool postgresql) {
    switch (type) {
        case ColumnType::date:
            return postgresql ? "(CAST(" + column + " AS DATE) - DATE '1970-01-01')"
                              : "CAST(julianday(" + column + ") - 2440587.5 AS INTEGER)";
        case ColumnType::time:
            return seconds(column, postgresql);
        case ColumnType::number:
            // by their texts, as they were read: 99.95 of type REAL is another DOUBLE PRECISION
            return postgresql ? "CAST(CAST(" + column + " AS TEXT) AS DOUBLE PRECISION)"
                              : "CASE WHEN " + column + " + 0 = CAST(" + column +  // 676, not 676.0
                                    " + 0 AS INTEGER) THEN CAST(" + column +
                                    " + 0 AS INTEGER) ELSE " + column + " + 0 END";
        default:
            return column;
    }
}

SqlInput input_of(const RelationMapping& relation, bool postgresql) {
    std::vector<std::string> extra;
    std::vector<std::string> where;
    const std::size_t arity = relation.columns.size() + (relation.aggregate == "count" ? 1 : 0);
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    SqlInput input;
    std::string selected;
    for (std::size_t i = 0; i < arity; ++i) {
        const std::string column = column_name(i);
        add(column);
        const bool last = i + 1 == arity;
        const bool aggregated =
            last && (relation.aggregate == "count" || relation.aggregate == "sum" ||
                     relation.aggregate == "mean");
        ColumnType type = ColumnType::text;
        if (aggregated) {
            type = ColumnType::number;
        } else if (i < relation.types.size()) {
            type = data::column_type(relation.types[i], relation.place);
        }
        const bool is_number =
            type == ColumnType::number || type == ColumnType::date || type == ColumnType::time;
        selected += (i == 0 ? "" : ", ") + measured(column, type, postgresql) + " AS " + column;
        where.push_back(column + " IS NOT NULL");
        if (!is_number) {
            where.push_back("CAST(" + column + " AS TEXT) <> ''");
        }
        input.sorts.push_back(
            {true, false, is_number, i < relation.prefixes.size() ? relation.prefixes[i] : ""});
    }
    if (!relation.value.empty()) {
        extra.push_back(relation.value);
        add("hri_value");
        where.push_back("(hri_value IS NULL OR hri_value >= 0.5)");
    }
    const std::string& truth = !relation.boolean.empty()  ? relation.boolean
                               : !relation.unless.empty() ? relation.unless
                                                          : relation.label;
    if (!truth.empty()) {
        extra.push_back(truth);
        add("hri_truth");
        where.push_back(std::string("LOWER(CAST(hri_truth AS TEXT)) IN ") +
                        (truth == relation.unless
                             ? "('0', 'false', 'no', 'neg', 'negative', '-', 'f', 'n')"
                             : "('1', 'true', 'yes', 'pos', 'positive', '+', 't', 'y')"));
    }
    if (names.empty()) {
        add("hri_any");
        selected = "1 AS holds";
    }
    input.query = "WITH hri_rows(" + names + ") AS (" + data::select_of(relation, extra) +
                  ") SELECT " + selected + " FROM hri_rows";
    for (std::size_t i = 0; i < where.size(); ++i) {
        input.query += (i == 0 ? " WHERE " : " AND ") + where[i];
    }
    return input;
}

}  // namespace

SqlSort SqlSort::joined(const SqlSort& other) const {
    if (!known || !other.known) {
        return known ? *this : other;
    }
    return *this == other ? *this : SqlSort{true, true, false, ""};
}

SqlInputs::SqlInputs(const SqlOptions& options, SqlDialect dialect)
    : mapped_(!options.mapping.empty()) {
    if (!mapped_) {
        return;
    }
    const data::Mapping mapping = data::parse_mapping({options.mapping_name, options.mapping});
    for (const RelationMapping& relation : mapping.relations) {
        const int arity =
            static_cast<int>(relation.columns.size()) + (relation.aggregate == "count" ? 1 : 0);
        if (std::find(tables_.begin(), tables_.end(), relation.table) == tables_.end()) {
            tables_.push_back(relation.table);
        }
        if (arity <= 2) {
            SqlInput input = input_of(relation, dialect == SqlDialect::postgresql);
            const auto [known, is_new] = inputs_.try_emplace({relation.name, arity}, input);
            if (!is_new) {  // facts of several tables
                known->second.query += " UNION " + input.query;
            }
        }
    }
}

const SqlInput& SqlInputs::of(const PredicateSymbol& symbol) const {
    static const SqlInput table;
    if (!mapped_) {
        return table;
    }
    const auto found = inputs_.find(symbol);
    if (found == inputs_.end()) {
        std::vector<std::string> names;
        for (const auto& [known, input] : inputs_) {
            names.push_back(known.name + "/" + std::to_string(known.arity));
        }
        const std::string wanted = symbol.name + "/" + std::to_string(symbol.arity);
        throw Error("the mapping has no relation " + wanted, {},
                    names.empty() ? "" : "did you mean " + nearest(wanted, names) + "?");
    }
    return found->second;
}

SqlInput SqlInputs::constants() const {
    SqlInput all;
    all.sorts = {{true, true, false, ""}};
    for (const auto& [symbol, input] : inputs_) {
        for (std::size_t i = 0; i < input.sorts.size(); ++i) {
            const std::string text = "CAST(" + column_name(i) + " AS TEXT)";
            all.query +=
                std::string(all.query.empty() ? "" : " UNION ") + "SELECT " +
                (input.sorts[i].prefix.empty() ? text
                                               : sql_text(input.sorts[i].prefix) + " || " + text) +
                " AS a FROM (" + input.query + ") AS hri_all";
        }
    }
    return all;
}

std::vector<std::vector<SqlSort>> sorts_of(const Program& program, const std::vector<bool>& derived,
                                           std::optional<Predicate> constants,
                                           const SqlInputs& inputs) {
    const auto count = static_cast<std::size_t>(program.vocabulary.size());
    std::vector<std::vector<SqlSort>> sorts(count);
    for (std::size_t p = 0; p < count; ++p) {
        const PredicateSymbol& symbol = program.vocabulary.symbols()[p];
        sorts[p].resize(static_cast<std::size_t>(symbol.arity));
    }
    if (!inputs.mapped()) {
        for (std::vector<SqlSort>& of : sorts) {
            std::fill(of.begin(), of.end(), SqlSort{true, false, false, ""});
        }
        return sorts;
    }
    const auto is_input = [&](Predicate p) {
        const PredicateSymbol& symbol = program.vocabulary[p];
        return !derived[p.id] && !is_equality(symbol) && !is_comparison(symbol);
    };
    for (const Rule& rule : program.rules) {
        for (const Atom& atom : rule.body) {
            const Predicate p = program.vocabulary.positive(atom.predicate);
            if (is_input(p)) {
                sorts[p.id] = constants && p == *constants ? inputs.constants().sorts
                                                           : inputs.of(program.vocabulary[p]).sorts;
            }
        }
    }
    const auto sort_in = [&](const Rule& rule, Term term) {
        SqlSort sort;
        for (const Atom& atom : rule.body) {
            const PredicateSymbol& symbol = program.vocabulary[atom.predicate];
            for (std::size_t i = 0; i < atom.arguments.size() && !symbol.negated; ++i) {
                const bool counts =
                    atom.arguments[i] == term && !is_equality(symbol) && !is_comparison(symbol);
                sort = counts && !sort.known ? sorts[atom.predicate.id][i] : sort;
            }
        }
        return sort;
    };
    bool changed = true;
    while (changed) {
        changed = false;
        for (const Rule& rule : program.rules) {
            std::vector<SqlSort>& head = sorts[rule.head.predicate.id];
            for (std::size_t i = 0; i < head.size(); ++i) {
                const Term term = rule.head.arguments[i];
                SqlSort found = sort_in(rule, term);
                if (!found.known && !term.is_variable()) {
                    found = {true, true, false, ""};
                }
                const SqlSort joined = head[i].joined(found);
                changed = changed || joined != head[i];
                head[i] = joined;
            }
        }
    }
    for (std::vector<SqlSort>& of : sorts) {
        for (SqlSort& sort : of) {
            sort = sort.known ? sort : SqlSort{true, true, false, ""};
        }
    }
    return sorts;
}

std::string sql_text(const std::string& text) {
    if (text.find('\0') != std::string::npos) {
        throw Error("a name with a zero byte cannot stand in SQL", {}, "rename the constant");
    }
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "''" : std::string(1, c);
    }
    return result + "'";
}

}  // namespace hri::exporting
