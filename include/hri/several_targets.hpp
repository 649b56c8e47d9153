// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data with several targets: a problem for each, and their programs in one.
//
//   for (const Problem& problem : read_problems("family/")) ...

#include "hri/learn.hpp"
#include "hri/tables.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hri {

/// The result of one target.
struct TargetReport {
    Problem problem;
    LearnSettings settings;
    std::vector<Report> folds;  ///< of cross-validation, where that was asked for
    Report report;
};

/// read_problem(), once for each target where the data have several and `options` name none. With
/// `wanted`, for those name/arity alone, which may then be relations of data without examples.
std::vector<Problem> read_problems(const std::string& source, ReadOptions options = {},
                                   const std::function<bool(const std::string&)>& wanted = {},
                                   const TableOptions& tables = {});

/// Learns the targets of one source together, by clauses: each may occur in the rules of the others
/// and in its own. Short clauses come first; what they derive from the known facts is input to the
/// next round. The time limit is one for each target. A report's scores are those of the joint
/// program, at its fixpoint over the known facts; a labelled atom never supports itself.
std::vector<TargetReport> learn_together(std::vector<Problem> problems, const Options& options,
                                         const LearnSettings& settings);

/// The programs of all targets in one.
Program joint_program(const std::vector<TargetReport>& reports);

}  // namespace hri
