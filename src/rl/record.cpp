// SPDX-License-Identifier: Apache-2.0
// Episodes to be looked at: the rules that fired and the proof of each action.

#include "hri/evaluate.hpp"
#include "hri/explain.hpp"
#include "hri/rl.hpp"

#include <algorithm>

namespace hri {
namespace {

/// The target's atom of an action.
GroundAtom atom_of(const PredicateSymbol& target, const Instance& facts, int action) {
    GroundAtom atom{target.name, {}};
    if (target.arity == 2) {
        atom.arguments.push_back(facts.name_of(action / facts.constants));
    }
    atom.arguments.push_back(facts.name_of(action % facts.constants));
    return atom;
}

}  // namespace

std::vector<std::string> fired_rules(const Program& program, const Instance& facts, int action) {
    std::vector<std::string> fired;
    for (const Rule& rule : program.rules) {
        if (rule.head.predicate != program.target) {
            continue;
        }
        // Another name for the target's head: its other rules may still stand in the body.
        Program alone = program;
        const PredicateSymbol& target = program.vocabulary[program.target];
        alone.target = alone.vocabulary.intern({target.name + " fired", target.arity});
        Rule renamed = rule;
        renamed.head.predicate = alone.target;
        alone.rules.push_back(std::move(renamed));
        const Truth truth = evaluate(alone, facts);
        if (truth[static_cast<std::size_t>(action)] != 0) {
            Program shown = program;
            shown.rules = {rule};
            std::string text = to_text(shown);
            text.erase(std::find(text.begin(), text.end(), '\n'), text.end());
            fired.push_back(std::move(text));
        }
    }
    return fired;
}

std::string action_text(const PredicateSymbol& target, const Instance& facts, int action) {
    const GroundAtom atom = atom_of(target, facts, action);
    std::string text = atom.predicate + "(" + atom.arguments[0];
    return text + (atom.arguments.size() > 1 ? "," + atom.arguments[1] : "") + ")";
}

EpisodeRecord record_episode(Environment& environment, const RlTask& task,
                             const ActionValues& values, const Program* program, Choice choice,
                             Random& random) {
    EpisodeRecord record;
    record.task = task.name;
    environment.reset(random);
    for (;;) {
        const Instance facts = environment.facts();
        EpisodeStep step;
        step.state = environment.text();
        step.picture = environment.picture();
        const std::vector<float> valued = values(facts);
        const int chosen = choose(valued, environment.actions(), choice, random);
        const int action = environment.actions()[static_cast<std::size_t>(chosen)];
        const StepResult result = environment.step(action);
        record.outcome.reward += result.reward;
        if (result.done) {
            record.outcome.solved = result.solved;
            record.steps.push_back(std::move(step));
            return record;
        }
        ++record.outcome.moves;
        step.action = action_text(task.target, facts, action);
        step.value = static_cast<double>(valued[static_cast<std::size_t>(action)]);
        if (program != nullptr && step.value > 0) {
            step.rules = fired_rules(*program, facts, action);
            step.proof = to_text(explain(*program, facts, atom_of(task.target, facts, action)));
        }
        step.idle = environment.text() == step.state;
        record.steps.push_back(std::move(step));
    }
}

}  // namespace hri
