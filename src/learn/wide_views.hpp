// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs over views of wide predicates, written with those predicates.

#include "hri/learn.hpp"

namespace hri::learning {

/// Calls of views replaced by the wide predicates that they show, in all programs of a report.
void spell_out_views(Report& report, const Problem& problem);

/// The problem without the views that name constants.
Problem without_selections(const Problem& problem);

}  // namespace hri::learning
