// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/error.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hri::data {

/// Thrown where examples are of several targets and ReadOptions::target chooses none.
class SeveralTargets : public Error {
  public:
    SeveralTargets(const Error& error, std::vector<std::string> targets)
        : Error(error), targets_(std::move(targets)) {}

    const std::vector<std::string>& targets() const { return targets_; }  ///< name/arity of each

  private:
    std::vector<std::string> targets_;
};

}  // namespace hri::data
