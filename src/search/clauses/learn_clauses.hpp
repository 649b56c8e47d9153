// SPDX-License-Identifier: Apache-2.0
#pragma once

// Learns clauses of the target of a database: all small ones by size, as far as the work allows,
// then the set of them that describes the examples in the fewest bits.
//
//   ClauseResult result = learn_clauses(*problem.database, {.seed = 1});
//   std::cout << to_prolog(result.program);

#include "hri/database.hpp"
#include "hri/evaluate.hpp"

#include "search/clauses/verdict.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hri::search {

enum class Wanted : std::uint8_t { automatic, always, never };

struct ClauseSettings {
    std::uint64_t seed = 0;
    int threads = 1;             ///< the result does not depend on them
    std::int64_t max_tests = 0;  ///< clauses tested at most; 0: no limit
    Wanted constants = Wanted::automatic;
    Wanted thresholds = Wanted::automatic;
    bool negation = false;
    bool linked = false;              ///< bodies connect the arguments of the head
    int max_body = 0;                 ///< literals at most; 0: as the bias says
    bool first_fit = false;           ///< ends at the first program without errors
    double time_limit = 0;            ///< seconds; 0: none
    std::function<bool()> stop = {};  ///< asked by several threads
    /// Called when a better program is found, and now and then. `errors` is -1 before the first.
    std::function<void(const Program& best, std::int64_t errors, std::int64_t tested)> progress =
        {};
    /// Called with the state of the run after a level of clauses (run_state.hpp).
    std::function<void(const std::string& state)> checkpoint = {};
    std::string resume = {};  ///< such a state, to go on from
    /// The verdict on a program of one clause. Without this function all are allowed.
    std::function<ClauseVerdict(const Program& clause)> verdict = {};
};

/// The evidence for a clause of the program.
struct ClauseCoverage {
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
    std::int64_t only = 0;  ///< positives that no other clause covers
};

struct ClauseResult {
    Program program;
    std::vector<ClauseCoverage> evidence;  ///< by rule of the program
    Score training;
    bool fits = false;
    double bits = 0;
    std::int64_t tested = 0;
    std::int64_t duplicates = 0;  ///< that the canonical form avoided
    std::int64_t equal = 0;       ///< of the same bindings as an earlier one
    int levels = 0;               ///< literals up to which all clauses were tried
    bool cut = false;             ///< by time, stop() or max_tests
    std::vector<std::string> notes;
};

ClauseResult learn_clauses(const Database& database, const ClauseSettings& settings);

/// The program on examples over the facts of a database. Each is hidden while it is judged.
Score score_on_examples(const Program& program, const Database& database,
                        const ExampleTable& examples, int threads = 1);

/// The program's answers on the examples: one for each, 0 or 1.
std::vector<char> answers_on_examples(const Program& program, const Database& database,
                                      const ExampleTable& examples, int threads = 1);

}  // namespace hri::search
