// SPDX-License-Identifier: Apache-2.0
#pragma once

// In which round each tuple was derived, so that proofs go from later rounds to earlier ones.

#include "datalog/relation.hpp"

#include <vector>

namespace hri::datalog {

class Rounds {
  public:
    /// While an evaluation runs: the next round begins; a relation's delta came in this round; all
    /// rounds are over.
    void advance() { ++now_; }

    void note(std::uint32_t predicate, const Relation& relation);
    void finish();

    /// The round of a derived tuple, from 1 on; 0 of others.
    int of(std::uint32_t predicate, Tuple tuple) const;

    /// The number of tuples derived before a round.
    std::size_t derived_before(std::uint32_t predicate, int round) const;

  private:
    struct History {
        explicit History(int arity)
            : batch(arity + 1), rounds(arity + 1, SIZE_MAX / 32), counts(1, 0) {}

        Batch batch;                      // tuples with their round as the last argument
        Relation rounds;                  // the same
        std::vector<std::size_t> counts;  // [round] derived up to it
    };

    int now_ = 0;
    std::map<std::uint32_t, History> of_;  // [predicate]
};

}  // namespace hri::datalog
