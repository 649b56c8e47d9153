// SPDX-License-Identifier: Apache-2.0

// hri scenes build|show|generate: files of scene graphs.

#include "scenes.hpp"

#include "progress.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <numeric>

namespace hri::cli {
namespace {

struct ListFlags {
    std::string folder;
    std::string targets;  // a file or a number
    long long least = -1;

    void add_to(CLI::App& command) {
        command
            .add_option("--lists", folder,
                        "obj_freq.txt, rel_freq.txt, un_merge.txt, rel_merge.txt, freq_gqa.txt")
            ->option_text("FOLDER");
        command.add_option("--least", least, "rarer names and relations are left out")
            ->check(CLI::Range(1LL, 1LL << 40U))
            ->option_text("[1500]");
        command.add_option("--targets", targets, "how many, the most frequent; or a file of names")
            ->option_text("[150]|FILE");
    }

    SceneOptions options() const {
        SceneOptions options = folder.empty() ? paper_merges() : read_scene_lists(folder);
        if (least > 0) {
            options.least = least;
        }
        if (targets.empty()) {
            return options;
        }
        options.targets.clear();
        if (targets.find_first_not_of("0123456789") == std::string::npos && targets.size() < 7) {
            options.max_targets = std::stoi(targets);
            return options;
        }
        const std::string text = read_file(targets);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            if (end > begin) {
                options.targets.push_back(text.substr(begin, end - begin));
            }
            begin = end + 1;
        }
        return options;
    }
};

// ---- build

struct BuildFlags {
    std::vector<std::string> files;
    std::string out;
    ListFlags lists;
    std::vector<std::string> dropped;
    std::string format;
    int max_objects = 0;
    bool isolated = false;
};

int build(const BuildFlags& flags) {
    check_writable(flags.out);
    SceneOptions options = flags.lists.options();
    if (!flags.dropped.empty()) {
        options.dropped = {flags.dropped.begin(), flags.dropped.end()};
    }
    options.format = flags.format;
    options.max_objects = flags.max_objects;
    options.isolated = flags.isolated;
    const std::vector<std::filesystem::path> files(flags.files.begin(), flags.files.end());
    std::int64_t bytes = 0;
    for (const std::filesystem::path& file : files) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(file, ignored);
        bytes += ignored ? 0 : static_cast<std::int64_t>(size);
    }
    SceneReport report;
    ProgressBar bar;
    const SceneSet scenes = read_scenes(files, options, &report, [&](std::int64_t done) {
        bar.show(bytes > 0 ? static_cast<double>(done) / static_cast<double>(bytes) : 0,
                 grouped(done >> 20U) + " MB");
    });
    bar.clear();
    write_scenes(flags.out, scenes);
    for (const std::string& warning : report.warnings) {
        fmt::print(stderr, "hri: warning: {}\n", warning);
    }
    fmt::print("read     {}, {}, {} ({} of them left out by name)\n",
               counted(report.images, "image"), counted(report.objects, "object"),
               counted(report.relations, "relation"), grouped(report.dropped));
    fmt::print("kept     {}\n", told(scenes));
    fmt::print("left out {} of which nothing remained{}\n", counted(report.empty, "image"),
               report.too_large > 0
                   ? fmt::format(", {} too large", counted(report.too_large, "image"))
                   : "");
    fmt::print("wrote    {} ({} bytes)\n", flags.out,
               grouped(static_cast<std::int64_t>(scenes.bytes().size())));
    return kYes;
}

void add_build(CLI::App& parent, Action& action) {
    auto flags = std::make_shared<BuildFlags>();
    CLI::App* command = parent.add_subcommand("build", "Read GQA, Visual Genome or CLEVR");
    command->option_defaults()->take_last();
    command->footer(
        "Files are read one image at a time and may be of any size.\n\nExamples:\n"
        "  hri scenes build val_sceneGraphs.json train_sceneGraphs.json --lists gqa-lists "
        "--out gqa.scenes\n"
        "  hri scenes build scene_graphs.json --least 500 --targets 50 --out genome.scenes\n"
        "  hri scenes build CLEVR_train_scenes.json --least 1 --drop left,right --out "
        "clevr.scenes");
    command->add_option("files", flags->files, "JSON files of scene graphs")
        ->required()
        ->take_all()
        ->option_text("FILE...");
    command->add_option("--out", flags->out, "the compact file")->required()->option_text("FILE");
    flags->lists.add_to(*command);
    command->add_option("--drop", flags->dropped, "relations to leave out")
        ->delimiter(',')
        ->take_all()
        ->option_text("[to the left of,to the right of]");
    command->add_option("--format", flags->format, "of the files; recognised if not given")
        ->check(CLI::IsMember({"gqa", "visual-genome", "clevr"}))
        ->option_text("gqa, visual-genome, clevr");
    command->add_option("--most-objects", flags->max_objects, "leave out larger images")
        ->check(CLI::Range(0, 1'000'000))
        ->option_text("[0: none]");
    command->add_flag("--isolated", flags->isolated, "keep objects that no relation touches");
    command->callback([flags, &action] { action = [flags] { return build(*flags); }; });
}

