// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a problem to a program and the evidence for it.
//
//   Report report = learn(make_problem(find_task("grandparent")), options, {.seed = 1});
//   std::cout << to_text(report.program) << report.evaluation.accuracy;

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/options.hpp"
#include "hri/symbolic.hpp"
#include "hri/train.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hri {

struct LearnSettings {
    std::uint64_t seed = 0;
    int restarts =
        10;  ///< runs at most; stops at the first whose program explains the training data
    double time_limit = 0;  ///< seconds; 0: none
    int threads = 1;
    int log_every = 0;
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(int restart, const Progress&)> progress = {};
};

struct Report {
    std::string problem;
    Model model;
    Program raw;                      ///< the argmax program as extracted
    Program program;                  ///< simplified
    bool fits = false;                ///< the program explains the training data without error
    Score training;                   ///< of the program at its fixpoint
    std::optional<Score> evaluation;  ///< on fresh instances, where the problem has them
    std::uint64_t seed = 0;
    int restarts = 0;             ///< runs done
    std::int64_t iterations = 0;  ///< over all runs
    double final_loss = 0;
    double seconds = 0;
    StopReason stop_reason = StopReason::finished;
    std::vector<CurvePoint> curve;  ///< of the run that was kept
};

Report learn(const Problem& problem, const Options& options, const LearnSettings& settings = {});

/// The program on `count` instances of a source (all of a fixed one).
Score score_program(const Program& program, const std::vector<PredicateSymbol>& inputs,
                    const Source& source, std::uint64_t seed, int count, int steps = kToFixpoint);
/// The soft model, noise off.
Score score_model(const Model& model, const std::vector<PredicateSymbol>& inputs,
                  const Source& source, std::uint64_t seed, int count, int steps);

std::string to_json(const Report& report);

}  // namespace hri
