// SPDX-License-Identifier: Apache-2.0
#include "hri/apply.hpp"

#include "hri/comparisons.hpp"

#include "base/fields.hpp"
#include "learn/evidence.hpp"
#include "logic/prolog/terms.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace hri {
namespace learning {
namespace {

/// Equality and comparisons need no facts.
bool needs_no_facts(const PredicateSymbol& symbol) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"=", "<", ">", "=<", ">=", "=:=", "=\\=", "\\="});
    return symbol.name == "false" || (symbol.arity == 2 && std::find(kNames.begin(), kNames.end(),
                                                                     symbol.name) != kNames.end());
}

bool defines(const Program& program, const PredicateSymbol& symbol) {
    return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return program.vocabulary[rule.head.predicate] == symbol;
    });
}

std::string missing_text(const PredicateSymbol& symbol, const std::vector<std::string>& names) {
    const std::string text =
        fmt::format("the data have no {}/{}, which counts as false", symbol.name, symbol.arity);
    if (std::find(names.begin(), names.end(), symbol.name) != names.end()) {
        return text + " (they have it with other arguments)";
    }
    return names.empty() ? text
                         : fmt::format("{} (did you mean {}?)", text, nearest(symbol.name, names));
}

/// The constants of a program but for bounds on numbers.
std::set<std::string> constants_of(const Program& program) {
    std::set<std::string> names;
    const auto add = [&](const Atom& atom) {
        if (is_comparison(program.vocabulary[program.vocabulary.positive(atom.predicate)])) {
            return;
        }
        for (const Term& term : atom.arguments) {
            if (!term.is_variable()) {
                names.insert(
                    program.vocabulary.constants()[static_cast<std::size_t>(term.index())]);
            }
        }
    };
    for (const Rule& rule : program.rules) {
        add(rule.head);
        std::for_each(rule.body.begin(), rule.body.end(), add);
    }
    return names;
}

/// Warns of names that no fact and no example has.
void check_constants(std::set<std::string> names, const Problem& problem, const char* whose,
                     NameCheck& check) {
    const bool has_terms = problem.database && !problem.database->computed.empty();
    if (names.empty() || has_terms || (!problem.database && !problem.training.fixed())) {
        return;
    }
    std::vector<std::string> known;
    if (problem.database) {
        known.assign(problem.database->constants.begin(), problem.database->constants.end());
    } else {
        for (const Instance& instance : problem.training.instances) {
            for (int c = 0; c < instance.constants; ++c) {
                known.push_back(instance.name_of(c));
            }
        }
    }
    for (const std::string& name : known) {
        names.erase(name);
    }
    for (const std::string& name : names) {
        check.warnings.push_back(fmt::format(
            "the data have no constant {}, which {} names{}", prolog::quoted(name), whose,
            known.empty()
                ? ""
                : fmt::format(" (did you mean {}?)", prolog::quoted(nearest(name, known)))));
    }
}

}  // namespace
}  // namespace learning

NameCheck check_names(const AtomQuery& query, const Problem& problem) {
    std::set<std::string> names;
    for (const std::optional<std::string>& argument : query.arguments) {
        if (argument) {
            names.insert(*argument);
        }
    }
    NameCheck check;
    learning::check_constants(std::move(names), problem, "the query", check);
    return check;
}

NameCheck check_names(const Program& program, const Problem& problem) {
    NameCheck check;
    for (const PredicateSymbol& input : problem.inputs()) {
        if (input != program.vocabulary[program.target] && learning::defines(program, input)) {
            check.notes.push_back(
                fmt::format("{}/{} has facts in the data and rules in the program: both count",
                            input.name, input.arity));
        }
    }
    std::set<PredicateSymbol> known = learning::predicates_of(problem);
    std::vector<std::string> names;
    for (const PredicateSymbol& symbol : known) {
        names.push_back(symbol.name);
    }
    for (const Rule& rule : program.rules) {
        known.insert(program.vocabulary[rule.head.predicate]);
    }
    for (const Rule& rule : program.rules) {
        for (const Atom& atom : rule.body) {
            const PredicateSymbol& symbol =
                program.vocabulary[program.vocabulary.positive(atom.predicate)];
            if (!learning::needs_no_facts(symbol) && known.insert(symbol).second) {
                check.warnings.push_back(learning::missing_text(symbol, names));
            }
        }
    }
    learning::check_constants(learning::constants_of(program), problem, "the program", check);
    return check;
}

bool needs_database(const Program& program, const Problem& problem) {
    if (!problem.database) {
        return false;
    }
    const auto needs = [&](Predicate p) {
        const PredicateSymbol& symbol = program.vocabulary[program.vocabulary.positive(p)];
        const auto is_it = [&](const auto& table) { return table.symbol == symbol; };
        const Database& database = *problem.database;
        return symbol.arity > 2 ||
               std::any_of(database.computed.begin(), database.computed.end(), is_it) ||
               (symbol == problem.target() && problem.evaluation.empty() &&
                std::any_of(database.tables.begin(), database.tables.end(), is_it));
    };
    return problem.training.empty() ||
           std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
               return std::any_of(rule.body.begin(), rule.body.end(),
                                  [&](const Atom& atom) { return needs(atom.predicate); });
           });
}

const Source& judged_on(const Problem& problem) {
    return problem.evaluation.empty() ? problem.training : problem.evaluation;
}

Score score_program(const Program& program, const Problem& problem, const ScoreSettings& settings) {
    if (needs_database(program, problem)) {
        if (settings.steps != kToFixpoint) {
            throw Error("{steps} is for programs whose predicates have one or two arguments");
        }
        const Database& database = *problem.database;
        return search::score_on_examples(
            program, database,
            database.held_out.positive.empty() ? database.examples : database.held_out,
            settings.threads);
    }
    const ComparisonFacts comparisons(program);
    if (comparisons.empty()) {
        return score_program(program, judged_on(problem), settings.seed, settings.count,
                             settings.steps);
    }
    return score_program(comparisons.program(), comparisons.with_facts(judged_on(problem)),
                         settings.seed, settings.count, settings.steps);
}

template <>
const std::vector<Field<ScoreSettings>>& fields_of<ScoreSettings>() {
    using S = ScoreSettings;
    constexpr const char* kGroup = "Evaluation";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "count",
                      .help = "The number of fresh instances.",
                      .group = kGroup,
                      .common = true},
                     &S::count, 1, 1'000'000),
        base::number({.name = "seed",
                      .help = "The seed of the fresh instances.",
                      .group = kGroup,
                      .common = true},
                     &S::seed, 0),
        base::number({.name = "steps",
                      .help = "The inference steps; -1 goes on until nothing changes. By default a "
                              "model takes its own steps, and a program runs to its fixpoint.",
                      .group = kGroup,
                      .common = true},
                     &S::steps, -1, 1'000'000),
        base::number({.name = "threads",
                      .help = "The threads of a model's inference over 64 constants or more; the "
                              "result does not depend on them.",
                      .group = kGroup,
                      .common = true},
                     &S::threads, 1, 1024)};
    return fields;
}

}  // namespace hri
