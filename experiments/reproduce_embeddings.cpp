// SPDX-License-Identifier: Apache-2.0

// hri reproduce embeddings: what embeddings that know something before training bring. One target
// by each start, and the pairs of predicates that are closest before and after training.

#include "hri/multitask.hpp"
#include "hri/recall.hpp"

#include "embeddings.hpp"
#include "interrupt.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reproduce.hpp"
#include "runs.hpp"
#include "scene_source.hpp"
#include "scenes.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kFolds = 10;
constexpr int kPairs = 10;

/// Accuracy, precision and recall, each soft and symbolic.
using Figures = std::array<double, 6>;

/// One row of the paper's table of starts, in percent.
struct PaperRow {
    const char* name;
    Figures figures;
};

constexpr std::array kPaper = {PaperRow{"random", {63, 49, 57, 50, 23, 38}},
                               PaperRow{"NLIL", {75, 60, 87, 75, 46, 58}},
                               PaperRow{"GPT-2", {65, 45, 72, 66, 27, 50}}};

/// The paper's pairs, its start being GPT-2's vectors.
constexpr std::array kPaperBefore = {
    "bag backpack",    "arrow apple",  "airplane air", "backpack airplane", "apple airplane",
    "animal airplane", "arrow animal", "at above",     "apple animal",      "bag airplane"};
constexpr std::array kPaperAfter = {
    "bag backpack",      "bag airplane", "arrow apple", "airplane air", "arm air",
    "backpack airplane", "air above",    "apple air",   "arrow animal", "arm airplane"};

struct Flags {
    SceneSource source;
    std::string target = "car";
    std::string nlil;
    std::string glove;
    std::string gpt2;
    int runs = 10;
    int iterations = 3000;
    int min_facts = 8;
    int max_facts = 10;
    std::size_t max_images = 185;
    int rounds = 300;
    std::uint64_t seed = 0;
    int jobs = 1;
    std::string json_file;
};

/// The starts of background embeddings.
struct Start {
    std::string name;
    PriorFlags prior;
    bool given = true;
};

std::vector<Start> starts(const Flags& flags) {
    const auto from = [](const char* name, const std::string& file,
                         TableOrder order = TableOrder::listed) {
        return Start{name, {"table:" + file, order}, !file.empty()};
    };
    return {{"random", {}},
            from("NLIL", flags.nlil),
            from("NLIL, sorted", flags.nlil, TableOrder::sorted),
            from("GPT-2", flags.gpt2),
            from("GloVe", flags.glove)};
}

/// The paper's settings for one target.
Options one_target_options() {
    Options options = multitask_options();
    options.dimension = 34;
    options.learning_rate = 0.01;
    options.learning_rate_rules = 0.03;
    options.temperature_schedule = Schedule::linear;
    options.final_temperature = 0.01;
    return options;
}

/// The figures of the runs of one start, in percent: a list for each figure.
struct Row {
    std::array<std::vector<double>, 6> figures;
    std::vector<std::string> programs;

    void add(const Score& soft, const Score& symbolic) {
        const Figures one = {soft.accuracy,      symbolic.accuracy, soft.precision,
                             symbolic.precision, soft.recall,       symbolic.recall};
        for (std::size_t i = 0; i < one.size(); ++i) {
            figures[i].push_back(100 * one[i]);
        }
    }
};

/// One run: nine tenths of the images to learn from, the others to judge by.
void learn_one(const SceneSet& scenes, std::uint32_t target, const Start& start, const Flags& flags,
               std::uint64_t seed, Row& row) {
    const auto folds = scene_folds(scenes.size(), kFolds, seed);
    const SceneSet training = select_scenes(scenes, without_fold(folds, 0));
    const Options options = one_target_options();
    MultitaskSettings settings;
    settings.targets = {target};
    settings.rounds = flags.iterations;
    settings.positives = 1;
    settings.randoms = 0;
    settings.update = Update::sequential;
    settings.seed = seed;
    settings.prior = start.prior.read(scenes.predicates(), options.dimension, seed);
    settings.interrupt = &catch_interrupts();
    const Multitask learned = learn_targets(training, options, settings).learned;
    const Model model = learned.model(0);
    const Program program = extract(learned, 0, training);
    row.add(score_target(scenes, folds[0], target,
                         [&](const Instance& instance) {
                             return infer(model, instance, options.eval_steps);
                         }),
            score_target(scenes, folds[0], target, [&](const Instance& instance) {
                const Truth truth = evaluate(program, instance);
                return std::vector<float>(truth.begin(), truth.end());
            }));
    row.programs.push_back(to_text(program));
}

