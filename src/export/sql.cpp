// SPDX-License-Identifier: Apache-2.0

// Views for SQLite and PostgreSQL.

#include "hri/export.hpp"

#include "base/utf8.hpp"
#include "export/sql_inputs.hpp"
#include "export/sql_recursion.hpp"
#include "export/sql_values.hpp"
#include "logic/dependencies.hpp"
#include "logic/range_restricted_program.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>

namespace hri {
namespace {

using exporting::as_text;
using exporting::Recursion;
using exporting::SqlInputs;
using exporting::SqlSort;
using exporting::SqlValue;
using exporting::SqlValues;
using logic::indicator;
using logic::RangeRestricted;

constexpr std::size_t kLongestName = 58;  // PostgreSQL cuts names at 63 bytes; room for _2_99

std::string sql_identifier(const std::string& name) {
    if (name.find('\0') != std::string::npos) {
        throw Error("a name with a zero byte cannot stand in SQL", {}, "rename the predicate");
    }
    std::string result = name.empty() ? "_" : name;
    if (result.size() > kLongestName) {
        std::size_t end = kLongestName;
        while (end > 0 && !base::begins_character(result[end])) {
            --end;  // not inside a character
        }
        result.resize(end);
    }
    // names that databases keep for themselves
    for (const std::string_view prefix : {"sqlite_", "pg_"}) {
        if (result.size() >= prefix.size() &&
            std::equal(prefix.begin(), prefix.end(), result.begin(),
                       [](char a, char b) { return a == b || a - 'a' + 'A' == b; })) {
            result.insert(0, "_");
        }
    }
    return result;
}

std::string in_quotes(const std::string& text, char quote) {
    std::string result(1, quote);
    for (const char c : text) {
        result += c;
        if (c == quote) {
            result += c;
        }
    }
    return result + quote;
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += (i == 0 ? "" : separator) + parts[i];
    }
    return text;
}

class SqlWriter {
  public:
    SqlWriter(const Program& program, SqlDialect dialect, const SqlOptions& options)
        : restricted_(logic::range_restricted(program)),
          program_(restricted_.program),
          postgresql_(dialect == SqlDialect::postgresql),
          creates_(options.create_tables),
          inputs_(options, dialect),
          values_(inputs_.mapped(), postgresql_),
          sorts_(
              exporting::sorts_of(program_, restricted_.derived, restricted_.constants, inputs_)) {
        std::vector<std::string> taken = {"hri_known", "hri_state", "hri_next", "hri_row",
                                          "hri_no"};
        taken.insert(taken.end(), inputs_.tables().begin(), inputs_.tables().end());
        for (int i = 1; i <= program_.vocabulary.size(); ++i) {
            taken.push_back("hri_recursion_" + std::to_string(i));
        }
        names_ = logic::identifiers(restricted_, sql_identifier, taken);
    }

    std::string written() {
        const logic::Components found = logic::components(program_);
        for (std::size_t c = 0; c < found.members.size(); ++c) {
            add_component(found.members[c], found.recursive[c]);
        }
        std::string text = "-- target: " + indicator(program_.vocabulary[program_.target]) + "\n";
        for (const Predicate p : restricted_.order) {
            const PredicateSymbol& symbol = program_.vocabulary[p];
            if (names_[p.id] != symbol.name) {
                text += "-- " + indicator({names_[p.id], symbol.arity}) + " is " +
                        indicator(symbol) + "\n";
            }
        }
        for (const Predicate p : restricted_.inputs()) {
            text += inputs_.mapped() ? "" : input_table(p);
        }
        for (auto name = made_.rbegin(); name != made_.rend(); ++name) {
            text += "DROP VIEW IF EXISTS " + *name + ";\n";
        }
        return text + views_;
    }

  private:
    std::string name(Predicate p) const { return in_quotes(names_[p.id], '"'); }

    int arity(Predicate p) const { return program_.vocabulary[p].arity; }

    /// "a, b, c", each between two texts.
    static std::string columns(int count, const std::string& before, const std::string& after) {
        std::vector<std::string> names;
        for (int i = 0; i < count; ++i) {
            names.push_back(before + logic::column_name(i) + after);
        }
        return joined(names, ", ");
    }

    static std::string rows_of(const Recursion& recursion, const std::string& source = "") {
        return source + "p, " + columns(recursion.width, source, "");
    }

    std::string columns(Predicate p) const {
        return arity(p) == 0 ? "holds" : columns(arity(p), "", "");
    }

