// SPDX-License-Identifier: Apache-2.0
#pragma once

// LRI, the model of Campero et al. (2018) that the paper compares with: rules are instances of
// templates whose head, too, is matched softly, with every intensional predicate of its arity.
//
//   LriTask task = lri_task(find_task("grandparent"), "task");   // or "rlri"
//   LriResult result = train_lri(problem, task, options, {.seed = 7});
//   std::cout << to_text(simplified(extract(result.model)));
//
// LRI reads these Options: fuzzy_and, train_steps, eval_steps, iterations, the learning rates, the
// Gaussian noise (slot_noise is that of rules) and log_floor.

#include "hri/data.hpp"
#include "hri/options.hpp"
#include "hri/protorules.hpp"
#include "hri/train.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri {

struct Task;

/// A task for LRI: its rules, one template each, and the arities of the predicates
/// that it invents.
struct LriTask {
    ProtoRules templates;
    std::vector<int> auxiliaries;
};

/// The templates that Campero et al. number 1 to 16: T1, T2, ...
const ProtoRules& lri_templates();

/// For a built-in task. `templates`: "task" (those chosen for it), "rlri" (the paper's R_LRI, all
/// 18), or proto-rules as load_protorules() reads them. Throws Error where there are none for it.
LriTask lri_task(const Task& task, const std::string& templates);
/// For other data: "rlri" or proto-rules; one unary and one binary predicate are invented.
LriTask lri_task(const std::string& templates);

/// Predicates are numbered inputs, auxiliaries, target.
struct LriModel {
    Options options;
    LriTask task;
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    int dimension = 0;              ///< the number of predicates
    std::vector<float> predicates;  ///< (predicates, dimension)
    std::vector<float> rules;       ///< (rules, 3, dimension): head, first and second body atom

    int intensional() const { return static_cast<int>(inputs.size()); }

    /// The arity of every predicate.
    std::vector<int> arities() const;
};

/// Predicates start as unit vectors, rules uniform in [0, 1). Throws Error where a template is none
/// of LRI's kind: one or two body atoms of fixed arity, one existential variable at most.
LriModel make_lri(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                  const LriTask& task, const Options& options, std::uint64_t seed);

struct LriResult : TrainRun {
    LriModel model;
};

/// Ends, beside where train() does, when the loss is below 1e-4 and the model, without noise, is
/// right on fresh training instances after rounding. The curve's sharpness: heads, bodies.
LriResult train_lri(const Problem& problem, const LriTask& task, const Options& options,
                    const TrainSettings& settings = {});

/// Cosines without noise: (3, rules, predicates), heads, then first and second body atoms.
std::vector<float> unification(const LriModel& model);

/// Soft valuations of the target's atoms, without noise.
std::vector<float> infer(const LriModel& model, const Instance& instance, int steps);

/// Every instance of a rule whose three cosines multiply to at least one half: what rounding
/// keeps.
Program extract(const LriModel& model);

}  // namespace hri
