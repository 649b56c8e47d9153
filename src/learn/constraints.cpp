// SPDX-License-Identifier: Apache-2.0
#include "learn/constraints.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hri::learning {

namespace {

/// The literals with variables numbered by `order`, and sorted.
std::string written(const Program& program, const Rule& rule, const std::vector<int>& order) {
    const auto term = [&](const Term& t) {
        return t.is_variable()
                   ? fmt::format("_{}", order[static_cast<std::size_t>(t.index())])
                   : fmt::format(
                         "'{}'",
                         program.vocabulary.constants()[static_cast<std::size_t>(t.index())]);
    };
    const auto atom = [&](const Atom& a) {
        const PredicateSymbol& symbol = program.vocabulary[a.predicate];
        std::string text = to_text(symbol) + "(";
        for (const Term& t : a.arguments)
            text += term(t) + ",";
        return text + ")";
    };
    std::vector<std::string> body;
    for (const Atom& a : rule.body)
        body.push_back(atom(a));
    std::sort(body.begin(), body.end());
    std::string text = atom(rule.head) + ":-";
    for (const std::string& literal : body)
        text += literal + ";";
    return text;
}

constexpr std::size_t kMaxPermuted = 7;  // variables of the body alone

}  // namespace

std::string canonical_clause(const Program& program, const Rule& rule) {
    int count = 0;
    for (const Atom& a : rule.body)
        for (const Term& t : a.arguments)
            count = std::max(count, t.is_variable() ? t.index() + 1 : 0);
    for (const Term& t : rule.head.arguments)
        count = std::max(count, t.is_variable() ? t.index() + 1 : 0);
    std::vector<int> order(static_cast<std::size_t>(count), -1);
    int next = 0;
    for (const Term& t : rule.head.arguments)
        if (t.is_variable() && order[static_cast<std::size_t>(t.index())] < 0)
            order[static_cast<std::size_t>(t.index())] = next++;
    std::vector<int> open;  // variables of the body alone
    for (int v = 0; v < count; ++v)
        if (order[static_cast<std::size_t>(v)] < 0)
            open.push_back(v);
    std::vector<int> numbers(open.size());
    for (std::size_t i = 0; i < open.size(); ++i)
        numbers[i] = next + static_cast<int>(i);
    std::string least;
    do {
        for (std::size_t i = 0; i < open.size(); ++i)
            order[static_cast<std::size_t>(open[i])] = numbers[i];
        std::string text = written(program, rule, order);
        if (least.empty() || text < least)
            least = std::move(text);
    } while (open.size() <= kMaxPermuted && std::next_permutation(numbers.begin(), numbers.end()));
    return least;
}

std::set<std::string> canonical_clauses(const std::vector<std::string>& clauses) {
    std::set<std::string> forms;
    for (const std::string& text : clauses) {
        const Program program = parse_program(text, "<vetoed rule>");
        for (const Rule& rule : program.rules)
            forms.insert(canonical_clause(program, rule));
    }
    return forms;
}

bool has_vetoed_clause(const Program& program, const std::set<std::string>& vetoed) {
    return !vetoed.empty() &&
           std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
               return vetoed.count(canonical_clause(program, rule)) > 0;
           });
}

Program pinned_rules(const Problem& problem, const Constraints& constraints) {
    Program pinned;
    if (constraints.pinned.empty()) {
        pinned.target = pinned.vocabulary.intern(problem.target());
        return pinned;
    }
    pinned = parse_program(constraints.pinned, "<pinned rules>");
    for (const Rule& rule : pinned.rules)
        if (pinned.vocabulary[rule.head.predicate] != problem.target())
            throw Error(fmt::format("a pinned rule defines {}, expected the target {}",
                                    to_text(pinned.vocabulary[rule.head.predicate]),
                                    problem.target().name));
    return pinned;
}

Problem constrained(Problem problem, const Constraints& constraints, const Program& pinned) {
    if (!constraints.vetoed_predicates.empty()) {
        std::vector<std::size_t> kept;
        Schema schema = *problem.schema;
        schema.inputs.clear();
        std::set<std::string> left(constraints.vetoed_predicates.begin(),
                                   constraints.vetoed_predicates.end());
        for (std::size_t p = 0; p < problem.inputs().size(); ++p) {
            const PredicateSymbol& input = problem.inputs()[p];
            if (left.erase(fmt::format("{}/{}", input.name, input.arity)) == 0) {
                kept.push_back(p);
                schema.inputs.push_back(input);
            }
        }
        if (problem.database)  // wide predicates are no inputs of instances
            for (const FactTable& table : problem.database->tables)
                left.erase(fmt::format("{}/{}", table.symbol.name, table.symbol.arity));
        if (!left.empty())
            throw Error(fmt::format("there is no input {} to veto", *left.begin()));
        problem.schema = std::make_shared<const Schema>(std::move(schema));
        const auto reduce = [kept, schema = problem.schema](Instance& instance) {
            std::vector<std::vector<Fact>> facts;
            for (const std::size_t p : kept)
                facts.push_back(std::move(instance.facts[p]));
            instance.facts = std::move(facts);
            instance.schema = schema;
        };
        for (Source* source : {&problem.training, &problem.evaluation}) {
            for (Instance& instance : source->instances)
                reduce(instance);
            if (source->generate)
                source->generate = [reduce, whole = source->generate](Random& random,
                                                                      Instance& instance) {
                    Instance drawn;
                    whole(random, drawn);
                    reduce(drawn);
                    instance = std::move(drawn);
                };
        }
    }
    // Clauses are learned from the database, which knows nothing of labels that are pinned away.
    if (problem.training.empty() && (!pinned.rules.empty() || !constraints.vetoed_rules.empty()))
        throw Error("rules of these data cannot be pinned or vetoed: their predicates are too wide",
                    {}, "veto predicates instead");
    if (!pinned.rules.empty() || !constraints.vetoed_rules.empty()) {
        problem.database.reset();
    } else if (problem.database) {
        problem.database = std::make_shared<Database>(*problem.database);
        std::erase_if(problem.database->tables, [&](const FactTable& table) {
            const std::string name = fmt::format("{}/{}", table.symbol.name, table.symbol.arity);
            return std::find(constraints.vetoed_predicates.begin(),
                             constraints.vetoed_predicates.end(),
                             name) != constraints.vetoed_predicates.end();
        });
    }
    if (!pinned.rules.empty())
        for (Instance& instance : problem.training.instances) {
            const Truth truth = evaluate(pinned, instance);
            for (std::size_t a = 0; a < instance.labels.size(); ++a)
                if (truth[a] != 0 && instance.labels[a] == Label::positive)
                    instance.labels[a] = Label::unlabelled;
        }
    return problem;
}

Program with_pinned(const Program& learned, const Program& pinned) {
    Program both = learned;
    const auto moved = [&](Atom atom) {
        atom.predicate = both.vocabulary.intern(pinned.vocabulary[atom.predicate]);
        for (Term& term : atom.arguments)
            if (!term.is_variable())
                term = Term::constant(both.vocabulary.intern_constant(
                    pinned.vocabulary.constants()[static_cast<std::size_t>(term.index())]));
        return atom;
    };
    std::vector<Rule> rules;
    for (const Rule& rule : pinned.rules) {
        Rule own{moved(rule.head), {}};
        for (const Atom& atom : rule.body)
            own.body.push_back(moved(atom));
        rules.push_back(std::move(own));
    }
    rules.insert(rules.end(), both.rules.begin(), both.rules.end());
    both.rules = std::move(rules);
    return both;
}

}  // namespace hri::learning
