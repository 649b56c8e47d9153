// SPDX-License-Identifier: Apache-2.0

// Scene graphs, and many targets that are learned over them.

#include "hri/scenes.hpp"

#include "hri/multitask.hpp"
#include "hri/recall.hpp"

#include "bind.hpp"
#include "watched.hpp"

#include <numeric>

namespace hri::python {
namespace {

/// Shared with what was learned from it.
using Scenes = std::shared_ptr<SceneSet>;

std::vector<std::string> target_names(const SceneSet& scenes) {
    std::vector<std::string> names;
    for (const std::uint32_t target : scenes.targets()) {
        names.push_back(scenes.predicates()[target].name);
    }
    return names;
}

Scenes read_from(const std::vector<std::string>& files, const std::string& lists,
                 py::kwargs keywords) {
    SceneOptions options = lists.empty() ? paper_merges() : read_scene_lists(lists);
    take_fields(options, keywords);
    refuse_rest(keywords, field_names<SceneOptions>(), "read_scenes");
    std::vector<std::filesystem::path> paths(files.begin(), files.end());
    const py::gil_scoped_release nogil;
    return std::make_shared<SceneSet>(read_scenes(paths, options));
}

Scenes generate_from(std::optional<std::string> planted, py::kwargs keywords) {
    GenerateOptions options;
    options.planted = planted.value_or(default_planted_rules());
    take_fields(options, keywords);
    refuse_rest(keywords, field_names<GenerateOptions>(), "generate_scenes");
    const py::gil_scoped_release nogil;
    return std::make_shared<SceneSet>(generate_scenes(options));
}

/// What was learned, with the scenes that its programs are extracted on.
struct Learned {
    Scenes scenes;
    MultitaskResult result;

    std::size_t place_of(const std::string& name) const {
        const auto& targets = result.learned.targets;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if (scenes->predicates()[targets[i].target].name == name) {
                return i;
            }
        }
        throw py::key_error(name);
    }
};

py::tuple learn_watched(const Scenes& scenes, const std::vector<std::string>& targets,
                        const py::object& progress, py::kwargs keywords) {
    MultitaskSettings settings;
    take_fields(settings, keywords);
    const Options options = take_options(keywords, multitask_options());
    std::vector<std::string> known = option_names();
    const std::vector<std::string> names = field_names<MultitaskSettings>();
    known.insert(known.end(), names.begin(), names.end());
    refuse_rest(keywords, known, "learn_scenes");
    for (const std::string& name : targets) {
        settings.targets.push_back(scene_target(*scenes, name));
    }
    Watched<MultitaskProgress> watched;
    settings.interrupt = watched.stop();
    settings.progress = [&](const MultitaskProgress& now) { watched.tell(now); };
    Learned learned{scenes, {}};
    const py::object raised = watched.run(
        [&] { learned.result = learn_targets(*scenes, options, settings); },
        [&](const MultitaskProgress& now) {
            if (!progress.is_none()) {
                progress(py::dict(py::arg("round") = now.round, py::arg("rounds") = now.rounds,
                                  py::arg("loss") = now.loss));
            }
        });
    return py::make_tuple(std::move(learned), raised);
}

py::dict recalls_of(const Learned& learned, const Scenes& scenes, py::kwargs keywords) {
    RecallOptions options;
    take_fields(options, keywords);
    refuse_rest(keywords, field_names<RecallOptions>(), "recalls");
    std::vector<std::uint32_t> images(scenes->size());
    std::iota(images.begin(), images.end(), 0U);
    std::vector<std::uint32_t> targets;
    for (const TargetParameters& target : learned.result.learned.targets) {
        targets.push_back(target.target);
    }
    Recalls found;
    {
        const py::gil_scoped_release nogil;
        found = recalls(*scenes, images, targets, soft_scores(*scenes, learned.result.learned),
                        options);
    }
    return py::dict(py::arg("recall_at_1") = found.per_object.recall_at_1,
                    py::arg("recall_at_5") = found.per_object.recall_at_5,
                    py::arg("objects") = found.per_object.count);
}

}  // namespace

void bind_scenes(py::module_& module) {
    py::class_<SceneSet, Scenes>(module, "SceneSet", R"(Scene graphs: images as small worlds.

>>> import hri
>>> scenes = hri.generate_scenes(images=50, seed=1)
>>> len(scenes)
50
)")
        .def_static(
            "open",
            [](const std::string& path) { return std::make_shared<SceneSet>(open_scenes(path)); },
            py::arg("path"), "The file that save() or `hri scenes build` wrote.")
        .def(
            "save", [](const SceneSet& self, const std::string& path) { write_scenes(path, self); },
            py::arg("path"), "Writes the compact file.")
        .def_property_readonly(
            "predicates", [](const SceneSet& self) { return self.predicates(); },
            "(name, arity), unary ones first.")
        .def_property_readonly("targets", &target_names,
                               "The names to be learned, the most frequent first.")
        .def_property_readonly(
            "synthetic", [](const SceneSet& self) { return self.origin().synthetic; },
            "Whether the scenes were generated.")
        .def(
            "instance",
            [](const SceneSet& self, std::size_t image, const std::string& target) {
                if (image >= self.size()) {
                    throw py::index_error("there are " + std::to_string(self.size()) + " images");
                }
                return scene_instance(self, image, scene_target(self, target));
            },
            py::arg("image"), py::arg("target"), "An image as facts, and the labels of a target.")
        .def(
            "select",
            [](const SceneSet& self, const std::vector<std::uint32_t>& images) {
                for (const std::uint32_t image : images) {
                    if (image >= self.size()) {
                        throw py::index_error("there are " + std::to_string(self.size()) +
                                              " images");
                    }
                }
                return std::make_shared<SceneSet>(select_scenes(self, images));
            },
            py::arg("images"), "Some of the images, by their numbers.")
        .def("__len__", [](const SceneSet& self) { return self.size(); });
    py::class_<Learned>(module, "SceneRules", "What was learned of many targets.")
        .def_property_readonly(
            "targets",
            [](const Learned& self) {
                std::vector<std::string> names;
                for (const TargetParameters& target : self.result.learned.targets) {
                    names.push_back(self.scenes->predicates()[target.target].name);
                }
                return names;
            },
            "The names that were learned.")
        .def_property_readonly(
            "rounds", [](const Learned& self) { return self.result.rounds; }, "Of training.")
        .def_property_readonly(
            "seconds", [](const Learned& self) { return self.result.seconds; }, "By the clock.")
        .def(
            "program",
            [](const Learned& self, const std::string& target) {
                return extract(self.result.learned, self.place_of(target), *self.scenes);
            },
            py::arg("target"), "The program of one target, simplified.")
        .def(
            "model",
            [](const Learned& self, const std::string& target) {
                return self.result.learned.model(self.place_of(target));
            },
            py::arg("target"), "The soft model of one target.")
        .def("recalls", &recalls_of, py::arg("scenes"),
             "How well the soft models rank the names of objects: recall at 1 and at 5.")
        .def(
            "save",
            [](const Learned& self, const std::string& path) {
                save_multitask(path, self.result.learned);
            },
            py::arg("path"), "As safetensors, which `hri multitask` reads.");
    module.def("read_scenes", &read_from, py::arg("files"), py::arg("lists") = "");
    module.def("generate_scenes", &generate_from, py::arg("planted") = py::none());
    module.def("learn_scenes", &learn_watched, py::arg("scenes"), py::arg("targets"),
               py::arg("progress") = py::none());
}

}  // namespace hri::python
