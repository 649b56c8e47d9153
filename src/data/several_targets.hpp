// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/error.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hri::data {

/// Thrown where there are several targets, or facts alone of which each relation could be one, and
/// ReadOptions chooses none.
class SeveralTargets : public Error {
  public:
    SeveralTargets(const Error& error, std::vector<std::string> targets, bool with_examples)
        : Error(error), targets_(std::move(targets)), with_examples_(with_examples) {}

    const std::vector<std::string>& targets() const { return targets_; }  ///< name/arity of each

    bool with_examples() const { return with_examples_; }

  private:
    std::vector<std::string> targets_;
    bool with_examples_;
};

}  // namespace hri::data
