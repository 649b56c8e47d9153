// SPDX-License-Identifier: Apache-2.0
#pragma once

// --config FILE and one flag per field of Options.

#include "hri/options.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hri::cli {

class OptionFlags {
  public:
    /// The flags keep pointers to this object. `defaults` are what --help shows.
    void add_to(CLI::App& command, const Options& defaults = {});

    /// `base`, then the config file, then the flags. Throws Error.
    Options apply(const Options& base) const;

  private:
    std::string config_;
    std::vector<std::string> values_;    // by field
    std::vector<CLI::Option*> options_;  // by field
};

}  // namespace hri::cli
