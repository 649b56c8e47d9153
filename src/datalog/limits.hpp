// SPDX-License-Identifier: Apache-2.0
#pragma once

// Limits of an evaluation.

#include "hri/error.hpp"

#include <cstdint>
#include <functional>

namespace hri::datalog {

struct Limits {
    std::size_t atoms = 100'000'000;  ///< of one predicate
    std::size_t derived = SIZE_MAX;   ///< of all predicates together, facts aside
    std::size_t bindings = SIZE_MAX;  ///< that joins produce, intermediate ones included
    std::function<bool()> stop{};     ///< asked every 65,536 bindings and every round
};

/// Thrown where a limit is reached or `stop` says so.
class LimitReached : public Error {
  public:
    using Error::Error;
};

/// The rest of the limits.
class Budget {
  public:
    explicit Budget(const Limits& limits)
        : limits_(limits), derived_(limits.derived), bindings_(limits.bindings) {}

    std::size_t max_atoms() const { return limits_.atoms; }

    void spend_bindings(std::size_t count);
    void spend_derived(std::size_t count);

  private:
    const Limits& limits_;
    std::size_t derived_;
    std::size_t bindings_;
};

/// Throws LimitReached where a predicate holds of too much.
void refuse_more(std::size_t atoms, std::size_t max_atoms);

}  // namespace hri::datalog
