// SPDX-License-Identifier: Apache-2.0
#pragma once

// Built-ins of SWI-Prolog 9 with up to two arguments that a program may not define like others. Of
// its 405 the remaining ones need no care.

#include "hri/logic.hpp"

namespace hri::logic {

/// Needs `:- redefine_system_predicate(...)` before it is defined or declared.
bool is_protected_by_swi(const PredicateSymbol& symbol);

/// Also known to its compiler by name, such as var/1 and </2: a definition of one's own is seen
/// through call/1 only.
bool is_compiled_into_swi(const PredicateSymbol& symbol);

}  // namespace hri::logic
