// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs and models in the languages of others. Prolog is to_prolog() in hri/logic.hpp.
//
//   write_file("program.dl", to_datalog(program));
//   write_file("views.sql", to_sql(program, SqlDialect::sqlite));
//   write_file("model.svg", to_svg(model));
//
// A program means the same in every language. A variable of a head that its body lacks stands
// for every constant, and a constant of a head that its body lacks counts only if the data have it:
// such rules read the input `constant`, which is to list all constants.

#include "hri/fields.hpp"
#include "hri/logic.hpp"
#include "hri/model.hpp"

#include <cstdint>
#include <string>

namespace hri {

/// Souffle: a relation of symbols per predicate, the inputs read from `name.facts`, the target
/// written to `name.csv`. Names that are no identifiers there are changed, which a comment tells.
std::string to_datalog(const Program& program);

enum class SqlDialect : std::uint8_t { sqlite, postgresql };

/// The tables from which a script reads its inputs.
struct SqlOptions {
    /// A mapping of the user's own tables, as TOML: views read those, and keys stand without their
    /// prefixes. Without one, inputs are tables (a), (a, b) or, without arguments, (holds), where
    /// any row means true.
    std::string mapping = {};
    std::string mapping_name = "mapping";  ///< for errors
    bool create_tables = false;            ///< without a mapping: makes tables that are missing
};

template <>
const std::vector<Field<SqlOptions>>& fields_of<SqlOptions>();

/// A script that makes a view of each predicate; the target's carries its name. It changes no
/// table. Where predicates depend on each other, they are computed together:
///   - a rule that calls them once at most: by one recursive common table expression over rows
///     (p, a, b) with the number of the predicate first;
///   - p(X,Y) :- p(X,Z), p(Z,Y) and nothing else: in the same way, with p's other rules in the
///     place of one of the calls;
///   - other rules that call them twice or more, which databases refuse: by a recursive common
///     table expression with one row per round, whose JSON array holds all atoms found so far.
/// Without a mapping, columns are text. Throws Error for a name with a zero byte.
std::string to_sql(const Program& program, SqlDialect dialect, const SqlOptions& options = {});

/// An align* environment of amsmath, one line per rule.
std::string to_latex(const Program& program);

/// Target, inputs and rules as data. See docs/reference/json.md.
std::string to_json(const Program& program);
/// The same of the simplified argmax program, and the hierarchy with its unification weights.
std::string to_json(const Model& model);

/// The graph of predicates and of those that define them, for Graphviz or as a drawing.
std::string to_dot(const Program& program);
std::string to_svg(const Program& program);

/// The hierarchy: what the target's slot and, from there, the slots of auxiliaries match with at
/// least this weight.
constexpr double kMinWeightDrawn = 0.05;
std::string to_dot(const Model& model, double min_weight = kMinWeightDrawn);
std::string to_svg(const Model& model, double min_weight = kMinWeightDrawn);

}  // namespace hri
