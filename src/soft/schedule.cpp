// SPDX-License-Identifier: Apache-2.0
#include "soft/schedule.hpp"

#include <fmt/format.h>

namespace hri::soft {

namespace {

const char* name_of(Shape shape) {
    switch (shape) {
        case Shape::meet:
            return "meet";
        case Shape::join:
            return "join";
        case Shape::outer:
            return "outer";
        case Shape::column:
            return "column";
        case Shape::row:
            return "row";
    }
    return "";
}

std::string to_text(const RuleSet& set) {
    std::string text;
    for (std::size_t r = 0; r < set.has.size(); ++r)
        if (set.has[r] != 0)
            text += fmt::format(" r{}", r);
    return text.empty() ? " none" : text;
}

}  // namespace

void RuleSet::clear(int rules) {
    has.assign(static_cast<std::size_t>(rules), 0);
    update_masks();
}

void RuleSet::update_masks() {
    some_in = some_out = 0;
    for (std::size_t r = 0; r < has.size(); ++r)
        (has[r] != 0 ? some_in : some_out) |= bit_of(static_cast<int>(r));
}

template <class Real>
std::string to_text(const Schedule<Real>& schedule) {
    std::string text = schedule.steps < 0 ? "steps until nothing changes\n"
                                          : fmt::format("{} steps\n", schedule.steps);
    const auto predicates = static_cast<int>(schedule.converged_after.size());
    for (int p = schedule.first_auxiliary; p < predicates; ++p) {
        const int after = schedule.converged_after[static_cast<std::size_t>(p)];
        text += after == Schedule<Real>::kNever
                    ? fmt::format("p{} does not converge\n", p)
                    : fmt::format("p{} converges after step {}\n", p, after);
    }
    for (std::size_t s = 0; s < schedule.needed.size(); ++s)
        text += fmt::format("step {} needs{} computes{}\n", s, to_text(schedule.needed[s]),
                            to_text(schedule.computed[s]));
    for (const Pair& pair : schedule.pairs) {
        const int from = pair.converged_after;
        const bool once = schedule.steps < 0 ? from == 0 : from < schedule.steps;
        text += fmt::format("p{} p{} {} ", pair.left, pair.right, name_of(pair.shape));
        text += once ? fmt::format("once in step {}:", from + 1) : "in every step from 2 on:";
        for (int t = pair.first; t < pair.first + pair.terms(); ++t)
            text += fmt::format(" r{} {:.4g}", schedule.terms[static_cast<std::size_t>(t)].rule,
                                schedule.terms[static_cast<std::size_t>(t)].weight);
        text += '\n';
    }
    return text;
}

template std::string to_text(const Schedule<float>&);
template std::string to_text(const Schedule<double>&);

}  // namespace hri::soft
