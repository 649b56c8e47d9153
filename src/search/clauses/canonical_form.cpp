// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"
#include "search/clauses/language.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hri::search {

namespace {

using base::mixed;

constexpr int kMaxOrders = 720;  // of variables that look alike

/// One body, whose new variables may be renamed.
class Renaming {
  public:
    Renaming(const Language& language, const Body& body)
        : language_(language),
          body_(body),
          head_(language.target.arity),
          count_(variables_of(language, body)) {}

    std::vector<std::int32_t> least() const {
        const std::vector<std::uint64_t> colour = colours();
        std::vector<int> order;
        for (int v = head_; v < count_; ++v)
            order.push_back(v);
        const auto colour_of = [&](int v) { return colour[static_cast<std::size_t>(v)]; };
        std::sort(order.begin(), order.end(), [&](int x, int y) {
            return colour_of(x) != colour_of(y) ? colour_of(x) < colour_of(y) : x < y;
        });
        // Variables of one colour may be written in any order: the least text counts.
        Runs runs;
        for (std::size_t i = 0; i < order.size();) {
            std::size_t j = i + 1;
            while (j < order.size() && colour_of(order[i]) == colour_of(order[j]))
                ++j;
            if (j - i > 1)
                runs.emplace_back(i, j);
            i = j;
        }
        std::vector<std::int32_t> best = written(order);
        if (!runs.empty()) {
            int tried = 0;
            permute(runs, 0, order, tried, best);
        }
        return best;
    }

  private:
    /// Places of variables of one colour: first and one past the last.
    using Runs = std::vector<std::pair<std::size_t, std::size_t>>;

    int arity(const BodyLiteral& literal) const {
        return language_.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
    }

    /// Colours of variables, refined by the literals in which they stand.
    std::vector<std::uint64_t> colours() const {
        std::vector<std::uint64_t> colour(static_cast<std::size_t>(count_), 1);
        for (int v = 0; v < head_; ++v)
            colour[static_cast<std::size_t>(v)] = static_cast<std::uint64_t>(v) + 2;
        for (int round = 0; round < 3; ++round) {
            std::vector<std::uint64_t> next(colour);
            for (const BodyLiteral& literal : body_) {
                std::uint64_t hash = mixed(static_cast<std::uint64_t>(literal.predicate) * 2 +
                                           (literal.negated ? 1 : 0) + 17);
                for (int a = 0; a < arity(literal); ++a) {
                    const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                    hash = mixed(hash * 31 + (term >= 0 ? colour[static_cast<std::size_t>(term)]
                                                        : mixed(static_cast<std::uint32_t>(term))));
                }
                for (int a = 0; a < arity(literal); ++a)
                    if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                        term >= head_)
                        next[static_cast<std::size_t>(term)] +=
                            mixed(hash + static_cast<std::uint64_t>(a) + 1);
            }
            for (int v = head_; v < count_; ++v)
                colour[static_cast<std::size_t>(v)] = mixed(next[static_cast<std::size_t>(v)]);
        }
        return colour;
    }

    /// The sorted literals, with the new variables numbered in the given order.
    std::vector<std::int32_t> written(const std::vector<int>& order) const {
        std::vector<std::int32_t> name(static_cast<std::size_t>(count_));
        std::iota(name.begin(), name.end(), 0);
        for (std::size_t i = 0; i < order.size(); ++i)
            name[static_cast<std::size_t>(order[i])] = head_ + static_cast<std::int32_t>(i);
        Body renamed = body_;
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
    }

    void permute(const Runs& runs, std::size_t run, std::vector<int>& order, int& tried,
                 std::vector<std::int32_t>& best) const {
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
            permute(runs, run + 1, order, tried, best);
        while (std::next_permutation(begin, end) && tried <= kMaxOrders);
    }

    const Language& language_;
    const Body& body_;
    int head_;   // variables of the head
    int count_;  // of all variables
};

}  // namespace

std::vector<std::int32_t> canonical_form(const Language& language, const Body& body) {
    return Renaming(language, body).least();
}

std::uint64_t hash_of(const std::vector<std::int32_t>& form) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::int32_t part : form) {
        hash ^= static_cast<std::uint32_t>(part);
        hash *= 0x100000001b3U;
        hash ^= hash >> 29;
    }
    return hash * 0x9e3779b97f4a7c15U;
}

}  // namespace hri::search
