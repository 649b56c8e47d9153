// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/evaluate.hpp"

#include <filesystem>

namespace hri::cli {

/// The program on the examples of a task folder's test.pl. Where that file has facts too, they
/// stand in the place of the background's facts of the same predicates. Throws Error.
Score score_on_test_set(const Program& program, const std::filesystem::path& folder);

}  // namespace hri::cli
