// SPDX-License-Identifier: Apache-2.0

// Learning: runs beside the calling thread, which hands on progress and looks out for Ctrl-C.

#include "bind.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace hri::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(50);

py::dict setting_defaults() {
    py::dict defaults;
    for (const Field<LearnSettings>& field : fields_of<LearnSettings>()) {
        defaults[field.name.c_str()] = value_of(field, field.get(LearnSettings{}));
    }
    return defaults;
}

py::dict progress_dict(const LearnProgress& now) {
    return py::dict(py::arg("fraction") = std::clamp(now.fraction, 0.0, 1.0),
                    py::arg("restarts") = now.restarts, py::arg("fits") = now.fits,
                    py::arg("errors") = now.errors, py::arg("loss") = now.loss,
                    py::arg("program") = now.program);
}

/// What the two threads share.
struct Run {
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::optional<LearnProgress> latest;
    Report report;
    std::exception_ptr failure;
};

/// The report, and the exception that stopped the run (a KeyboardInterrupt, or the callback's) or
/// None.
py::tuple learn_watched(const std::shared_ptr<Problem>& problem, const py::object& progress,
                        py::kwargs keywords) {
    LearnSettings settings;
    take_fields(settings, keywords);
    const Options options = take_options(keywords);
    std::vector<std::string> known = option_names();
    const std::vector<std::string> names = field_names<LearnSettings>();
    known.insert(known.end(), names.begin(), names.end());
    refuse_rest(keywords, known, "learn");

    Run run;
    settings.interrupt = &run.stop;
    if (!progress.is_none()) {
        settings.progress = [&run](const LearnProgress& now) {
            const std::lock_guard lock(run.mutex);
            run.latest = now;
        };
    }
    py::object raised = py::none();
    const auto look = [&](const std::optional<LearnProgress>& now) {
        const py::gil_scoped_acquire gil;
        try {
            if (PyErr_CheckSignals() != 0) {
                throw py::error_already_set();
            }
            if (now) {
                progress(progress_dict(*now));
            }
        } catch (const py::error_already_set& error) {
            run.stop = true;
            raised = error.value();
        }
    };
    {
        const py::gil_scoped_release nogil;
        std::thread worker([&] {
            try {
                run.report = learn(*problem, options, settings);
            } catch (...) {
                run.failure = std::current_exception();
            }
            const std::lock_guard lock(run.mutex);
            run.done = true;
            run.ended.notify_one();
        });
        std::unique_lock lock(run.mutex);
        while (!run.ended.wait_for(lock, kBetweenLooks, [&] { return run.done; })) {
            const std::optional<LearnProgress> now = std::exchange(run.latest, std::nullopt);
            lock.unlock();
            if (!run.stop) {
                look(now);
            }
            lock.lock();
        }
        lock.unlock();
        worker.join();
    }
    if (raised.is_none() && run.latest) {
        look(run.latest);
    }
    if (run.failure) {
        std::rethrow_exception(run.failure);
    }
    return py::make_tuple(std::move(run.report), raised);
}

void bind_results(py::module_& module) {
    py::class_<Score>(module, "Score", "How predictions compare with labels.")
        .def_readonly("mse", &Score::mse)
        .def_readonly("accuracy", &Score::accuracy)
        .def_readonly("precision", &Score::precision)
        .def_readonly("recall", &Score::recall)
        .def_readonly("positives", &Score::positives)
        .def_readonly("negatives", &Score::negatives)
        .def_readonly("false_positives", &Score::false_positives)
        .def_readonly("false_negatives", &Score::false_negatives)
        .def("__repr__", [](const Score& self) {
            return "<hri.Score: accuracy " + std::string(py::str(py::float_(self.accuracy))) +
                   ", " + std::to_string(self.false_positives) + " false positives, " +
                   std::to_string(self.false_negatives) + " false negatives>";
        });
    py::class_<Alternative>(module, "Alternative", "A program that was found on the way.")
        .def_readonly("program", &Alternative::program)
        .def_readonly("fits", &Alternative::fits)
        .def_readonly("training", &Alternative::training)
        .def_readonly("bits", &Alternative::bits);
    py::class_<Report, std::shared_ptr<Report>>(module, "Report",
                                                "What was learned, and the evidence for it.")
        .def_readonly("problem", &Report::problem, "Its name.")
        .def_readonly("model", &Report::model)
        .def_readonly("program", &Report::program, "Simplified.")
        .def_readonly("raw", &Report::raw, "As extracted from the model.")
        .def_readonly("fits", &Report::fits, "Without error on the training data.")
        .def_readonly("bits", &Report::bits, "The description length, errors included.")
        .def_readonly("baseline_bits", &Report::baseline_bits)
        .def_readonly("training", &Report::training)
        .def_readonly("evaluation", &Report::evaluation, "On fresh instances, or None.")
        .def_property_readonly("strategy",
                               [](const Report& self) { return to_string(self.strategy); })
        .def_readonly("seed", &Report::seed)
        .def_readonly("restarts", &Report::restarts)
        .def_readonly("fitting", &Report::fitting)
        .def_readonly("different", &Report::different)
        .def_readonly("iterations", &Report::iterations)
        .def_readonly("trials", &Report::trials)
        .def_readonly("final_loss", &Report::final_loss)
        .def_readonly("seconds", &Report::seconds)
        .def_property_readonly("stop_reason",
                               [](const Report& self) { return to_string(self.stop_reason); })
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
        .def("to_json", [](const Report& self) { return to_json(self); })
        .def("__repr__", [](const Report& self) {
            return "<hri.Report of " + self.problem + ": " +
                   (self.fits ? "explains the training data" : "does not explain all of the data") +
                   ">";
        });
}

}  // namespace

void bind_learn(py::module_& module) {
    bind_results(module);
    module.def("setting_defaults", &setting_defaults,
               "The keywords of learning beside Options, with their defaults.");
    module.def("learn", &learn_watched, py::arg("problem"), py::arg("progress") = py::none());
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
