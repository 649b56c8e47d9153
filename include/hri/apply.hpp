// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs and models applied to data: scores, and the atoms that hold.
//
//   const Problem family = read_problem("family");
//   Score score = score_program(program, family);
//   for (const Prediction& one : predict(program, family, parse_query("grandparent(ann,X)"))) {
//       std::cout << one.arguments[1] << '\n';
//   }

#include "hri/data.hpp"
#include "hri/evaluate.hpp"
#include "hri/learn.hpp"
#include "hri/logic.hpp"
#include "hri/model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// Messages about a program on data.
struct NameCheck {
    std::vector<std::string> notes;  ///< predicates that have facts and rules
    /// Predicates that nobody defines, and constants that the data lack, with the nearest name.
    std::vector<std::string> warnings;
};

NameCheck check_names(const Program& program, const Problem& problem);

/// Whether instances lack what the program needs: wide and computed predicates, known facts of the
/// target. Then the problem's database is run instead.
bool needs_database(const Program& program, const Problem& problem);

/// The evaluation instances of a problem, or the training instances where it has no others.
const Source& judged_on(const Problem& problem);

struct ScoreSettings {
    int count = 10;           ///< fresh instances, where the problem generates them
    std::uint64_t seed = 0;   ///< of fresh instances
    int steps = kToFixpoint;  ///< of programs over one or two arguments
    int threads = 1;          ///< the result does not depend on them
};

template <>
const std::vector<Field<ScoreSettings>>& fields_of<ScoreSettings>();

/// Scores a program of any arity on judged_on(), or on the examples of the database where
/// needs_database(). Throws Error where that takes no `steps`.
Score score_program(const Program& program, const Problem& problem,
                    const ScoreSettings& settings = {});

/// Atoms of one predicate: all of them, or those that agree with its constants and variables.
struct AtomQuery {
    PredicateSymbol symbol;
    std::vector<std::optional<std::string>> arguments;  ///< nothing: a variable
    std::vector<std::size_t> same_as;                   ///< the first argument with its variable

    bool matches(const std::vector<std::string>& constants) const;
};

/// "grandparent(ann,X)" or "grandparent(ann,?)". Throws Error.
AtomQuery parse_query(std::string_view text);
AtomQuery all_atoms_of(const PredicateSymbol& symbol);

struct Prediction {
    std::vector<std::string> arguments;
    double value = 1;                       ///< of a model
    std::string rule = {};                  ///< that proves it
    std::optional<double> confidence = {};  ///< share of true atoms among the rule's labelled ones
    Label label = Label::unlabelled;
};

/// Warns of constants that the data lack, such as a key without its prefix.
NameCheck check_names(const AtomQuery& query, const Problem& problem);

/// The atoms of the query that hold. `with_rules` fills in rules and confidences. Throws Error
/// where the program does not define the predicate.
std::vector<Prediction> predict(const Program& program, const Problem& problem,
                                const AtomQuery& query, bool with_rules = false);

/// The atoms of the query with at least this value, after so many steps of the model.
std::vector<Prediction> predict(const Model& model, const Problem& problem, const AtomQuery& query,
                                int steps, double min_value = 0.5);

}  // namespace hri
