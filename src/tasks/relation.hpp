// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scratch for the generators: a set of pairs as rows of bits. Its memory is kept between uses, so
// that drawing one instance after another does not allocate.
//
//   static thread_local Relation edges;
//   edges.reset(n);
//   edges.add(0, 1);
//   edges.write_facts(instance.facts[0]);      // sorted

#include "hri/data.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hri::tasks {

class Relation {
  public:
    /// The empty relation over n constants.
    void reset(int n);

    int constants() const { return constants_; }

    bool has(int x, int y) const { return ((bits_[word(x, y)] >> bit(y)) & 1U) != 0; }

    void add(int x, int y) { bits_[word(x, y)] |= std::uint64_t{1} << bit(y); }

    void remove(int x, int y) { bits_[word(x, y)] &= ~(std::uint64_t{1} << bit(y)); }

    /// Adds (y,x) for every (x,y).
    void mirror();
    /// Transitive closure (Warshall, a row of bits at a time).
    void close();
    /// The number of y with (x,y).
    int out_degree(int x) const;

    /// Calls visit(y) for every (x,y), in ascending order of y.
    template <class Visit>
    void for_each(int x, Visit visit) const {
        for (int w = 0; w < words_; ++w) {
            for (std::uint64_t rest = bits_[word(x, 64 * w)]; rest != 0; rest &= rest - 1) {
                visit(64 * w + std::countr_zero(rest));
            }
        }
    }

    /// The pairs in ascending order.
    void write_facts(std::vector<Fact>& facts) const;
    /// Labels each pair positive.
    void write_labels(Instance& instance) const;

  private:
    std::size_t word(int x, int y) const {
        return static_cast<std::size_t>(x) * static_cast<std::size_t>(words_) +
               static_cast<std::size_t>(y / 64);
    }

    static unsigned bit(int y) { return static_cast<unsigned>(y) % 64U; }

    int constants_ = 0;
    int words_ = 0;  // per row
    std::vector<std::uint64_t> bits_;
};

}  // namespace hri::tasks
