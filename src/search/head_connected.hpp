// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs learned from parts of a world, made to hold of the whole.
//
// Where data are split, an instance holds one train and its cars. There
//     f(X) <- long(Y)
// is as good as
//     f(X) <- has_car(X,Y) & long(Y)
// but on the whole data, where somebody will run the program, it speaks of any long car anywhere.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::search {

/// Whether binary atoms lead from the head's variables to all others of each rule, and between the
/// two of an invented predicate.
bool is_head_connected(const Program& program);

/// The constraint that every program which a search proposes for split data is head-connected. The
/// instances and pairs have to outlive it. Threads may use it at once.
class HeadConnector {
  public:
    /// Without pairs, the data are not split and every program stays as it is.
    HeadConnector(const std::vector<PredicateSymbol>& inputs,
                  const std::vector<Instance>& instances, const std::vector<Instance>& pairs);

    /// The program with binary atoms of inputs added, one or two for each variable without a link,
    /// so that it makes no more errors on the instances than before and few on the pairs; where
    /// there is no such atom, as it is. Remembers what it has connected.
    Program connected(const Program& program) const;

  private:
    Program connected_afresh(const Program& program) const;
    std::optional<Program> fewest_errors(std::vector<Program> programs, std::int64_t allowed) const;
    std::int64_t errors(const Program& program, const std::vector<Instance>& instances,
                        std::int64_t most) const;

    std::vector<PredicateSymbol> inputs_;
    const std::vector<Instance>& instances_;
    const std::vector<Instance>& pairs_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::string, Program> known_;  // by text
};

/// Some instances with a positive example side by side with ones with a negative example. Constants
/// of one name are one: values.
std::vector<Instance> paired_instances(const std::vector<Instance>& instances, int target_arity);

}  // namespace hri::search
