// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for a learning run.

#include "hri/learn.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<LearnSettings>>& fields_of<LearnSettings>() {
    using S = LearnSettings;
    constexpr const char* kGroup = "Run";
    static const std::vector<Field<S>> fields = {
        base::choice({.name = "strategy",
                      .help = "The method that finds programs: the paper's training, search, "
                              "clauses, or all of them in a portfolio.",
                      .group = kGroup,
                      .common = true},
                     &S::strategy,
                     {{"gradient", Strategy::gradient},
                      {"search", Strategy::search},
                      {"clauses", Strategy::clauses},
                      {"portfolio", Strategy::portfolio}}),
        base::choice({.name = "device",
                      .help = "The device that trains. A GPU trains all restarts side by side, in "
                              "the exact mode.",
                      .group = kGroup,
                      .strategies = "gradient, portfolio"},
                     &S::device, {{"cpu", Device::cpu}, {"cuda", Device::cuda}}),
        base::number({.name = "seed",
                      .help = "The seed of all random numbers.",
                      .group = kGroup,
                      .common = true},
                     &S::seed, 0),
        base::number({.name = "time_limit",
                      .help = "The seconds after which learning stops; 0 means no limit. Each fold "
                              "has this limit.",
                      .group = kGroup,
                      .placeholder = "SECONDS",
                      .common = true},
                     &S::time_limit, 0),
        base::number({.name = "max_work",
                      .help = "The number of programs to try, where a training iteration counts as "
                              "300; 0 means no limit. With it and no time limit the result depends "
                              "on the seed alone.",
                      .group = kGroup},
                     &S::max_work, 0),
        base::choice({.name = "stop",
                      .help = "When learning ends: at the first program without errors, or when "
                              "nothing shorter has been found for a while, counted in programs "
                              "tried.",
                      .group = kGroup,
                      .strategies = "search, clauses, portfolio",
                      .common = true},
                     &S::stop, {{"first-fit", StopRule::first_fit}, {"best", StopRule::best}}),
        base::boolean({.name = "grow",
                       .help = "Layers and auxiliaries stay as given.",
                       .group = kGroup,
                       .flag = "no-growth",
                       .strategies = "search, portfolio",
                       .turns_off = true},
                      &S::grow),
        base::number({.name = "restarts",
                      .help = "The largest number of training runs; the first that fits ends them.",
                      .group = kGroup,
                      .strategies = "gradient"},
                     &S::restarts, 1, 1'000'000),
        base::number({.name = "log_every",
                      .help = "The iterations between points of the training curve; 0 means none.",
                      .group = kGroup,
                      .strategies = "gradient"},
                     &S::log_every, 0),
        base::choice({.name = "constants_in_rules",
                      .help = "Clauses may name constants of the data; automatic: where the "
                              "bias allows it, or nothing fits without.",
                      .group = kGroup,
                      .strategies = "clauses, portfolio"},
                     &S::constants_in_rules,
                     {{"automatic", RuleTerms::automatic},
                      {"always", RuleTerms::always},
                      {"never", RuleTerms::never}}),
        base::choice({.name = "numbers_in_rules",
                      .help = "Clauses may compare numbers with thresholds and with "
                              "each other; automatic: as for constants.",
                      .group = kGroup,
                      .strategies = "clauses, portfolio"},
                     &S::numbers_in_rules,
                     {{"automatic", RuleTerms::automatic},
                      {"always", RuleTerms::always},
                      {"never", RuleTerms::never}}),
        base::number({.name = "threads",
                      .help = "The number of threads; the result does not depend on it.",
                      .group = kGroup,
                      .common = true},
                     &S::threads, 1, 1024)};
    return fields;
}

}  // namespace hri
