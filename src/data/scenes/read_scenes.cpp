// SPDX-License-Identifier: Apache-2.0

// Files of scene graphs, and the lists that say what is merged and what is frequent.

#include "data/scenes/read_scenes.hpp"

#include "hri/scenes.hpp"

#include "base/utf8.hpp"
#include "data/scenes/gather.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>

namespace hri {
namespace {

using scenes::Format;
using scenes::plain_name;

Format format_named(const std::string& name) {
    if (name == "gqa") {
        return Format::gqa;
    }
    if (name == "visual-genome") {
        return Format::visual_genome;
    }
    if (name == "clevr") {
        return Format::clevr;
    }
    if (name == "vrd") {
        return Format::vrd;
    }
    throw Error(fmt::format("unknown format '{}' of scene graphs", name), {},
                "expected gqa, visual-genome, clevr or vrd");
}

/// Recognises the format by the outermost bracket, the first key and the bracket of its value.
Format recognised(const scenes::JsonStream& stream, const scenes::JsonPiece& first) {
    if (stream.is_array()) {
        return Format::visual_genome;
    }
    if (first.key == "info" || first.key == "scenes") {
        return Format::clevr;
    }
    return first.text.starts_with('[') ? Format::vrd : Format::gqa;
}

constexpr const char* kObjectNames = "objects.json";
constexpr const char* kPredicateNames = "predicates.json";

/// VRD's lists, as given or beside the annotations.
scenes::NumberedNames numbered_names(const std::string& annotations, const SceneOptions& options) {
    const auto list = [&](const std::filesystem::path& given, const char* beside,
                          const char* field) {
        const std::filesystem::path path =
            given.empty() ? std::filesystem::path(annotations).parent_path() / beside : given;
        if (!std::filesystem::exists(path)) {
            throw Error("there is no list of the names that VRD's annotations number",
                        {path.string()}, fmt::format("give {{{}}}", field));
        }
        return scenes::read_name_list(path);
    };
    return {list(options.object_names, kObjectNames, "object_names"),
            list(options.predicate_names, kPredicateNames, "predicate_names")};
}

/// Calls back with each line that is not empty and its number.
template <class Visit>
void each_line(const std::filesystem::path& path, Visit visit) {
    const std::string text = read_file(path);
    base::require_utf8(text, path.string());
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        ++number;
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        if (!line.empty()) {
            visit(line, number);
        }
        begin = end + 1;
    }
}

/// "traffic light 4721" per line; a first line "total obj 1405465" is passed over.
std::map<std::string, std::int64_t> read_counts(const std::filesystem::path& path) {
    std::map<std::string, std::int64_t> counts;
    each_line(path, [&](const std::string& line, int number) {
        const std::size_t last = line.find_last_of(" \t");
        std::int64_t count = 0;
        const char* const begin = line.data() + (last == std::string::npos ? 0 : last + 1);
        const char* const end = line.data() + line.size();
        const auto [stop, code] = std::from_chars(begin, end, count);
        if (last == std::string::npos || code != std::errc() || stop != end || count < 0) {
            throw Error("expected a name and how often it occurs", {path.string(), number, 1},
                        "as in: traffic light 4721");
        }
        if (number > 1 || !line.starts_with("total ")) {
            counts[plain_name(line.substr(0, last))] += count;
        }
    });
    return counts;
}

/// "wheel: wheel,tire,wheels" per line.
std::map<std::string, std::string> read_merges(const std::filesystem::path& path) {
    std::map<std::string, std::string> merges;
    each_line(path, [&](const std::string& line, int number) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) {
            throw Error("expected a name, ':' and its spellings", {path.string(), number, 1},
                        "as in: wheel: wheel,tire,wheels");
        }
        const std::string name = plain_name(line.substr(0, colon));
        for (std::size_t begin = colon + 1; begin <= line.size();) {
            const std::size_t end = std::min(line.find(',', begin), line.size());
            const std::string spelling = plain_name(line.substr(begin, end - begin));
            if (!spelling.empty() && spelling != name) {
                merges[spelling] = name;
            }
            begin = end + 1;
        }
    });
    return merges;
}

using Merge = std::pair<const char*, std::vector<const char*>>;

std::map<std::string, std::string> spellings(const std::vector<Merge>& merges) {
    std::map<std::string, std::string> into;
    for (const auto& [name, others] : merges) {
        for (const char* other : others) {
            into[other] = name;
        }
    }
    return into;
}

}  // namespace