    std::string input_table(Predicate p) const {
        const std::string note = p == restricted_.constants ? "-- all constants of the data\n" : "";
        if (!creates_) {
            return note + "-- reads the table " + name(p) + " (" + columns(p) + ")\n";
        }
        return note + "CREATE TABLE IF NOT EXISTS " + name(p) + " (" +
               (arity(p) == 0 ? "holds INTEGER NOT NULL"
                              : columns(arity(p), "", " TEXT NOT NULL")) +
               ");\n";
    }

    /// The text of a FROM clause for an input or a view.
    std::string source(Predicate p) const {
        if (restricted_.derived[p.id] || !inputs_.mapped()) {
            return name(p);
        }
        return "(" +
               (p == restricted_.constants ? inputs_.constants()
                                           : inputs_.of(program_.vocabulary[p]))
                   .query +
               ")";
    }

    const SqlSort& sort(Predicate p, std::size_t argument) const { return sorts_[p.id][argument]; }

    void add_component(const std::vector<std::uint32_t>& members, bool recursive) {
        if (program_.vocabulary.is_negated(Predicate{members.front()}) ||
            !restricted_.derived[members.front()] || names_[members.front()].empty()) {
            return;  // an input, or out of reach
        }
        Recursion recursion{members, {}, {}};
        for (const std::uint32_t member : members) {
            recursion.width = std::max(recursion.width, arity(Predicate{member}));
        }
        for (const Rule& rule : program_.rules) {
            if (recursion.number_of(rule.head.predicate) >= 0) {
                recursion.rules.push_back(rule);
            }
        }
        if (!recursive) {
            const Predicate p{members.front()};
            return add_view(name(p), columns(p), plain_query(p, recursion.rules));
        }
        exporting::make_linear(recursion);
        const bool linear =
            std::all_of(recursion.rules.begin(), recursion.rules.end(),
                        [&](const Rule& rule) { return recursion.calls(rule) <= 1; });
        recursion.view = "hri_recursion_" + std::to_string(++recursions_);
        add_view(recursion.view, rows_of(recursion),
                 linear ? linear_query(recursion) : rounds(recursion));
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Predicate p{members[i]};
            add_view(name(p), columns(p),
                     "SELECT " + (arity(p) == 0 ? "1" : columns(p)) + " FROM " + recursion.view +
                         " WHERE p = " + std::to_string(i));
        }
    }

    void add_view(const std::string& view, const std::string& columns, const std::string& query) {
        made_.push_back(view);
        // the readers of databases pass over what is marked so: it holds answers, and no data
        const bool marks = inputs_.mapped();
        const bool comments = marks && !postgresql_;  // PostgreSQL forgets those of a view's text
        views_ += "CREATE VIEW " + view + " (" + columns + ") AS" +
                  (comments ? " -- written by hri" : "") + "\n" + query + ";\n";
        if (marks && postgresql_) {
            views_ += "COMMENT ON VIEW " + view + " IS 'written by hri';\n";
        }
    }

    std::string plain_query(Predicate p, const std::vector<Rule>& rules) const {
        if (rules.empty()) {
            return "SELECT " + (arity(p) == 0 ? "1" : nothing(arity(p))) + " WHERE 1 = 0";
        }
        std::vector<std::string> selects;
        for (const Rule& rule : rules) {
            selects.push_back(select(rule, nullptr));
        }
        return rules.size() == 1 ? "SELECT DISTINCT" + selects[0].substr(6)
                                 : joined(selects, "\nUNION\n");
    }

    static std::string nothing(int count) {
        return joined(
            std::vector<std::string>(static_cast<std::size_t>(count), "CAST(NULL AS TEXT)"), ", ");
    }

    /// SQLite takes several recursive parts, PostgreSQL one, which sees the row that it extends
    /// laterally.
    std::string linear_query(const Recursion& recursion) const {
        std::vector<std::string> starts;
        std::vector<std::string> steps;
        for (const Rule& rule : recursion.rules) {
            (recursion.calls(rule) == 0 ? starts : steps).push_back(select(rule, &recursion));
        }
        if (starts.empty()) {
            starts.push_back("SELECT 0, " + nothing(recursion.width) + " WHERE 1 = 0");
        }
        std::string query = "WITH RECURSIVE hri_known(" + rows_of(recursion) + ") AS (\n";
        if (steps.empty()) {
            query += joined(starts, "\nUNION\n");
        } else if (postgresql_) {
            query += "(" + joined(starts, "\nUNION\n") + ")\nUNION\nSELECT " +
                     rows_of(recursion, "hri_next.") +
                     " FROM hri_known AS hri_row CROSS JOIN LATERAL (\n" +
                     joined(steps, "\nUNION ALL\n") + "\n) AS hri_next(" + rows_of(recursion) + ")";
        } else {
            query += joined(starts, "\nUNION\n") + "\nUNION\n" + joined(steps, "\nUNION\n");
        }
        return query + "\n)\nSELECT " + rows_of(recursion) + " FROM hri_known";
    }

