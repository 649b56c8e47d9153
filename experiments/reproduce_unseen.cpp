// SPDX-License-Identifier: Apache-2.0

// hri reproduce unseen: what vectors of words are for. Some names never occur in training. In test
// images the models meet them by their vectors.

#include "hri/multitask.hpp"
#include "hri/random.hpp"
#include "hri/recall.hpp"

#include "interrupt.hpp"
#include "many_targets.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "scene_source.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace hri::cli {
namespace {

struct Flags {
    SceneSource source;
    std::string glove;
    int names = 10;
    int runs = 3;
    ManyTargets many;
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

struct Row {
    std::string title;
    FoldedRecalls found;
};

/// One fold by one start: its rows are for unknown names, for names by their vectors, and for
/// models that have seen the names.
void judge(const Flags& flags, const SceneSet& scenes, const Names& unseen,
           std::span<const std::uint32_t> training, std::span<const std::uint32_t> held_out,
           const std::string& init, std::span<Row> rows) {
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t target : scenes.targets()) {
        if (unseen.count(target) == 0) {
            targets.push_back(target);
        }
    }
    const SceneSet known = around_names(scenes, held_out, unseen);
    const SceneSet unknown = without_names(known, unseen);
    std::vector<std::uint32_t> images(known.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        images[i] = static_cast<std::uint32_t>(i);
    }
    const Options options = flags.many.options();
    MultitaskSettings settings = flags.many.settings;
    settings.targets = targets;
    settings.interrupt = &catch_interrupts();
    PriorFlags prior = flags.many.prior;
    prior.init = init;
    settings.prior = prior.read(scenes.predicates(), options.dimension, settings.seed);
    const auto judged = [&](const SceneSet& judged_on, const Multitask& learned) {
        return recalls(judged_on, images, targets, soft_scores(judged_on, learned),
                       {.normalised = settings.joint == 0});
    };
    const SceneSet all = select_scenes(scenes, training);
    const Multitask learned = learn_targets(without_names(all, unseen), options, settings).learned;
    rows[0].found.add(judged(unknown, learned));
    rows[1].found.add(judged(known, learned));
    rows[2].found.add(judged(known, learn_targets(all, options, settings).learned));
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const SceneSet scenes = flags.source.open(flags.many.settings.seed);
    if (scenes.size() < kFolds) {
        throw Error(fmt::format("{} images are too few to hold out a tenth", scenes.size()),
                    {flags.source.data});
    }
    const auto folds = scene_folds(scenes.size(), kFolds, flags.many.settings.seed);
    std::vector<std::string> starts = {"random"};
    if (!flags.glove.empty()) {
        starts.push_back("table:" + flags.glove);
    }
    std::vector<Row> rows;
    for (const std::string& start : starts) {
        const std::string name = start == "random" ? "random" : "vectors";
        for (const char* state : {"names unknown", "names by their start", "names trained"}) {
            rows.push_back({name + ": " + state, {}});
        }
    }
    ProgressBar bar;
    for (int r = 0; r < flags.runs && !catch_interrupts(); ++r) {
        const auto fold = static_cast<std::size_t>(r);
        const Names unseen =
            drawn(scenes, flags.names, flags.many.settings.seed + static_cast<unsigned>(r));
        for (std::size_t s = 0; s < starts.size(); ++s) {
            bar.show((r + static_cast<double>(s) / static_cast<double>(starts.size())) / flags.runs,
                     fmt::format("run {}", r + 1));
            judge(flags, scenes, unseen, without_fold(folds, fold), folds[fold], starts[s],
                  std::span(rows).subspan(3 * s, 3));
        }
    }
    bar.clear();
    if (catch_interrupts()) {
        return interrupted("");
    }
    fmt::print(
        "{}\n{} drawn in each of {}, never seen in training; judged: objects that are "
        "related to one of them\n",
        told(scenes), counted(flags.names, "name"), counted(flags.runs, "run"));
    std::vector<std::vector<std::string>> table = {recall_header("in percent")};
    Json json = {{"table", "unseen"},         {"version", HRI_VERSION},
                 {"command", command_line()}, {"source", scenes.origin().source},
                 {"names", flags.names},      {"runs", flags.runs},
                 {"rows", Json::array()}};
    for (const Row& row : rows) {
        std::vector<std::string> cells = row.found.cells();
        cells.insert(cells.begin(), row.title);
        table.push_back(std::move(cells));
        Json one = row.found.json();
        one["start"] = row.title;
        json["rows"].push_back(std::move(one));
    }
    fmt::print("{}", aligned(table, 1));
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace

Command unseen_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("glove", "Vectors of words: a name and its vector per line.", "FILE"),
                   &F::glove),
        base::number(own("names", "The names that never occur in training."), &F::names, 1, 1000),
        base::number(own("runs", "The folds to hold out, each with other names."), &F::runs, 1,
                     kFolds),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    flags->many.settings.rounds = 300;
    Command command{.name = "unseen",
                    .help = "Names that training never saw, known by their vectors.",
                    .details = "Without --glove the start at random is shown alone.",
                    .examples = "hri reproduce unseen --data vrd.scenes --glove glove.tsv"};
    flags->source.add_to(command);
    add_flags(command, *flags, fields);
    flags->many.add_to(command);
    add_flags(command, flags->many.settings, fields_of<MultitaskSettings>(), {"seed", "threads"});
    make_threads(command, flags->many.settings.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
