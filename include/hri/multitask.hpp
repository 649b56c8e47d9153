// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many targets over the same images: each has a hierarchy of its own, all share the embeddings of
// the background predicates.
//
//   SceneSet scenes = open_scenes("gqa.scenes");
//   MultitaskResult result = learn_targets(scenes, multitask_options(), {.rounds = 3000});
//   Model wrist = result.learned.model(7);         // with all predicates but its own as inputs
//   std::cout << to_text(extract(result.learned, 7, scenes));

#include "hri/device.hpp"
#include "hri/fields.hpp"
#include "hri/model.hpp"
#include "hri/priors.hpp"
#include "hri/recall.hpp"
#include "hri/scene_rules.hpp"
#include "hri/scenes.hpp"
#include "hri/train.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hri {

/// The paper's settings for scene graphs: depth 3, 4 steps, dimension 30, no recursivity, learning
/// rates 0.001 and 0.01, only the predicates of an image in its softmax.
Options multitask_options();

/// Settings for targets that are trained jointly (MultitaskSettings::joint): the paper's, with
/// learning rates 0.01 and 0.03, without regularisation and Gumbel noise.
Options joint_options();

/// When the background embeddings take a step of Adam. A target's own parameters take one after
/// every image.
enum class Update {
    summed,  ///< once per round, against the sum of all targets' gradients in their order; during
             ///< the round all read the embeddings as they were at its start
    sequential  ///< after every image, one target after the other: the paper's order
};

struct MultitaskProgress {
    int round = 0;
    int rounds = 0;
    double loss = 0;  ///< mean over targets of their latest images'
};

struct MultitaskSettings {
    std::vector<std::uint32_t> targets = {};  ///< unary predicates; empty: the set's
    int rounds = 3000;
    int positives = 5;     ///< images with the target, per target and round
    int randoms = 5;       ///< images with another target, chosen at random
    int max_objects = 15;  ///< images with more are passed over
    Update update = Update::summed;
    double joint = 0;                 ///< share of the rounds, the last ones, in which the targets
                                      ///< of an object compete in one softmax
    double hardness = 0;              ///< in these rounds: names are drawn by 1 - hardness parts as
                                      ///< frequent as they are, and by the rest as their loss
    bool shared = true;               ///< false: every target has background embeddings of its own
    std::optional<Prior> prior = {};  ///< where they start; none: at random
    std::uint64_t seed = 0;
    Device device = Device::cpu;  ///< a GPU draws other noise, so that a seed gives another run
    int threads = 1;              ///< the result does not depend on them
    bool split = false;           ///< over the processes of mpirun; nor on those
    double time_limit = 0;        ///< seconds; 0: none
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(const MultitaskProgress&)> progress = {};
    /// Told that a checkpoint could not be written; the run goes on. Without it, the run ends.
    std::function<void(const Error&)> checkpoint_failed = {};
    std::filesystem::path checkpoint = {};  ///< a file; empty: none
    int checkpoint_every = 50;              ///< rounds
    bool resume = false;                    ///< goes on from the checkpoint, if there is one
};

template <>
const std::vector<Field<MultitaskSettings>>& fields_of<MultitaskSettings>();

/// The parameters that belong to one target.
struct TargetParameters {
    std::uint32_t target = 0;       ///< of the predicates
    std::size_t images = 0;         ///< with the target, that are not too large
    float loss = 0;                 ///< moving mean over its latest images
    std::vector<float> background;  ///< (predicates, dimension) where nothing is shared, else empty
    std::vector<float> auxiliaries;  ///< (auxiliaries, dimension)
    std::vector<float> slots;        ///< (slots, dimension)
    std::vector<float> calibration;  ///< bias and scale of valuations in the softmax over targets;
                                     ///< empty where targets were not trained jointly
};

struct Multitask {
    Options options;
    std::vector<PredicateSymbol> predicates;  ///< unary first
    std::vector<float> start;                 ///< (predicates, dimension), before training
    std::vector<float> background;            ///< (predicates, dimension); their start where
                                              ///< nothing is shared
    std::vector<TargetParameters> targets;
    Projection projection;

