// SPDX-License-Identifier: Apache-2.0
#pragma once

// Grounding of backgrounds that are more than facts and rules over constants: SWI-Prolog runs them.
// Predicates with finitely many tuples become tables. Others are computed when they are called.

#include "hri/database.hpp"

#include "data/grounding/prolog_process.hpp"
#include "data/raw_dataset.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hri::data {

/// Limits of SWI-Prolog. They are counted in inferences, so that every run ends alike.
struct GroundingBounds {
    std::int64_t table_inferences = 3'000'000;  ///< to list all tuples of a predicate
    std::int64_t table_rows = 500'000;
    std::int64_t call_inferences = 1'000'000;  ///< of one call
    std::int64_t call_rows = 10'000;
    std::size_t terms = 5'000'000;  ///< all constants together
};

struct Grounded {
    std::shared_ptr<PrologProcess> prolog;
    std::vector<int> computed;  ///< tables of predicates that are to be called
    std::vector<std::string> notes;
};

/// Fills the tables `wanted` of a background with what SWI-Prolog says, where that can be listed.
/// Predicates without declared directions get some. Throws Error.
Grounded ground_background(RawDataset& data, const std::vector<int>& wanted,
                           const GroundingBounds& bounds = {});

/// Adds computed predicates to a database, which must stay where it is.
void add_computed(const std::shared_ptr<Database>& database, const RawDataset& data,
                  const Grounded& grounded, const GroundingBounds& bounds = {});

}  // namespace hri::data
