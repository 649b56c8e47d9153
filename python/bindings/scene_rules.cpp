// SPDX-License-Identifier: Apache-2.0

// Rules with confidences for the names of scene graphs, and how well scores rank names.

#include "hri/scene_rules.hpp"

#include "bind.hpp"

#include <numeric>

namespace hri::python {
namespace {

/// Shared with what was learned from it.
using Scenes = std::shared_ptr<SceneSet>;
using Images = std::vector<std::uint32_t>;

/// The rules, with the scenes that they were learned from.
struct NamedRules {
    Scenes scenes;
    SceneRules rules;

    std::size_t place_of(const std::string& name) const {
        for (std::size_t i = 0; i < rules.names.size(); ++i) {
            if (name_of(i) == name) {
                return i;
            }
        }
        throw py::key_error(name);
    }

    const std::string& name_of(std::size_t i) const {
        return rules.predicates[rules.names[i].target].name;
    }

    std::vector<std::uint32_t> targets() const {
        std::vector<std::uint32_t> result;
        for (const NameRules& name : rules.names) {
            result.push_back(name.target);
        }
        return result;
    }

    /// Programs and guesses speak of predicates by number: other scenes need the same ones.
    const SceneSet& checked(const Scenes& other) const {
        if (other == nullptr) {
            return *scenes;
        }
        if (other->predicates() != rules.predicates) {
            throw Error("these scenes have other predicates than those that were learned from", {},
                        "give parts of one set, as scenes.select(images) makes them");
        }
        return *other;
    }
};

Images checked(const SceneSet& scenes, const std::optional<Images>& images) {
    if (!images) {
        Images all(scenes.size());
        std::iota(all.begin(), all.end(), 0U);
        return all;
    }
    for (const std::uint32_t image : *images) {
        if (image >= scenes.size()) {
            throw py::index_error("there are " + std::to_string(scenes.size()) + " images");
        }
    }
    return *images;
}

std::vector<std::uint32_t> named(const SceneSet& scenes, const std::vector<std::string>& names) {
    std::vector<std::uint32_t> targets(scenes.targets().begin(), scenes.targets().end());
    if (!names.empty()) {
        targets.clear();
    }
    for (const std::string& name : names) {
        targets.push_back(scene_target(scenes, name));
    }
    return targets;
}

NamedRules learn_rules(const Scenes& scenes, const std::vector<std::string>& targets,
                       const std::optional<Images>& images, py::kwargs keywords) {
    SceneRuleSettings settings;
    take_fields(settings, keywords);
    refuse_rest(keywords, field_names<SceneRuleSettings>(), "learn_scene_rules");
    const Images training = checked(*scenes, images);
    const std::vector<std::uint32_t> names = named(*scenes, targets);
    const py::gil_scoped_release nogil;
    return {scenes, learn_scene_rules(*scenes, training, names, settings)};
}

py::dict shown(const Recalls& found) {
    return py::dict(py::arg("recall_at_1") = found.per_object.recall_at_1,
                    py::arg("recall_at_5") = found.per_object.recall_at_5,
                    py::arg("objects") = found.per_object.count);
}

/// R@k of some images' objects by one kind of scores, learned from other images.
py::dict recalls_by(const Scenes& scenes, const std::string& by, const Images& training,
                    const Images& test, const std::vector<std::string>& targets, int threads,
                    std::uint64_t seed) {
    const Images learned = checked(*scenes, training);
    const Images judged = checked(*scenes, test);
    const std::vector<std::uint32_t> names = named(*scenes, targets);
    const auto scores = [&]() -> SceneScores {
        if (by == "rules") {
            return rule_scores(*scenes,
                               learn_scene_rules(*scenes, learned, names, {.threads = threads}));
        }
        if (by == "weights") {
            return softmax_scores(*scenes, learned, names, {.seed = seed});
        }
        if (by == "bayes") {
            return bayes_scores(*scenes, learned, names);
        }
        if (by == "logistic") {
            return logistic_scores(*scenes, learned, names, seed);
        }
        return freq_scores(*scenes, learned, names);
    };
    Recalls found;
    {
        const py::gil_scoped_release nogil;
        found = recalls(*scenes, judged, names, scores(), {.normalised = false});
    }
    return shown(found);
}

py::list guesses(const NamedRules& self, std::size_t image, std::uint32_t object, std::size_t top,
                 const Scenes& scenes) {
    const SceneSet& in = self.checked(scenes);
    if (image >= in.size() || object >= static_cast<std::uint32_t>(in[image].objects)) {
        throw py::index_error("there is no object " + std::to_string(object) + " of image " +
                              std::to_string(image));
    }
    std::uint32_t hidden = kHideOwnLabel;  // its own name, where it has one that was learned
    for (const SceneLabel& label : in[image].names) {
        if (label.object == object) {
            hidden = label.predicate;
        }
    }
    py::list result;
    for (const NameGuess& guess : guess_names(in, self.rules, image, object, hidden, top)) {
        py::list texts;
        for (const std::size_t rule : guess.rules) {
            texts.append(rule_text(self.rules, guess.name, rule));
        }
        result.append(py::make_tuple(self.name_of(guess.name), guess.probability, texts));
    }
    return result;
}

}  // namespace

void bind_scene_rules(py::module_& module) {
    py::class_<NamedRules>(module, "NameRules")
        .def("targets",
             [](const NamedRules& self) {
                 std::vector<std::string> names;
                 for (std::size_t i = 0; i < self.rules.names.size(); ++i) {
                     names.push_back(self.name_of(i));
                 }
                 return names;
             })
        .def(
            "rules",
            [](const NamedRules& self, const std::string& target) {
                const std::size_t i = self.place_of(target);
                py::list rows;
                for (std::size_t k = 0; k < self.rules.names[i].rules.size(); ++k) {
                    const SceneRule& rule = self.rules.names[i].rules[k];
                    rows.append(py::make_tuple(rule_text(self.rules, i, k), rule.confidence,
                                               rule.correct, rule.covered));
                }
                return rows;
            },
            py::arg("target"))
        .def(
            "program",
            [](const NamedRules& self, const std::string& target) {
                return program_of(self.rules, self.place_of(target));
            },
            py::arg("target"))
        .def(
            "prolog",
            [](const NamedRules& self, const std::string& target) {
                return to_prolog(self.rules, self.place_of(target));
            },
            py::arg("target"))
        .def("guess", &guesses, py::arg("image"), py::arg("object"), py::arg("top"),
             py::arg("scenes"))
        .def(
            "recalls",
            [](const NamedRules& self, const Scenes& scenes, const std::optional<Images>& images) {
                const SceneSet& in = self.checked(scenes);
                const Images judged = checked(in, images);
                Recalls found;
                {
                    const py::gil_scoped_release nogil;
                    found = recalls(in, judged, self.targets(), rule_scores(in, self.rules),
                                    {.normalised = false});
                }
                return shown(found);
            },
            py::arg("scenes"), py::arg("images"))
        .def(
            "confusions",
            [](const NamedRules& self, std::size_t count, const Scenes& scenes) {
                const SceneSet& in = self.checked(scenes);
                py::list rows;
                for (const Confusion& c :
                     confusions(in, checked(in, std::nullopt), self.rules, count)) {
                    rows.append(py::make_tuple(self.name_of(c.name), self.name_of(c.guess), c.count,
                                               c.objects));
                }
                return rows;
            },
            py::arg("count"), py::arg("scenes"));
    module.def("learn_scene_rules", &learn_rules, py::arg("scenes"), py::arg("targets"),
               py::arg("images"));
    module.def("scene_recalls", &recalls_by, py::arg("scenes"), py::arg("by"), py::arg("training"),
               py::arg("test"), py::arg("targets"), py::arg("threads"), py::arg("seed"));
    module.def("scene_folds", &scene_folds, py::arg("images"), py::arg("count"), py::arg("seed"));
}

}  // namespace hri::python
