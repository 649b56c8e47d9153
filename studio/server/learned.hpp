// SPDX-License-Identifier: Apache-2.0
#pragma once

// The result of a run, with what the page asks of it again and again.

#include "evaluate/rule_evidence.hpp"
#include "texts.hpp"
#include "workspace.hpp"

#include <functional>

namespace hri::studio {

/// A program with its examples.
struct Judged {
    Program program;
    std::vector<evaluation::CoveredExample> examples;
    std::vector<ClauseEvidence> evidence;  ///< [rule of target_rules()]
    bool by_rows = false;            ///< examples are rows of the database, not atoms of instances
    std::vector<std::string> holds;  ///< sorted atoms of the target, to compare programs by
};

/// On the data that the page shows.
Judged judged(Program program, const OpenData& data);

/// Calls `take` with the constants of each atom of the target that the program derives.
void for_true_atoms(const Judged& judged, const OpenData& data,
                    const std::function<void(const std::vector<std::string>&)>& take);

/// A row of the database's examples as an atom.
std::string example_text(const OpenData& data, std::size_t row);

/// An example as an atom.
std::string example_text(const OpenData& data, const Judged& judged,
                         const evaluation::CoveredExample& example);

struct Learned {
    Report report;
    LearnSettings settings;
    std::vector<Judged> programs;  ///< the chosen one first, then alternatives
    bool is_compared = false;      ///< they know what holds

    /// Throws Error where there is no such alternative.
    const Judged& program(int alternative) const;
};

std::shared_ptr<const Learned> make_learned(const OpenData& data, Report report,
                                            const LearnSettings& settings);

/// The rules from the Prolog text that an earlier session kept.
std::shared_ptr<const Learned> learned_again(const OpenData& data, const std::string& prolog);

}  // namespace hri::studio
