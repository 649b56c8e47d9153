// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/protorules.hpp"

#include <algorithm>
#include <string>

namespace hri::hypotheses {

/// Throws Error where a proto-rule has three conjoined atoms or a constant, for those who know the
/// paper's kind only.
inline void expect_plain(const ProtoRules& rules) {
    const auto odd = std::find_if(rules.begin(), rules.end(), [](const ProtoRule& rule) {
        return rule.body.size() > 2 || !rule.constants.empty();
    });
    if (odd != rules.end())
        throw Error("the proto-rule " + odd->name + " has " +
                        (odd->constants.empty() ? "three conjoined atoms" : "constants"),
                    {}, "what is reachable is known for at most two atoms without constants");
}

}  // namespace hri::hypotheses
