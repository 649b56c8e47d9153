// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/bodies.hpp"

#include <algorithm>

namespace hri::search {

BodyGenerator::BodyGenerator(const Language& language, int recursive, int max_tests)
    : language_(language), recursive_(recursive), max_tests_(max_tests) {}

OpenBody BodyGenerator::start() const {
    OpenBody body;
    body.types = language_.head_types;
    for (int a = 0; a < language_.target.arity; ++a)
        if ((language_.head_in >> a & 1U) != 0)
            body.bound |= std::uint64_t(1) << a;
    return body;
}

void BodyGenerator::longer(const OpenBody& from, int left,
                           const std::function<void(OpenBody&&)>& take) {
    for (std::size_t p = 0; p < language_.predicates.size(); ++p) {
        BodyLiteral literal;
        literal.predicate = static_cast<int>(p);
        if (literal.predicate == recursive_ && from.calls > 0)
            continue;
        if (language_.predicates[p].index < 0 && literal.predicate != recursive_)
            continue;
        arguments(from, left, 0, literal, 0, false, take);
    }
}

/// Variables behind the head's that stand in one place only.
int BodyGenerator::idle(const OpenBody& body) const {
    std::vector<int> times(body.types.size(), 0);
    for (const BodyLiteral& literal : body.body) {
        const int arity =
            language_.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
        for (int a = 0; a < arity; ++a)
            if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)]; term >= 0)
                ++times[static_cast<std::size_t>(term)];
    }
    return static_cast<int>(std::count(times.begin() + language_.target.arity, times.end(), 1));
}

bool BodyGenerator::is_closed(const OpenBody& body) const {
    const std::uint64_t head = (std::uint64_t(1) << language_.target.arity) - 1;
    return (body.bound & head) == head && idle(body) == 0;
}

void BodyGenerator::arguments(const OpenBody& from, int left, int argument, BodyLiteral& literal,
                              int fresh, bool linked, const std::function<void(OpenBody&&)>& take) {
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(literal.predicate)];
    const int known = static_cast<int>(from.types.size());
    if (argument < of.symbol.arity) {
        const auto at = static_cast<std::size_t>(argument);
        const bool in = (of.in >> argument & 1U) != 0;
        for (int v = 0; v < known; ++v) {
            const bool bound = (from.bound >> v & 1U) != 0;
            if (from.types[static_cast<std::size_t>(v)] != of.types[at] || (in && !bound))
                continue;
            literal.terms[at] = v;
            arguments(from, left, argument + 1, literal, fresh, true, take);
        }
        if (!in && known + fresh < language_.max_variables &&
            language_.single[static_cast<std::size_t>(of.types[at])] == 0) {
            literal.terms[at] = known + fresh;
            arguments(from, left, argument + 1, literal, fresh + 1, linked, take);
        }
        return;
    }
    if (!linked)
        return;
    if (literal.predicate == recursive_) {
        bool changes = false;  // an argument that is given
        for (int a = 0; a < of.symbol.arity; ++a)
            changes = changes || ((language_.head_in >> a & 1U) != 0 &&
                                  literal.terms[static_cast<std::size_t>(a)] != a);
        if (!changes)
            return;
    }
    const auto is_after = [&](std::int32_t term) { return (from.after >> term & 1U) != 0; };
    if (from.calls > 0 &&
        std::none_of(literal.terms.begin(), literal.terms.begin() + of.symbol.arity, is_after))
        return;
    if (std::any_of(from.body.begin(), from.body.end(),
                    [&](const BodyLiteral& other) { return other == literal; }))
        return;
    OpenBody longer;
    longer.body = from.body;
    longer.body.push_back(literal);
    longer.types = from.types;
    longer.types.resize(from.types.size() + static_cast<std::size_t>(fresh));
    longer.bound = from.bound;
    longer.calls = from.calls + (literal.predicate == recursive_ ? 1 : 0);
    for (int a = 0; a < of.symbol.arity; ++a) {
        const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
        if (term < 0)
            continue;
        longer.bound |= std::uint64_t(1) << term;
        if (term >= known)
            longer.types[static_cast<std::size_t>(term)] = of.types[static_cast<std::size_t>(a)];
    }
    longer.tests = from.tests;
    if (literal.predicate != recursive_ && longer.bound == from.bound &&
        ++longer.tests > max_tests_)
        return;
    longer.after = from.after | (longer.calls > 0 ? longer.bound & ~from.bound : 0);
    if (idle(longer) > 2 * left)
        return;
    if (met_.insert(hash_of(canonical_form(language_, longer.body))).second)
        take(std::move(longer));
}

std::vector<Body> closed_bodies(const Language& language, int max_size, std::size_t max_count) {
    std::vector<Body> bodies;
    BodyGenerator generator(language, -1);
    std::vector<OpenBody> level{generator.start()};
    for (int size = 1; size <= max_size && bodies.size() < max_count; ++size) {
        std::vector<OpenBody> next;
        for (const OpenBody& from : level)
            generator.longer(from, max_size - size, [&](OpenBody&& body) {
                if (generator.is_closed(body) && bodies.size() < max_count)
                    bodies.push_back(body.body);
                next.push_back(std::move(body));
            });
        level = std::move(next);
    }
    return bodies;
}

}  // namespace hri::search
