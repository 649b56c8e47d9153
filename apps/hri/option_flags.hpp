// SPDX-License-Identifier: Apache-2.0
#pragma once

// --config FILE and one flag per field of Options.

#include "hri/options.hpp"

#include "command.hpp"

#include <map>
#include <string>

namespace hri::cli {

class OptionFlags {
  public:
    /// The flags keep pointers to this object. `defaults` are what --help shows.
    void add_to(Command& command, const Options& defaults = {});

    /// `base`, then the config file, then the flags. Throws Error.
    Options apply(const Options& base) const;

  private:
    std::string config_;
    std::map<std::string, std::string> given_;  // by field
};

}  // namespace hri::cli
