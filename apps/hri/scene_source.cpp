// SPDX-License-Identifier: Apache-2.0
#include "scene_source.hpp"

#include "hri/data.hpp"

#include <algorithm>
#include <filesystem>

namespace hri::cli {
namespace {

namespace fs = std::filesystem;

/// The scene graphs in a folder, in the order of their names.
std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code)) {
        if (entry->path().extension() == ".json") {
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

}  // namespace

void SceneSource::add_to(CLI::App& command) {
    command
        .add_option("--data", data,
                    "scenes as `hri scenes build` writes them, scene graphs in JSON, or a folder "
                    "of such; without it scenes are generated")
        ->option_text("FILE|FOLDER");
    command.add_option("--lists", lists, "frequencies, merged names, targets")
        ->option_text("FOLDER");
    command.add_option("--images", synthetic.images, "synthetic: how many")
        ->check(CLI::Range(2, 10'000'000))
        ->option_text("[5000]");
    command.add_option("--noise", synthetic.noise, "synthetic: share of wrong labels")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("[0]");
    command.add_option("--sample", sample, "synthetic: real scenes to resemble")
        ->option_text("FILE");
    command.add_option("--planted", planted_file, "synthetic: rules that hold")
        ->option_text("FILE");
}

SceneSet SceneSource::open(std::uint64_t seed) const {
    const SceneOptions options = lists.empty() ? paper_merges() : read_scene_lists(lists);
    if (fs::is_directory(data)) {
        return read_scenes(json_files(data), options);
    }
    if (fs::path(data).extension() == ".json") {
        return read_scenes({data}, options);
    }
    if (!data.empty()) {
        return open_scenes(data);
    }
    GenerateOptions wanted = synthetic;
    if (!lists.empty()) {
        wanted.lists = options;
    }
    if (!planted_file.empty()) {
        wanted.planted = read_file(planted_file);
    }
    SceneSet real;
    if (!sample.empty()) {
        real = open_scenes(sample);
        wanted.sample = &real;
    }
    wanted.seed = seed;
    return generate_scenes(wanted);
}

}  // namespace hri::cli
