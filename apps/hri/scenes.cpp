// SPDX-License-Identifier: Apache-2.0

// hri scenes build|show|generate: files of scene graphs.

#include "scenes.hpp"

#include "commands.hpp"
#include "own_fields.hpp"
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
    SceneOptions reading = {};

    void add_to(Command& command) {
        using F = ListFlags;
        static const std::vector<Field<F>> fields = {
            base::text(own("lists",
                           "A folder with obj_freq.txt, rel_freq.txt, un_merge.txt, rel_merge.txt "
                           "and freq_gqa.txt.",
                           "FOLDER"),
                       &F::folder),
            base::text(own("targets",
                           "The number of targets, the most frequent names, or a file of names. "
                           "Without it 150.",
                           "N|FILE"),
                       &F::targets)};
        add_flags(command, *this, fields);
        add_flags(command, reading, fields_of<SceneOptions>(), {"min_count"});
    }

    SceneOptions options() const {
        SceneOptions options = folder.empty() ? paper_merges() : read_scene_lists(folder);
        options.min_count = reading.min_count;
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
    std::string like;
    ListFlags lists;
    std::vector<std::string> dropped;
    SceneOptions reading;  ///< what no list says
};

int build(const BuildFlags& flags) {
    check_writable(flags.out);
    SceneOptions options = flags.lists.options();
    if (!flags.dropped.empty()) {
        options.dropped = {flags.dropped.begin(), flags.dropped.end()};
    }
    options.format = flags.reading.format;
    options.max_objects = flags.reading.max_objects;
    options.isolated = flags.reading.isolated;
    options.object_names = flags.reading.object_names;
    options.predicate_names = flags.reading.predicate_names;
    options.box_relations = flags.reading.box_relations;
    if (!flags.like.empty()) {
        options = same_predicates(open_scenes(flags.like), std::move(options));
    }
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
    fmt::print("kept     {}\n", summary(scenes));
    fmt::print("left out {} of which nothing remained{}\n", counted(report.empty, "image"),
               report.too_large > 0
                   ? fmt::format(", {} too large", counted(report.too_large, "image"))
                   : "");
    fmt::print("wrote    {} ({} bytes)\n", flags.out,
               grouped(static_cast<std::int64_t>(scenes.bytes().size())));
    return kYes;
}

Command build_command() {
    using F = BuildFlags;
    static const std::vector<Field<F>> fields = [] {
        Field<F> files = base::list(
            own("files", "JSON files of scene graphs, or folders of such.", "FILE..."), &F::files);
        files.set = [](F& flags, const std::string& file) { flags.files.push_back(file); };
        return std::vector<Field<F>>{
            files, base::text(own("out", "The compact file.", "FILE"), &F::out),
            base::text(own("like",
                           "Takes names, relations and targets from these scenes, for images to "
                           "judge by.",
                           "FILE"),
                       &F::like),
            base::list(own("drop",
                           "Relations to leave out. Without it 'to the left of' and 'to the right "
                           "of'.",
                           "NAME,..."),
                       &F::dropped)};
    }();
    auto flags = std::make_shared<BuildFlags>();
    Command command{
        .name = "build",
        .help = "Reads GQA, Visual Genome, CLEVR or VRD.",
        .details = "Files are read one image at a time and may be of any size.",
        .examples =
            "hri scenes build val_sceneGraphs.json train_sceneGraphs.json --lists gqa-lists "
            "--out gqa.scenes\n"
            "hri scenes build scene_graphs.json --min-count 500 --targets 50 --out genome.scenes\n"
            "hri scenes build annotations_train.json --objects objects.json --predicates "
            "predicates.json --out vrd.scenes\n"
            "hri scenes build annotations_test.json --like vrd.scenes --out test.scenes\n"
            "hri scenes build CLEVR_train_scenes.json --min-count 1 --drop left,right --out "
            "clevr.scenes"};
    add_flags(command, *flags, fields);
    make_argument(command, "files");
    command.flag("files").repeats = true;
    command.flag("out").required = true;
    flags->lists.add_to(command);
    add_flags(
        command, flags->reading, fields_of<SceneOptions>(),
        {"format", "max_objects", "isolated", "object_names", "predicate_names", "box_relations"});
    command.run = [flags] { return build(*flags); };
    return command;
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
    fmt::print("scenes   {}\n", summary(scenes));
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

Command show_command() {
    using F = ShowFlags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A file as `hri scenes build` writes it.", "FILE"), &F::file),
        base::text(own("image", "Prints the facts of one image.", "NAME"), &F::image),
        base::number(own("top", "The number of names and relations to list."), &F::top, 0,
                     1'000'000),
        base::text(own("json", "Writes all counts as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<ShowFlags>();
    Command command{.name = "show",
                    .help = "Shows what a file of scenes holds.",
                    .examples =
                        "hri scenes show gqa.scenes --top 30\n"
                        "hri scenes show gqa.scenes --image 2386621"};
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    command.run = [flags] { return show(*flags); };
    return command;
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
    fmt::print("wrote    {}: {}\n", flags.out, summary(scenes));
    return kYes;
}

Command generate_command() {
    using F = GenerateFlags;
    static const std::vector<Field<F>> fields = {
        base::text(own("out", "The compact file.", "FILE"), &F::out),
        base::text(own("planted", "Rules of names, as Prolog, or default.", "default|FILE"),
                   &F::planted),
        base::text(own("sample",
                       "Real scenes, whose pairs of names and whose sizes are drawn from.", "FILE"),
                   &F::sample)};
    auto flags = std::make_shared<GenerateFlags>();
    Command command{.name = "generate",
                    .help = "Makes synthetic scenes in which planted rules hold.",
                    .examples =
                        "hri scenes generate --images 80000 --out synthetic.scenes\n"
                        "hri scenes generate --lists gqa-lists --sample gqa.scenes --noise 0.1 "
                        "--seed 3 --out noisy.scenes\n"
                        "hri scenes generate --planted rules.pl --out planted.scenes"};
    add_flags(command, *flags, fields);
    command.flag("out").required = true;
    add_flags(command, flags->options, fields_of<GenerateOptions>(),
              {"images", "noise", "seed", "max_objects"});
    flags->lists.add_to(command);
    command.run = [flags] { return generate(*flags); };
    return command;
}

}  // namespace

std::string summary(const SceneSet& scenes) {
    const SceneOrigin& origin = scenes.origin();
    return fmt::format("{}{}, {}", counted(static_cast<std::int64_t>(scenes.size()), "image"),
                       origin.synthetic ? fmt::format(" (synthetic, noise {})", origin.noise) : "",
                       origin.synthetic ? origin.source : "from " + origin.source);
}

Command scenes_command() {
    Command command{.name = "scenes",
                    .help = "Reads, shows, generates and counts scene graphs.",
                    .examples = "hri scenes generate --out s.scenes && hri scenes show s.scenes"};
    command.commands = {build_command(), show_command(), generate_command(), scenes_freq_command()};
    return command;
}

}  // namespace hri::cli
