// SPDX-License-Identifier: Apache-2.0

// hri multitask DATA: one program for each of many targets, over shared embeddings.

#include "hri/multitask.hpp"

#include "hri/represent.hpp"

#include "command.hpp"
#include "interrupt.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ranks/ranks.hpp"
#include "rounds_flags.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <sstream>

namespace hri::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kPairs = 10;

struct Flags {
    std::string data;
    std::string targets_file;
    PriorFlags prior;
    std::string folder;
    bool polish = false;
    MultitaskSettings settings;
    OptionFlags options;
};

/// One name per line; blanks inside are underscores.
std::vector<std::uint32_t> read_targets(const std::string& file, const SceneSet& scenes) {
    std::istringstream lines(read_file(file));
    std::vector<std::uint32_t> targets;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        line.erase(line.find_last_not_of(" \t\r") + 1);
        line.erase(0, line.find_first_not_of(" \t"));
        std::replace(line.begin(), line.end(), ' ', '_');
        if (line.empty() || line.front() == '#') {
            continue;
        }
        try {
            const std::uint32_t target = scene_target(scenes, line);
            if (std::find(targets.begin(), targets.end(), target) == targets.end()) {
                targets.push_back(target);
            }
        } catch (const Error& error) {
            throw Error(error.message(), {file, number, 1}, error.hint());
        }
    }
    if (targets.empty()) {
        throw Error("expected names of targets, one per line", {file, 1, 1});
    }
    return targets;
}

/// Without what file systems treat specially.
std::string file_name(const std::string& predicate) {
    std::string name = predicate;
    for (char& c : name) {
        c = c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
    }
    return name.empty() || name.front() == '.' ? "_" + name : name;
}

Json pairs_json(const std::vector<float>& rows, const Multitask& learned) {
    Json json = Json::array();
    for (const ClosePair& pair : closest_pairs(rows, learned.options.dimension, kPairs)) {
        json.push_back({{"first", learned.predicates[static_cast<std::size_t>(pair.first)].name},
                        {"second", learned.predicates[static_cast<std::size_t>(pair.second)].name},
                        {"similarity", pair.similarity}});
    }
    return json;
}

/// How many of the planted rules of synthetic images came out.
struct Planted {
    int rules = 0;
    int learned = 0;
    int polished = 0;
};

std::vector<Polished> polished(const Flags& flags, const SceneSet& scenes,
                               const Multitask& learned) {
    if (!flags.polish) {
        return {};
    }
    PolishSettings settings;
    settings.most_objects = flags.settings.most_objects;
    settings.seed = flags.settings.seed;
    settings.threads = flags.settings.threads;
    return polish(scenes, learned, settings);
}

/// Prints and writes what one target learned; its part of the report. `better`: null where nothing
/// was polished.
Json report_target(const SceneSet& scenes, const Multitask& learned, std::size_t i,
                   const Polished* better, const fs::path& folder, Planted& planted) {
    const TargetParameters& target = learned.targets[i];
    const std::string& name = learned.predicates[target.target].name;
    const Model model = learned.model(i);
    const Program program = extract(learned, i, scenes);
    const std::optional<Program> wanted = planted_program(scenes, target.target);
    const auto is_wanted = [&](const Program& some) {
        return wanted && same_answers(some, *wanted, scenes.predicates());
    };
    const std::string text = to_text(program);
    fmt::print("{}", text);
    Json json = {{"target", name},
                 {"images", target.images},
                 {"loss", static_cast<double>(target.loss)},
                 {"atoms", size(program)},
                 {"program", text}};
    if (!folder.empty()) {
        save_model(folder / "models" / (file_name(name) + ".safetensors"), model);
        write_file(folder / "programs" / (file_name(name) + ".pl"), to_prolog(program));
    }
    if (wanted) {
        const bool found = is_wanted(program);
        ++planted.rules;
        planted.learned += found ? 1 : 0;
        json["planted"] = {{"program", to_text(*wanted)}, {"learned", found}};
    }
    if (better == nullptr) {
        return json;
    }
    const std::string better_text = to_text(better->program);
    if (better_text != text) {
        fmt::print("  polished: {}", better_text);
    }
    json["polished"] = {
        {"program", better_text}, {"bits", better->bits}, {"bits_before", better->bits_before}};
    if (wanted) {
        const bool found = is_wanted(better->program);
        planted.polished += found ? 1 : 0;
        json["planted"]["polished"] = found;
    }
    if (!folder.empty()) {
        write_file(folder / "polished" / (file_name(name) + ".pl"), to_prolog(better->program));
    }
    return json;
}