namespace scenes {

void read_scenes_from(std::istream& in, const std::string& file, scenes::Gatherer& gatherer,
                      const std::function<void(std::int64_t)>& progress) {
    scenes::JsonStream stream(in, file);
    std::unique_ptr<scenes::SceneReader> reader;
    scenes::RawScene scene;
    for (scenes::JsonPiece piece; stream.next(piece);) {
        if (!reader) {
            const std::string& named = gatherer.options().format;
            const Format format = named.empty() ? recognised(stream, piece) : format_named(named);
            reader = std::make_unique<scenes::SceneReader>(
                format, file,
                format == Format::vrd ? numbered_names(file, gatherer.options())
                                      : scenes::NumberedNames{});
        }
        if (reader->read(piece, scene) && !gatherer.add(scene)) {
            throw Error(fmt::format("image {} is there twice", scene.image),
                        {file, piece.line, piece.column},
                        "give each image once; Visual Genome's relationships name their objects "
                        "themselves, and its scene graphs hold both");
        }
        if (progress) {
            progress(stream.bytes());
        }
    }
}

}  // namespace scenes

SceneOptions paper_merges() {
    SceneOptions options;
    options.merged_names =
        spellings({{"car", {"cars"}},
                   {"wheel", {"tire", "wheels", "tires"}},
                   {"tree", {"trees"}},
                   {"person", {"people", "man", "woman", "boy", "girl", "lady", "guy"}},
                   {"leaf", {"leaves"}},
                   {"street light", {"traffic light"}},
                   {"letter", {"letters"}},
                   {"shoe", {"shoes"}},
                   {"bush", {"bushes"}},
                   {"door", {"doors"}},
                   {"window", {"windows"}},
                   {"pants", {"jeans"}},
                   {"ear", {"ears"}}});
    options.merged_relations =
        spellings({{"near", {"next to", "on the side of", "beside", "around"}},
                   {"above", {"on top of"}},
                   {"below", {"under"}},
                   {"in", {"inside"}}});
    return options;
}

SceneOptions read_scene_lists(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder)) {
        throw Error("expected a folder of lists", {folder.string()},
                    "with obj_freq.txt and rel_freq.txt");
    }
    SceneOptions options = paper_merges();
    const auto there = [&](const char* name) { return std::filesystem::exists(folder / name); };
    if (there("un_merge.txt")) {
        options.merged_names = read_merges(folder / "un_merge.txt");
    }
    if (there("rel_merge.txt")) {
        options.merged_relations = read_merges(folder / "rel_merge.txt");
    }
    if (there("obj_freq.txt")) {
        options.name_counts = read_counts(folder / "obj_freq.txt");
    }
    if (there("rel_freq.txt")) {
        options.relation_counts = read_counts(folder / "rel_freq.txt");
        for (const std::string& name : options.dropped) {
            options.relation_counts.erase(name);
        }
    }
    if (there("freq_gqa.txt")) {
        each_line(folder / "freq_gqa.txt", [&](const std::string& line, int /*number*/) {
            options.targets.push_back(plain_name(line));
        });
    }
    return options;
}

std::vector<std::filesystem::path> scene_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code code;
    for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code)) {
        const std::filesystem::path name = entry->path().filename();
        if (name.extension() == ".json" && name != kObjectNames && name != kPredicateNames) {
            files.push_back(entry->path());
        }
    }
    if (code) {
        throw Error("cannot list the folder: " + code.message(), {folder.string()});
    }
    if (files.empty()) {
        throw Error("there are no scene graphs in this folder", {folder.string()},
                    "expected files such as train_sceneGraphs.json and val_sceneGraphs.json");
    }
    std::sort(files.begin(), files.end());
    return files;
}

SceneSet read_scenes(const std::vector<std::filesystem::path>& sources, const SceneOptions& options,
                     SceneReport* report, const std::function<void(std::int64_t)>& progress) {
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& source : sources) {
        if (std::filesystem::is_directory(source)) {
            const auto inside = scene_files(source);
            files.insert(files.end(), inside.begin(), inside.end());
        } else {
            files.push_back(source);
        }
    }
    scenes::Gatherer gatherer(options);
    std::string source;
    std::int64_t before = 0;
    for (const std::filesystem::path& path : files) {
        std::ifstream in(path, std::ios::binary);
        if (!in) {
            throw Error("cannot read", {path.string()}, "expected a JSON file of scene graphs");
        }
        std::int64_t bytes = 0;
        scenes::read_scenes_from(in, path.string(), gatherer, [&](std::int64_t here) {
            bytes = here;
            if (progress) {
                progress(before + here);
            }
        });
        before += bytes;
        source += (source.empty() ? "" : " ") + path.filename().string();
    }
    SceneSet scenes = gatherer.finish(source);
    if (report != nullptr) {
        *report = gatherer.report;
    }
    return scenes;
}

}  // namespace hri
