// SPDX-License-Identifier: Apache-2.0
#include "rl/puzzle.hpp"

#include <algorithm>

namespace hri::rl {

void Puzzle::prepare() {
    Random fixed(0);
    reset(fixed);
}

void Puzzle::reset(Random& random) {
    begin(random);
    steps_ = 0;
    if (failure_ > 0) {
        failures_ = Random(random.next());
    }
    write_facts();
    list_actions();
}

StepResult Puzzle::step(int action) {
    ++steps_;
    if (steps_ >= kStepLimit) {
        end();
        write_facts();
        return {0.0, true, false};
    }
    if (goal_reached()) {
        return {1.0, true, true};
    }
    const bool fails = failure_ > 0 && failures_.chance(failure_);
    if (!fails && apply(action)) {
        write_facts();
    }
    return {kStepReward, false, false};
}

void Puzzle::write_facts() {
    write(facts_);
    for (std::vector<Fact>& facts : facts_.facts) {
        std::sort(facts.begin(), facts.end());
    }
}

/// All atoms of the target, of a binary one those with two different arguments.
void Puzzle::list_actions() {
    const int n = facts_.constants;
    const bool binary = facts_.schema->target.arity == 2;
    actions_.clear();
    for (int atom = 0; atom < (binary ? n * n : n); ++atom) {
        if (!binary || atom / n != atom % n) {
            actions_.push_back(atom);
        }
    }
}

}  // namespace hri::rl
