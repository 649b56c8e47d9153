// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/expressivity.hpp"

#include "hypotheses/expressivity/query.hpp"

#include <cstddef>

namespace hri::expressivity {

/// True or Equal.
bool is_built_in(const MetaAtom& atom);

/// The meaning of a metarule, without superfluous atoms. Symbols are the first body atoms that have
/// the predicate.
Query query_of(const Metarule& metarule);

/// The predicate of a body atom: (0, 1) <- Q(0,1).
Query query_of_predicate(const Metarule& metarule, std::size_t body_atom);

/// The body's predicates, each once; True and Equal are left out.
std::vector<PredicateSymbol> predicates_of(const Metarule& metarule);

}  // namespace hri::expressivity
