// SPDX-License-Identifier: Apache-2.0

// hri reproduce gqa: R@1 and R@5 of many targets over scene graphs, the paper's beside ours, and
// the rules; on given scenes, or on synthetic ones whose rules are known.

#include "interrupt.hpp"
#include "many_targets.hpp"
#include "name_methods.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "scene_source.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <unordered_map>

namespace hri::cli {
namespace {

struct Flags {
    SceneSource source;
    std::string test;
    int folds = 10;
    int runs = 0;  // 0: all folds of given scenes, one of synthetic ones
    int first_fold = 1;
    bool planted_targets = false;
    NameMethods methods;
    ManyTargets many;
    std::string json_file;
    OptionFlags options;
};

struct PaperRow {
    const char* name;
    const char* recall_at_1;
    const char* recall_at_5;
};

/// The paper's table of 150 objects, in percent.
constexpr std::array kPaper = {
    PaperRow{"paper: MLP+RCNN", "53", "81"}, PaperRow{"paper: Freq", "40", "44"},
    PaperRow{"paper: NLIL", "51", "52"}, PaperRow{"paper: HRI", "53", "60"}};

/// The paper's table of learned rules.
constexpr std::array kPaperRules = {
    "wrist(X) <- (watch(Y) & on(Y,X)) | False", "person(X) <- (on(X,Y) & bench(Y)) | wearing(X,T)",
    "vase(X) <- (aux(X,Y) & flowers(Y)) | False, aux(X,Y) <- (True & on(Y,X)) | with(X,Y)",
    "logo(X) <- (aux0(X) & True) | aux1(X), aux0(X) <- (on(X,Y) & kite(Y)) | False, "
    "aux1(X) <- (on(X,Y) & laptop(Y)) | False"};

std::vector<std::uint32_t> targets_of(const Flags& flags, const SceneSet& scenes) {
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t target : scenes.targets()) {
        if (!flags.planted_targets || planted_program(scenes, target)) {
            targets.push_back(target);
        }
    }
    if (targets.empty()) {
        throw Error("these scenes have no planted rules", {flags.source.data},
                    "leave out --planted-targets");
    }
    return targets;
}

/// Names that rules take for others in the first fold, each with an example.
void print_failures(const NameTable& table, const SceneSet& scenes) {
    const auto name = [&](std::uint32_t p) { return scenes.predicates()[p].name; };
    for (const Confusion& one : table.confusions) {
        const Scene scene = scenes[one.image];
        std::vector<std::string> facts;
        for (const SceneLabel& label : scene.names) {
            facts.push_back(fmt::format("{}({})", name(label.predicate), label.object));
        }
        for (const auto& [relation, subject, object] : scene.relations) {
            if (subject == one.object || object == one.object) {
                facts.push_back(fmt::format("{}({},{})", name(relation), subject, object));
            }
        }
        const auto of = [&](std::size_t i) { return name(table.rules.names[i].target); };
        fmt::print("{} is taken for {}: {} of {}, as object {} of image {}\n  {}\n", of(one.name),
                   of(one.guess), one.count, one.objects, one.object, scene.image,
                   fmt::join(facts, " "));
        for (const std::size_t r : one.rules) {
            const SceneRule& rule = table.rules.names[one.guess].rules[r];
            fmt::print("  {:.2f}, {} of {}: {}\n", rule.confidence, rule.correct, rule.covered,
                       rule_text(table.rules, one.guess, r));
        }
    }
}

Json failures_json(const NameTable& table, const SceneSet& scenes) {
    Json json = Json::array();
    for (const Confusion& one : table.confusions) {
        const auto name = [&](std::size_t i) {
            return scenes.predicates()[table.rules.names[i].target].name;
        };
        json.push_back({{"name", name(one.name)},
                        {"guess", name(one.guess)},
                        {"count", one.count},
                        {"objects", one.objects},
                        {"image", std::string(scenes[one.image].image)}});
    }
    return json;
}

void print(const Flags& flags, const NameTable& table, const std::vector<std::uint32_t>& targets,
           const SceneSet& scenes) {
    std::vector<std::vector<std::string>> rows = {recall_header("in percent")};
    for (const PaperRow& paper : kPaper) {
        rows.push_back({paper.name, paper.recall_at_1, paper.recall_at_5, "", "", "", ""});
    }
    std::vector<std::pair<const char*, const FoldedRecalls*>> ours;
    const std::vector<Baseline> untrained = untrained_methods(flags.methods);
    for (std::size_t i = 0; i < untrained.size(); ++i) {
        ours.emplace_back(untrained[i].title, &table.untrained[i]);
    }
    if (flags.methods.training) {
        ours.emplace_back("HRI, soft", &table.soft);
        ours.emplace_back("HRI, soft, calibrated", &table.calibrated);
        ours.emplace_back("HRI, soft, with weighted rules", &table.blend);
        ours.emplace_back("HRI, symbolic", &table.found.recalls);
        ours.emplace_back("HRI, rules by confidence", &table.trained_rules);
        if (flags.many.polish) {
            ours.emplace_back("HRI, polished", &table.polished.recalls);
            ours.emplace_back("HRI, polished, by confidence", &table.polished_rules);
        }
    }
    for (const auto& [name, recalls] : ours) {
        std::vector<std::string> row = recalls->cells();
        row.insert(row.begin(), name);
        rows.push_back(std::move(row));
    }
    fmt::print(
        "{}The paper does not say which reading its figures are; they stand under the "
        "first. Its start was GPT-2's vectors, ours {}.\n\nrules of the paper\n",
        aligned(rows, 1), flags.many.prior.init);
    for (const char* rule : kPaperRules) {
        fmt::print("  {}\n", rule);
    }
    if (!flags.methods.training) {
        return;
    }
    fmt::print("rules learned here{}\n", scenes.origin().synthetic ? " (synthetic scenes)" : "");
    for (std::size_t t = 0; t < table.polished.programs.size(); ++t) {
        const std::string& name = scenes.predicates()[targets[t]].name;
        if (targets.size() <= 20 || name == "wrist" || name == "person" || name == "vase" ||
            name == "logo") {
            fmt::print("  {}  polished: {}", to_text(table.found.programs[t]),
                       to_text(table.polished.programs[t]));
        }
    }
    for (const Symbolic* symbolic : {&table.found, &table.polished}) {
        const Successes& recovered = symbolic->recovered;
        if (recovered.runs > 0) {
            fmt::print("planted rules recovered{}: {} of {}, {:.0f} % ({:.0f}-{:.0f})\n",
                       symbolic == &table.polished ? ", polished" : "", recovered.successes,
                       recovered.runs, recovered.percent(), recovered.interval().low,
                       recovered.interval().high);
        }
    }
    fmt::print("{} target-instances in {}\n", grouped(table.instances), duration(table.seconds));
}

Json json_of(const Flags& flags, const NameTable& table, const SceneSet& scenes,
             const std::vector<std::uint32_t>& targets) {
    const auto symbolic = [&](const Symbolic& of) {
        Json json = of.recalls.json();
        json["planted"] = of.recovered.runs;
        json["recovered"] = of.recovered.successes;
        for (std::size_t t = 0; t < of.programs.size(); ++t) {
            json["programs"][scenes.predicates()[targets[t]].name] = to_text(of.programs[t]);
        }
        return json;
    };
    Json json = {{"table", "gqa"},
                 {"version", HRI_VERSION},
                 {"command", command_line()},
                 {"source", scenes.origin().source},
                 {"synthetic", scenes.origin().synthetic},
                 {"noise", scenes.origin().noise},
                 {"images", scenes.size()},
                 {"targets", targets.size()},
                 {"rounds", flags.many.settings.rounds},
                 {"init", flags.many.prior.init},
                 {"shared", flags.many.settings.shared},
                 {"paper",
                  {{"freq", {{"at1", 40}, {"at5", 44}}},
                   {"nlil", {{"at1", 51}, {"at5", 52}}},
                   {"hri", {{"at1", 53}, {"at5", 60}}}}},
                 {"instances", table.instances},
                 {"seconds", table.seconds}};
    const std::vector<Baseline> untrained = untrained_methods(flags.methods);
    for (std::size_t i = 0; i < untrained.size(); ++i) {
        json[untrained[i].key] = table.untrained[i].json();
    }
    if (flags.methods.failures > 0) {
        json["failures"] = failures_json(table, scenes);
    }
    if (flags.methods.training) {
        json["soft"] = table.soft.json();
        json["calibrated"] = table.calibrated.json();
        json["blend"] = table.blend.json();
        json["symbolic"] = symbolic(table.found);
        json["trained_rules"] = table.trained_rules.json();
        if (flags.many.polish) {
            json["polished"] = symbolic(table.polished);
            json["polished_rules"] = table.polished_rules.json();
        }
    }
    return json;
}

/// The images to learn from and to judge by, in one set.
struct Images {
    SceneSet scenes;
    std::vector<std::vector<std::uint32_t>> folds;
    int first = 0;  // fold that is held out
    int runs = 0;   // folds that are held out
};

/// Throws Error where images to judge by are among those to learn from, which are the first ones.
void refuse_known_images(const SceneSet& scenes, std::size_t training, const std::string& test) {
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t i = 0; i < training; ++i) {
        known.emplace(scenes[i].image, i);
    }
    std::int64_t count = 0;
    std::string example;
    for (std::size_t i = training; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        const auto found = known.find(scene.image);
        if (found != known.end() && std::ranges::equal(scenes[found->second].names, scene.names) &&
            std::ranges::equal(scenes[found->second].relations, scene.relations)) {
            ++count;
            example = scene.image;
        }
    }
    if (count > 0) {
        throw Error(fmt::format("{} of these are among the images to learn from, such as {}", count,
                                example),
                    {test}, "build {data} from files without them");
    }
}

