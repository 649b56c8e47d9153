// SPDX-License-Identifier: Apache-2.0
#include "rounds_flags.hpp"

#include "runs.hpp"

#include <map>

namespace hri::cli {

void add_rounds_flags(CLI::App& command, MultitaskSettings& settings, PriorFlags& prior) {
    settings.threads = all_cores();
    command.add_option("--rounds", settings.rounds, "over all targets")
        ->check(CLI::PositiveNumber)
        ->option_text("[3000]");
    command
        .add_option("--positives", settings.positives,
                    "images with the target, per target and round")
        ->check(CLI::Range(1, 100'000))
        ->option_text("[5]");
    command
        .add_option("--randoms", settings.randoms, "images of other targets, per target and round")
        ->check(CLI::Range(0, 100'000))
        ->option_text("[5]");
    command.add_option("--most-objects", settings.max_objects, "images with more are skipped")
        ->check(CLI::Range(1, 10'000))
        ->option_text("[15]");
    prior.add_to(command);
    command
        .add_option("--update", settings.update,
                    "of shared embeddings: once per round against the sum over targets (summed), "
                    "or after every image, one target after the other (sequential)")
        ->transform(CLI::CheckedTransformer(
                        std::map<std::string, Update>{{"summed", Update::summed},
                                                      {"sequential", Update::sequential}})
                        .description(""))
        ->option_text("[summed]");
    command.add_flag_callback(
        "--unshared", [&settings] { settings.shared = false; },
        "every target has background embeddings of its own");
    command.add_option("--seed", settings.seed, "of all random numbers")->option_text("[0]");
    command.add_option("--jobs", settings.threads, "threads of each process")
        ->check(CLI::Range(1, 1024))
        ->option_text("[all]");
}

}  // namespace hri::cli