void report(const Flags& flags, const SceneSet& scenes, const MultitaskResult& result) {
    const Multitask& learned = result.learned;
    const fs::path folder = flags.folder;
    const std::vector<Polished> better = polished(flags, scenes, learned);
    Json targets = Json::array();
    Planted planted;
    for (std::size_t i = 0; i < learned.targets.size(); ++i) {
        targets.push_back(report_target(scenes, learned, i, flags.polish ? &better[i] : nullptr,
                                        folder, planted));
    }
    if (planted.rules > 0) {
        fmt::print("{} of {} came out of training{}\n", planted.learned,
                   counted(planted.rules, "planted program"),
                   flags.polish ? fmt::format(", {} after polishing", planted.polished) : "");
    }
    const double rate = static_cast<double>(result.instances) / std::max(result.seconds, 1e-9);
    fmt::print("{} of {} over {}{}: {} in {}, {} target-instances per second\n",
               counted(static_cast<std::int64_t>(learned.targets.size()), "target"),
               counted(static_cast<std::int64_t>(learned.predicates.size()), "predicate"),
               counted(static_cast<std::int64_t>(scenes.size()), "image"),
               scenes.origin().synthetic ? " (synthetic)" : "", counted(result.rounds, "round"),
               duration(result.seconds), grouped(static_cast<std::int64_t>(rate)));
    if (result.stop_reason != StopReason::finished) {
        fmt::print("{} before the last of {}{}\n",
                   result.stop_reason == StopReason::interrupted ? "interrupted" : "out of time",
                   counted(flags.settings.rounds, "round"),
                   folder.empty() ? "" : "; --resume goes on");
    }
    if (folder.empty()) {
        return;
    }
    save_multitask(folder / "shared.safetensors", learned);
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"data", flags.data},
                 {"synthetic", scenes.origin().synthetic},
                 {"images", scenes.size()},
                 {"predicates", learned.predicates.size()},
                 {"rounds", result.rounds},
                 {"rounds_wanted", flags.settings.rounds},
                 {"positives", flags.settings.positives},
                 {"randoms", flags.settings.randoms},
                 {"most_objects", flags.settings.most_objects},
                 {"update", flags.settings.update == Update::summed ? "summed" : "sequential"},
                 {"shared", flags.settings.shared},
                 {"init", flags.prior.init},
                 {"seed", flags.settings.seed},
                 {"ranks", Ranks::all().size()},
                 {"threads", flags.settings.threads},
                 {"stop_reason", to_string(result.stop_reason)},
                 {"seconds", result.seconds},
                 {"instances", result.instances},
                 {"instances_per_second", rate}};
    if (flags.settings.prior) {
        json["init_known"] = flags.settings.prior->known;
    }
    if (planted.rules > 0) {
        json["planted"] = planted.rules;
        json["planted_learned"] = planted.learned;
        if (flags.polish) {
            json["planted_polished"] = planted.polished;
        }
    }
    json["closest_before"] = pairs_json(learned.start, learned);
    json["closest_after"] = pairs_json(learned.background, learned);
    json["targets"] = std::move(targets);
    write_json((folder / "report.json").string(), json);
}

void make_folders(const fs::path& folder, bool polish) {
    std::error_code code;
    for (const char* name : {"models", "programs", polish ? "polished" : "programs"}) {
        fs::create_directories(folder / name, code);
        if (code) {
            throw Error("cannot make the folder: " + code.message(), {(folder / name).string()});
        }
    }
}

int run(Flags& flags) {
    const Ranks& ranks = Ranks::all();
    flags.settings.split = true;
    const SceneSet scenes = open_scenes(flags.data);
    const Options options = flags.options.apply(multitask_options());
    MultitaskSettings& settings = flags.settings;
    if (!flags.targets_file.empty()) {
        settings.targets = read_targets(flags.targets_file, scenes);
    }
    settings.prior = flags.prior.read(scenes.predicates(), options.dimension, settings.seed);
    if (!flags.folder.empty()) {
        if (ranks.is_first()) {
            make_folders(flags.folder, flags.polish);
        }
        settings.checkpoint = fs::path(flags.folder) / "checkpoint.safetensors";
    } else if (settings.resume) {
        throw Error("--resume goes on from the checkpoint of --out DIR", {}, "give --out");
    }
    ProgressBar bar;
    settings.interrupt = &catch_interrupts();
    settings.progress = [&bar](const MultitaskProgress& now) {
        bar.show(static_cast<double>(now.round) / now.rounds,
                 fmt::format("round {}, loss {:.4f}", now.round, now.loss));
    };
    const MultitaskResult result = learn_targets(scenes, options, settings);
    bar.clear();
    if (ranks.is_first()) {
        report(flags, scenes, result);
    }
    return kYes;
}

}  // namespace

void add_multitask(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    MultitaskSettings& settings = flags->settings;
    CLI::App* command = app.add_subcommand(
        "multitask", "Learn many targets over scene graphs, with shared embeddings");
    command->option_defaults()->take_last();
    command->footer(
        "--out DIR gets models/NAME.safetensors, programs/NAME.pl, shared.safetensors, report.json "
        "and\n"
        "checkpoint.safetensors. Neither --jobs nor the number of ranks changes the result.\n\n"
        "Examples:\n"
        "  hri multitask gqa.scenes --out run/\n"
        "  hri multitask gqa.scenes --targets freq_gqa.txt --init table:glove.tsv --rounds 500\n"
        "  hri multitask gqa.scenes --out run/ --resume --polish\n"
        "  mpirun -n 4 hri multitask gqa.scenes --out run/ --jobs 1");
    command->add_option("data", flags->data, "scene graphs, as `hri scenes build` writes them")
        ->required()
        ->option_text("DATA");
    command
        ->add_option("--targets", flags->targets_file,
                     "names of unary predicates, one per line; without it those of the data")
        ->option_text("FILE");
    add_rounds_flags(*command, settings, flags->prior);
    command->add_flag("--polish", flags->polish,
                      "afterwards change programs by single atoms and clauses, as long as that "
                      "shortens the description of the training images");
    command->add_option("--time-limit", settings.time_limit, "seconds; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->option_text("[0]");
    command->add_option("--out", flags->folder, "where models, programs and the report go")
        ->option_text("DIR");
    command->add_option("--checkpoint-every", settings.checkpoint_every, "rounds")
        ->check(CLI::PositiveNumber)
        ->option_text("[50]");
    command->add_flag("--resume", settings.resume, "go on from the checkpoint in --out DIR");
    flags->options.add_to(*command);
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
