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

/// On the data that the page shows. Targets that were learned together are judged by rows: known
/// facts count there beside the rules of the others.
Judged judged(Program program, const OpenData& data, bool is_joint = false);

/// Calls `take` with the constants of each atom of the target that the program derives.
void for_true_atoms(const Judged& judged, const OpenData& data,
                    const std::function<void(const std::vector<std::string>&)>& take);

/// A row of the database's examples as an atom.
std::string example_text(const OpenData& data, std::size_t row);

/// An example as an atom.
std::string example_text(const OpenData& data, const Judged& judged,
                         const evaluation::CoveredExample& example);

/// A target of several that were learned together.
struct TargetPart {
    std::shared_ptr<const OpenData> data;
    Report report;  ///< its program is that of all targets
};

struct Learned {
    Report report;  ///< of all targets
    LearnSettings settings;
    std::vector<Judged> programs;  ///< the chosen one first, then alternatives
    bool is_compared = false;      ///< they know what holds
    /// Of targets that were learned together: programs[i] is then the joint program, for parts[i].
    /// Empty where one target was learned.
    std::vector<TargetPart> parts;

    /// Throws Error where there is no such alternative.
    const Judged& program(int alternative) const;
    const Report& report_of(int alternative) const;
    /// The data that a program is judged on: of its own target, or those that are open.
    const OpenData& data_of(int alternative, const OpenData& opened) const;
};

std::shared_ptr<const Learned> make_learned(const OpenData& data, Report report,
                                            const LearnSettings& settings);

using Parts = std::vector<std::shared_ptr<const OpenData>>;

/// Learns the targets of `parts` together.
std::shared_ptr<const Learned> learn_parts(const Parts& parts, const Options& options,
                                           const LearnSettings& settings);

/// The rules from the Prolog text that an earlier session kept; with `parts`, of their targets.
std::shared_ptr<const Learned> learned_again(const OpenData& data, const Parts& parts,
                                             const std::string& prolog);

/// name/arity
std::string target_name(const OpenData& data);

/// What targets cannot have that are learned together is an Error.
void check_together(const Parts& parts, const LearnSettings& settings,
                    const Constraints& constraints);

Score score_of(const std::vector<evaluation::CoveredExample>& examples);

}  // namespace hri::studio
