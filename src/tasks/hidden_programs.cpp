// SPDX-License-Identifier: Apache-2.0
#include "tasks/hidden_programs.hpp"

#include "hri/options.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "evaluate/fingerprint.hpp"
#include "hypotheses/program_space.hpp"

#include <algorithm>
#include <memory>

namespace hri::tasks {

namespace {

constexpr int kMaxDraws = 2'000'000;  // for one program
constexpr evaluation::ProbeShape kTraining = {12, 4, 7, 0.03, 0.35};
constexpr double kRarest = 0.05;  // share of positive examples, and of negative ones

const std::vector<PredicateSymbol>& graph_inputs() {
    static const std::vector<PredicateSymbol> inputs = {
        {"edge", 2}, {"link", 2}, {"red", 1}, {"round", 1}};
    return inputs;
}

PredicateSymbol target_of(int arity) { return {"target", arity}; }

/// Every clause of at most two body atoms over the inputs and four variables.
std::vector<Program> one_rule_programs(int target_arity) {
    constexpr int kVariables = 4;
    Program skeleton;
    skeleton.target = skeleton.vocabulary.intern(target_of(target_arity));
    std::vector<Atom> atoms;
    for (const PredicateSymbol& input : graph_inputs()) {
        const Predicate predicate = skeleton.vocabulary.intern(input);
        for (int x = 0; x < kVariables; ++x) {
            if (input.arity == 1)
                atoms.push_back({predicate, {Term::variable(x)}});
            else
                for (int y = 0; y < kVariables; ++y)
                    atoms.push_back({predicate, {Term::variable(x), Term::variable(y)}});
        }
    }
    Atom head{skeleton.target, {}};
    for (int x = 0; x < target_arity; ++x)
        head.arguments.push_back(Term::variable(x));
    std::vector<Program> programs = {skeleton};
    const auto add = [&](std::vector<Atom> body) {
        programs.push_back(skeleton);
        programs.back().rules.push_back({head, std::move(body)});
    };
    add({});
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        add({atoms[i]});
        for (std::size_t j = i + 1; j < atoms.size(); ++j)
            add({atoms[i], atoms[j]});
    }
    return programs;
}

HiddenProgram::Kind kind_of(const Program& program) {
    if (is_recursive(program))
        return HiddenProgram::Kind::recursion;
    const bool invents =
        std::any_of(program.rules.begin(), program.rules.end(),
                    [&](const Rule& rule) { return rule.head.predicate != program.target; });
    return invents ? HiddenProgram::Kind::invention : HiddenProgram::Kind::plain;
}

void label(evaluation::CompiledProgram& program, Instance& instance) {
    Truth truth;
    program.evaluate(instance, kToFixpoint, truth);
    for (std::size_t i = 0; i < truth.size(); ++i)
        instance.labels[i] = truth[i] != 0 ? Label::positive : Label::negative;
}

}  // namespace

std::string to_string(HiddenProgram::Kind kind) {
    switch (kind) {
        case HiddenProgram::Kind::plain:
            return "plain";
        case HiddenProgram::Kind::invention:
            return "invention";
        case HiddenProgram::Kind::recursion:
            return "recursion";
    }
    return {};
}

HiddenPrograms::HiddenPrograms(std::uint64_t seed, int max_rules)
    : random_(seed, Random::kSearch), max_rules_(max_rules) {
    for (const int arity : {1, 2}) {
        probes_[arity] = evaluation::random_instances(make_schema(graph_inputs(), target_of(arity)),
                                                      {}, random_);
        for (const Program& program : one_rule_programs(arity))
            forbidden_[arity].insert(evaluation::fingerprint(program, probes_[arity]));
    }
}

HiddenProgram HiddenPrograms::next() {
    const auto rules = static_cast<std::size_t>(1 + drawn_ % max_rules_);
    const int arity = 1 + random_.below(2);
    const hypotheses::ProgramSpace space(graph_inputs(), target_of(arity), Options{});
    for (int draw = 0; draw < kMaxDraws; ++draw) {
        Matches matches;
        for (const Slot& slot : space.hierarchy().slots)
            matches.push_back(slot.candidates[static_cast<std::size_t>(
                random_.below(static_cast<int>(slot.candidates.size())))]);
        Program program = simplified(extract(space.skeleton, matches));
        if (program.rules.size() != rules)
            continue;
        if (!forbidden_[arity].insert(evaluation::fingerprint(program, probes_[arity])).second)
            continue;
        const auto compiled =
            std::make_shared<evaluation::CompiledProgram>(program, graph_inputs());
        HiddenProgram hidden;
        const SharedSchema schema = make_schema(graph_inputs(), target_of(arity));
        hidden.problem.training.instances =
            evaluation::random_instances(schema, kTraining, random_);
        double positives = 0;
        double examples = 0;
        for (Instance& instance : hidden.problem.training.instances) {
            label(*compiled, instance);
            positives += instance.count(Label::positive);
            examples += static_cast<double>(instance.labels.size());
        }
        if (positives < kRarest * examples || positives > (1 - kRarest) * examples)
            continue;
        hidden.problem.name = "hidden" + std::to_string(++drawn_);
        hidden.problem.schema = schema;
        hidden.problem.evaluation.generate = [compiled, schema](Random& random,
                                                                Instance& instance) {
            evaluation::CompiledProgram own = *compiled;  // it is not to be shared
            const int n = 10 + random.below(6);
            instance = evaluation::random_instances(schema, {1, n, n, 0.01, 0.3}, random).front();
            label(own, instance);
        };
        hidden.kind = kind_of(program);
        hidden.program = std::move(program);
        return hidden;
    }
    throw Error("no further program of " + std::to_string(rules) + " rules was found", {},
                "ask for fewer programs or fewer rules");
}

}  // namespace hri::tasks