/// All of --data to learn from, all of --test to judge by.
Images with_test_images(const Flags& flags, const SceneSet& training) {
    const std::filesystem::path test = flags.test;
    const bool compact = test.extension() == ".scenes";
    Images images;
    images.scenes = joined_scenes(
        training, compact ? open_scenes(test)
                          : read_scenes({test}, same_predicates(
                                                    training, flags.source.options_beside(test))));
    refuse_known_images(images.scenes, training.size(), flags.test);
    images.folds.resize(2);
    for (std::size_t i = 0; i < images.scenes.size(); ++i) {
        images.folds[i < training.size() ? 1 : 0].push_back(static_cast<std::uint32_t>(i));
    }
    images.runs = 1;
    return images;
}

Images images_of(const Flags& flags) {
    const std::uint64_t seed = flags.many.settings.seed;
    SceneSet scenes = flags.source.open(seed);
    if (!flags.test.empty()) {
        return with_test_images(flags, scenes);
    }
    if (scenes.size() < static_cast<std::size_t>(flags.folds)) {
        throw Error("there are fewer images than folds", {flags.source.data}, "give fewer --folds");
    }
    const int wanted = flags.runs > 0 ? flags.runs : flags.source.is_synthetic() ? 1 : flags.folds;
    auto folds = scene_folds(scenes.size(), flags.folds, seed);
    const int first = flags.first_fold - 1;
    if (first >= flags.folds) {
        throw Error(fmt::format("first_fold: there are {} folds", flags.folds));
    }
    return {std::move(scenes), std::move(folds), first, std::min(wanted, flags.folds - first)};
}

