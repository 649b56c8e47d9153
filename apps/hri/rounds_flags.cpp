// SPDX-License-Identifier: Apache-2.0
#include "rounds_flags.hpp"

namespace hri::cli {

void add_rounds_flags(Command& command, MultitaskSettings& settings, PriorFlags& prior) {
    add_flags(
        command, settings, fields_of<MultitaskSettings>(),
        {"rounds", "positives", "randoms", "max_objects", "update", "shared", "seed", "threads"});
    make_threads(command, settings.threads);
    prior.add_to(command);
}

}  // namespace hri::cli
