// SPDX-License-Identifier: Apache-2.0

// hri reproduce unseen: what vectors of words are for. Some names never occur in training. In test
// images the models meet them by their vectors.

#include "hri/multitask.hpp"
#include "hri/random.hpp"
#include "hri/recall.hpp"
#include "hri/scene_rules.hpp"

#include "interrupt.hpp"
#include "many_targets.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "scene_source.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <set>

namespace hri::cli {
namespace {

struct Flags {
    SceneSource source;
    std::string glove;
    int names = 10;
    int runs = 3;
    bool training = true;
    ManyTargets many;
    OptionFlags options;
    std::string json_file;
};

constexpr int kFolds = 10;

using Names = std::set<std::uint32_t>;

/// The same images, where nothing is known of some names.
SceneSet without_names(const SceneSet& scenes, const Names& unseen) {
    std::vector<SceneData> all;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        SceneData& image =
            all.emplace_back(SceneData{std::string(scene.image),
                                       scene.objects,
                                       {},
                                       {scene.relations.begin(), scene.relations.end()}});
        for (const SceneLabel& name : scene.names) {
            if (unseen.count(name.predicate) == 0) {
                image.names.push_back(name);
            }
        }
    }
    return make_scenes(scenes.predicates(), all, {scenes.targets().begin(), scenes.targets().end()},
                       scenes.origin());
}

/// Relations between an object of an unseen name and one of a seen name, and nothing else.
SceneSet around_names(const SceneSet& scenes, std::span<const std::uint32_t> images,
                      const Names& unseen) {
    std::vector<SceneData> kept;
    for (const std::uint32_t i : images) {
        const Scene scene = scenes[i];
        std::vector<bool> is_unseen(static_cast<std::size_t>(scene.objects), false);
        for (const SceneLabel& name : scene.names) {
            if (unseen.count(name.predicate) != 0) {
                is_unseen[name.object] = true;
            }
        }
        SceneData image{std::string(scene.image), scene.objects, {}, {}};
        std::set<std::uint32_t> touched;
        for (const SceneRelation& relation : scene.relations) {
            if (is_unseen[relation.subject] != is_unseen[relation.object]) {
                image.relations.push_back(relation);
                touched.insert({relation.subject, relation.object});
            }
        }
        for (const SceneLabel& name : scene.names) {
            if (touched.count(name.object) != 0) {
                image.names.push_back(name);
            }
        }
        if (!image.relations.empty()) {
            kept.push_back(std::move(image));
        }
    }
    return make_scenes(scenes.predicates(), kept,
                       {scenes.targets().begin(), scenes.targets().end()}, scenes.origin());
}

/// Names drawn at random from the half that is more frequent; the first of all stays.
Names drawn(const SceneSet& scenes, int count, std::uint64_t seed) {
    std::vector<std::uint32_t> candidates(scenes.targets().begin(), scenes.targets().end());
    candidates.erase(candidates.begin());
    candidates.resize((candidates.size() + 1) / 2);
    if (static_cast<std::size_t>(count) > candidates.size()) {
        throw Error(fmt::format("names: {} of these scenes could be left out of training",
                                counted(static_cast<std::int64_t>(candidates.size()), "name")));
    }
    Random(seed, Random::kData).shuffle(candidates);
    return {candidates.begin(), candidates.begin() + count};
}

/// The recall of one learner where names are unknown, known by vectors, and trained.
struct Learner {
    std::string title;
    std::array<FoldedRecalls, 3> found = {};
};

constexpr std::array kStates = {"names unknown", "names by their start", "names trained"};

/// One run: images to learn from with and without the names, and objects to judge by.
struct Split {
    SceneSet training, training_without;
    SceneSet known, unknown, nearest;  // test images; those by the nearest known names, if any
    std::vector<std::uint32_t> images;
    std::vector<std::uint32_t> targets;
};

std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

Split split_of(const Flags& flags, const SceneSet& scenes, const Names& unseen,
               std::span<const std::uint32_t> training, std::span<const std::uint32_t> held_out) {
    Split split;
    Names seen;
    for (const std::uint32_t target : scenes.targets()) {
        if (unseen.count(target) == 0) {
            split.targets.push_back(target);
            seen.insert(target);
        }
    }
    split.training = select_scenes(scenes, training);
    split.training_without = without_names(split.training, unseen);
    split.known = around_names(scenes, held_out, unseen);
    split.unknown = without_names(split.known, unseen);
    if (!flags.glove.empty()) {
        split.nearest =
            renamed_scenes(split.known, nearest_predicates(read_embedding_table(flags.glove),
                                                           scenes.predicates(), unseen, seen));
    }
    split.images = numbers(split.known.size());
    return split;
}

/// Hierarchies, trained from one start.
void judge_soft(const Flags& flags, const Split& split, const std::string& init, Learner& learner) {
    const Options options = flags.options.apply(flags.many.options());
    MultitaskSettings settings = flags.many.settings;
    settings.targets = split.targets;
    settings.interrupt = &catch_interrupts();
    PriorFlags prior = flags.many.prior;
    prior.init = init;
    settings.prior = prior.read(split.known.predicates(), options.dimension, settings.seed);
    const auto judged = [&](const SceneSet& judged_on, const Multitask& learned) {
        return recalls(judged_on, split.images, split.targets, soft_scores(judged_on, learned),
                       {.normalised = settings.joint == 0});
    };
    const Multitask learned = learn_targets(split.training_without, options, settings).learned;
    learner.found[0].add(judged(split.unknown, learned));
    learner.found[1].add(judged(split.known, learned));
    learner.found[2].add(
        judged(split.known, learn_targets(split.training, options, settings).learned));
}

/// Images that are learned from, and those that are scored after them, in one set.
SceneScores learned_scores(const SceneSet& all, std::size_t training, bool by_rules,
                           const Split& split) {
    const std::vector<std::uint32_t> images = numbers(training);
    return by_rules ? rule_scores(all, learn_scene_rules(all, images, split.targets))
                    : softmax_scores(all, images, split.targets);
}

/// Rules by confidence, or weighted ones: the nearest known name stands for an unseen one.
void judge_rules(const Split& split, bool by_rules, Learner& learner) {
    // `shown` has the objects of `test`, some by other names
    const auto judged = [&](const SceneSet& training, const SceneSet& test, const SceneSet& shown) {
        const SceneSet all = joined_scenes(training, shown);
        const SceneScores scores = learned_scores(all, training.size(), by_rules, split);
        const auto first = training.size();
        return recalls(test, split.images, split.targets,
                       [&](std::size_t image, std::uint32_t hidden, std::span<float> out) {
                           scores(first + image, hidden, out);
                       },
                       {.normalised = false});
    };
    learner.found[0].add(judged(split.training_without, split.unknown, split.unknown));
    if (split.nearest.size() > 0) {
        learner.found[1].add(judged(split.training_without, split.known, split.nearest));
    }
    learner.found[2].add(judged(split.training, split.known, split.known));
}

/// The gain of one state over the first, run by run.
FoldedRecall gain(const Learner& learner, std::size_t state) {
    FoldedRecall result = learner.found[state].per_object;
    const FoldedRecall& before = learner.found[0].per_object;
    for (std::size_t r = 0; r < result.recall_at_1.size(); ++r) {
        result.recall_at_1[r] -= before.recall_at_1[r];
        result.recall_at_5[r] -= before.recall_at_5[r];
    }
    return result;
}

void print(const std::vector<Learner>& learners, Json& json) {
    std::vector<std::vector<std::string>> table = {recall_header("in percent")};
    std::vector<std::vector<std::string>> gains = {{"more than where unknown", "R@1", "R@5"}};
    json["rows"] = Json::array();
    for (const Learner& learner : learners) {
        for (std::size_t state = 0; state < kStates.size(); ++state) {
            if (learner.found[state].per_object.recall_at_1.empty()) {
                continue;
            }
            const std::string title = fmt::format("{}: {}", learner.title, kStates[state]);
            std::vector<std::string> cells = learner.found[state].cells();
            cells.insert(cells.begin(), title);
            table.push_back(std::move(cells));
            Json one = learner.found[state].json();
            one["start"] = title;
            if (state > 0) {
                const FoldedRecall more = gain(learner, state);
                gains.push_back(
                    {title, difference_cell(more.recall_at_1), difference_cell(more.recall_at_5)});
                one["gain"] = {{"at1", more.recall_at_1}, {"at5", more.recall_at_5}};
            }
            json["rows"].push_back(std::move(one));
        }
    }
    fmt::print("{}\nrun by run\n{}", aligned(table, 1), aligned(gains, 1));
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const SceneSet scenes = flags.source.open(flags.many.settings.seed);
    if (scenes.size() < kFolds) {
        throw Error(fmt::format("{} images are too few to hold out a tenth", scenes.size()),
                    {flags.source.data});
    }
    const auto folds = scene_folds(scenes.size(), kFolds, flags.many.settings.seed);
    std::vector<Learner> learners = {{"rules"}, {"weighted rules"}};
    if (flags.training) {
        learners.push_back({"soft, random"});
        if (!flags.glove.empty()) {
            learners.push_back({"soft, vectors"});
        }
    }
    ProgressBar bar;
    for (int r = 0; r < flags.runs && !catch_interrupts(); ++r) {
        bar.show(static_cast<double>(r) / flags.runs, fmt::format("run {}", r + 1));
        const auto fold = static_cast<std::size_t>(r);
        const Names unseen =
            drawn(scenes, flags.names, flags.many.settings.seed + static_cast<unsigned>(r));
        const Split split = split_of(flags, scenes, unseen, without_fold(folds, fold), folds[fold]);
        judge_rules(split, true, learners[0]);
        judge_rules(split, false, learners[1]);
        for (std::size_t i = 2; i < learners.size(); ++i) {
            judge_soft(flags, split, i == 2 ? "random" : "table:" + flags.glove, learners[i]);
        }
    }
    bar.clear();
    if (catch_interrupts()) {
        return interrupted("");
    }
    fmt::print(
        "{}\n{} drawn in each of {}, never seen in training; judged: objects that are "
        "related to one of them\n",
        summary(scenes), counted(flags.names, "name"), counted(flags.runs, "run"));
    Json json = {{"table", "unseen"},         {"version", HRI_VERSION},
                 {"command", command_line()}, {"source", scenes.origin().source},
                 {"names", flags.names},      {"runs", flags.runs}};
    print(learners, json);
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace

Command unseen_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("glove", "Vectors of words: a name and its vector per line.", "FILE"),
                   &F::glove),
        base::boolean(off("training", "no-training", "Leaves out the hierarchies: rules alone."),
                      &F::training),
        base::number(own("names", "The names that never occur in training."), &F::names, 1, 1000),
        base::number(own("runs", "The folds to hold out, each with other names."), &F::runs, 1,
                     kFolds),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    flags->many.settings.rounds = 300;
    Command command{.name = "unseen",
                    .help = "Names that training never saw, known by their vectors.",
                    .details =
                        "Hierarchies know an unseen name by the vector that it starts from. To "
                        "rules the known name of\nthe most similar vector stands for it; "
                        "without --glove there is none.",
                    .examples = "hri reproduce unseen --data vrd.scenes --glove glove.tsv"};
    flags->source.add_to(command);
    add_flags(command, *flags, fields);
    flags->many.add_to(command);
    add_flags(command, flags->many.settings, fields_of<MultitaskSettings>(),
              {"seed", "device", "threads"});
    make_threads(command, flags->many.settings.threads);
    flags->options.add_to(command, joint_options());
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
