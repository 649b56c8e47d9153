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

Strategy strategy_named(const std::string& name) {
    for (const Strategy strategy : {Strategy::gradient, Strategy::search, Strategy::portfolio}) {
        if (to_string(strategy) == name) {
            return strategy;
        }
    }
    throw OptionError("strategy: '" + name + "' is not one of gradient, search, portfolio", {},
                      "did you mean " + nearest(name, {"gradient", "search", "portfolio"}) + "?");
}

/// Calls each(name, member) for what a caller may set.
template <class Settings, class Each>
void for_settings(Settings& settings, Each each) {
    each("strategy", settings.strategy);
    each("seed", settings.seed);
    each("time_limit", settings.time_limit);
    each("max_work", settings.max_work);
    each("grow", settings.grow);
    each("restarts", settings.restarts);
    each("log_every", settings.log_every);
    each("threads", settings.threads);
}

std::string described(const py::handle& value) { return py::repr(value); }

void set(const std::string& name, const py::handle& value, bool& member) {
    if (!py::isinstance<py::bool_>(value)) {
        throw py::type_error(name + ": expected True or False, found " + described(value));
    }
    member = value.cast<bool>();
}

void set(const std::string& name, const py::handle& value, Strategy& member) {
    if (!py::isinstance<py::str>(value)) {
        throw py::type_error(name + ": expected a string, found " + described(value));
    }
    member = strategy_named(value.cast<std::string>());
}

template <class Number>
void set(const std::string& name, const py::handle& value, Number& member) {
    constexpr bool kInteger = std::is_integral_v<Number>;
    py::object number;
    if (!py::isinstance<py::bool_>(value)) {
        number = py::reinterpret_steal<py::object>(kInteger ? PyNumber_Index(value.ptr())
                                                            : PyNumber_Float(value.ptr()));
        PyErr_Clear();
    }
    if (!number || py::isinstance<py::str>(value)) {
        throw py::type_error(name + ": expected " + (kInteger ? "an integer" : "a number") +
                             ", found " + described(value));
    }
    try {
        member = number.cast<Number>();
    } catch (const py::cast_error&) {
        throw OptionError(name + ": " + described(value) + " is out of range");
    }
    if (!(member >= 0)) {
        throw OptionError(name + ": expected 0 or more, found " + described(value));
    }
}

LearnSettings take_settings(py::kwargs& keywords) {
    LearnSettings settings;
    for_settings(settings, [&](const char* name, auto& member) {
        if (keywords.contains(name)) {
            set(name, keywords[name], member);
            keywords.attr("pop")(name);
        }
    });
    for (const auto& [name, value] :
         {std::pair{"restarts", settings.restarts}, std::pair{"threads", settings.threads}}) {
        if (value < 1 || value > 1'000'000) {
            throw OptionError(std::string(name) + ": expected 1 or more, found " +
                              std::to_string(value));
        }
    }
    return settings;
}

py::object python_value(Strategy strategy) { return py::str(to_string(strategy)); }

template <class Value>
py::object python_value(Value value) {
    return py::cast(value);
}

py::dict setting_defaults() {
    const LearnSettings settings;
    py::dict defaults;
    for_settings(settings, [&](const char* name, const auto& member) {
        defaults[name] = python_value(member);
    });
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
    LearnSettings settings = take_settings(keywords);
    const Options options = take_options(keywords);
    std::vector<std::string> known = option_names();
    for_settings(settings, [&](const char* name, auto&) { known.emplace_back(name); });
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
