// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of training many targets: what is learned, and what Adam remembers.

#include "hri/multitask.hpp"

#include "train/adam.hpp"

#include <string>
#include <vector>

namespace hri::training {

/// Adam's state for one target's own parameters.
struct TargetAdam {
    TargetAdam(const TargetParameters& parameters, const Options& options);
    Adam<float> background;  // of nothing where it is shared
    Adam<float> auxiliaries;
    Adam<float> slots;
    Adam<float> calibration;
};

struct Training {
    Multitask learned;
    int round = 0;  // the next one
    Adam<float> background_adam;
    std::vector<TargetAdam> target_adam;  // [target]

    /// At its start.
    Training(const SceneSet& scenes, const Options& options, const MultitaskSettings& settings);

    /// All numbers that training changes of one target: name and values.
    struct Field {
        std::string name;
        std::vector<float>* values;
    };

    std::vector<Field> fields(std::size_t target);
};

/// The choices that a resumed run has to share with the one before, as JSON.
std::string protocol_of(const SceneSet& scenes, const Options& options,
                        const MultitaskSettings& settings);

/// Saves the state of all targets. Adam's numbers of steps follow from the round.
void save_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol);
/// Throws Error where the file is damaged, or of another protocol.
void load_checkpoint(const std::filesystem::path& path, Training& training,
                     const std::string& protocol);

}  // namespace hri::training
