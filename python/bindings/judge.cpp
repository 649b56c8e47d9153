// SPDX-License-Identifier: Apache-2.0

// Judging what was learned: folds, several targets, diagnosis, expressivity.

#include "hri/cross_validation.hpp"
#include "hri/diagnosis.hpp"
#include "hri/expressivity.hpp"
#include "hri/folds.hpp"
#include "hri/several_targets.hpp"
#include "hri/why_not.hpp"

#include "bind.hpp"
#include "watched.hpp"

namespace hri::python {
namespace {

struct FoldProgress {
    int fold = 0;
    LearnProgress now;
};

/// The result, and the exception that stopped the run or None.
py::tuple cross_validate_watched(const std::shared_ptr<Problem>& problem, int folds,
                                 const py::object& progress, py::kwargs keywords) {
    LearnKeywords given(std::move(keywords), "cross_validate");
    Watched<FoldProgress> watched;
    given.settings.interrupt = watched.stop();
    CrossValidation result;
    const py::object raised = watched.run(
        [&] {
            result = cross_validate(*problem, given.options, given.settings, folds,
                                    [&](int fold, const LearnProgress& now) {
                                        watched.tell({fold, now});
                                    });
        },
        [&](const FoldProgress& told) {
            if (!progress.is_none()) {
                py::dict now = progress_dict(told.now);
                now["fold"] = told.fold;
                now["fraction"] = (told.fold + told.now.fraction) / folds;
                progress(now);
            }
        });
    return py::make_tuple(std::move(result), raised);
}

/// A report for each problem, and the exception that stopped the run or None.
py::tuple learn_together_watched(const std::vector<std::shared_ptr<Problem>>& problems,
                                 const py::object& progress, py::kwargs keywords) {
    LearnKeywords given(std::move(keywords), "learn_together");
    Watched<LearnProgress> watched;
    given.settings.interrupt = watched.stop();
    given.settings.progress = [&](const LearnProgress& now) { watched.tell(now); };
    std::vector<Problem> all;
    for (const std::shared_ptr<Problem>& problem : problems) {
        all.push_back(*problem);
    }
    std::vector<TargetReport> learned;
    const py::object raised = watched.run(
        [&] { learned = learn_together(std::move(all), given.options, given.settings); },
        [&](const LearnProgress& now) {
            if (!progress.is_none()) {
                progress(progress_dict(now));
            }
        });
    std::vector<Report> reports;
    for (TargetReport& target : learned) {
        reports.push_back(std::move(target.report));
    }
    return py::make_tuple(std::move(reports), raised);
}

/// Fields in braces as Python writes them.
std::vector<std::string> shown_hints(const Diagnosis& diagnosis) {
    std::vector<std::string> hints;
    for (const std::string& hint : diagnosis.hints) {
        hints.push_back(show_fields(hint, keyword));
    }
    return hints;
}

py::dict derived(const std::string& metarule, const std::string& rules, py::kwargs keywords) {
    ExpressivityOptions options;
    take_fields(options, keywords);
    refuse_rest(keywords, field_names<ExpressivityOptions>(), "expressible");
    const Metarule parsed = parse_metarule(metarule);
    const ProtoRules set = load_protorules(rules);
    Derivability answer;
    {
        const py::gil_scoped_release nogil;
        answer = derivability(parsed, set, options);
    }
    py::dict result(py::arg("expressible") = answer.derivation.has_value(),
                    py::arg("complete") = answer.complete, py::arg("queries") = answer.queries);
    if (answer.derivation) {
        result["layers"] = answer.derivation->layers;
        result["derivation"] = to_text(*answer.derivation, parsed, set);
        result["program"] = to_program(*answer.derivation, parsed, set);
    }
    return result;
}

void bind_why_not(py::module_& module) {
    py::class_<ProgramFigures>(module, "ProgramFigures",
                               "How a program does on the training examples.")
        .def_readonly("score", &ProgramFigures::score, "On the training examples.")
        .def_readonly("bits", &ProgramFigures::bits, "Of the program and of its errors.");
    py::class_<WhyNot>(module, "WhyNot", "A proposed rule beside the program that was learned.")
        .def_readonly("program", &WhyNot::program, "The proposed rules.")
        .def_readonly("rule", &WhyNot::rule, "The figures of these rules alone.")
        .def_readonly("learned", &WhyNot::learned, "Those of the learned program, or None.")
        .def_readonly("together", &WhyNot::together, "Those of both together, or None.")
        .def_readonly("missed", &WhyNot::missed, "Positives not covered, the first twenty.")
        .def_readonly("wrong", &WhyNot::wrong, "Negatives covered, the first twenty.")
        .def_property_readonly(
            "unknown",
            [](const WhyNot& self) {
                py::list unknown;
                for (const MissingPredicate& missing : self.unknown) {
                    unknown.append(py::make_tuple(missing.name, missing.nearest));
                }
                return unknown;
            },
            "Predicates that the data lack, each with the nearest name of the data.")
        .def_readonly("reasons", &WhyNot::reasons,
                      "Why the learner did not take it, the main one last.")
        .def("__str__", [](const WhyNot& self) { return to_text(self); })
        .def("__repr__", [](const WhyNot& self) {
            return "<hri.WhyNot: accuracy " +
                   std::string(py::str(py::float_(self.rule.score.accuracy))) + ">";
        });
    module.def(
        "why_not",
        [](const std::string& rules, const Problem& problem, const Program* learned, int threads) {
            const py::gil_scoped_release nogil;
            return why_not(rules, problem, learned, threads);
        },
        py::arg("rules"), py::arg("problem"), py::arg("learned") = py::none(),
        py::arg("threads") = 1);
}

}  // namespace

void bind_judge(py::module_& module) {
    bind_why_not(module);
    py::class_<FoldMeans>(module, "FoldMeans", "Means over folds.")
        .def_readonly("training", &FoldMeans::training, "Accuracy on what was learned from.")
        .def_readonly("accuracy", &FoldMeans::accuracy, "On the examples left out.")
        .def_readonly("precision", &FoldMeans::precision, "On the examples left out.")
        .def_readonly("recall", &FoldMeans::recall, "On the examples left out.")
        .def_readonly("seconds", &FoldMeans::seconds, "Of learning.")
        .def("__repr__", [](const FoldMeans& self) {
            return "<hri.FoldMeans: accuracy " + std::string(py::repr(py::float_(self.accuracy))) +
                   " on examples left out>";
        });
    py::class_<CrossValidation>(module, "CrossValidation", "A report for each fold, and means.")
        .def_readonly("folds", &CrossValidation::folds, "A report for each fold.")
        .def_readonly("mean", &CrossValidation::mean, "Means over the folds.")
        .def("__len__", [](const CrossValidation& self) { return self.folds.size(); })
        .def("__repr__", [](const CrossValidation& self) {
            return "<hri.CrossValidation: " + std::to_string(self.folds.size()) +
                   " folds, accuracy " + std::string(py::repr(py::float_(self.mean.accuracy))) +
                   " on examples left out>";
        });
    module.def("cross_validate", &cross_validate_watched, py::arg("problem"), py::arg("folds"),
               py::arg("progress") = py::none());
    module.def("fold", &fold, py::arg("problem"), py::arg("folds"), py::arg("i"),
               py::arg("seed") = 0, py::arg("keep_rare") = false,
               "A problem that is trained on all folds but the i-th and evaluated on that one.");
    module.def("held_out", &held_out, py::arg("problem"), py::arg("share"), py::arg("seed") = 0,
               "A problem that is evaluated on a share of the examples, drawn at random, and "
               "trained on the others.");
    module.def("sampled", &sampled, py::arg("problem"), py::arg("instances"), py::arg("seed") = 0,
               "A problem with at most so many of the training instances, drawn at random.");
    module.def(
        "read_problems",
        [](const std::string& source, const py::kwargs& reading) {
            const ReadOptions options = reading_of(reading, "read_all");
            const py::gil_scoped_release nogil;
            return read_problems(source, options);
        },
        py::arg("source"));
    module.def("learn_together", &learn_together_watched, py::arg("problems"),
               py::arg("progress") = py::none());
    module.def(
        "joint_program",
        [](const std::vector<Program>& programs) {
            std::vector<TargetReport> reports;
            for (const Program& program : programs) {
                reports.emplace_back().report.program = program;
            }
            return joint_program(reports);
        },
        py::arg("programs"), "The programs of several targets in one.");

    py::class_<Diagnosis>(module, "Diagnosis", "Why no program fits, and what might help.")
        .def_property_readonly(
            "wrong",
            [](const Diagnosis& self) {
                py::list wrong;
                for (const WrongExample& example : self.wrong) {
                    wrong.append(py::make_tuple(example.atom, example.positive));
                }
                return wrong;
            },
            "The first ten examples that the program gets wrong: (atom, its label).")
        .def_readonly("wrong_count", &Diagnosis::wrong_count, "All of them.")
        .def_property_readonly("hints", &shown_hints, "What might help, a sentence each.")
        .def("__bool__",
             [](const Diagnosis& self) { return self.wrong_count > 0 || !self.hints.empty(); })
        .def("__repr__", [](const Diagnosis& self) {
            return "<hri.Diagnosis: " + std::to_string(self.wrong_count) + " wrong examples, " +
                   std::to_string(self.hints.size()) + " hints>";
        });
    module.def(
        "diagnose",
        [](const Report& report, const Problem& problem, py::kwargs keywords) {
            const LearnKeywords given(std::move(keywords), "diagnose");
            const py::gil_scoped_release nogil;
            return diagnose(report, problem, given.settings);
        },
        py::arg("report"), py::arg("problem"));
    module.def("expressible", &derived, py::arg("clause"), py::arg("rules") = "R0");
}

}  // namespace hri::python
