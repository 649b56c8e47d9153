// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include "learn/program_scorer.hpp"
#include "search/head_connected.hpp"

namespace hri::learning {

/// Seeds of restarts: far apart, and the first is the user's own.
std::uint64_t restart_seed(std::uint64_t seed, int restart);

/// The paper's method. Fills everything of the report but the evaluation.
Report learn_by_gradient(const Problem& problem, const Options& options,
                         const LearnSettings& settings, const ProgramScorer& judge,
                         const search::HeadConnector& connector);

/// Search, or search and training side by side.
Report learn_by_portfolio(const Problem& problem, const Options& options,
                          const LearnSettings& settings, const ProgramScorer& judge,
                          const search::HeadConnector& connector);

/// Whether there is a database to learn clauses from: with examples of both kinds.
bool offers_clauses(const Problem& problem);

/// The part of the time that clauses may take. They take all of it where the hierarchy could not
/// learn the problem.
double clause_share(const Problem& problem);

/// The clauses that are allowed, beside the bias of the data.
struct ClauseShape {
    bool linked = false;  ///< bodies connect the arguments of the head
    int max_body = 0;     ///< literals at most; 0: as the bias says
};

/// Clauses of the database. Throws Error where the problem has none.
Report learn_by_clauses(const Problem& problem, const Options& options,
                        const LearnSettings& settings, const ClauseShape& shape = {});

/// Whether the hierarchy need not be asked: the clauses fit, and the first fit is wanted, or a bias
/// says that nothing else is wanted; or there are negative examples enough, and the data are too
/// large for a quick look at what invention would save.
bool is_settled(const Report& clauses, const Problem& problem, StopRule stop);

/// The settings of the hierarchy after clauses. Where these fit, it only looks for something
/// shorter, for a moment.
LearnSettings after_clauses(const Report& clauses, const LearnSettings& settings);

/// Whether it is the clauses that fit or take fewer bits with their errors.
bool prefers_clauses(const Report& clauses, const Report& hierarchy, const Problem& problem);

/// One of both, with the work of both.
Report better_report(Report clauses, Report hierarchy, bool by_clauses);

}  // namespace hri::learning
