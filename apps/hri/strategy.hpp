// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace hri::cli {

inline const std::map<std::string, Strategy>& strategy_names() {
    static const std::map<std::string, Strategy> names = {{"gradient", Strategy::gradient},
                                                          {"search", Strategy::search},
                                                          {"portfolio", Strategy::portfolio}};
    return names;
}

/// --strategy
inline void add_strategy(CLI::App& command, Strategy& strategy) {
    command
        .add_option("--strategy", strategy,
                    "portfolio: search and training side by side; gradient: the paper's method; "
                    "search")
        ->transform(CLI::CheckedTransformer(strategy_names(), CLI::ignore_case).description(""))
        ->option_text("[portfolio]");
}

/// --strategy, several of them
inline void add_strategies(CLI::App& command, std::vector<Strategy>& strategies) {
    command
        .add_option("--strategy", strategies,
                    "some of gradient, search, portfolio, separated by commas")
        ->delimiter(',')
        ->take_all()
        ->transform(CLI::CheckedTransformer(strategy_names(), CLI::ignore_case).description(""))
        ->option_text("[all three]");
}

}  // namespace hri::cli
