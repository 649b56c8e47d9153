// SPDX-License-Identifier: Apache-2.0

// hri reproduce gqa: R@1 and R@5 of many targets over scene graphs, the paper's beside ours, and
// the rules; on given scenes, or on synthetic ones whose rules are known.

#include "hri/multitask.hpp"
#include "hri/recall.hpp"
#include "hri/scene_rules.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/fingerprint.hpp"
#include "interrupt.hpp"
#include "many_targets.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "scene_source.hpp"
#include "scenes.hpp"

#include <atomic>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    SceneSource source;
    std::string test;
    int folds = 10;
    int runs = 0;  // 0: all folds of given scenes, one of synthetic ones
    bool planted_targets = false;
    bool training = true;
    bool ablation = false;
    int failures = 0;
    RecallOptions recall;
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

/// Whether two programs answer alike on random scenes.
bool same_meaning(const Program& a, const Program& b, const SceneSet& scenes) {
    Random random(0);
    const auto probes = evaluation::random_instances(scenes.schema(), {}, random);
    return evaluation::fingerprint(a, probes) == evaluation::fingerprint(b, probes);
}

/// Programs by their own words: what training found, and that polished.
struct Symbolic {
    FoldedRecalls recalls;
    Successes recovered;            // planted rules
    std::vector<Program> programs;  // of the last run
};

/// What needs no training of the hierarchy: baselines, rules by their confidence, weighted rules.
std::vector<Baseline> untrained_methods(const Flags& flags) {
    using Images = std::span<const std::uint32_t>;
    std::vector<Baseline> all = baselines();
    all[0].key = "freq";
    all[1].key = "freq_all_partners";
    const auto add = [&](const char* key, const char* title, SceneBodyShapes bodies) {
        const int threads = flags.many.settings.threads;
        if (std::string_view(key).starts_with("rules")) {
            all.push_back(
                {key, title, [=](const SceneSet& scenes, Images training, Images targets) {
                     return rule_scores(scenes,
                                        learn_scene_rules(scenes, training, targets,
                                                          {.bodies = bodies, .threads = threads}));
                 }});
        } else {
            all.push_back(
                {key, title, [=](const SceneSet& scenes, Images training, Images targets) {
                     return softmax_scores(scenes, training, targets, {.bodies = bodies});
                 }});
        }
    };
    if (flags.ablation) {
        add("rules_neighbours", "rules, one relation", SceneBodyShapes::neighbours);
        add("rules_pairs", "rules, and pairs", SceneBodyShapes::pairs);
        add("rules_two_hops", "rules, and two hops", SceneBodyShapes::two_hops);
        add("weights_neighbours", "weighted, one relation", SceneBodyShapes::neighbours);
        add("weights_pairs", "weighted, and pairs", SceneBodyShapes::pairs);
        add("weights_two_hops", "weighted, and two hops", SceneBodyShapes::two_hops);
    }
    add("rules", "rules by confidence", SceneBodyShapes::all);
    if (flags.ablation)
        add("weights_all", "weighted, all", SceneBodyShapes::all);
    add("weights", "weighted rules", NameSoftmaxSettings{}.bodies);
    return all;
}

struct Table {
    std::vector<Confusion> confusions;  // of the first fold
    SceneRules rules;                   // that they are of
    std::vector<FoldedRecalls> untrained;
    FoldedRecalls soft, calibrated, blend;
    Symbolic found, polished;
    double seconds = 0;
    long instances = 0;
};

void judge_programs(std::vector<Program> programs, const SceneSet& scenes,
                    const std::vector<std::uint32_t>& targets,
                    std::span<const std::uint32_t> held_out, const RecallOptions& options,
                    Symbolic& out) {
    for (std::size_t t = 0; t < targets.size(); ++t) {
        if (const auto planted = planted_program(scenes, targets[t])) {
            out.recovered.add(same_meaning(*planted, programs[t], scenes));
        }
    }
    out.recalls.add(
        recalls(scenes, held_out, targets, program_scores(scenes, targets, programs), options));
    out.programs = std::move(programs);
}

/// The valuations of soft models, each computed once; those of some images beforehand, by threads.
class Remembered {
  public:
    Remembered(const SceneSet& scenes, const Multitask& learned,
               std::span<const std::uint32_t> images, int threads)
        : scenes_(scenes), targets_(learned.targets.size()), score_(soft_scores(scenes, learned)) {
        std::vector<Known::iterator> wanted;
        for (const std::uint32_t image : images) {
            wanted.push_back(known_.try_emplace({image, kHideOwnLabel}).first);
            for (const SceneLabel& name : scenes[image].names)
                if (const auto [at, is_new] = known_.try_emplace({image, name.predicate}); is_new)
                    wanted.push_back(at);
        }
        std::vector<SceneScores> of_threads;
        for (int i = 0; i < threads; ++i)
            of_threads.push_back(soft_scores(scenes, learned));
        std::atomic<std::size_t> next{0};
        base::ThreadPool(threads).each(threads, [&](int thread) {
            for (std::size_t i = next++; i < wanted.size(); i = next++)
                fill(of_threads[static_cast<std::size_t>(thread)], *wanted[i]);
        });
    }

