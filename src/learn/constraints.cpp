// SPDX-License-Identifier: Apache-2.0
#include "learn/constraints.hpp"

#include "data/views.hpp"
#include "logic/unfold.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace hri::learning {

Vetoes::Vetoes(const PredicateSymbol& target, const Constraints& constraints, Program views)
    : views_(std::move(views)) {
    using logic::ClausePattern;
    const auto add = [&](const std::string& text, const char* what, ClausePattern::Kind kind) {
        const Program program = parse_program(text, what);
        for (const Rule& rule : program.rules) {
            if (kind == ClausePattern::Kind::part && rule.body.empty())
                throw Error("a vetoed literal stands in the body of a clause: " + text, {},
                            "write it as grandparent(X,Y) :- mother(Z,Y).");
            const bool invented = program.vocabulary[rule.head.predicate] != target;
            patterns_.emplace_back(program.vocabulary, rule, kind, invented);
        }
    };
    for (const std::string& text : constraints.vetoed_rules)
        add(text, "<vetoed rule>", ClausePattern::Kind::whole);
    for (const std::string& text : constraints.vetoed_literals)
        add(text, "<vetoed literal>", ClausePattern::Kind::part);
}

bool Vetoes::allow(const Program& given) const {
    if (patterns_.empty())
        return true;
    const Program program = logic::with_definitions(given, views_);
    const auto is_vetoed = [&](const Rule& rule) {
        return std::any_of(
            patterns_.begin(), patterns_.end(), [&](const logic::ClausePattern& pattern) {
                return (!pattern.any_head() || rule.head.predicate != program.target) &&
                       pattern.matches(program.vocabulary, rule);
            });
    };
    const std::vector<Rule> expanded = logic::expanded_target_rules(program);
    return std::none_of(program.rules.begin(), program.rules.end(), is_vetoed) &&
           std::none_of(expanded.begin(), expanded.end(), is_vetoed);
}

search::ClauseVerdict Vetoes::verdict(const Program& clause) const {
    auto verdict = search::ClauseVerdict::allowed;
    for (const logic::ClausePattern& pattern : patterns_)
        if (!pattern.any_head() && pattern.matches(clause.vocabulary, clause.rules.front())) {
            if (pattern.kind() == logic::ClausePattern::Kind::part)
                return search::ClauseVerdict::refused_with_longer;
            verdict = search::ClauseVerdict::refused;
        }
    return verdict;
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

namespace {

std::string indicator(const PredicateSymbol& symbol) {
    return fmt::format("{}/{}", symbol.name, symbol.arity);
}

/// Tables leave the database, inputs and views of them the instances.
Problem without_predicates(const Problem& problem, const std::vector<std::string>& vetoed) {
    std::vector<PredicateSymbol> inputs;
    std::set<std::string> left(vetoed.begin(), vetoed.end());
    const auto is_vetoed = [&](const PredicateSymbol& symbol) {
        const std::string name = indicator(symbol);
        left.erase(name);
        return std::find(vetoed.begin(), vetoed.end(), name) != vetoed.end();
    };
    for (const PredicateSymbol& input : problem.inputs())
        if (is_vetoed(input))
            inputs.push_back(input);
    const Program views = data::views_of(problem);
    for (const Rule& rule : views.rules)
        if (is_vetoed(views.vocabulary[rule.body.front().predicate]))
            inputs.push_back(views.vocabulary[rule.head.predicate]);
    std::shared_ptr<Database> database;
    if (problem.database) {  // wide predicates are no inputs of instances
        database = std::make_shared<Database>(*problem.database);
        std::erase_if(database->tables,
                      [&](const FactTable& table) { return is_vetoed(table.symbol); });
    }
    if (!left.empty())
        throw Error(fmt::format("there is no input {} to veto", *left.begin()));
    Problem result = without_inputs(problem, inputs);
    result.database = std::move(database);
    return result;
}

/// The learner need not explain what pinned rules explain.
void remove_explained(Problem& problem, const Program& pinned) {
    for (Instance& instance : problem.training.instances) {
        const Truth truth = evaluate(pinned, instance);
        for (std::size_t a = 0; a < instance.labels.size(); ++a)
            if (truth[a] != 0 && instance.labels[a] == Label::positive)
                instance.labels[a] = Label::unlabelled;
    }
    if (!problem.database)
        return;
    auto database = std::make_shared<Database>(*problem.database);
    ExampleTable& examples = database->examples;
    const std::vector<char> says = search::answers_on_examples(pinned, *database, examples);
    const auto width = static_cast<std::size_t>(examples.target.arity);
    std::size_t kept = 0;
    for (std::size_t row = 0; row < says.size(); ++row) {
        if (says[row] != 0 && examples.positive[row] != 0)
            continue;
        for (std::size_t i = 0; i < width; ++i)
            examples.cells[kept * width + i] = examples.cells[row * width + i];
        examples.positive[kept++] = examples.positive[row];
    }
    examples.cells.resize(kept * width);
    examples.positive.resize(kept);
    problem.database = std::move(database);
}

}  // namespace

Problem without_inputs(Problem problem, const std::vector<PredicateSymbol>& inputs) {
    std::vector<std::size_t> kept;
    Schema schema = *problem.schema;
    schema.inputs.clear();
    const auto goes = [&](const PredicateSymbol& symbol) {
        return std::find(inputs.begin(), inputs.end(), symbol) != inputs.end();
    };
    for (std::size_t p = 0; p < problem.inputs().size(); ++p)
        if (!goes(problem.inputs()[p])) {
            kept.push_back(p);
            schema.inputs.push_back(problem.inputs()[p]);
        }
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
    return problem;
}

Problem constrained(Problem problem, const Constraints& constraints, const Program& pinned) {
    if (!constraints.vetoed_predicates.empty())
        problem = without_predicates(problem, constraints.vetoed_predicates);
    if (!pinned.rules.empty())
        remove_explained(problem, pinned);
    return problem;
}

bool has_positives(const Problem& problem) {
    if (problem.training.generate)
        return true;
    if (problem.database) {
        const std::vector<char>& positive = problem.database->examples.positive;
        if (std::any_of(positive.begin(), positive.end(), [](char p) { return p != 0; }))
            return true;
    }
    const std::vector<Instance>& instances = problem.training.instances;
    return std::any_of(instances.begin(), instances.end(), [](const Instance& instance) {
        return instance.count(Label::positive) > 0;
    });
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