    /// One row per round with all atoms found so far, as JSON. The last round found nothing new.
    std::string rounds(const Recursion& recursion) const {
        std::vector<std::string> selects;
        for (const Rule& rule : recursion.rules) {
            selects.push_back(select(rule, &recursion));
        }
        const std::string elements = postgresql_ ? "jsonb_array_elements" : "json_each";
        const std::string length = postgresql_ ? "jsonb_array_length" : "json_array_length";
        std::vector<std::string> parts;
        for (int i = 0; i <= recursion.width; ++i) {
            const std::string at = std::to_string(i);
            parts.push_back(!postgresql_ ? "json_extract(value, '$[" + at + "]')"
                            : i == 0     ? "CAST(value->>0 AS INTEGER)"
                                         : "value->>" + at);
        }
        const std::string atom = joined(parts, ", ");
        const std::string row = rows_of(recursion);
        const std::string gathered =
            postgresql_ ? "coalesce(jsonb_agg(jsonb_build_array(" + row + ")), CAST('[]' AS JSONB))"
                        : "json_group_array(json_array(" + row + "))";
        const std::string none = postgresql_ ? "CAST('[]' AS JSONB)" : "'[]'";
        return "WITH RECURSIVE hri_state(atoms, before) AS (\nSELECT " + none +
               ", -1\nUNION ALL\nSELECT (\n"
               "WITH hri_known(" +
               row + ") AS MATERIALIZED (SELECT " + atom + " FROM " + elements +
               "(hri_state.atoms)),\nhri_next(" + row + ") AS (\n" + joined(selects, "\nUNION\n") +
               "\n)\nSELECT " + gathered + " FROM hri_next\n), " + length +
               "(hri_state.atoms)\nFROM hri_state WHERE " + length +
               "(hri_state.atoms) > hri_state.before\n)\nSELECT " + atom + " FROM " + elements +
               "((SELECT atoms FROM hri_state ORDER BY before DESC LIMIT 1))";
    }

