// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/scenes/gather.hpp"

#include <functional>
#include <istream>

namespace hri::scenes {

/// One document; an empty format of the options is recognised. Throws Error.
void read_scenes_from(std::istream& in, const std::string& file, Gatherer& gatherer,
                      const std::function<void(std::int64_t)>& progress = {});

}  // namespace hri::scenes