// ---- show

struct ShowFlags {
    std::string file;
    std::string image;
    int top = 10;
    std::string json_file;
};

struct Counts {
    std::vector<std::int64_t> of_predicate;
    std::int64_t objects = 0;
    std::int64_t relations = 0;
    int max_objects = 0;

    explicit Counts(const SceneSet& scenes) : of_predicate(scenes.predicates().size(), 0) {
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            const Scene scene = scenes[i];
            objects += scene.objects;
            max_objects = std::max(max_objects, scene.objects);
            relations += static_cast<std::int64_t>(scene.relations.size());
            for (const SceneLabel& name : scene.names) {
                ++of_predicate[name.predicate];
            }
            for (const SceneRelation& relation : scene.relations) {
                ++of_predicate[relation.predicate];
            }
        }
    }
};

void print_most_frequent(const SceneSet& scenes, const Counts& counts, std::uint32_t begin,
                         std::size_t end, const char* title, int top) {
    std::vector<std::uint32_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return counts.of_predicate[a] > counts.of_predicate[b];
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
    std::vector<std::vector<std::string>> rows = {{title, "facts"}};
    for (const std::uint32_t p : order) {
        rows.push_back({scenes.predicates()[p].name, grouped(counts.of_predicate[p])});
    }
    fmt::print("{}", aligned(rows, 1));
}

void print_image(const SceneSet& scenes, const std::string& wanted) {
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        if (scene.image != wanted) {
            continue;
        }
        for (const SceneLabel& name : scene.names) {
            fmt::print("{}({}).\n", scenes.predicates()[name.predicate].name, name.object);
        }
        for (const SceneRelation& relation : scene.relations) {
            fmt::print("{}({},{}).\n", scenes.predicates()[relation.predicate].name,
                       relation.subject, relation.object);
        }
        return;
    }
    throw Error(fmt::format("there is no image '{}'", wanted));
}

int show(const ShowFlags& flags) {
    check_writable(flags.json_file);
    const SceneSet scenes = open_scenes(flags.file);
    if (!flags.image.empty()) {
        print_image(scenes, flags.image);
        return kYes;
    }
    const Counts counts(scenes);
    fmt::print("scenes   {}\n", told(scenes));
    fmt::print("over     {} names, {} of them targets, and {} relations\n", scenes.unary(),
               scenes.targets().size(), scenes.predicates().size() - scenes.unary());
    fmt::print("facts    {}, {}; at most {} in an image\n", counted(counts.objects, "object"),
               counted(counts.relations, "relation"), counted(counts.max_objects, "object"));
    print_most_frequent(scenes, counts, 0, scenes.unary(), "name", flags.top);
    print_most_frequent(scenes, counts, scenes.unary(), scenes.predicates().size(), "relation",
                        flags.top);
    if (!scenes.origin().planted.empty()) {
        fmt::print("planted rules\n{}", scenes.origin().planted);
    }
    Json predicates = Json::array();
    for (std::size_t p = 0; p < scenes.predicates().size(); ++p) {
        predicates.push_back({{"name", scenes.predicates()[p].name},
                              {"arity", scenes.predicates()[p].arity},
                              {"facts", counts.of_predicate[p]}});
    }
    Json targets = Json::array();
    for (const std::uint32_t target : scenes.targets()) {
        targets.push_back(scenes.predicates()[target].name);
    }
    write_json(flags.json_file, {{"version", HRI_VERSION},
                                 {"command", command_line()},
                                 {"source", scenes.origin().source},
                                 {"synthetic", scenes.origin().synthetic},
                                 {"noise", scenes.origin().noise},
                                 {"planted", scenes.origin().planted},
                                 {"images", scenes.size()},
                                 {"objects", counts.objects},
                                 {"relations", counts.relations},
                                 {"max_objects", counts.max_objects},
                                 {"predicates", predicates},
                                 {"targets", targets}});
    return kYes;
}

