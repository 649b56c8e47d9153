// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why no program explains the training data, and what might help.
//
//   for (const std::string& hint : diagnose(report, problem, settings).hints) ...

#include "hri/learn.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hri {

/// An example that the program gets wrong.
struct WrongExample {
    std::string atom;       ///< "grandparent(ann,bob)"
    bool positive = false;  ///< its label
};

struct Diagnosis {
    std::vector<WrongExample> wrong;  ///< the first ten
    std::size_t wrong_count = 0;      ///< all of them
    std::vector<std::string> hints;   ///< fields in braces, as in Error::hint()
};

/// Empty where the program fits and there is nothing to doubt.
Diagnosis diagnose(const Report& report, const Problem& problem, const LearnSettings& settings);

/// "the time limit of 60 s was reached"
std::string why_it_stopped(const Report& report, const LearnSettings& settings);

}  // namespace hri
