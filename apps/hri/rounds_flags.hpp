// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/multitask.hpp"

#include "command.hpp"
#include "embeddings.hpp"

namespace hri::cli {

/// How many targets are trained in rounds, and what their embeddings start from. Begins with all
/// cores.
void add_rounds_flags(Command& command, MultitaskSettings& settings, PriorFlags& prior);

}  // namespace hri::cli
