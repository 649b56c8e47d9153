// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a trained target says in single images. A slot that matches `window` in images with windows
// and `roof` in images with roofs is a disjunction; in each image it is one of the two.

#include "hri/multitask.hpp"

#include <vector>

namespace hri::training {

struct ImageProgram {
    Program program;  // simplified
    int images = 0;   // in which slots match so
};

/// Of targets[i]: each slot takes what it matches most of what is in an image with the target.
std::vector<ImageProgram> image_programs(const Multitask& learned, std::size_t i,
                                         const SceneSet& scenes);

}  // namespace hri::training
