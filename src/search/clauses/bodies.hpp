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
    int tests = 0;            ///< other literals that give no value
    std::uint64_t after = 0;  ///< variables whose values come from the call, or from those
};

class BodyGenerator {
  public:
    /// `recursive`: the predicate that stands for the target, -1 for none. Bodies have at most
    /// `max_tests` literals that give no value.
    BodyGenerator(const Language& language, int recursive, int max_tests = 100);

    OpenBody start() const;

    /// Every body of one literal more that can still become one without idle variables within
    /// `left` more literals; each up to renaming and order once. Behind the recursive literal stand
    /// those alone that need what it gives.
    void longer(const OpenBody& from, int left, const std::function<void(OpenBody&&)>& take);

    /// Whether all head arguments have values and no other variable stands alone.
    bool is_closed(const OpenBody& body) const;

  private:
    void arguments(const OpenBody& from, int left, int argument, BodyLiteral& literal, int fresh,
                   bool linked, const std::function<void(OpenBody&&)>& take);
    int idle(const OpenBody& body) const;

    const Language& language_;
    int recursive_;
    int max_tests_;
    std::unordered_set<std::uint64_t> met_;
};

/// Closed bodies without a recursive literal, shortest first.
std::vector<Body> closed_bodies(const Language& language, int max_size, std::size_t max_count);

}  // namespace hri::search