    /// The model of targets[i], over all predicates but its own.
    Model model(std::size_t i) const;
};

struct MultitaskResult {
    Multitask learned;   ///< complete at the first rank only
    int rounds = 0;      ///< done, those before a resume included
    long instances = 0;  ///< images that targets were trained on, since the start or the resume
    StopReason stop_reason = StopReason::finished;
    double seconds = 0;
};

/// Splits the targets over ranks and threads; neither changes the result. Throws Error.
MultitaskResult learn_targets(const SceneSet& scenes, const Options& options,
                              const MultitaskSettings& settings = {});

/// The program of targets[i], simplified: each slot takes what it matches most on average over the
/// training images with the target. (The argmax over all predicates may be one that hardly any
/// image has.)
Program extract(const Multitask& learned, std::size_t i, const SceneSet& training);

/// The rules of a target with their confidences.
struct ConfidentRules {
    Program program;                    ///< its rules are the target's: none calls another one
    std::vector<RuleConfidence> rules;  ///< of each, the most confident first
    double otherwise = 0;               ///< the confidence where no rule covers an object
};

/// For each target the rules that describe its objects in the fewest bits, with confidences, as
/// learn_scene_rules() chooses them. They are drawn from what its trained slots say in each image:
/// there a slot takes what it matches most of what the image holds. `more`: programs for each
/// target whose rules are drawn from too, or nothing.
std::vector<ConfidentRules> extract_rules(const SceneSet& training, const Multitask& learned,
                                          const std::vector<Program>& more = {},
                                          const SceneRuleSettings& settings = {});

/// Ranks by confidence, as rule_scores() does. `scenes` has to outlive what is returned; one thread
/// at a time may call it.
SceneScores confidence_scores(const SceneSet& scenes, std::span<const std::uint32_t> targets,
                              const std::vector<ConfidentRules>& rules);

/// Prolog; a comment before each rule says its confidence.
std::string to_prolog(const ConfidentRules& rules);

struct RefineRulesSettings {
    std::size_t max_images = 10'000;  ///< of the training images, drawn at random
    int max_objects = 15;
    std::uint64_t seed = 0;
    int threads = 1;     ///< the result does not depend on them
    bool split = false;  ///< over the processes of mpirun; nor on those
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(double share)> progress = {};  ///< of the first rank's targets
    /// An existing folder for programs that are ready, which a later run of the same data and
    /// programs takes over; empty: none.
    std::filesystem::path checkpoint = {};
    /// Told that a program could not be kept; the run goes on. Called by several threads.
    std::function<void(const Error&)> checkpoint_failed = {};
};

template <>
const std::vector<Field<RefineRulesSettings>>& fields_of<RefineRulesSettings>();

struct RefinedRules {
    Program program;         ///< simplified
    double bits = 0;         ///< of the program and its errors on the images
    double bits_before = 0;  ///< the same of training's program
};

/// For each target its program, changed by one atom or clause at a time as long as the description
/// of program and errors on training images gets shorter. Not part of the paper's method, so
/// keep the result apart from the program of training. Complete at the first rank only; empty
/// where it was interrupted.
std::vector<RefinedRules> refine_rules(const SceneSet& scenes, const Multitask& learned,
                                       const RefineRulesSettings& settings = {});

/// The soft valuations of all targets, noise off; of targets that were trained jointly their logits
/// in the softmax, which are not to be normalised. Only one thread may call what is returned;
/// `scenes` and `learned` have to outlive it.
SceneScores soft_scores(const SceneSet& scenes, const Multitask& learned);

/// One safetensors file: all embeddings, the names of predicates and targets, options, projection.
void save_multitask(const std::filesystem::path& path, const Multitask& learned);
/// Throws Error where the file is damaged.
Multitask load_multitask(const std::filesystem::path& path);

}  // namespace hri
