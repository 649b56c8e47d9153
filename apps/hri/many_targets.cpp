// SPDX-License-Identifier: Apache-2.0

#include "many_targets.hpp"

#include "hri/graph_scenes.hpp"
#include "hri/smallest_hierarchy.hpp"

#include "base/mpi.hpp"
#include "base/utf8.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace hri::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kPairs = 10;
constexpr double kJointShare = 0.9;  // of the rounds, where targets are trained jointly

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

/// The name without characters that file systems treat specially.
std::string file_name(const std::string& predicate) {
    std::string name = predicate;
    for (char& c : name) {
        c = c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
    }
    constexpr std::size_t kMaxBytes = 180;  // with endings and temporary names below 255
    if (name.size() > kMaxBytes) {
        name.resize(base::valid_utf8(std::string_view(name).substr(0, kMaxBytes)));
    }
    return name.empty() || name.front() == '.' ? "_" + name : name;
}

/// Each target's own, however alike names are: `t/v` and `t_v` get t_v and t_v.2.
std::vector<std::string> file_names(const Multitask& learned) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const TargetParameters& target : learned.targets) {
        const std::string wanted = file_name(learned.predicates[target.target].name);
        std::string name = wanted;
        for (int i = 2; !taken.insert(name).second; ++i) {
            name = fmt::format("{}.{}", wanted, i);
        }
        names.push_back(name);
    }
    return names;
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

/// Counts over all targets.
struct Tally {
    int planted = 0;  // rules of synthetic images
    int trained = 0;  // of them came out of training
    int polished = 0;
    int changed = 0;  // programs, by polishing
};

/// Prints rules with their confidences, a line each.
Json report_rules(const ConfidentRules& rules) {
    Json json = Json::array();
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleConfidence& of = rules.rules[r];
        Program one = rules.program;
        one.rules = {rules.program.rules[r]};
        const std::string text = to_text(one);
        fmt::print("  {:.2f}, {} of {}: {}", of.confidence, of.correct, of.covered, text);
        json.push_back({{"rule", text.substr(0, text.size() - 1)},
                        {"confidence", of.confidence},
                        {"correct", of.correct},
                        {"covered", of.covered}});
    }
    return json;
}

/// Prints and writes what one target learned; its part of the report. `better`: null where nothing
/// was polished; `rules`: null where none have confidences.
Json report_target(const SceneSet& scenes, const Multitask& learned, std::size_t i,
                   const RefinedRules* better, const ConfidentRules* rules, const fs::path& folder,
                   const std::string& file, Tally& tally, Attempts& writing) {
    const TargetParameters& target = learned.targets[i];
    const std::string& name = learned.predicates[target.target].name;
    const Program trained = extract(learned, i, scenes);
    const Program& program = better == nullptr ? trained : better->program;
    const std::string text = to_text(program);
    fmt::print("{}", text);
    Json json = {{"target", name},
                 {"images", target.images},
                 {"loss", static_cast<double>(target.loss)},
                 {"atoms", size(program)},
                 {"program", text}};
    if (better != nullptr) {
        json["trained"] = to_text(trained);
        json["bits"] = better->bits;
        json["bits_trained"] = better->bits_before;
        tally.changed += json["trained"] != text ? 1 : 0;
    }
    if (const std::optional<Program> wanted = planted_program(scenes, target.target)) {
        const auto is_wanted = [&](const Program& some) {
            return same_answers(some, *wanted, scenes.predicates());
        };
        const bool found = is_wanted(trained);
        ++tally.planted;
        tally.trained += found ? 1 : 0;
        json["planted"] = {{"program", to_text(*wanted)}, {"trained", found}};
        if (better != nullptr) {
            const bool found_too = is_wanted(program);
            tally.polished += found_too ? 1 : 0;
            json["planted"]["polished"] = found_too;
        }
    }
    if (rules != nullptr) {
        json["otherwise"] = rules->otherwise;
        json["rules"] = report_rules(*rules);
    }
    if (folder.empty()) {
        return json;
    }
    writing.attempt([&] {
        if (rules != nullptr) {
            fs::create_directories(folder / "rules");
            write_file(folder / "rules" / (file + ".pl"), to_prolog(*rules));
        }
        save_model(folder / "models" / (file + ".safetensors"), learned.model(i));
        write_file(folder / "programs" / (file + ".pl"), to_prolog(program));
        if (better != nullptr) {
            write_file(folder / "trained" / (file + ".pl"), to_prolog(trained));
        }
    });
    return json;
}

void tell_the_end(const ManyTargets& flags, StopReason reason, bool polished, int rounds) {
    if (reason == StopReason::finished && (polished || !flags.polish)) {
        return;
    }
    fmt::print("{} before {}{}\n", reason == StopReason::time_limit ? "out of time" : "interrupted",
               rounds >= flags.settings.rounds
                   ? "programs were polished"
                   : "the last of " + counted(flags.settings.rounds, "round"),
               flags.folder.empty() ? "" : "; --resume goes on");
}