    void operator()(std::size_t image, std::uint32_t hidden, std::span<float> out) {
        const auto [at, is_new] = known_.try_emplace({image, hidden});
        if (is_new)
            fill(score_, *at);
        std::copy(at->second.begin(), at->second.end(), out.begin());
    }

  private:
    using Known = std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>>;

    void fill(const SceneScores& score, Known::value_type& one) const {
        const auto& [image, hidden] = one.first;
        one.second.resize(targets_ * static_cast<std::size_t>(scenes_[image].objects));
        score(image, hidden, one.second);
    }

    const SceneSet& scenes_;
    std::size_t targets_;
    SceneScores score_;
    Known known_;
};

void judge_fold(const Flags& flags, const SceneSet& scenes,
                const std::vector<std::uint32_t>& targets, std::span<const std::uint32_t> training,
                std::span<const std::uint32_t> held_out, MultitaskSettings settings, Table& table) {
    RecallOptions counts = flags.recall;
    counts.normalised = false;
    const std::vector<Baseline> untrained = untrained_methods(flags);
    table.untrained.resize(untrained.size());
    for (std::size_t i = 0; i < untrained.size() && !catch_interrupts(); ++i) {
        table.untrained[i].add(recalls(scenes, held_out, targets,
                                       untrained[i].scores(scenes, training, targets), counts));
    }
    if (flags.failures > 0 && table.rules.names.empty()) {
        table.rules =
            learn_scene_rules(scenes, training, targets, {.threads = flags.many.settings.threads});
        table.confusions =
            confusions(scenes, held_out, table.rules, static_cast<std::size_t>(flags.failures));
    }
    if (!flags.training) {
        return;
    }
    const SceneSet to_learn = select_scenes(scenes, training);
    settings.targets = targets;
    const MultitaskResult result =
        learn_targets(to_learn, flags.options.apply(flags.many.options()), settings);
    if (result.stop_reason == StopReason::interrupted) {
        return;
    }
    table.seconds += result.seconds;
    table.instances += result.instances;
    const auto known =
        std::make_shared<Remembered>(scenes, result.learned, held_out, settings.threads);
    const SceneScores soft = [known](std::size_t image, std::uint32_t hidden,
                                     std::span<float> out) { (*known)(image, hidden, out); };
    RecallOptions of_soft = flags.recall;
    of_soft.normalised = settings.joint == 0;
    table.soft.add(recalls(scenes, held_out, targets, soft, of_soft));
    table.calibrated.add(
        recalls(scenes, held_out, targets,
                softmax_scores(scenes, training, targets, {.use_bodies = false}, soft), counts));
    table.blend.add(recalls(scenes, held_out, targets,
                            softmax_scores(scenes, training, targets, {}, soft), counts));
    std::vector<Program> found;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        found.push_back(extract(result.learned, t, to_learn));
    }
    judge_programs(std::move(found), scenes, targets, held_out, flags.recall, table.found);
    if (!flags.many.polish)
        return;
    std::vector<Program> better;
    for (Polished& one : polish(to_learn, result.learned,
                                {.threads = settings.threads, .interrupt = settings.interrupt})) {
        better.push_back(std::move(one.program));
    }
    if (better.size() == targets.size()) {  // else interrupted
        judge_programs(std::move(better), scenes, targets, held_out, flags.recall, table.polished);
    }
}

