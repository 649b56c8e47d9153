// SPDX-License-Identifier: Apache-2.0

// hri multitask DATA: the same as hri learn DATA --targets all --strategy gradient.

#include "commands.hpp"
#include "many_targets.hpp"
#include "option_flags.hpp"
#include "own_fields.hpp"

#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    ManyTargets many;
    OptionFlags options;
};

}  // namespace

Command multitask_command() {
    using F = ManyTargets;
    static const std::vector<Field<F>> fields = {
        base::text(own("data", "Scene graphs, as `hri scenes build` writes them, or JSON.", "DATA"),
                   &F::data),
        base::text(own("targets",
                       "The names to learn: all of the data's, some separated by commas, or a file "
                       "with a name per line.",
                       "all|NAMES|FILE"),
                   &F::targets),
        base::text(own("out", "The folder for models, programs and the report.", "DIR"),
                   &F::folder)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "multitask",
        .help = "Learns many targets over scene graphs, with shared embeddings.",
        .details =
            "The same as `hri learn DATA --targets all --strategy gradient`. --out DIR gets\n"
            "programs/NAME.pl, trained/NAME.pl (before polishing), models/NAME.safetensors,\n"
            "shared.safetensors, report.json and checkpoint.safetensors. Neither --threads "
            "nor the number\nof ranks changes the result.",
        .examples =
            "hri multitask gqa.scenes --out run/\n"
            "hri multitask gqa.scenes --targets freq_gqa.txt --init table:glove.tsv --rounds 500\n"
            "hri multitask gqa.scenes --out run/ --resume\n"
            "mpirun -n 4 hri multitask gqa.scenes --out run/ --threads 1"};
    add_flags(command, flags->many, fields);
    make_argument(command, "data");
    flags->many.add_to(command);
    MultitaskSettings& settings = flags->many.settings;
    add_flags(command, settings, fields_of<MultitaskSettings>(),
              {"seed", "device", "threads", "time_limit", "checkpoint_every", "resume"});
    make_threads(command, settings.threads);
    flags->options.add_to(command, joint_options());
    command.run = [flags] {
        return train_many_targets(flags->many, flags->options.apply(flags->many.options()));
    };
    return command;
}

}  // namespace hri::cli
