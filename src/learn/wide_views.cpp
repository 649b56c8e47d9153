// SPDX-License-Identifier: Apache-2.0
#include "learn/wide_views.hpp"

#include "data/views.hpp"
#include "learn/constraints.hpp"
#include "logic/unfold.hpp"

#include <algorithm>

namespace hri::learning {

void spell_out_views(Report& report, const Problem& problem) {
    const Program views = data::views_of(problem);
    if (views.rules.empty())
        return;
    report.program = logic::with_definitions(std::move(report.program), views);
    report.raw = logic::with_definitions(std::move(report.raw), views);
    for (Alternative& alternative : report.alternatives)
        alternative.program = logic::with_definitions(std::move(alternative.program), views);
}

Problem without_selections(const Problem& problem) {
    const Program views = data::views_of(problem);
    std::vector<PredicateSymbol> selections;
    for (const Rule& rule : views.rules)
        if (std::any_of(rule.body.front().arguments.begin(), rule.body.front().arguments.end(),
                        [](const Term& term) { return !term.is_variable(); }))
            selections.push_back(views.vocabulary[rule.head.predicate]);
    return selections.empty() ? problem : without_inputs(problem, selections);
}

}  // namespace hri::learning
