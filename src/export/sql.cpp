// SPDX-License-Identifier: Apache-2.0

// Views for SQLite and PostgreSQL.

#include "hri/export.hpp"

#include "base/utf8.hpp"
#include "logic/dependencies.hpp"
#include "logic/range_restricted_program.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>

namespace hri {
namespace {

using logic::indicator;
using logic::RangeRestricted;

constexpr std::size_t kLongestName = 58;  // PostgreSQL cuts names at 63 bytes; room for _2_99

std::string identifier(const std::string& name) {
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

/// Predicates that are computed together.
struct Recursion {
    std::vector<std::uint32_t> members;
    std::vector<Rule> rules;
    std::string view;  // of rows (p, a, b, ...)
    int width = 2;     // the most arguments

    int number_of(Predicate p) const {
        const auto found = std::find(members.begin(), members.end(), p.id);
        return found == members.end() ? -1 : static_cast<int>(found - members.begin());
    }

    /// How often a body calls them.
    std::ptrdiff_t calls(const Rule& rule) const {
        return std::count_if(rule.body.begin(), rule.body.end(),
                             [this](const Atom& atom) { return number_of(atom.predicate) >= 0; });
    }
};

/// p(X,Y) :- p(X,Z), p(Z,Y)
bool is_transitivity(const Rule& rule) {
    if (rule.head.arguments.size() != 2 || rule.body.size() != 2) {
        return false;
    }
    const Term x = rule.head.arguments[0];
    const Term y = rule.head.arguments[1];
    const auto is_chain = [&](const Atom& first, const Atom& second) {
        return first.predicate == rule.head.predicate && second.predicate == rule.head.predicate &&
               first.arguments[0] == x && second.arguments[1] == y &&
               first.arguments[1] == second.arguments[0] && first.arguments[1] != x &&
               first.arguments[1] != y && first.arguments[1].is_variable();
    };
    return x != y && x.is_variable() && y.is_variable() &&
           (is_chain(rule.body[0], rule.body[1]) || is_chain(rule.body[1], rule.body[0]));
}

/// Where transitivity is the only recursion of a predicate: p(s,Y) :- ..., p(t,Y) for each other
/// rule p(s,t) :- ... in its place.
void make_linear(Recursion& recursion) {
    std::vector<Rule> others;
    bool transitive = false;
    for (const Rule& rule : recursion.rules) {
        if (is_transitivity(rule)) {
            transitive = true;
        } else if (recursion.calls(rule) == 0) {
            others.push_back(rule);
        } else {
            return;
        }
    }
    if (!transitive) {
        return;
    }
    recursion.rules = others;
    for (const Rule& rule : others) {
        const Term end = Term::variable(simplify::variable_count(rule));
        Rule longer = rule;
        longer.head.arguments[1] = end;
        longer.body.push_back({rule.head.predicate, {rule.head.arguments[1], end}});
        recursion.rules.push_back(std::move(longer));
    }
}

class SqlWriter {
  public:
    SqlWriter(const Program& program, SqlDialect dialect)
        : restricted_(logic::range_restricted(program)),
          program_(restricted_.program),
          postgresql_(dialect == SqlDialect::postgresql) {
        std::vector<std::string> taken = {"hri_known", "hri_state", "hri_next", "hri_row",
                                          "hri_no"};
        for (int i = 1; i <= program_.vocabulary.size(); ++i) {
            taken.push_back("hri_recursion_" + std::to_string(i));
        }
        names_ = logic::identifiers(restricted_, identifier, taken);
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
            text += input_table(p);
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
        return note + "CREATE TABLE IF NOT EXISTS " + name(p) + " (" +
               (arity(p) == 0 ? "holds INTEGER NOT NULL"
                              : columns(arity(p), "", " TEXT NOT NULL")) +
               ");\n";
    }

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
        make_linear(recursion);
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
        views_ += "CREATE VIEW " + view + " (" + columns + ") AS\n" + query + ";\n";
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
        std::vector<std::string> value(static_cast<std::size_t>(simplify::variable_count(rule)));
        for (const Atom& atom : rule.body) {
            if (is_equality(program_.vocabulary[atom.predicate]) ||
                is_comparison(program_.vocabulary[atom.predicate]) ||
                program_.vocabulary.is_negated(atom.predicate)) {
                where.push_back(condition(atom, value));
                continue;
            }
            std::string source = "t" + std::to_string(from.size() + 1);
            const int number = recursion != nullptr ? recursion->number_of(atom.predicate) : -1;
            if (number >= 0 && lateral) {
                source = "hri_row";
            } else {
                from.push_back((number >= 0 ? "hri_known" : name(atom.predicate)) + " AS " +
                               source);
            }
            if (number >= 0) {
                where.push_back(source + ".p = " + std::to_string(number));
            }
            for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
                std::string column = source + "." + logic::column_name(static_cast<int>(i));
                if (postgresql_ && recursion != nullptr && number < 0) {
                    column = "CAST(" + column + " AS TEXT)";  // all of one type
                }
                const Term term = atom.arguments[i];
                const auto index = static_cast<std::size_t>(term.index());
                if (!term.is_variable()) {
                    where.push_back(column + " = " + literal(index));
                } else if (value[index].empty()) {
                    value[index] = column;
                } else {
                    where.push_back(column + " = " + value[index]);
                }
            }
        }
        std::vector<std::string> out;
        if (recursion != nullptr) {
            out.push_back(std::to_string(recursion->number_of(rule.head.predicate)));
        }
        for (const Term term : rule.head.arguments) {
            const auto index = static_cast<std::size_t>(term.index());
            out.push_back(term.is_variable() ? value[index] : literal(index));
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

    /// A negated atom, or one of equality or comparison, whose variables have their values.
    std::string condition(const Atom& atom, const std::vector<std::string>& value) const {
        const auto term = [&](Term t) {
            const auto index = static_cast<std::size_t>(t.index());
            return t.is_variable() ? value[index] : literal(index);
        };
        const bool negated = program_.vocabulary.is_negated(atom.predicate);
        if (is_equality(program_.vocabulary[atom.predicate])) {
            return term(atom.arguments[0]) + (negated ? " <> " : " = ") + term(atom.arguments[1]);
        }
        if (is_comparison(program_.vocabulary[atom.predicate])) {
            return compared(program_.vocabulary[atom.predicate].name, term(atom.arguments[0]),
                            term(atom.arguments[1]));
        }
        std::string query = "NOT EXISTS (SELECT 1 FROM " +
                            name(program_.vocabulary.positive(atom.predicate)) + " AS hri_no";
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            const std::string column = "hri_no." + logic::column_name(static_cast<int>(i));
            query += (i == 0 ? " WHERE " : " AND ") +
                     (postgresql_ ? "CAST(" + column + " AS TEXT)" : column) + " = " +
                     term(atom.arguments[i]);
        }
        return query + ")";
    }

    std::string compared(const std::string& name, const std::string& left,
                         const std::string& right) const {
        const std::string sign = name == "=<"     ? "<="
                                 : name == "=:="  ? "="
                                 : name == "=\\=" ? "<>"
                                                  : name;
        const std::string as = postgresql_ ? " AS DOUBLE PRECISION)" : " AS REAL)";
        return "CAST(" + left + as + " " + sign + " CAST(" + right + as;
    }

    std::string literal(std::size_t constant) const {
        const std::string& text = program_.vocabulary.constants()[constant];
        if (text.find('\0') != std::string::npos) {
            throw Error("a name with a zero byte cannot stand in SQL", {}, "rename the constant");
        }
        return "CAST(" + in_quotes(text, '\'') + " AS TEXT)";
    }

    RangeRestricted restricted_;
    const Program& program_;
    bool postgresql_;
    std::vector<std::string> names_;
    std::vector<std::string> made_;  // views, each after those it uses
    std::string views_;
    int recursions_ = 0;
};

}  // namespace

std::string to_sql(const Program& program, SqlDialect dialect) {
    return SqlWriter(program, dialect).written();
}

}  // namespace hri
