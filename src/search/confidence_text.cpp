// SPDX-License-Identifier: Apache-2.0
#include "search/confidence_text.hpp"

#include <fmt/format.h>

namespace hri::search {

std::string with_confidences(const Program& program, double otherwise,
                             const std::vector<RuleConfidence>& rules) {
    const std::string plain = to_prolog(program);
    std::size_t from = plain.size();  // of the rules, each on a line
    for (std::size_t r = 0; r < rules.size(); ++r)
        from = plain.rfind('\n', from - 2) + 1;
    std::string text = plain.substr(0, from);
    text += fmt::format("% confidence {:.4f} where no rule covers an object\n", otherwise);
    for (const RuleConfidence& rule : rules) {
        const std::size_t end = plain.find('\n', from) + 1;
        text += fmt::format("% confidence {:.4f}: {} of {}\n", rule.confidence, rule.correct,
                            rule.covered);
        text += plain.substr(from, end - from);
        from = end;
    }
    return text + plain.substr(from);
}

}  // namespace hri::search
