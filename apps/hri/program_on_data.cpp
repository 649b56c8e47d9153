// SPDX-License-Identifier: Apache-2.0
#include "program_on_data.hpp"

#include "hri/fields.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace hri::cli {
namespace {

/// Equality and comparisons need no facts.
bool is_built_in(const PredicateSymbol& symbol) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"=", "<", ">", "=<", ">=", "=:=", "=\\=", "\\="});
    return symbol.name == "false" || (symbol.arity == 2 && std::find(kNames.begin(), kNames.end(),
                                                                     symbol.name) != kNames.end());
}

/// The constants of a program but for bounds on numbers.
std::set<std::string> constants_of(const Program& program) {
    std::set<std::string> names;
    const auto add = [&](const Atom& atom) {
        if (!is_comparison(program.vocabulary[program.vocabulary.positive(atom.predicate)])) {
            for (const Term term : atom.arguments) {
                if (!term.is_variable()) {
                    names.insert(
                        program.vocabulary.constants()[static_cast<std::size_t>(term.index())]);
                }
            }
        }
    };
    for (const Rule& rule : program.rules) {
        add(rule.head);
        std::for_each(rule.body.begin(), rule.body.end(), add);
    }
    return names;
}

}  // namespace

void warn_about_constants(std::set<std::string> names, const Problem& problem, const char* whose) {
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
        fmt::print(stderr, "hri: warning: the data have no constant {}, which {} names{}\n",
                   prolog::quoted(name), whose,
                   known.empty()
                       ? ""
                       : fmt::format(" (did you mean {}?)", prolog::quoted(nearest(name, known))));
    }
}

void warn_about_missing(const Program& program, const Problem& problem) {
    std::set<PredicateSymbol> known(problem.inputs().begin(), problem.inputs().end());
    if (problem.database) {
        for (const FactTable& table : problem.database->tables) {
            known.insert(table.symbol);
        }
        for (const ComputedPredicate& computed : problem.database->computed) {
            known.insert(computed.symbol);
        }
    }
    std::vector<std::string> names;
    for (const PredicateSymbol& symbol : known) {
        names.push_back(symbol.name);
    }
    for (const Rule& rule : program.rules) {
        known.insert(program.vocabulary[rule.head.predicate]);
    }
    const auto is_defined = [&](const PredicateSymbol& symbol) {
        return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
            return program.vocabulary[rule.head.predicate] == symbol;
        });
    };
    for (const PredicateSymbol& input : problem.inputs()) {
        if (input != program.vocabulary[program.target] && is_defined(input)) {
            fmt::print(stderr,
                       "hri: note: {}/{} has facts in the data and rules in the program: both "
                       "count\n",
                       input.name, input.arity);
        }
    }
    warn_about_constants(constants_of(program), problem, "the program");
    std::set<PredicateSymbol> told;
    for (const Rule& rule : program.rules) {
        for (const Atom& atom : rule.body) {
            const PredicateSymbol& symbol =
                program.vocabulary[program.vocabulary.positive(atom.predicate)];
            if (is_built_in(symbol) || known.count(symbol) != 0 || !told.insert(symbol).second) {
                continue;
            }
            const bool other_arity =
                std::find(names.begin(), names.end(), symbol.name) != names.end();
            fmt::print(stderr, "hri: warning: the data have no {}/{}, which counts as false{}\n",
                       symbol.name, symbol.arity,
                       names.empty() || other_arity
                           ? std::string(other_arity ? " (they have it with other arguments)" : "")
                           : fmt::format(" (did you mean {}?)", nearest(symbol.name, names)));
        }
    }
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

}  // namespace hri::cli
