// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bodies by types and modes alone, without a look at the examples.

#include "search/clauses/language.hpp"

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

namespace hri::search {

/// A body whose literals can be run from left to right.
struct OpenBody {
    Body body;
    std::vector<int> types;   ///< of variables
    std::uint64_t bound = 0;  ///< those that have a value
    int calls = 0;            ///< recursive literals
};

class BodyGenerator {
  public:
    /// `recursive`: the predicate that stands for the target, -1 for none.
    BodyGenerator(const Language& language, int recursive);

    OpenBody start() const;

    /// Every body of one literal more that can still become one without idle variables within
    /// `left` more literals; each up to renaming and order once.
    void longer(const OpenBody& from, int left, const std::function<void(OpenBody&&)>& take);

    /// Whether all head arguments have values and no other variable stands alone.
    bool is_closed(const OpenBody& body) const;

  private:
    void arguments(const OpenBody& from, int left, int argument, BodyLiteral& literal, int fresh,
                   bool linked, const std::function<void(OpenBody&&)>& take);
    int idle(const OpenBody& body) const;

    const Language& language_;
    int recursive_;
    std::unordered_set<std::uint64_t> met_;
};

/// Closed bodies without a recursive literal, shortest first.
std::vector<Body> closed_bodies(const Language& language, int max_size, std::size_t max_count);

}  // namespace hri::search
