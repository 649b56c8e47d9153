// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include "evaluate/rule_evidence.hpp"

namespace hri::learning {

/// By rule of the target, of which there are so many.
std::vector<ClauseEvidence> evidence_of(const std::vector<evaluation::CoveredExample>& examples,
                                        std::size_t rules);

}  // namespace hri::learning
