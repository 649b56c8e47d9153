// SPDX-License-Identifier: Apache-2.0
// Episodes to be looked at: the rules that fired and the proof of each action.

#include "hri/evaluate.hpp"
#include "hri/explain.hpp"
#include "hri/rl.hpp"

#include <algorithm>

namespace hri {
namespace {

/// The target's atom of an action.
GroundAtom atom_of(const Instance& facts, int action) {
    const PredicateSymbol& target = facts.schema->target;
    GroundAtom atom{target.name, {}};
    if (target.arity == 2) {
        atom.arguments.push_back(facts.name_of(action / facts.constants));
    }
    atom.arguments.push_back(facts.name_of(action % facts.constants));
    return atom;
}

/// Such as move(d,floor).
std::string text_of(const GroundAtom& atom) {
    const std::string text = atom.predicate + "(" + atom.arguments[0];
    return text + (atom.arguments.size() > 1 ? "," + atom.arguments[1] : "") + ")";
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

Episode trace_episode(Environment& environment, const ActionValues& values, const Program* program,
                      Choice choice, Random& random, std::vector<EpisodeStep>& steps) {
    environment.reset(random);
    Episode episode;
    for (;;) {
        const Instance facts = environment.facts();
        EpisodeStep& step = steps.emplace_back();
        step.state = environment.text();
        step.picture = environment.picture();
        const std::vector<float> valued = values(facts);  // NOLINT: values may be asked again
        const int chosen = choose(valued, environment.actions(), choice, random);
        const int action = environment.actions()[static_cast<std::size_t>(chosen)];
        const StepResult result = environment.step(action);
        episode.reward += result.reward;
        step.reward = result.reward;
        if (result.done) {
            episode.solved = result.solved;
            return episode;
        }
        ++episode.moves;
        const GroundAtom atom = atom_of(facts, action);
        step.move = text_of(atom);
        step.value = static_cast<double>(valued[static_cast<std::size_t>(action)]);
        step.changes = environment.text() != step.state;
        if (program != nullptr) {
            step.rules = fired_rules(*program, facts, action);
        }
        if (!step.rules.empty()) {
            step.proof = to_text(explain(*program, facts, atom));
        }
    }
}

}  // namespace hri
