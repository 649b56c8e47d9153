// SPDX-License-Identifier: Apache-2.0

// Learning, and what it reports.

#include "bind.hpp"
#include "watched.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

namespace hri::python {
namespace {

py::dict setting_defaults() {
    py::dict defaults;
    for (const Field<LearnSettings>& field : fields_of<LearnSettings>()) {
        defaults[field.name.c_str()] = value_of(field, field.get(LearnSettings{}));
    }
    return defaults;
}

/// What the working thread tells.
struct Told {
    std::optional<LearnProgress> progress;
    std::optional<std::string> checkpoint;
};

/// LRI instead of the hierarchy, by the names of the command line.
std::optional<LriTask> lri_of(const Problem& problem, const std::string& model,
                              const std::string& templates) {
    if (model != "hri" && model != "lri") {
        throw OptionError("model: '" + model + "' is not one of hri, lri");
    }
    if (model == "hri") {
        if (!templates.empty()) {
            throw OptionError("templates: these are those of LRI", {}, "add {model=lri}");
        }
        return std::nullopt;
    }
    for (const Task& task : all_tasks()) {
        if (task.name == problem.name) {
            return lri_task(task, templates.empty() ? "task" : templates);
        }
    }
    return lri_task(templates.empty() ? "rlri" : templates);
}

/// The report, and the exception that stopped the run (a KeyboardInterrupt, or the callback's) or
/// None.
py::tuple learn_watched(const std::shared_ptr<Problem>& problem, const py::object& progress,
                        const py::object& checkpoint, const std::string& resume,
                        const std::string& model, const std::string& templates,
                        const Constraints& constraints, py::kwargs keywords) {
    LearnKeywords given(std::move(keywords), "learn");
    given.settings.constraints = constraints;
    given.settings.lri = lri_of(*problem, model, templates);
    given.settings.resume = resume;
    Watched<Told> watched;
    given.settings.interrupt = watched.stop();
    double reached = 0;  // strategies come one after the other, and each begins anew
    if (!progress.is_none()) {
        given.settings.progress = [&watched](const LearnProgress& now) {
            watched.tell({now, std::nullopt});
        };
    }
    std::string kept;  // the last checkpoint, which progress must not replace
    std::mutex keeping;
    if (!checkpoint.is_none()) {
        given.settings.checkpoint = [&](const std::string& text) {
            {
                const std::lock_guard lock(keeping);
                kept = text;
            }
            watched.tell({std::nullopt, text});
        };
    }
    Report report;
    const py::object raised =
        watched.run([&] { report = learn(*problem, given.options, given.settings); },
                    [&](const Told& told) {
                        if (told.progress) {
                            LearnProgress now = *told.progress;
                            now.fraction = reached = std::max(reached, now.fraction);
                            progress(progress_dict(now));
                        }
                        if (told.checkpoint) {
                            checkpoint(*told.checkpoint);
                        }
                    });
    if (!kept.empty()) {
        checkpoint(kept);
    }
    return py::make_tuple(std::move(report), raised);
}

void bind_results(py::module_& module) {
    py::class_<Score>(module, "Score", "How predictions compare with labels.")
        .def_readonly("mse", &Score::mse, "The mean squared error.")
        .def_readonly("accuracy", &Score::accuracy, "The share of labelled atoms that is right.")
        .def_readonly("precision", &Score::precision,
                      "The share of atoms called true that is right; 1 where there is none.")
        .def_readonly("recall", &Score::recall,
                      "The share of true atoms that is found; 1 where there is none.")
        .def_readonly("positives", &Score::positives, "Labelled true.")
        .def_readonly("negatives", &Score::negatives, "Labelled false.")
        .def_readonly("false_positives", &Score::false_positives, "Called true, labelled false.")
        .def_readonly("false_negatives", &Score::false_negatives, "Called false, labelled true.")
        .def("__repr__", [](const Score& self) {
            return "<hri.Score: accuracy " + std::string(py::str(py::float_(self.accuracy))) +
                   ", " + std::to_string(self.false_positives) + " false positives, " +
                   std::to_string(self.false_negatives) + " false negatives>";
        });
    py::class_<Alternative>(module, "Alternative", "A program that was found on the way.")
        .def_readonly("program", &Alternative::program, "Simplified.")
        .def_readonly("fits", &Alternative::fits, "Without error on the training data.")
        .def_readonly("training", &Alternative::training, "Its score on the training data.")
        .def_readonly("bits", &Alternative::bits, "The description length, errors included.");
    py::class_<Report, std::shared_ptr<Report>>(module, "Report",
                                                "What was learned, and the evidence for it.")
        .def_readonly("problem", &Report::problem, "Its name.")
        .def_property_readonly(
            "model",
            [](const py::object& self) -> py::object {
                const Report& report = self.cast<const Report&>();
                if (report.model.parameters.slots.empty()) {
                    return py::none();
                }
                return py::cast(&report.model, py::return_value_policy::reference_internal, self);
            },
            "The hierarchy; None where the program consists of clauses of the data, or is LRI's.")
        .def_readonly("by_clauses", &Report::by_clauses,
                      "Whether the program consists of clauses of the data.")
        .def_readonly("program", &Report::program, "Simplified.")
        .def_readonly("raw", &Report::raw, "As extracted from the model.")
        .def_readonly("fits", &Report::fits, "Without error on the training data.")
        .def_readonly("bits", &Report::bits, "The description length, errors included.")
        .def_readonly("baseline_bits", &Report::baseline_bits,
                      "The description length of the program that calls everything false.")
        .def_readonly("training", &Report::training, "The score on the training data.")
        .def_readonly("evaluation", &Report::evaluation, "On fresh instances, or None.")
        .def_property_readonly(
            "strategy", [](const Report& self) { return to_string(self.strategy); },
            "That was asked for.")
        .def_readonly("seed", &Report::seed, "Of all random numbers.")
        .def_readonly("restarts", &Report::restarts, "Training runs and searches.")
        .def_readonly("fitting", &Report::fitting, "Of them, those that ended without errors.")
        .def_readonly("different", &Report::different, "Logically different programs among those.")
        .def_readonly("iterations", &Report::iterations, "Of training, over all runs.")
        .def_readonly("trials", &Report::trials, "Programs tried by search.")
        .def_readonly("final_loss", &Report::final_loss, "Of the training run that was kept.")
        .def_readonly("seconds", &Report::seconds, "By the clock.")
        .def_property_readonly(
            "stop_reason", [](const Report& self) { return to_string(self.stop_reason); },
            "Why learning ended.")
        .def_property_readonly(
            "evidence",
            [](const Report& self) {
                std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> evidence;
                for (const ClauseEvidence& of : self.evidence) {
                    evidence.emplace_back(of.positives, of.negatives, of.only);
                }
                return evidence;
            },
            "By rule of a program of clauses: positive and negative examples that it covers, and "
            "positive ones that no other rule does.")
        .def_readonly("alternatives", &Report::alternatives, "One of each meaning, best first.")
        .def_property_readonly(
            "curve",
            [](const Report& self) {
                py::list points;
                for (const CurvePoint& point : self.curve) {
                    points.append(py::make_tuple(point.iteration, point.loss, point.sharpness,
                                                 point.accuracy));
                }
                return points;
            },
            "(iteration, loss, sharpness per layer, accuracy of the argmax program), with "
            "log_every.")
        .def(
            "to_svg",
            [](const Report& self) {
                if (self.curve.empty()) {
                    throw py::value_error(
                        "the run has no curve: learn with strategy='gradient' and log_every=100");
                }
                return to_svg(training_charts(self.curve));
            },
            "The curve as a drawing: loss, sharpness and accuracy over the iterations.")
        .def(
            "to_json", [](const Report& self) { return to_json(self); },
            "See docs/reference/json.md for the keys.")
        .def("__repr__", [](const Report& self) {
            return "<hri.Report of " + self.problem + ": " +
                   (self.fits ? "explains the training data" : "does not explain all of the data") +
                   ">";
        });
}

}  // namespace

LearnKeywords::LearnKeywords(py::kwargs keywords, const char* function) {
    take_fields(settings, keywords);
    options = take_options(keywords);
    std::vector<std::string> known = option_names();
    const std::vector<std::string> names = field_names<LearnSettings>();
    known.insert(known.end(), names.begin(), names.end());
    refuse_rest(keywords, known, function);
}

py::dict progress_dict(const LearnProgress& now) {
    return py::dict(py::arg("fraction") = std::clamp(now.fraction, 0.0, 1.0),
                    py::arg("restarts") = now.restarts, py::arg("fits") = now.fits,
                    py::arg("errors") = now.errors, py::arg("loss") = now.loss,
                    py::arg("program") = now.program);
}

void bind_learn(py::module_& module) {
    bind_results(module);
    py::class_<Constraints>(module, "Constraints",
                            "What a user demands of a program beside the examples.")
        .def(py::init([](std::vector<std::string> vetoed_rules,
                         std::vector<std::string> vetoed_literals,
                         std::vector<std::string> vetoed_predicates, std::string pinned) {
                 return Constraints{std::move(vetoed_rules), std::move(vetoed_literals),
                                    std::move(vetoed_predicates), std::move(pinned)};
             }),
             py::kw_only(), py::arg("vetoed_rules") = std::vector<std::string>{},
             py::arg("vetoed_literals") = std::vector<std::string>{},
             py::arg("vetoed_predicates") = std::vector<std::string>{}, py::arg("pinned") = "")
        .def_readonly("vetoed_rules", &Constraints::vetoed_rules,
                      "Clauses that no program may have, as Prolog.")
        .def_readonly("vetoed_literals", &Constraints::vetoed_literals,
                      "Literals that no rule may have, each below the head that it stands under, "
                      "such as 'grandparent(X,Y) :- mother(Z,Y).'")
        .def_readonly("vetoed_predicates", &Constraints::vetoed_predicates,
                      "Inputs that no rule may use, such as 'sister/2'.")
        .def_readonly("pinned", &Constraints::pinned,
                      "Clauses of the target that the program has anyway, as Prolog.")
        .def("__bool__", [](const Constraints& self) { return !self.empty(); });
    module.def("setting_defaults", &setting_defaults,
               "The keywords of learning beside Options, with their defaults.");
    module.def("learn", &learn_watched, py::arg("problem"), py::arg("progress") = py::none(),
               py::arg("checkpoint") = py::none(), py::arg("resume") = "", py::arg("model") = "hri",
               py::arg("templates") = "", py::arg("constraints") = Constraints{});
    module.def(
        "questions",
        [](const Problem& problem, const Report& report, int count) {
            py::list list;
            for (const Question& question : questions(problem, report.alternatives, count)) {
                list.append(py::make_tuple(question.instance, question.atom, question.says_yes,
                                           question.says_no));
            }
            return list;
        },
        py::arg("problem"), py::arg("report"), py::arg("count") = 10,
        "Unlabelled atoms on which programs that fit disagree: (instance, atom, yes, no).");
}

}  // namespace hri::python
