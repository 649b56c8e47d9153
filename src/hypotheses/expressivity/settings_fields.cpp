// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for the search for derivations.

#include "hri/expressivity.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<ExpressivityOptions>>& fields_of<ExpressivityOptions>() {
    using S = ExpressivityOptions;
    constexpr const char* kGroup = "Derivations";
    static const std::vector<Field<S>> fields = {
        base::boolean({.name = "with_true",
                       .help = "Derivations may use the predicate True.",
                       .group = kGroup},
                      &S::with_true),
        base::boolean({.name = "with_equal",
                       .help = "Derivations may use the predicate Equal.",
                       .group = kGroup},
                      &S::with_equal),
        base::number({.name = "extra_atoms",
                      .help = "How many more atoms a query may have, where no derivation uses each "
                              "body atom at most once.",
                      .group = kGroup},
                     &S::extra_atoms, 0, 100),
        base::number({.name = "max_queries",
                      .help = "The largest number of auxiliaries of different meaning to try.",
                      .group = kGroup},
                     &S::max_queries, 1)};
    return fields;
}

}  // namespace hri
