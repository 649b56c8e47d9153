// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/language.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hri::search {

namespace {

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

constexpr int kMaxOrders = 720;  // of variables that look alike

}  // namespace

std::vector<std::int32_t> canonical_form(const Language& language, const Body& body) {
    const int head = language.target.arity;
    const int count = variables_of(language, body);
    const auto arity = [&](const BodyLiteral& literal) {
        return language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
    };
    // Colours of variables, refined by the literals in which they stand.
    std::vector<std::uint64_t> colour(static_cast<std::size_t>(count), 1);
    for (int v = 0; v < head; ++v)
        colour[static_cast<std::size_t>(v)] = static_cast<std::uint64_t>(v) + 2;
    for (int round = 0; round < 3; ++round) {
        std::vector<std::uint64_t> next(colour);
        for (const BodyLiteral& literal : body) {
            std::uint64_t hash = mixed(static_cast<std::uint64_t>(literal.predicate) * 2 +
                                       (literal.negated ? 1 : 0) + 17);
            for (int a = 0; a < arity(literal); ++a) {
                const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                hash = mixed(hash * 31 + (term >= 0 ? colour[static_cast<std::size_t>(term)]
                                                    : mixed(static_cast<std::uint32_t>(term))));
            }
            for (int a = 0; a < arity(literal); ++a)
                if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                    term >= head)
                    next[static_cast<std::size_t>(term)] +=
                        mixed(hash + static_cast<std::uint64_t>(a) + 1);
        }
        for (int v = head; v < count; ++v)
            colour[static_cast<std::size_t>(v)] = mixed(next[static_cast<std::size_t>(v)]);
    }
    std::vector<int> order;
    for (int v = head; v < count; ++v)
        order.push_back(v);
    std::sort(order.begin(), order.end(), [&](int x, int y) {
        const std::uint64_t a = colour[static_cast<std::size_t>(x)];
        const std::uint64_t b = colour[static_cast<std::size_t>(y)];
        return a != b ? a < b : x < y;
    });
    const auto written = [&](const std::vector<int>& of) {
        std::vector<std::int32_t> name(static_cast<std::size_t>(count));
        std::iota(name.begin(), name.end(), 0);
        for (std::size_t i = 0; i < of.size(); ++i)
            name[static_cast<std::size_t>(of[i])] = head + static_cast<std::int32_t>(i);
        Body renamed = body;
        for (BodyLiteral& literal : renamed)
            for (int a = 0; a < arity(literal); ++a)
                if (std::int32_t& term = literal.terms[static_cast<std::size_t>(a)]; term >= 0)
                    term = name[static_cast<std::size_t>(term)];
        std::sort(renamed.begin(), renamed.end());
        std::vector<std::int32_t> text;
        for (const BodyLiteral& literal : renamed) {
            text.push_back(literal.predicate * 2 + (literal.negated ? 1 : 0));
            text.insert(text.end(), literal.terms.begin(), literal.terms.begin() + arity(literal));
        }
        return text;
    };
    // Variables of one colour may be written in any order: the least text counts.
    std::vector<std::int32_t> best = written(order);
    const auto same_colour = [&](std::size_t i, std::size_t j) {
        return colour[static_cast<std::size_t>(order[i])] ==
               colour[static_cast<std::size_t>(order[j])];
    };
    std::size_t first = 0;
    while (first + 1 < order.size() && !same_colour(first, first + 1))
        ++first;
    if (first + 1 >= order.size())
        return best;
    int tried = 0;
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t j = i + 1;
        while (j < order.size() && same_colour(i, j))
            ++j;
        if (j - i > 1)
            runs.emplace_back(i, j);
        i = j;
    }
    const auto permute = [&](const auto& self, std::size_t run) -> void {
        if (tried > kMaxOrders)
            return;
        if (run == runs.size()) {
            ++tried;
            std::vector<std::int32_t> text = written(order);
            if (text < best)
                best = std::move(text);
            return;
        }
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(runs[run].first);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(runs[run].second);
        std::sort(begin, end);
        do
            self(self, run + 1);
        while (std::next_permutation(begin, end) && tried <= kMaxOrders);
    };
    permute(permute, 0);
    return best;
}

}  // namespace hri::search