/// `better`: empty where nothing was polished; `rules`: where none have confidences.
void report(const ManyTargets& flags, const SceneSet& scenes, const MultitaskResult& result,
            const std::vector<RefinedRules>& better, const std::vector<ConfidentRules>& rules) {
    const Multitask& learned = result.learned;
    const fs::path folder = flags.folder;
    const std::vector<std::string> files = file_names(learned);
    Attempts writing;
    Json targets = Json::array();
    Tally tally;
    for (std::size_t i = 0; i < learned.targets.size(); ++i) {
        targets.push_back(report_target(scenes, learned, i, better.empty() ? nullptr : &better[i],
                                        rules.empty() ? nullptr : &rules[i], folder, files[i],
                                        tally, writing));
    }
    if (!better.empty()) {
        fmt::print("polishing changed {} of {}{}\n", tally.changed,
                   counted(static_cast<std::int64_t>(better.size()), "program"),
                   folder.empty()
                       ? ""
                       : "; those of training alone are in " + (folder / "trained").string());
    }
    if (tally.planted > 0) {
        fmt::print("{} of {} came out of training{}\n", tally.trained,
                   counted(tally.planted, "planted program"),
                   better.empty() ? "" : fmt::format(", {} after polishing", tally.polished));
    }
    const double rate = static_cast<double>(result.instances) / std::max(result.seconds, 1e-9);
    fmt::print("{} of {} over {}{}: {} in {}, {} target-instances per second\n",
               counted(static_cast<std::int64_t>(learned.targets.size()), "target"),
               counted(static_cast<std::int64_t>(learned.predicates.size()), "predicate"),
               counted(static_cast<std::int64_t>(scenes.size()), "image"),
               scenes.origin().synthetic ? " (synthetic)" : "", counted(result.rounds, "round"),
               duration(result.seconds), grouped(static_cast<std::int64_t>(rate)));
    tell_the_end(flags, result.stop_reason, !better.empty(), result.rounds);
    if (folder.empty()) {
        return;
    }
    writing.attempt([&] { save_multitask(folder / "shared.safetensors", learned); });
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
                 {"max_objects", flags.settings.max_objects},
                 {"update", flags.settings.update == Update::summed ? "summed" : "sequential"},
                 {"joint", flags.settings.joint},
                 {"shared", flags.settings.shared},
                 {"init", flags.prior.init},
                 {"seed", flags.settings.seed},
                 {"ranks", base::Communicator::all().size()},
                 {"threads", flags.settings.threads},
                 {"stop_reason", to_string(result.stop_reason)},
                 {"polished", !better.empty()},
                 {"seconds", result.seconds},
                 {"instances", result.instances},
                 {"instances_per_second", rate}};
    if (flags.settings.prior) {
        json["init_known"] = flags.settings.prior->known;
    }
    if (tally.planted > 0) {
        json["planted"] = tally.planted;
        json["planted_trained"] = tally.trained;
        if (!better.empty()) {
            json["planted_polished"] = tally.polished;
        }
    }
    json["closest_before"] = pairs_json(learned.start, learned);
    json["closest_after"] = pairs_json(learned.background, learned);
    json["targets"] = std::move(targets);
    writing.attempt([&] { write_json((folder / "report.json").string(), json); });
    writing.finish();
}

/// The folder of the programs that are ready while others are polished.
constexpr const char* kPolishing = "polishing";

/// Removes our files. Files of others stay, and so does the folder then.
void remove_polished(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with("polished-")) {
            fs::remove(entry.path(), ignored);
        }
    }
    fs::remove(folder, ignored);
}

void make_folders(const fs::path& folder, bool polish) {
    check_folder(folder.string(), {"report.json", "shared.safetensors", "checkpoint.safetensors"});
    std::error_code code;
    for (const char* name : {"models", "programs", polish ? "trained" : "programs",
                             polish ? kPolishing : "programs"}) {
        fs::create_directories(folder / name, code);
        if (code) {
            throw Error("cannot make the folder: " + code.message(), {(folder / name).string()});
        }
    }
}

/// The worlds around the entities of a knowledge graph.
SceneSet scenes_of_graph(const std::string& source, const MultitaskSettings& settings) {
    const GraphData data = read_graph(source);
    const Graph graph(data);
    return graph_scenes(data, graph, {.max_objects = settings.max_objects, .seed = settings.seed})
        .scenes;
}

}  // namespace

bool holds_scenes(const std::string& source) {
    std::array<char, 8> begin = {};
    std::ifstream(source, std::ios::binary).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == "hriscene" ||
           fs::path(source).extension() == ".json" || fs::exists(fs::path(source) / "objects.json");
}

