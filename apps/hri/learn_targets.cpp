// SPDX-License-Identifier: Apache-2.0

// hri learn DATA --targets NAMES: several targets in one run.

#include "hri/folds.hpp"
#include "hri/learn.hpp"

#include "base/utf8.hpp"
#include "interrupt.hpp"
#include "learn_flags.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report_text.hpp"

#include <functional>
#include <set>

namespace hri::cli {

int learn_targets_together(LearnFlags& flags) {
    if (!flags.reading.options().target.empty()) {
        throw Error("targets: --target names one already", {}, "use one of {target} and {targets}");
    }
    const std::string targets = base::joined(flags.graph.targets, ",");
    const LearnSettings& settings = flags.settings;
    if (settings.strategy != Strategy::gradient) {
        return learn_name_rules({flags.task, targets, flags.folds, settings.seed, settings.threads,
                                 flags.program_file, flags.json_file});
    }
    if (flags.folds > 0 || !flags.program_file.empty() || !flags.json_file.empty()) {
        throw Error("many targets that are trained together are written to a folder", {},
                    "use --out DIR alone; `hri reproduce gqa --data` has folds");
    }
    flags.many.data = flags.task;
    flags.many.targets = targets;
    flags.many.folder = flags.model_file;
    flags.many.settings.seed = settings.seed;
    flags.many.settings.device = settings.device;
    flags.many.settings.threads = settings.threads;
    flags.many.settings.time_limit = flags.time_limit_given ? settings.time_limit : 0;
    flags.many.settings.resume = flags.resume;
    return train_many_targets(flags.many, flags.options.apply(flags.many.options()));
}

std::vector<TargetReport> learn_jointly(const LearnFlags& flags) {
    if (!flags.reading.options().target.empty()) {
        throw Error("targets: --target names one already", {}, "use one of {target} and {targets}");
    }
    if (!flags.model_file.empty() || !flags.checkpoint_file.empty() || !flags.log_file.empty() ||
        flags.folds > 0) {
        throw Error("targets that are learned together have clauses, no models", {},
                    "leave out --out, --checkpoint, --log and --folds");
    }
    const std::vector<std::string>& names = flags.graph.targets;
    const bool all = names.size() == 1 && names[0] == "all";
    std::set<std::string> found;
    const auto wanted = [&](const std::string& target) {
        for (const std::string& name : names) {
            if (target == name || target.substr(0, target.rfind('/')) == name) {
                found.insert(name);
                return true;
            }
        }
        return false;
    };
    std::vector<Problem> problems;
    for (TaskArgument& argument : load_tasks(
             flags.task, {}, flags.reading.options(),
             all ? std::function<bool(const std::string&)>{} : wanted, flags.reading.tables())) {
        problems.push_back(std::move(argument.problem));
        if (flags.hold_out > 0) {
            problems.back() = held_out(problems.back(), flags.hold_out / 100, flags.settings.seed);
        }
    }
    for (const std::string& name : names) {
        if (!all && problems.size() > 1 && found.count(name) == 0) {
            throw Error("there is no target " + name, {flags.task});
        }
    }
    for (const std::string& file : {flags.program_file, flags.json_file}) {
        check_writable(file);
    }
    LearnSettings settings = flags.settings;
    settings.interrupt = &catch_interrupts();
    ProgressBar bar;
    settings.progress = [&bar](const LearnProgress& now) {
        bar.show(now.fraction, progress_line(now));
    };
    std::vector<TargetReport> reports =
        learn_together(std::move(problems), flags.options.apply({}), settings);
    bar.clear();
    for (TargetReport& learned : reports) {
        learned.settings.progress = {};
    }
    return reports;
}

}  // namespace hri::cli
