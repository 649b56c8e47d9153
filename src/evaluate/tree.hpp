// SPDX-License-Identifier: Apache-2.0
#pragma once

// What both kinds of explanation share.

#include "hri/explain.hpp"

#include <cstdint>
#include <optional>

namespace hri::evaluation {

std::optional<std::int32_t> find_constant(const Instance& instance, const std::string& name);

/// Throws Error where the instance lacks one.
std::vector<std::int32_t> constants_of(const Instance& instance, const GroundAtom& atom);

/// p(ann,bob), the constants quoted as in Prolog.
std::string ground_atom(const std::string& predicate, const std::vector<std::int32_t>& constants,
                        const Instance& instance);

}  // namespace hri::evaluation
