// SPDX-License-Identifier: Apache-2.0
#pragma once

// Statistics of real scenes, from which a generator draws.

#include "hri/scenes.hpp"

namespace hri::scenes {

/// Draws numbers in proportion to weights.
class Weighted {
  public:
    void add(double weight) { ends_.push_back((ends_.empty() ? 0 : ends_.back()) + weight); }

    std::uint32_t draw(Random& random) const;

  private:
    std::vector<double> ends_;
};

struct Link {
    std::uint32_t relation;
    bool outwards;  // the named object is its subject
    std::uint32_t partner;
};

struct Calibration {
    std::vector<PredicateSymbol> predicates;
    std::uint32_t unary = 0;
    std::vector<std::uint32_t> targets;
    Weighted names;                        // ids of names
    Weighted relations;                    // counted from 0
    std::vector<std::vector<Link>> links;  // [name] what stands in relation to it
    std::vector<int> sizes;                // relations of images, to be drawn from; empty: made up

    int draw_size(Random& random) const;
    Link draw_link(std::uint32_t name, Random& random) const;
};

Calibration calibrate(const GenerateOptions& options);

}  // namespace hri::scenes
