// SPDX-License-Identifier: Apache-2.0
#pragma once

// One instance on which program search judges programs. It remembers what every auxiliary predicate
// of the incumbent program holds of, so that a changed program costs only what the change touches.

#include "hypotheses/program_space.hpp"

#include <cstdint>
#include <memory>

namespace hri::search {

struct Errors {
    int false_positives = 0;
    int false_negatives = 0;

    int total() const { return false_positives + false_negatives; }

    Errors& operator+=(const Errors& more) {
        false_positives += more.false_positives;
        false_negatives += more.false_negatives;
        return *this;
    }
};

/// A program to be judged: the incumbent with one slot changed, or any other. Auxiliaries that the
/// incumbent does not reach may have any rules.
struct Candidate {
    const Matches* matches = nullptr;
    const hypotheses::Reached* reached = nullptr;
    int changed = -1;  ///< auxiliary whose rule is not the incumbent's; -1: none
};

class InstanceState {
  public:
    /// The space has to outlive it.
    static std::unique_ptr<InstanceState> make(const hypotheses::ProgramSpace& space,
                                               int constants);
    virtual ~InstanceState() = default;

    int constants() const { return constants_; }

    int positives() const { return positives_; }

    int negatives() const { return negatives_; }

    /// Takes the facts and labels of an instance of as many constants. Nothing is known of any
    /// program then.
    virtual void load(const Instance& instance) = 0;
    /// The errors of the program at its fixpoint.
    virtual Errors judge(const Candidate& trial) = 0;
    /// The program that was judged last is the incumbent from now on.
    virtual void accept(const Candidate& trial) = 0;
    virtual void forget_all() = 0;

  protected:
    explicit InstanceState(int constants) : constants_(constants) {}

    int constants_;
    int positives_ = 0;
    int negatives_ = 0;
};

}  // namespace hri::search
