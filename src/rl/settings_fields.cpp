// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for learning a policy.

#include "hri/rl.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<RlSettings>>& fields_of<RlSettings>() {
    using S = RlSettings;
    constexpr const char* kPpo = "PPO";
    constexpr const char* kSearch = "Search for a policy";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "policy_temperature",
                      .help = "The temperature of the softmax over actions.",
                      .group = kPpo},
                     &S::policy_temperature, 1e-6, 1e6),
        base::number({.name = "gae_lambda",
                      .help = "The parameter lambda of the advantage estimate.",
                      .group = kPpo},
                     &S::gae_lambda, 0, 1),
        base::number({.name = "discount", .help = "The discount of rewards.", .group = kPpo},
                     &S::discount, 0, 1),
        base::number({.name = "trajectories",
                      .help = "The episodes per update.",
                      .group = kPpo,
                      .common = true},
                     &S::trajectories, 1),
        base::number({.name = "clip",
                      .help = "The bound on the change of an action's probability in an update.",
                      .group = kPpo},
                     &S::clip, 0, 1),
        base::number(
            {.name = "critic_hidden", .help = "The hidden units of the critic.", .group = kPpo},
            &S::critic_hidden, 1, 100'000),
        base::number({.name = "passes",
                      .help = "The passes over the episodes of an update.",
                      .group = kPpo,
                      .common = true},
                     &S::passes, 1),
        base::number(
            {.name = "critic_rate", .help = "The learning rate of the critic.", .group = kPpo},
            &S::critic_rate, 0, 100),
        base::number({.name = "weight_decay",
                      .help = "The weight decay of all parameters, times the learning rate.",
                      .group = kPpo},
                     &S::weight_decay, 0, 100),
        base::number({.name = "gumbel_updates",
                      .help = "The updates over which Gumbel noise falls to 0.",
                      .group = kPpo,
                      .common = true},
                     &S::gumbel_updates, 1),
        base::number(
            {.name = "noise_draws",
             .help = "The draws of noise per update; 0 makes a new one for every state and "
                     "pass.",
             .group = kPpo,
             .common = true},
            &S::noise_draws, 0),
        base::number({.name = "random_starts",
                      .help = "The share of episodes that begin in a random state of the training "
                              "size; no test start is drawn.",
                      .group = kPpo,
                      .common = true},
                     &S::random_starts, 0, 1),
        base::number({.name = "imitation",
                      .help = "The weight of imitating, in each state, the moves that led to the "
                              "most reward seen from it.",
                      .group = kPpo,
                      .common = true},
                     &S::imitation, 0, 1e6),
        base::number({.name = "imitation_temperature",
                      .help = "The temperature of the softmax over actions in imitation.",
                      .group = kPpo},
                     &S::imitation_temperature, 1e-6, 1e6),
        base::number({.name = "imitation_negatives",
                      .help = "The weight of the label false of all other moves in imitation; 0 "
                              "takes a softmax over actions instead of labels.",
                      .group = kPpo,
                      .common = true},
                     &S::imitation_negatives, 0, 1e6),
        base::number({.name = "program_updates",
                      .help = "The updates of PPO over programs, after those over moves; 0: none.",
                      .group = kPpo,
                      .common = true},
                     &S::program_updates, 0),
        base::number({.name = "drawn_programs",
                      .help = "The programs drawn per update of PPO over programs.",
                      .group = kPpo,
                      .common = true},
                     &S::drawn_programs, 2, 10'000'000),
        base::number({.name = "program_exploration",
                      .help = "The probability that a slot of a drawn program takes its match by a "
                              "plain prior; falls to 0.",
                      .group = kPpo},
                     &S::program_exploration, 0, 1),
        base::number({.name = "program_imitation",
                      .help = "The weight of imitating the best programs that were drawn.",
                      .group = kPpo},
                     &S::program_imitation, 0, 1e6),
        base::number(
            {.name = "ppo_runs",
             .help = "The most runs of PPO, of which that with the most reward on training "
                     "starts is kept.",
             .group = kPpo,
             .common = true},
            &S::ppo_runs, 1),
        base::number(
            {.name = "size",
             .help = "The blocks of training, or boxes, rooms, ...; 0 takes the task's own.",
             .group = kSearch,
             .common = true},
            &S::size, 0, 100),
        base::number({.name = "failure",
                      .help = "The probability that a move fails, in training and judging.",
                      .group = kSearch,
                      .common = true},
                     &S::failure, 0, 0.99),
        base::number({.name = "seed",
                      .help = "The seed of all random numbers.",
                      .group = kSearch,
                      .common = true},
                     &S::seed, 0),
        base::number({.name = "restarts",
                      .help = "The most restarts of the search for a program after PPO.",
                      .group = kSearch,
                      .common = true},
                     &S::restarts, 1),
        base::number(
            {.name = "judged_starts",
             .help = "The random starts from which programs are tried, beside the training "
                     "start; no test start is drawn.",
             .group = kSearch,
             .common = true},
            &S::judged_starts, 0, 100'000),
        base::number({.name = "evaluations",
                      .help = "The programs tried after PPO in each run; 0 takes the argmax only.",
                      .group = kSearch,
                      .common = true},
                     &S::evaluations, 0),
        base::choice({.name = "guide",
                      .help = "The distribution that programs are drawn from: the scores that PPO "
                              "learned, those of "
                              "an untrained model, or a plain prior.",
                      .group = kSearch,
                      .common = true},
                     &S::guide,
                     {{"learned", Guide::learned},
                      {"untrained", Guide::untrained},
                      {"prior", Guide::prior}}),
        base::number({.name = "time_limit",
                      .help = "The seconds of a seed after which learning stops; 0 means no limit.",
                      .group = kSearch,
                      .placeholder = "SECONDS",
                      .common = true},
                     &S::time_limit, 0)};
    return fields;
}

}  // namespace hri