/// Names that rules take for others in the first fold, each with an example.
void print_failures(const Table& table, const SceneSet& scenes) {
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

Json failures_json(const Table& table, const SceneSet& scenes) {
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

void print(const Flags& flags, const Table& table, const std::vector<std::uint32_t>& targets,
           const SceneSet& scenes) {
    std::vector<std::vector<std::string>> rows = {recall_header("in percent")};
    for (const PaperRow& paper : kPaper) {
        rows.push_back({paper.name, paper.recall_at_1, paper.recall_at_5, "", "", "", ""});
    }
    std::vector<std::pair<const char*, const FoldedRecalls*>> ours;
    const std::vector<Baseline> untrained = untrained_methods(flags);
    for (std::size_t i = 0; i < untrained.size(); ++i) {
        ours.emplace_back(untrained[i].title, &table.untrained[i]);
    }
    if (flags.training) {
        ours.emplace_back("HRI, soft", &table.soft);
        ours.emplace_back("HRI, soft, calibrated", &table.calibrated);
        ours.emplace_back("HRI, soft, with weighted rules", &table.blend);
        ours.emplace_back("HRI, symbolic", &table.found.recalls);
        if (flags.many.polish)
            ours.emplace_back("HRI, polished", &table.polished.recalls);
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

Json json_of(const Flags& flags, const Table& table, const SceneSet& scenes,
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
    const std::vector<Baseline> untrained = untrained_methods(flags);
    for (std::size_t i = 0; i < untrained.size(); ++i) {
        json[untrained[i].key] = table.untrained[i].json();
    }
    if (flags.failures > 0) {
        json["failures"] = failures_json(table, scenes);
    }
    if (flags.training) {
        json["soft"] = table.soft.json();
        json["calibrated"] = table.calibrated.json();
        json["blend"] = table.blend.json();
        json["symbolic"] = symbolic(table.found);
        if (flags.many.polish)
            json["polished"] = symbolic(table.polished);
    }
    return json;
}

/// The images to learn from and to judge by, in one set.
struct Images {
    SceneSet scenes;
    std::vector<std::vector<std::uint32_t>> folds;  // of which the first `runs` are held out
    int runs = 0;
};

/// All of --data to learn from, all of --test to judge by.
Images with_test_images(const Flags& flags, const SceneSet& training) {
    const std::filesystem::path test = flags.test;
    const bool compact = test.extension() == ".scenes";
    const SceneOptions options =
        flags.source.lists.empty() ? paper_merges() : read_scene_lists(flags.source.lists);
    Images images;
    images.scenes =
        joined_scenes(training, compact ? open_scenes(test)
                                        : read_scenes({test}, same_predicates(training, options)));
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
    return {std::move(scenes), std::move(folds), std::min(wanted, flags.folds)};
}

int run(Flags& flags) {
    check_writable(flags.json_file);
    const auto [scenes, folds, runs] = images_of(flags);
    const std::vector<std::uint32_t> targets = targets_of(flags, scenes);
    MultitaskSettings settings = flags.many.settings;
    if (flags.many.preset == "paper" && !flags.many.joint_given) {
        settings.joint = 0;
    }
    settings.interrupt = &catch_interrupts();
    settings.prior = flags.many.prior.read(
        scenes.predicates(), flags.options.apply(flags.many.options()).dimension, settings.seed);
    fmt::print(
        "{}\n{}, {} rounds; {}\n", told(scenes),
        counted(static_cast<std::int64_t>(targets.size()), "target"), flags.many.settings.rounds,
        flags.test.empty() ? fmt::format("{} of {} folds held out in turn", runs, flags.folds)
                           : fmt::format("learned from {}, judged by {} of {}", folds[1].size(),
                                         folds[0].size(), flags.test));
    ProgressBar bar;
    Table table;
    for (int f = 0; f < runs; ++f) {
        settings.progress = [&](const MultitaskProgress& now) {
            bar.show((f + static_cast<double>(now.round) / now.rounds) / runs,
                     fmt::format("fold {}, round {}", f + 1, now.round));
        };
        judge_fold(flags, scenes, targets, without_fold(folds, static_cast<std::size_t>(f)),
                   folds[static_cast<std::size_t>(f)], settings, table);
        if (*settings.interrupt) {
            bar.clear();
            return interrupted("");
        }
    }
    bar.clear();
    print(flags, table, targets, scenes);
    print_failures(table, scenes);
    write_json(flags.json_file, json_of(flags, table, scenes, targets));
    return kYes;
}

}  // namespace

Command gqa_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::boolean(own("planted_targets", "Learns the planted targets only."),
                      &F::planted_targets),
        base::boolean(
            off("training", "no-training", "Leaves out the hierarchy: baselines and rules alone."),
            &F::training),
        base::boolean(own("ablation", "Adds rows of what some bodies of rules bring."),
                      &F::ablation),
        base::number(own("failures",
                         "The names that are taken for others most often, to show with an image's "
                         "facts and the rules that misled."),
                     &F::failures, 0, 1000),
        base::number(own("folds", "The parts that the images are dealt to."), &F::folds, 2, 1000),
        base::number(own("runs", "The folds to hold out; without it all, of synthetic scenes one."),
                     &F::runs, 1, 1000),
        base::text(own("test",
                       "Images to judge by, all of --data being learned from: scene graphs in "
                       "JSON, or a file of `hri scenes build --like`.",
                       "FILE"),
                   &F::test),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "gqa",
        .help = "R@1 and R@5 of many targets over scene graphs.",
        .details =
            "Without --data it takes synthetic scenes, and tells the share of planted rules "
            "that were found.",
        .examples =
            "hri reproduce gqa --data gqa.scenes --rounds 300\n"
            "hri reproduce gqa --data vrd.scenes --test annotations_test.json --no-training\n"
            "hri reproduce gqa --images 5000 --noise 0.1 --planted-targets --rounds 300"};
    flags->source.add_to(command);
    add_flags(command, *flags, fields);
    add_flags(command, flags->recall, fields_of<RecallOptions>(), {"images_per_target"});
    flags->many.add_to(command);
    add_flags(command, flags->many.settings, fields_of<MultitaskSettings>(),
              {"seed", "device", "threads"});
    make_threads(command, flags->many.settings.threads);
    flags->options.add_to(command, joint_options());
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