void add_show(CLI::App& parent, Action& action) {
    auto flags = std::make_shared<ShowFlags>();
    CLI::App* command = parent.add_subcommand("show", "Tell what a file of scenes holds");
    command->option_defaults()->take_last();
    command->footer(
        "Examples:\n  hri scenes show gqa.scenes --top 30\n"
        "  hri scenes show gqa.scenes --image 2386621");
    command->add_option("file", flags->file, "as `hri scenes build` writes it")
        ->required()
        ->option_text("FILE");
    command->add_option("--image", flags->image, "the facts of one image")->option_text("NAME");
    command->add_option("--top", flags->top, "names and relations to list")
        ->check(CLI::Range(0, 1'000'000))
        ->option_text("[10]");
    command->add_option("--json", flags->json_file, "all counts")->option_text("FILE");
    command->callback([flags, &action] { action = [flags] { return show(*flags); }; });
}

// ---- generate

struct GenerateFlags {
    GenerateOptions options;
    ListFlags lists;
    std::string sample;
    std::string planted = "default";
    std::string out;
};

int generate(const GenerateFlags& flags) {
    check_writable(flags.out);
    GenerateOptions options = flags.options;
    options.lists = flags.lists.options();
    std::optional<SceneSet> sample;
    if (!flags.sample.empty()) {
        sample = open_scenes(flags.sample);
        options.sample = &*sample;
    }
    if (flags.planted != "default") {
        options.planted = read_file(flags.planted);
    }
    ProgressBar bar;
    const SceneSet scenes = generate_scenes(options, [&](std::size_t done) {
        bar.show(static_cast<double>(done) / static_cast<double>(options.images),
                 counted(static_cast<std::int64_t>(done), "image"));
    });
    bar.clear();
    write_scenes(flags.out, scenes);
    fmt::print("wrote    {}: {}\n", flags.out, told(scenes));
    return kYes;
}

void add_generate(CLI::App& parent, Action& action) {
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command =
        parent.add_subcommand("generate", "Make synthetic scenes in which planted rules hold");
    command->option_defaults()->take_last();
    command->footer(
        "Examples:\n"
        "  hri scenes generate --images 80000 --out synthetic.scenes\n"
        "  hri scenes generate --lists gqa-lists --sample gqa.scenes --noise 0.1 "
        "--seed 3 --out noisy.scenes\n"
        "  hri scenes generate --planted rules.pl --out planted.scenes");
    command->add_option("--out", flags->out, "the compact file")->required()->option_text("FILE");
    command->add_option("--images", flags->options.images, "how many")
        ->check(CLI::Range(1, 10'000'000))
        ->option_text("[1000]");
    command->add_option("--planted", flags->planted, "rules of names, as Prolog")
        ->option_text("[default]|FILE");
    command->add_option("--noise", flags->options.noise, "share of planted labels that are wrong")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("[0]");
    command->add_option("--seed", flags->options.seed, "of all random numbers")->option_text("[0]");
    flags->lists.add_to(*command);
    command->add_option("--sample", flags->sample, "real scenes: pairs of names and sizes as there")
        ->option_text("FILE");
    command->add_option("--most-objects", flags->options.max_objects, "of an image")
        ->check(CLI::Range(2, 1000))
        ->option_text("[15]");
    command->callback([flags, &action] { action = [flags] { return generate(*flags); }; });
}

}  // namespace

std::string told(const SceneSet& scenes) {
    const SceneOrigin& origin = scenes.origin();
    return fmt::format("{}{}, {}", counted(static_cast<std::int64_t>(scenes.size()), "image"),
                       origin.synthetic ? fmt::format(" (synthetic, noise {})", origin.noise) : "",
                       origin.synthetic ? origin.source : "from " + origin.source);
}

void add_scenes(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("scenes", "Scene graphs: read, show, generate, count");
    command->require_subcommand(1);
    command->footer("Example:\n  hri scenes generate --out s.scenes && hri scenes show s.scenes");
    add_build(*command, action);
    add_show(*command, action);
    add_generate(*command, action);
    add_scenes_freq(*command, action);
}

}  // namespace hri::cli
