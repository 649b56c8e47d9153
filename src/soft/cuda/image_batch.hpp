// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work of many targets over images. CudaImages does it on a GPU, HostImages in loops.

#include "hri/model.hpp"
#include "hri/scenes.hpp"

#include "soft/cuda/image_work.hpp"

#include <cstddef>
#include <vector>

namespace hri::soft {

/// Images, targets, and a plan for each pair of numbers of names and relations that occurs.
struct ImageSetup {
    ImageSizes sizes;
    std::vector<DensePlan> plans;
    std::vector<int> plan_at;  // (numbers of names, of relations): in `plans`, or -1
    std::vector<ImageFacts> images;
    std::vector<SceneLabel> names;
    std::vector<SceneRelation> relations;
    std::vector<std::uint32_t> targets;
    std::size_t buffer_bytes = 0;  // of a job, at most
};

/// The setup for images with at most `max_objects` objects. `hides_another`: jobs hide another name
/// beside the target's own. Throws Error where an image has too many predicates.
ImageSetup make_image_setup(const SceneSet& scenes, const ProtoRules& protorules,
                            const Options& options, const std::vector<std::uint32_t>& targets,
                            int max_objects, bool hides_another, int chunk = 128);

/// The parameters that training changes.
struct ImageNumbers {
    std::vector<float> background, background_mean, background_square;
    std::vector<float> auxiliaries, auxiliary_mean, auxiliary_square;  // target by target
    std::vector<float> slots, slot_mean, slot_square;
    std::vector<float> loss;

    /// visit(numbers, pointer of the tables) for each.
    template <class Visit>
    void each(ImageTables& tables, const Visit& visit) {
        visit(background, tables.background);
        visit(background_mean, tables.background_mean);
        visit(background_square, tables.background_square);
        visit(auxiliaries, tables.auxiliaries);
        visit(auxiliary_mean, tables.auxiliary_mean);
        visit(auxiliary_square, tables.auxiliary_square);
        visit(slots, tables.slots);
        visit(slot_mean, tables.slot_mean);
        visit(slot_square, tables.slot_square);
        visit(loss, tables.loss);
    }
};

/// A round in which every target is trained by itself.
struct ImageRound {
    std::vector<ImageJob> jobs;         // (targets, images of each)
    std::vector<DenseIteration> steps;  // of a target's own parameters, image by image
    DenseIteration shared;              // of the table
    bool is_first = false;
};

/// A round in which targets compete: their valuations of objects are asked, then they take steps
/// against slopes.
struct ImageContests {
    std::vector<ImageJob> jobs;          // (targets, contests)
    std::vector<std::uint32_t> objects;  // of contests
    int columns = 0;                     // objects of all contests
    DenseIteration step;                 // of targets
    DenseIteration shared;               // of the table
};

/// Jobs of each target that matter, target by target.
struct ImageSlopes {
    std::vector<ImageJob> jobs;
    std::vector<int> first;     // (targets + 1)
    std::vector<float> slopes;  // (targets, columns)
};

/// Blocks in the order in which they are to begin, the longest first: block i has the jobs from
/// first[i] to before first[i + 1].
std::vector<int> longest_first(const std::vector<ImageFacts>& images,
                               const std::vector<ImageJob>& jobs, const std::vector<int>& first);

}  // namespace hri::soft
