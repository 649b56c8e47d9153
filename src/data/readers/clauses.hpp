// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prolog clauses as facts, rules and examples of a collection.

#include "data/raw_dataset.hpp"
#include "logic/prolog/terms.hpp"

#include <string>

namespace hri::data {

std::string described(const prolog::Node& node);

/// p, p(a) or p(a,b), and not the glue between atoms.
bool is_atom(const prolog::Node& node);

bool is_directive(const prolog::Node& clause);

/// Facts, valuations, rules and `% constants: ann, bob`. What cannot be used (negation, functions,
/// variables in facts, ...) becomes a refusal; what is no clause at all throws Error. `directive`
/// gets the goal of each directive.
void read_background(
    const std::string& text, const std::string& file, RawDataset& into,
    const std::function<void(const prolog::Reader&, const prolog::Node&)>& directive = {});

/// The constants of a ground atom. Throws Error.
std::vector<std::int32_t> ground_tuple(const prolog::Reader& reader, const prolog::Node& atom,
                                       Constants& constants);

}  // namespace hri::data