SceneSet load_scenes(const std::string& source) {
    if (fs::is_directory(source) || fs::path(source).extension() == ".json") {
        return read_scenes({source}, paper_merges());
    }
    return open_scenes(source);
}

std::vector<std::uint32_t> named_targets(const std::string& text, const SceneSet& scenes) {
    if (text == "all") {
        return {scenes.targets().begin(), scenes.targets().end()};
    }
    if (fs::exists(text)) {
        return read_targets(text, scenes);
    }
    std::vector<std::uint32_t> targets;
    for (const std::string& name : base::pieces(text)) {
        try {
            targets.push_back(scene_target(scenes, name));
        } catch (const Error& error) {
            throw Error("targets: " + error.message(), {},
                        "give all, names separated by commas, or a file with a name per line");
        }
    }
    if (targets.empty()) {
        throw Error("targets: expected all, names separated by commas, or a file of names");
    }
    return targets;
}

int train_many_targets(ManyTargets& flags, const Options& options) {
    const base::Communicator& ranks = base::Communicator::all();
    flags.settings.split = true;
    MultitaskSettings& settings = flags.settings;
    const bool of_graph = !holds_scenes(flags.data) && looks_like_graph(flags.data);
    const SceneSet scenes =
        of_graph ? scenes_of_graph(flags.data, settings) : load_scenes(flags.data);
    settings.targets = named_targets(flags.targets, scenes);
    if ((of_graph || flags.preset == "paper") && !flags.joint_given) {
        settings.joint = 0;
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
    settings.checkpoint_failed = [](const Error& error) {
        fmt::print(stderr, "hri: warning: no checkpoint was written: {}\n", error.what());
    };
    const auto begin = std::chrono::steady_clock::now();
    MultitaskResult result = learn_targets(scenes, options, settings);
    bar.clear();
    ProgressBar polishing;
    std::vector<RefinedRules> better;
    if (flags.polish && result.stop_reason == StopReason::finished) {
        const Deadline deadline(settings.interrupt, settings.time_limit, begin);
        better = refine_rules(
            scenes, result.learned,
            {.max_objects = settings.max_objects,
             .seed = settings.seed,
             .threads = settings.threads,
             .split = true,
             .interrupt = &deadline.is_over(),
             .progress = [&polishing](double share) { polishing.show(share, "polishing"); },
             .checkpoint = flags.folder.empty() ? fs::path() : fs::path(flags.folder) / kPolishing,
             .checkpoint_failed = settings.checkpoint_failed});
        if (better.empty()) {
            result.stop_reason =
                *settings.interrupt ? StopReason::interrupted : StopReason::time_limit;
        }
    }
    polishing.clear();
    if (!ranks.is_first()) {
        return kYes;
    }
    if (ranks.size() > 1 && *settings.interrupt) {  // the launcher ends all ranks in a second
        tell_the_end(flags, result.stop_reason, false, result.rounds);
        return kNo;
    }
    std::vector<ConfidentRules> rules;
    if (!of_graph && result.stop_reason != StopReason::interrupted) {
        std::vector<Program> more;
        for (const RefinedRules& one : better)
            more.push_back(one.program);
        rules = extract_rules(scenes, result.learned, more, {.threads = settings.threads});
    }
    report(flags, scenes, result, better, rules);
    if (!better.empty() && !flags.folder.empty()) {
        remove_polished(fs::path(flags.folder) / kPolishing);
    }
    return result.stop_reason == StopReason::interrupted ? kNo : kYes;
}

Options ManyTargets::options() const {
    return preset == "paper" ? multitask_options() : joint_options();
}

void ManyTargets::add_to(Command& command) {
    using F = ManyTargets;
    static const std::vector<Field<F>> fields = {
        base::word(
            {.name = "preset",
             .help = "The settings of training many targets: joint lets all targets compete "
                     "for objects in one softmax, paper trains each alone as the paper does.",
             .group = "Rounds",
             .placeholder = "NAME"},
            &F::preset, {"joint", "paper"}),
        base::boolean({.name = "polish",
                       .help = "Keeps programs as training gives them, which is the paper's "
                               "method. Otherwise atoms and clauses are changed while that "
                               "shortens the description of the training images.",
                       .group = "Rounds",
                       .flag = "no-polish",
                       .common = true,
                       .turns_off = true},
                      &F::polish)};
    settings.joint = kJointShare;
    add_flags(command, *this, fields);
    add_flags(
        command, settings, fields_of<MultitaskSettings>(),
        {"rounds", "positives", "randoms", "max_objects", "update", "joint", "hardness", "shared"});
    prior.add_to(command);
    Flag& joint = command.flag("joint");
    joint.set = [this, set = joint.set](const std::string& text) {
        set(text);
        joint_given = true;
    };
}

}  // namespace hri::cli