int run(Flags& flags) {
    check_writable(flags.json_file);
    const auto [scenes, folds, first, runs] = images_of(flags);
    const std::vector<std::uint32_t> targets = targets_of(flags, scenes);
    MultitaskSettings settings = flags.many.settings;
    if (flags.many.preset == "paper" && !flags.many.joint_given) {
        settings.joint = 0;
    }
    settings.interrupt = &catch_interrupts();
    flags.methods.polish = flags.many.polish;
    flags.methods.threads = settings.threads;
    const Options options = flags.options.apply(flags.many.options());
    settings.prior = flags.many.prior.read(scenes.predicates(), options.dimension, settings.seed);
    fmt::print("{}\n{}{}; {}\n", summary(scenes),
               counted(static_cast<std::int64_t>(targets.size()), "target"),
               flags.methods.training ? fmt::format(", {} rounds", flags.many.settings.rounds) : "",
               flags.test.empty()
                   ? fmt::format("{} of {} folds held out in turn", runs, flags.folds)
                   : fmt::format("learned from {}, judged by {} of {}", folds[1].size(),
                                 folds[0].size(), flags.test));
    ProgressBar bar;
    NameTable table;
    int done = 0;
    for (int f = 0; f < runs; ++f) {
        settings.progress = [&, all = runs, number = first + f + 1](const MultitaskProgress& now) {
            bar.show((f + static_cast<double>(now.round) / now.rounds) / all,
                     fmt::format("fold {}, round {}", number, now.round));
        };
        NameTable next = table;
        const auto held_out = static_cast<std::size_t>(first + f);
        judge_fold(flags.methods, scenes, targets, without_fold(folds, held_out), folds[held_out],
                   options, settings, next);
        if (*settings.interrupt) {
            break;
        }
        table = std::move(next);
        ++done;
    }
    bar.clear();
    if (done == 0) {
        return interrupted("");
    }
    if (done < runs) {
        fmt::print("interrupted; the table is of {} of {} folds\n", done, runs);
    }
    print(flags, table, targets, scenes);
    print_failures(table, scenes);
    write_json(flags.json_file, json_of(flags, table, scenes, targets));
    return done < runs ? kNo : kYes;
}

}  // namespace

