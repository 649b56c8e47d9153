// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random programs of the hypothesis space, with data made for them, to be learned back.
//
//   HiddenPrograms hidden(7, 6);
//   for (int i = 0; i < 200; ++i) { const HiddenProgram target = hidden.next(); ... }

#include "hri/data.hpp"
#include "hri/logic.hpp"
#include "hri/random.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hri::tasks {

struct HiddenProgram {
    enum class Kind { plain, invention, recursion };
    Program program;  ///< simplified
    Kind kind = Kind::plain;
    Problem problem;  ///< a few small instances; larger ones to judge by
};

std::string to_string(HiddenProgram::Kind kind);

class HiddenPrograms {
  public:
    /// Programs of 1 to `max_rules` rules in turn, the same for the same seed.
    HiddenPrograms(std::uint64_t seed, int max_rules);

    /// Slots are filled at random and the program simplified, until one comes out that has the
    /// wanted number of rules, that no single rule of two body atoms can say, that was not drawn
    /// before, and that is neither nearly always true nor nearly always false. Throws Error
    /// where the space has no more of them.
    HiddenProgram next();

  private:
    Random random_;
    int max_rules_;
    int drawn_ = 0;
    std::map<int, std::vector<Instance>> probes_;     // [target's arity]
    std::map<int, std::set<std::string>> forbidden_;  // [target's arity]: meanings
};

}  // namespace hri::tasks
