// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rule that a user proposes, beside the program that was learned.
//
//   WhyNot answer = why_not("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).", problem,
//                           &report.program);
//   std::cout << to_text(answer);

#include "hri/learn.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hri {

/// A predicate of a rule that the data lack: it counts as false.
struct MissingPredicate {
    std::string name;     ///< "grandparent/2"
    std::string nearest;  ///< a predicate of the data; empty: there is none
};

/// The score of a program on the training examples.
struct ProgramFigures {
    Score score;
    double bits = 0;  ///< of the program and of its errors
};

struct WhyNot {
    Program program;                       ///< the proposed rules
    std::string prolog;                    ///< the same as text
    ProgramFigures rule;                   ///< of them alone
    std::vector<std::string> missed = {};  ///< positives not covered, the first twenty
    std::vector<std::string> wrong = {};   ///< negatives covered, the first twenty
    std::vector<MissingPredicate> unknown = {};
    std::optional<ProgramFigures> learned = {};   ///< of the program compared with
    std::optional<ProgramFigures> together = {};  ///< of that program and the proposed rules
    std::vector<std::string> reasons = {};  ///< why the learner did not take it, the main one last
};

/// Rules in Prolog's or the paper's notation (p(X) <- q(X) & r(X)), as Prolog with a full stop.
std::string rules_as_prolog(std::string rules);

/// Scores rules in Prolog's or the paper's notation on the training examples, and compares them
/// with a program of the same target where one is given. Throws Error where the rules cannot be
/// read or define another predicate.
WhyNot why_not(const std::string& rules, const Problem& problem, const Program* learned = nullptr,
               int threads = 1);

/// The figures, the examples and the reasons, a line each.
std::string to_text(const WhyNot& answer);

}  // namespace hri
