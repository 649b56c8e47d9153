// SPDX-License-Identifier: Apache-2.0
#include "learn/evidence.hpp"

namespace hri::learning {

std::vector<ClauseEvidence> evidence_of(const std::vector<evaluation::CoveredExample>& examples,
                                        std::size_t rules) {
    std::vector<ClauseEvidence> evidence(rules);
    for (const evaluation::CoveredExample& example : examples) {
        for (const int rule : example.rules) {
            ClauseEvidence& own = evidence[static_cast<std::size_t>(rule)];
            ++(example.positive ? own.positives : own.negatives);
        }
        if (example.positive && example.rules.size() == 1)
            ++evidence[static_cast<std::size_t>(example.rules.front())].only;
    }
    return evidence;
}

}  // namespace hri::learning
