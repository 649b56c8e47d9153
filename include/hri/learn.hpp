// SPDX-License-Identifier: Apache-2.0
#pragma once

// Learning: from a problem to a program, with the evidence for it.
//
//   Report report = learn(make_problem(find_task("grandparent")), options, {.seed = 1});
//   std::cout << to_text(report.program) << report.evaluation.accuracy;

#include "hri/data.hpp"
#include "hri/device.hpp"
#include "hri/evaluate.hpp"
#include "hri/lri.hpp"
#include "hri/model.hpp"
#include "hri/options.hpp"
#include "hri/train.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace hri {

enum class Strategy {
    gradient,  ///< the paper's method: training restarts
    search,    ///< local search over the programs of growing hierarchies
    clauses,   ///< small clauses of a database by size, and the best set of them
    portfolio  ///< clauses first, where there is a database; then both others side by side
};
std::string to_string(Strategy strategy);

enum class RuleTerms { automatic, always, never };

/// When a run ends that has found a program without errors.
enum class StopRule {
    first_fit,  ///< at once
    best        ///< when nothing shorter was found for a while
};

/// The evidence for a clause of a program.
struct ClauseEvidence {
    std::int64_t positives = 0;  ///< covered
    std::int64_t negatives = 0;  ///< covered
    std::int64_t only = 0;       ///< positives that no other clause covers

    double confidence() const {
        return static_cast<double>(positives) /
               static_cast<double>(std::max<std::int64_t>(positives + negatives, 1));
    }
};

/// The progress of a long run.
struct LearnProgress {
    double fraction = 0;          ///< of the work, as far as it is known
    int restarts = 0;             ///< training runs and searches begun
    int fits = 0;                 ///< of them found a program without errors
    std::int64_t errors = -1;     ///< of the best program so far; -1: there is none
    std::int64_t trials = 0;      ///< programs tried
    std::int64_t iterations = 0;  ///< of the training run under way
    double loss = -1;             ///< of the training run under way; negative: none
    std::string program;          ///< the best so far
};

/// Demands of the user on the program, beside the examples.
struct Constraints {
    std::vector<std::string> vetoed_rules = {};  ///< clauses that no program may have, as Prolog
    /// Literals that no rule of the target may have, each below the head that it stands under:
    /// "grandparent(X,Y) :- mother(Z,Y)." Several in one clause are vetoed together.
    std::vector<std::string> vetoed_literals = {};
    std::vector<std::string> vetoed_predicates = {};  ///< inputs that no rule may use: "sister/2"
    std::string pinned = {};  ///< clauses that the program has anyway, as Prolog

    bool empty() const {
        return vetoed_rules.empty() && vetoed_literals.empty() && vetoed_predicates.empty() &&
               pinned.empty();
    }
};

struct LearnSettings {
    Strategy strategy = Strategy::portfolio;
    std::uint64_t seed = 0;
    Device device = Device::cpu;  ///< of training
    double time_limit = 60;       ///< seconds; 0: none
    std::int64_t max_work = 0;    ///< programs tried, a training iteration counting as 300; 0: no
                                  ///< limit. With it alone the result depends on the seed only
    StopRule stop = StopRule::best;  ///< all but gradient, whose first run that fits ends it
    bool grow = true;   ///< search and portfolio: layers and auxiliaries grow on their own
    int restarts = 10;  ///< gradient: runs at most; the first that fits ends them
    int log_every = 0;  ///< gradient: iterations between points of the curve
    std::optional<LriTask> lri = {};  ///< gradient: trains LRI instead of the hierarchy
    /// Clauses: whether rules name constants of the data, and compare numbers. Automatic: where the
    /// bias allows it or there is none, or where nothing fits without.
    RuleTerms constants_in_rules = RuleTerms::automatic;
    RuleTerms numbers_in_rules = RuleTerms::automatic;
    int threads = 1;     ///< the result does not depend on them
    bool split = false;  ///< gradient: over the processes of mpirun; nor on those
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(const LearnProgress&)> progress = {};
    /// Called now and then with the model in training. Threads may call it at once.
    std::function<void(const Model&)> watch = {};
    Constraints constraints = {};
    /// Called now and then with text that says where the run stands.
    std::function<void(const std::string&)> checkpoint = {};
    /// Such a text: the run goes on from there, and ends as it would have without a break.
    std::string resume = {};
};

template <>
const std::vector<Field<LearnSettings>>& fields_of<LearnSettings>();

/// A program that was found on the way.
struct Alternative {
    Program program;  ///< simplified
    bool fits = false;
    Score training;
    double bits = 0;  ///< description length: the program's and its errors'
};

struct Report {
    std::string problem;
    Model model;                  ///< its argmax is `raw`, unless rules were learned one by one
    std::optional<LriModel> lri;  ///< where that was asked for; then `model` holds no parameters
    Program raw;                  ///< as extracted
    Program program;              ///< simplified
    bool fits = false;            ///< the program explains the training data without error
    double bits = 0;              ///< its description length, errors included
    double baseline_bits = 0;     ///< the same of the program that calls everything false
    Score training;               ///< of the program at its fixpoint
    std::optional<Score> evaluation;  ///< on fresh instances, where the problem has them
    Strategy strategy = Strategy::portfolio;
    bool by_clauses = false;  ///< the program is one of clauses of the database
    std::uint64_t seed = 0;
    int restarts = 0;             ///< training runs and searches
    int fitting = 0;              ///< of them that ended in a program without errors
    int different = 0;            ///< logically different programs among those
    std::int64_t iterations = 0;  ///< of training, over all runs
    std::int64_t trials = 0;      ///< programs tried by search
    double final_loss = 0;        ///< gradient: of the run that was kept
    double seconds = 0;
    StopReason stop_reason = StopReason::finished;
    std::vector<CurvePoint> curve;          ///< gradient: of the run that was kept
    std::vector<ClauseEvidence> evidence;   ///< by rule of the target; empty: not counted
    std::vector<Alternative> alternatives;  ///< one of each meaning, best first, `program` included
};

/// Ties in description length go to recursive programs, which say something about any number of
/// constants, then to the first in alphabetical order.
Report learn(const Problem& problem, const Options& options, const LearnSettings& settings = {});

/// An unlabelled atom of the training data on which programs that fit disagree.
struct Question {
    int instance = 0;
    int atom = 0;      ///< index into its labels
    int says_yes = 0;  ///< programs that hold it true
    int says_no = 0;
};

/// The most disputed atoms first: those whose answer leaves the fewest programs at worst. At most
/// `count`.
std::vector<Question> questions(const Problem& problem, const std::vector<Alternative>& programs,
                                int count);

/// The program on `count` instances of a source (all of a fixed one).
Score score_program(const Program& program, const Source& source, std::uint64_t seed, int count,
                    int steps = kToFixpoint);
/// The soft model, noise off. A GPU infers many instances side by side; it takes a number of steps.
Score score_model(const Model& model, const Source& source, std::uint64_t seed, int count,
                  int steps, int threads = 1, Device device = Device::cpu);

std::string to_json(const Report& report);

}  // namespace hri