std::vector<std::string> pair_names(const std::vector<float>& rows, const Multitask& learned) {
    std::vector<std::string> names;
    for (const ClosePair& pair : closest_pairs(rows, learned.options.dimension, kPairs)) {
        names.push_back(learned.predicates[static_cast<std::size_t>(pair.first)].name + " " +
                        learned.predicates[static_cast<std::size_t>(pair.second)].name);
    }
    return names;
}

/// Means with their intervals.
std::vector<std::string> cells_of(const Row& row) {
    std::vector<std::string> cells;
    for (const std::vector<double>& values : row.figures) {
        const Interval interval = mean_interval(values);
        cells.push_back(values.size() < 2 ? fmt::format("{:.0f}", mean(values))
                                          : fmt::format("{:.0f} ({:.0f}-{:.0f})", mean(values),
                                                        interval.low, interval.high));
    }
    return cells;
}

void print_starts(const std::vector<Start>& all, const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> cells = {{"in percent", "accuracy: soft", "symbolic",
                                                    "precision: soft", "symbolic", "recall: soft",
                                                    "symbolic"}};
    for (const PaperRow& paper : kPaper) {
        std::vector<std::string>& line = cells.emplace_back();
        line.push_back(std::string("paper: ") + paper.name);
        for (const double figure : paper.figures) {
            line.push_back(fmt::format("{:g}", figure));
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<std::string>& line = cells.emplace_back();
        line.push_back(all[i].name);
        if (!all[i].given) {
            line.emplace_back("not run");
            line.resize(7);
            continue;
        }
        for (const std::string& cell : cells_of(rows[i])) {
            line.push_back(cell);
        }
    }
    fmt::print("{}", aligned(cells, 1));
}

Json row_json(const Start& start, const Row& row) {
    constexpr std::array kNames = {"accuracy", "precision", "recall"};
    Json json = {{"start", start.name}, {"run", start.given}};
    for (const PaperRow& paper : kPaper) {
        if (start.name != paper.name) {
            continue;
        }
        for (std::size_t i = 0; i < paper.figures.size(); ++i) {
            json["paper"][i % 2 == 0 ? "soft" : "symbolic"][kNames[i / 2]] = paper.figures[i];
        }
    }
    if (!start.given) {
        return json;
    }
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
        const Interval interval = mean_interval(row.figures[i]);
        json["ours"][i % 2 == 0 ? "soft" : "symbolic"][kNames[i / 2]] = {
            {"mean", mean(row.figures[i])},
            {"interval", Json::array({interval.low, interval.high})}};
    }
    json["programs"] = row.programs;
    return json;
}

/// The closest pairs of one start, before and after all targets were trained.
Json pairs_of(const Flags& flags, const SceneSet& scenes, const Start& start, ProgressBar& bar) {
    const Options options = multitask_options();
    MultitaskSettings settings;
    settings.targets.assign(scenes.targets().begin(), scenes.targets().end());
    settings.rounds = flags.rounds;
    settings.seed = flags.seed;
    settings.threads = flags.jobs;
    settings.prior = start.prior.read(scenes.predicates(), options.dimension, flags.seed);
    settings.interrupt = &catch_interrupts();
    settings.progress = [&](const MultitaskProgress& now) {
        bar.show(static_cast<double>(now.round) / now.rounds,
                 fmt::format("{}, round {}", start.name, now.round));
    };
    const Multitask learned = learn_targets(scenes, options, settings).learned;
    bar.clear();
    const std::vector<std::string> before = pair_names(learned.start, learned);
    const std::vector<std::string> after = pair_names(learned.background, learned);
    fmt::print("{}\n  before: {}\n  after:  {}\n", start.name, fmt::join(before, ", "),
               fmt::join(after, ", "));
    return {{"start", start.name}, {"before", before}, {"after", after}};
}

/// Images with few facts around the target, drawn at random where there are many.
SceneSet around_target(const Flags& flags, const SceneSet& all, std::uint32_t target) {
    SceneSet around = scenes_around(all, target, flags.min_facts, flags.max_facts);
    if (around.size() <= flags.max_images) {
        return around;
    }
    const auto order = scene_folds(around.size(), static_cast<int>(around.size()), flags.seed);
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < flags.max_images; ++i) {
        some.push_back(order[i].front());
    }
    std::sort(some.begin(), some.end());
    return select_scenes(around, some);
}

