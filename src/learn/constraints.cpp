// SPDX-License-Identifier: Apache-2.0
#include "learn/constraints.hpp"

#include "data/views.hpp"
#include "learn/evidence.hpp"
#include "logic/unfold.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace hri::learning {

namespace {

/// The rules of the target when others of the same text define what they call, with those rules in
/// the places of the calls; empty where none does.
std::vector<Rule> with_own_definitions(Program& program, const PredicateSymbol& target) {
    program.target = program.vocabulary.intern(target);
    const auto is_called = [&](const Rule& definition) {
        return definition.head.predicate != program.target &&
               std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
                   return rule.head.predicate == program.target &&
                          std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
                              return atom.predicate == definition.head.predicate;
                          });
               });
    };
    return std::any_of(program.rules.begin(), program.rules.end(), is_called)
               ? logic::expanded_target_rules(program)
               : std::vector<Rule>{};
}

}  // namespace

Vetoes::Vetoes(const PredicateSymbol& target, const Constraints& constraints, Program views)
    : views_(std::move(views)) {
    using logic::ClausePattern;
    for (const std::string& text : constraints.vetoed_rules) {
        Program program = parse_program(text, "<vetoed rule>");
        Together together;
        for (const Rule& rule : with_own_definitions(program, target))
            together.emplace_back(program.vocabulary, rule, ClausePattern::Kind::whole, false);
        if (!together.empty()) {
            vetoed_.push_back(std::move(together));
            continue;
        }
        for (const Rule& rule : program.rules)
            vetoed_.push_back({{program.vocabulary, rule, ClausePattern::Kind::whole,
                                program.vocabulary[rule.head.predicate] != target}});
    }
    for (const std::string& text : constraints.vetoed_literals) {
        const Program program = parse_program(text, "<vetoed literal>");
        for (const Rule& rule : program.rules) {
            if (rule.body.empty())
                throw Error("a vetoed literal stands in the body of a clause: " + text, {},
                            "write it as grandparent(X,Y) :- mother(Z,Y).");
            vetoed_.push_back({{program.vocabulary, rule, ClausePattern::Kind::part,
                                program.vocabulary[rule.head.predicate] != target}});
        }
    }
}

bool Vetoes::allow(const Program& given) const {
    if (vetoed_.empty())
        return true;
    const Program program = logic::with_definitions(given, views_);
    std::vector<Rule> rules = program.rules;
    const std::vector<Rule> expanded = logic::expanded_target_rules(program);
    rules.insert(rules.end(), expanded.begin(), expanded.end());
    const auto is_there = [&](const logic::ClausePattern& pattern) {
        return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
            return (!pattern.any_head() || rule.head.predicate != program.target) &&
                   pattern.matches(program.vocabulary, rule);
        });
    };
    return std::none_of(vetoed_.begin(), vetoed_.end(), [&](const Together& together) {
        return std::all_of(together.begin(), together.end(), is_there);
    });
}

search::ClauseVerdict Vetoes::verdict(const Program& clause) const {
    auto verdict = search::ClauseVerdict::allowed;
    for (const Together& together : vetoed_) {
        const logic::ClausePattern& pattern = together.front();
        if (!pattern.any_head() && pattern.matches(clause.vocabulary, clause.rules.front())) {
            if (pattern.kind() == logic::ClausePattern::Kind::part)
                return search::ClauseVerdict::refused_with_longer;
            verdict = search::ClauseVerdict::refused;
        }
    }
    return verdict;
}

namespace {

std::string indicator(const PredicateSymbol& symbol) {
    return fmt::format("{}/{}", symbol.name, symbol.arity);
}

}  // namespace

Program pinned_rules(const Problem& problem, const Constraints& constraints) {
    Program pinned;
    if (constraints.pinned.empty()) {
        pinned.target = pinned.vocabulary.intern(problem.target());
        return pinned;
    }
    pinned = parse_program(constraints.pinned, "<pinned rules>");
    pinned.target = pinned.vocabulary.intern(problem.target());
    const std::set<PredicateSymbol> inputs = predicates_of(problem);
    bool has_target = false;
    for (const Rule& rule : pinned.rules) {
        const PredicateSymbol& defined = pinned.vocabulary[rule.head.predicate];
        has_target = has_target || rule.head.predicate == pinned.target;
        if (rule.head.predicate != pinned.target && inputs.count(defined) > 0)
            throw Error(
                fmt::format("a pinned rule defines {}, which the data have", indicator(defined)),
                {}, "pin rules of " + indicator(problem.target()));
    }
    if (!has_target)
        throw Error(
            fmt::format("no pinned rule defines the target {}", indicator(problem.target())));
    const std::vector<MissingPredicate> unknown = unknown_predicates(problem, pinned);
    if (!unknown.empty())
        throw Error(fmt::format("a pinned rule uses {}, which neither the data have nor a pinned "
                                "rule defines",
                                unknown.front().name),
                    {},
                    unknown.front().nearest.empty()
                        ? "pin its rules too"
                        : fmt::format("the nearest name is {}", unknown.front().nearest));
    return pinned;
}

namespace {

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

namespace {

/// The predicates of pinned rules. Those that they define for themselves get other names where the
/// learned program has invented predicates of these names.
std::vector<PredicateSymbol> names_beside(const Program& learned, const Program& pinned) {
    std::vector<PredicateSymbol> names = pinned.vocabulary.symbols();
    std::set<std::string> taken;
    for (const Program* program : {&learned, &pinned})
        for (const PredicateSymbol& symbol : program->vocabulary.symbols())
            taken.insert(symbol.name);
    for (const Rule& rule : pinned.rules) {
        const PredicateSymbol old = pinned.vocabulary[rule.head.predicate];
        const bool is_invented =
            std::any_of(learned.rules.begin(), learned.rules.end(), [&](const Rule& other) {
                return learned.vocabulary[other.head.predicate].name == old.name;
            });
        if (rule.head.predicate == pinned.target || !is_invented ||
            names[rule.head.predicate.id] != old)
            continue;
        int number = 1;
        while (taken.count(fmt::format("{}_{}", old.name, number)) > 0)
            ++number;
        const std::string name = fmt::format("{}_{}", old.name, number);
        taken.insert(name);
        for (PredicateSymbol& symbol : names)
            if (symbol.name == old.name && symbol.arity == old.arity)
                symbol.name = name;
    }
    return names;
}

}  // namespace

Program with_pinned(const Program& learned, const Program& pinned) {
    Program both = learned;
    const std::vector<PredicateSymbol> names = names_beside(learned, pinned);
    const auto moved = [&](Atom atom) {
        atom.predicate = both.vocabulary.intern(names[atom.predicate.id]);
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
