// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions that both kinds of explanation share.

#include "hri/explain.hpp"

#include "evaluate/fact_base.hpp"

#include <cstdint>

namespace hri::evaluation {

/// Throws Error where the data lack one.
std::vector<std::int32_t> constants_of(const FactBase& facts, const GroundAtom& atom);

/// p(ann,bob), the constants quoted as in Prolog.
std::string ground_atom(const std::string& predicate, const std::vector<std::int32_t>& constants,
                        const FactBase& facts);

}  // namespace hri::evaluation
