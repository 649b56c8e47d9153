// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace hri::cli {

/// --strategy
inline void add_strategy(CLI::App& command, Strategy& strategy) {
    static const std::map<std::string, Strategy> names = {{"gradient", Strategy::gradient},
                                                          {"search", Strategy::search},
                                                          {"portfolio", Strategy::portfolio}};
    command
        .add_option("--strategy", strategy,
                    "portfolio: search and training side by side; gradient: the paper's method; "
                    "search")
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
        ->option_text("[portfolio]");
}

}  // namespace hri::cli