Command gqa_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::boolean(own("planted_targets", "Learns the planted targets only."),
                      &F::planted_targets),
        base::number(own("folds", "The parts that the images are dealt to."), &F::folds, 2, 1000),
        base::number(own("runs", "The folds to hold out; without it all, of synthetic scenes one."),
                     &F::runs, 1, 1000),
        base::number(own("first_fold", "The first fold to hold out."), &F::first_fold, 1, 1000),
        base::text(own("test",
                       "Images to judge by, all of --data being learned from: scene graphs in "
                       "JSON, or a file of `hri scenes build --like`.",
                       "FILE"),
                   &F::test),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    static const std::vector<Field<NameMethods>> methods = {
        base::boolean(
            off("training", "no-training", "Leaves out the hierarchy: baselines and rules alone."),
            &NameMethods::training),
        base::boolean(own("ablation", "Adds rows without some kinds of rule bodies."),
                      &NameMethods::ablation),
        base::number(own("failures",
                         "The names that are taken for others most often, to show with an image's "
                         "facts and the rules that misled."),
                     &NameMethods::failures, 0, 1000)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "gqa",
        .help = "R@1 and R@5 of many targets over scene graphs.",
        .details =
            "Without --data it takes synthetic scenes, and prints the share of planted rules "
            "that were found.",
        .examples =
            "hri reproduce gqa --data gqa.scenes --rounds 300\n"
            "hri reproduce gqa --data vrd.scenes --test annotations_test.json --no-training\n"
            "hri reproduce gqa --data vrd.scenes --test annotations_test.json --objects "
            "objects.json "
            "--predicates predicates.json\n"
            "hri reproduce gqa --images 5000 --noise 0.1 --planted-targets --rounds 300"};
    flags->source.add_to(command);
    add_flags(command, flags->methods, methods);
    add_flags(command, *flags, fields);
    add_flags(command, flags->methods.recall, fields_of<RecallOptions>(), {"images_per_target"});
    flags->many.add_to(command);
    add_flags(command, flags->many.settings, fields_of<MultitaskSettings>(),
              {"seed", "device", "threads"});
    make_threads(command, flags->many.settings.threads);
    flags->options.add_to(command, joint_options());
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
