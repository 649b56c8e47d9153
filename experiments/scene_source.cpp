// SPDX-License-Identifier: Apache-2.0
#include "scene_source.hpp"

#include "hri/data.hpp"

#include "own_fields.hpp"

#include <filesystem>

namespace hri::cli {

namespace fs = std::filesystem;

void SceneSource::add_to(Command& command) {
    using F = SceneSource;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("data",
                "Scenes as `hri scenes build` writes them, scene graphs in JSON, or a folder "
                "of such. Without it scenes are generated.",
                "FILE|FOLDER"),
            &F::data),
        base::text(own("lists", "Frequencies, merged names and targets.", "FOLDER"), &F::lists),
        base::text(own("sample", "Real scenes that synthetic ones resemble.", "FILE"), &F::sample),
        base::text(own("planted", "The rules that hold in synthetic scenes.", "FILE"),
                   &F::planted_file)};
    add_flags(command, *this, fields);
    add_flags(command, reading, fields_of<SceneOptions>(),
              {"min_count", "object_names", "predicate_names"});
    add_flags(command, synthetic, fields_of<GenerateOptions>(), {"images", "noise"});
}

SceneOptions SceneSource::options() const {
    SceneOptions options = lists.empty() ? paper_merges() : read_scene_lists(lists);
    options.min_count = reading.min_count;
    options.object_names = reading.object_names;
    options.predicate_names = reading.predicate_names;
    return options;
}

SceneOptions SceneSource::options_beside(const fs::path& file) const {
    SceneOptions all = options();
    const auto folder = [](const fs::path& path) {
        return fs::is_directory(path) ? path : path.parent_path();
    };
    const fs::path here = folder(file);
    const fs::path there = folder(data);
    const auto find = [&](fs::path& list, const char* name) {
        if (list.empty() && !fs::exists(here / name) && fs::exists(there / name))
            list = there / name;
    };
    find(all.object_names, "objects.json");
    find(all.predicate_names, "predicates.json");
    return all;
}

SceneSet SceneSource::open(std::uint64_t seed) const {
    const SceneOptions options = this->options();
    if (fs::is_directory(data) || fs::path(data).extension() == ".json") {
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