    /// The rows that a rule gives: its head's columns, or (p, a, b) in a recursion.
    std::string select(const Rule& rule, const Recursion* recursion) const {
        const bool lateral = postgresql_ && recursion != nullptr &&
                             std::all_of(recursion->rules.begin(), recursion->rules.end(),
                                         [&](const Rule& r) { return recursion->calls(r) <= 1; });
        std::vector<std::string> from;
        std::vector<std::string> where;
        std::vector<SqlValue> value(static_cast<std::size_t>(simplify::variable_count(rule)));
        std::vector<const Atom*> conditions;  // once all variables have their values
        for (const Atom& atom : rule.body) {
            const PredicateSymbol& symbol = program_.vocabulary[atom.predicate];
            if (is_equality(symbol) || is_comparison(symbol) || symbol.negated) {
                conditions.push_back(&atom);
                continue;
            }
            std::string source = "t" + std::to_string(from.size() + 1);
            const int number = recursion != nullptr ? recursion->number_of(atom.predicate) : -1;
            if (number >= 0 && lateral) {
                source = "hri_row";
            } else {
                from.push_back((number >= 0 ? "hri_known" : this->source(atom.predicate)) + " AS " +
                               source);
            }
            if (number >= 0) {
                where.push_back(source + ".p = " + std::to_string(number));
            }
            for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
                SqlValue column{source + "." + logic::column_name(static_cast<int>(i)),
                                sort(atom.predicate, i), number >= 0};
                if (postgresql_ && recursion != nullptr && number < 0) {
                    column.sql = as_text(column.sql);  // all of one type
                    column.is_text = true;
                }
                const Term term = atom.arguments[i];
                const auto index = static_cast<std::size_t>(term.index());
                if (!term.is_variable()) {
                    where.push_back(values_.equal(column, name_of(index)));
                } else if (value[index].sql.empty()) {
                    value[index] = column;
                } else {
                    where.push_back(values_.equal(column, value[index]));
                }
            }
        }
        for (const Atom* atom : conditions) {
            where.push_back(condition(*atom, value));
        }
        std::vector<std::string> out;
        if (recursion != nullptr) {
            out.push_back(std::to_string(recursion->number_of(rule.head.predicate)));
        }
        for (std::size_t i = 0; i < rule.head.arguments.size(); ++i) {
            out.push_back(head_value(rule, i, value, recursion != nullptr));
        }
        if (recursion == nullptr && out.empty()) {
            out.emplace_back("1");
        }
        while (recursion != nullptr && out.size() <= static_cast<std::size_t>(recursion->width)) {
            out.emplace_back("CAST(NULL AS TEXT)");
        }
        return "SELECT " + joined(out, ", ") + (from.empty() ? "" : " FROM " + joined(from, ", ")) +
               (where.empty() ? "" : " WHERE " + joined(where, " AND "));
    }

    std::string head_value(const Rule& rule, std::size_t i, const std::vector<SqlValue>& value,
                           bool in_recursion) const {
        const Term term = rule.head.arguments[i];
        const auto index = static_cast<std::size_t>(term.index());
        const SqlSort& wanted = sort(rule.head.predicate, i);
        if (!term.is_variable()) {
            const std::optional<SqlValue> found = values_.constant(name_of(index), wanted);
            return found ? found->sql : "CAST(NULL AS TEXT)";
        }
        if (!inputs_.mapped()) {
            return value[index].sql;
        }
        if (wanted.mixed && !value[index].sort.mixed) {
            return exporting::whole_name(value[index]);
        }
        return in_recursion && !value[index].is_text ? as_text(value[index].sql) : value[index].sql;
    }

    /// A negated atom, a comparison or one of equality, whose variables have their values.
    std::string condition(const Atom& atom, const std::vector<SqlValue>& value) const {
        const PredicateSymbol& symbol = program_.vocabulary[atom.predicate];
        const bool negated = symbol.negated;
        const auto term = [&](Term t, Term other) {
            const auto index = static_cast<std::size_t>(t.index());
            if (t.is_variable()) {
                return value[index];
            }
            SqlSort wanted{true, true, false, ""};
            if (is_comparison(symbol)) {
                wanted = {true, false, true, ""};
            } else if (other.is_variable()) {
                wanted = value[static_cast<std::size_t>(other.index())].sort;
            }
            return values_.constant(name_of(index), wanted)
                .value_or(SqlValue{
                    as_text(exporting::sql_text(name_of(index))), {true, true, false, ""}, true});
        };
        if (is_comparison(symbol)) {
            const std::string sign = symbol.name == "=<"     ? "<="
                                     : symbol.name == "=:="  ? "="
                                     : symbol.name == "=\\=" ? "<>"
                                                             : symbol.name;
            const std::string text = values_.number(term(atom.arguments[0], atom.arguments[1])) +
                                     " " + sign + " " +
                                     values_.number(term(atom.arguments[1], atom.arguments[0]));
            return negated ? "NOT (" + text + ")" : text;
        }
        if (is_equality(symbol)) {
            const std::string text = values_.equal(term(atom.arguments[0], atom.arguments[1]),
                                                   term(atom.arguments[1], atom.arguments[0]));
            if (!inputs_.mapped() && negated) {
                return term(atom.arguments[0], atom.arguments[1]).sql + " <> " +
                       term(atom.arguments[1], atom.arguments[0]).sql;
            }
            return negated ? "NOT (" + text + ")" : text;
        }
        const Predicate positive = program_.vocabulary.positive(atom.predicate);
        std::string query = "NOT EXISTS (SELECT 1 FROM " + source(positive) + " AS hri_no";
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            SqlValue column{"hri_no." + logic::column_name(static_cast<int>(i)), sort(positive, i)};
            if (postgresql_ && !inputs_.mapped()) {
                column.sql = as_text(column.sql);
            }
            const Term t = atom.arguments[i];
            const auto index = static_cast<std::size_t>(t.index());
            query += (i == 0 ? " WHERE " : " AND ") + (t.is_variable()
                                                           ? values_.equal(column, value[index])
                                                           : values_.equal(column, name_of(index)));
        }
        return query + ")";
    }

    const std::string& name_of(std::size_t constant) const {
        return program_.vocabulary.constants()[constant];
    }

    RangeRestricted restricted_;
    const Program& program_;
    bool postgresql_;
    bool creates_;
    SqlInputs inputs_;
    SqlValues values_;
    std::vector<std::vector<SqlSort>> sorts_;  // [predicate][argument]
    std::vector<std::string> names_;
    std::vector<std::string> made_;  // views, each after those it uses
    std::string views_;
    int recursions_ = 0;
};

}  // namespace

std::string to_sql(const Program& program, SqlDialect dialect, const SqlOptions& options) {
    return SqlWriter(program, dialect, options).written();
}

}  // namespace hri