/// The table of starts; its rows.
Json compare_starts(const Flags& flags, const SceneSet& around, std::uint32_t target,
                    ProgressBar& bar) {
    const std::string images =
        fmt::format("{} of {} to {} facts around a {}",
                    counted(static_cast<std::int64_t>(around.size()), "image"), flags.min_facts,
                    flags.max_facts, flags.target);
    if (around.size() < kFolds) {
        fmt::print("{}: too few to learn it from\n", images);
        return Json::array();
    }
    const std::vector<Start> all = starts(flags);
    std::vector<Row> rows(all.size());
    Json json = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (int r = 0; r < flags.runs && all[i].given && !catch_interrupts(); ++r) {
            bar.show((static_cast<double>(i) + static_cast<double>(r) / flags.runs) /
                         static_cast<double>(all.size()),
                     fmt::format("{}, run {}", all[i].name, r + 1));
            learn_one(around, target, all[i], flags, flags.seed + static_cast<unsigned>(r),
                      rows[i]);
        }
        json.push_back(row_json(all[i], rows[i]));
    }
    bar.clear();
    fmt::print("{}, a tenth of them held out; {} each\n", images, counted(flags.runs, "run"));
    print_starts(all, rows);
    return json;
}

/// The pairs that are closest before and after training, for each start.
Json compare_pairs(const Flags& flags, const SceneSet& scenes, ProgressBar& bar) {
    fmt::print("\nclosest embeddings, before and after {} of {}\n", counted(flags.rounds, "round"),
               counted(static_cast<std::int64_t>(scenes.targets().size()), "target"));
    fmt::print("paper: GPT-2\n  before: {}\n  after:  {}\n", fmt::join(kPaperBefore, ", "),
               fmt::join(kPaperAfter, ", "));
    Json json = Json::array();
    for (const Start& start : starts(flags)) {
        if (catch_interrupts()) {
            break;
        }
        if (!start.given) {
            fmt::print("{}\n  not run\n", start.name);
            continue;
        }
        json.push_back(pairs_of(flags, scenes, start, bar));
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const SceneSet all = flags.source.open(flags.seed);
    const std::uint32_t target = scene_target(all, flags.target);
    const SceneSet around = around_target(flags, all, target);
    for (const Start& start : starts(flags)) {
        if (start.given) {  // a wrong file is reported before anything is learned
            start.prior.read(all.predicates(), one_target_options().dimension, flags.seed);
        }
    }
    fmt::print("{}\n", summary(all));
    ProgressBar bar;
    Json json = {
        {"table", "embeddings"},
        {"version", HRI_VERSION},
        {"command", command_line()},
        {"source", all.origin().source},
        {"synthetic", all.origin().synthetic},
        {"noise", all.origin().noise},
        {"target", flags.target},
        {"images", around.size()},
        {"runs", flags.runs},
        {"iterations", flags.iterations},
        {"rounds", flags.rounds},
        {"paper_pairs", {{"start", "GPT-2"}, {"before", kPaperBefore}, {"after", kPaperAfter}}}};
    json["rows"] = compare_starts(flags, around, target, bar);
    if (flags.rounds > 0) {
        json["pairs"] = compare_pairs(flags, all, bar);
    }
    if (catch_interrupts()) {
        return interrupted("");
    }
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace

Command embeddings_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("nlil", "NLIL's table: a name and its vector per line.", "FILE"), &F::nlil),
        base::text(own("glove", "The vectors of GloVe, in the same form.", "FILE"), &F::glove),
        base::text(own("gpt2", "The vectors of GPT-2, in the same form.", "FILE"), &F::gpt2),
        base::text(own("target", "The target that is learned by itself.", "NAME"), &F::target),
        base::number(own("runs", "The runs per start, each with other images held out."), &F::runs,
                     1, 1'000'000),
        base::number(own("iterations", "The iterations of one run."), &F::iterations, 1, 1'000'000),
        base::number(own("min_facts", "The fewest facts around the target, names included."),
                     &F::min_facts, 1, 1'000'000),
        base::number(own("max_facts", "The most facts around the target."), &F::max_facts, 1,
                     1'000'000),
        base::number(own("max_images", "The images that are drawn where there are more."),
                     &F::max_images, kFolds, 10'000'000),
        base::number(own("rounds", "The rounds of all targets, for the pairs; 0 makes no pairs."),
                     &F::rounds, 0, 1'000'000),
        base::number(own("seed", "The seed of all random numbers."), &F::seed, 0),
        base::number(own("threads", "The threads of the rounds."), &F::jobs, 1, 1'000'000),
        base::text(own("json", "Writes the tables as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "embeddings",
        .help = "One target by each start, and the closest pairs of embeddings.",
        .details =
            "Vectors that are not given are not run. NLIL's table is read twice: its vectors "
            "for the names on\ntheir lines, as the paper's code does, and for the names in "
            "alphabetical order, as NLIL's own does.\nThe paper's figures are for 185 images "
            "of GQA.",
        .examples =
            "hri reproduce embeddings --nlil nlil_car_pred_emb_214x32.tsv --glove glove.tsv\n"
            "hri reproduce embeddings --data gqa/ --lists gqa-lists --gpt2 gpt2.tsv --rounds 3000"};
    flags->source.add_to(command);
    add_flags(command, *flags, fields);
    make_threads(command, flags->jobs);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
