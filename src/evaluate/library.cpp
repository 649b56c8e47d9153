// SPDX-License-Identifier: Apache-2.0
#include "hri/library.hpp"

#include "hri/derive.hpp"
#include "hri/error.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace hri {
namespace {

std::string indicator(const PredicateSymbol& symbol) {
    return symbol.name + "/" + std::to_string(symbol.arity);
}

}  // namespace

Problem with_library(const Problem& problem, const Program& library) {
    if (!problem.database)
        throw Error("a library needs data, and " + problem.name + " has a generator");
    if (!is_over_facts(library, *problem.database))
        throw Error("the library calls predicates that SWI-Prolog computes", {},
                    "add its rules to the background instead");
    std::set<PredicateSymbol> defined;
    for (const Rule& rule : library.rules)
        defined.insert(library.vocabulary[rule.head.predicate]);
    if (defined.count(problem.target()) > 0)
        throw Error("the library defines the target " + indicator(problem.target()), {},
                    "leave its rules out");
    Problem result = problem;
    auto database = std::make_shared<Database>(with_derived(library, *problem.database));
    for (const PredicateSymbol& symbol : defined) {
        const FactTable* table = find_table(*database, symbol);
        result.notes.push_back(indicator(symbol) + " of the library: " +
                               std::to_string(table == nullptr ? 0 : table->rows()) + " facts");
    }
    result.database = std::move(database);
    // the hierarchy's instances lack them
    result.training = {};
    result.evaluation = {};
    return result;
}

Program with_library_rules(const Program& program, const Program& library) {
    Program whole = program;
    std::set<PredicateSymbol> wanted;
    const auto want = [&](const Program& of, const Rule& rule) {
        for (const Atom& atom : rule.body)
            wanted.insert(of.vocabulary[of.vocabulary.positive(atom.predicate)]);
    };
    for (const Rule& rule : program.rules)
        want(program, rule);
    std::vector<char> taken(library.rules.size(), 0);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t r = 0; r < library.rules.size(); ++r) {
            const Rule& rule = library.rules[r];
            if (taken[r] != 0 || wanted.count(library.vocabulary[rule.head.predicate]) == 0)
                continue;
            taken[r] = 1;
            more = true;
            want(library, rule);
        }
    }
    const auto moved = [&](const Atom& atom) {
        Atom result{whole.vocabulary.intern(library.vocabulary[atom.predicate]), atom.arguments};
        for (Term& term : result.arguments)
            if (!term.is_variable())
                term = Term::constant(whole.vocabulary.intern_constant(
                    library.vocabulary.constants()[static_cast<std::size_t>(term.index())]));
        return result;
    };
    for (std::size_t r = 0; r < library.rules.size(); ++r) {
        if (taken[r] == 0)
            continue;
        Rule rule{moved(library.rules[r].head), {}};
        for (const Atom& atom : library.rules[r].body)
            rule.body.push_back(moved(atom));
        whole.rules.push_back(std::move(rule));
    }
    return whole;
}

}  // namespace hri
