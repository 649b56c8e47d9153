// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_pool.hpp"
#include "evaluate/top_down.hpp"
#include "search/clauses/combine.hpp"
#include "search/clauses/language.hpp"
#include "search/clauses/learn_clauses.hpp"
#include "search/clauses/refiner.hpp"

#include <cstdint>
#include <vector>

namespace hri::search {

/// All examples, with what clauses of a sample's pool cover of them.
class AllExamples {
  public:
    AllExamples(const evaluation::DatabaseIndex& index, const Language& language,
                const evaluation::ConstantNumbers& names, base::ThreadPool& threads);

    const SearchExamples& examples() const { return all_; }

    const Language& language() const { return language_; }

    /// A bit for each example that the program covers.
    std::vector<std::uint64_t> covered(const Program& program) const;

    /// The clause with its coverage of all examples.
    PoolClause judged(const PoolClause& clause) const;

  private:
    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    const evaluation::ConstantNumbers& names_;
    base::ThreadPool& threads_;
    SearchExamples all_;
};

/// The coverage of each rule of a program; nothing for recursive or very long programs.
std::vector<ClauseCoverage> evidence_of(const Program& program, const AllExamples& all);

}  // namespace hri::search
