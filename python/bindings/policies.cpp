// SPDX-License-Identifier: Apache-2.0

// Policies as programs: environments and reinforcement learning.

#include "hri/rl.hpp"

#include "bind.hpp"
#include "watched.hpp"

#include <algorithm>

namespace hri::python {
namespace {

/// An environment with the random numbers of its starts.
struct World {
    World(const std::string& task_name, const std::string& start, int size, std::uint64_t seed)
        : task(&find_rl_task(task_name)),
          random(seed),
          environment(make_environment(*task, start, size)) {
        environment->reset(random);
    }

    const RlTask* task;
    Random random;
    std::unique_ptr<Environment> environment;

    /// The target's arguments of an action.
    py::tuple atom(int action) const {
        const Instance& facts = environment->facts();
        py::tuple arguments(task->target.arity);
        int rest = action;
        for (int a = task->target.arity; a-- > 0; rest /= facts.constants) {
            arguments[static_cast<std::size_t>(a)] = facts.name_of(rest % facts.constants);
        }
        return arguments;
    }

    py::tuple step(int action) {
        const std::vector<int>& allowed = environment->actions();
        if (std::find(allowed.begin(), allowed.end(), action) == allowed.end()) {
            throw py::value_error("action: expected one of actions(), found " +
                                  std::to_string(action));
        }
        const StepResult result = environment->step(action);
        return py::make_tuple(result.reward, result.done, result.solved);
    }
};

struct PolicyProgress {
    int restart = 0, update = 0, updates = 0;
    double reward = 0;
};

/// The report, and the exception that stopped the run or None.
py::tuple learn_policy_watched(const std::string& task, const py::object& progress,
                               py::kwargs keywords) {
    RlSettings settings;
    take_fields(settings, keywords);
    const Options options = take_options(keywords, rl_options());
    std::vector<std::string> known = option_names();
    const std::vector<std::string> names = field_names<RlSettings>();
    known.insert(known.end(), names.begin(), names.end());
    refuse_rest(keywords, known, "learn_policy");
    Watched<PolicyProgress> watched;
    settings.interrupt = watched.stop();
    settings.progress = [&](int restart, int update, int updates, double reward) {
        watched.tell({restart, update, updates, reward});
    };
    const RlTask& found = find_rl_task(task);
    PolicyReport report;
    const py::object raised =
        watched.run([&] { report = learn_policy(found, options, settings); },
                    [&](const PolicyProgress& now) {
                        if (!progress.is_none()) {
                            progress(py::dict(
                                py::arg("restart") = now.restart, py::arg("update") = now.update,
                                py::arg("updates") = now.updates, py::arg("reward") = now.reward));
                        }
                    });
    return py::make_tuple(std::move(report), raised);
}

Choice choice_named(const std::string& name) {
    if (name != "first" && name != "uniform") {
        throw py::value_error("choice: expected 'first' or 'uniform', found '" + name + "'");
    }
    return name == "first" ? Choice::first : Choice::uniform;
}

}  // namespace

void bind_policies(py::module_& module) {
    py::class_<EpisodeScore>(module, "EpisodeScore", "Several episodes together.")
        .def_readonly("reward", &EpisodeScore::reward, "The mean.")
        .def_readonly("moves", &EpisodeScore::moves, "The mean over solved ones.")
        .def_readonly("solved", &EpisodeScore::solved, "Episodes that reached the goal.")
        .def_readonly("episodes", &EpisodeScore::episodes, "All of them.")
        .def("__repr__", [](const EpisodeScore& self) {
            return "<hri.EpisodeScore: " + std::to_string(self.solved) + " of " +
                   std::to_string(self.episodes) + " solved, reward " +
                   std::string(py::repr(py::float_(self.reward))) + ">";
        });
    py::class_<PolicyReport>(module, "PolicyReport", "A learned policy and the evidence for it.")
        .def_readonly("task", &PolicyReport::task, "Its name.")
        .def_readonly("model", &PolicyReport::model, "The soft policy, as PPO left it.")
        .def_readonly("program", &PolicyReport::program, "The policy, simplified.")
        .def_readonly("accepted", &PolicyReport::accepted,
                      "Whether it solves all that it could be tried on.")
        .def_readonly("starts", &PolicyReport::starts, "That programs are judged by.")
        .def_readonly("solved_starts", &PolicyReport::solved_starts, "Of them, by the program.")
        .def_readonly("training", &PolicyReport::training,
                      "Of the program, from the training start.")
        .def_readonly("restarts", &PolicyReport::restarts, "Runs of PPO.")
        .def_readonly("updates", &PolicyReport::updates, "Of all runs.")
        .def_readonly("episodes", &PolicyReport::episodes, "Of PPO, over all runs.")
        .def_readonly("evaluations", &PolicyReport::evaluations, "Programs tried after PPO.")
        .def_readonly("seconds", &PolicyReport::seconds, "By the clock.")
        .def_property_readonly(
            "curve",
            [](const PolicyReport& self) {
                py::list points;
                for (const PolicyCurvePoint& point : self.curve) {
                    points.append(py::make_tuple(point.update, point.reward));
                }
                return points;
            },
            "(update, mean reward of its episodes).");
    py::class_<World>(module, "Environment", R"(A world that actions change.

>>> import hri
>>> world = hri.Environment("stack")
>>> world.state
'[a][b][c][d]'
>>> [world.atom(action) for action in world.actions()][:2]
[('floor', 'a'), ('floor', 'b')]
>>> reward, done, solved = world.step(world.actions()[0])
)")
        .def(py::init<const std::string&, const std::string&, int, std::uint64_t>(),
             py::arg("task"), py::arg("start") = "train", py::arg("size") = 0, py::arg("seed") = 0)
        .def(
            "reset", [](World& self) { self.environment->reset(self.random); },
            "Begins an episode.")
        .def_property_readonly(
            "facts", [](const World& self) { return Instance(self.environment->facts()); },
            "The current state, as an Instance.")
        .def_property_readonly(
            "state", [](const World& self) { return self.environment->text(); },
            "The current state on one line.")
        .def(
            "actions", [](const World& self) { return self.environment->actions(); },
            "What may be tried in the current state.")
        .def("atom", &World::atom, py::arg("action"), "The target's arguments of an action.")
        .def("step", &World::step, py::arg("action"), "(reward, done, solved)");
    module.def(
        "rl_tasks",
        [] {
            py::dict names;
            for (const RlTask& task : rl_tasks()) {
                names[task.name.c_str()] = task.explanation;
            }
            return names;
        },
        "The tasks of reinforcement learning with their explanations.");
    module.def("learn_policy", &learn_policy_watched, py::arg("task"),
               py::arg("progress") = py::none());
    module.def(
        "policy_defaults",
        [] {
            py::dict defaults;
            for (const Field<RlSettings>& field : fields_of<RlSettings>()) {
                defaults[field.name.c_str()] = value_of(field, field.get(RlSettings{}));
            }
            for (const OptionField& field : fields_of<Options>()) {
                defaults[field.name.c_str()] = value_of(field, field.get(rl_options()));
            }
            return defaults;
        },
        "The keywords of learn_policy with their defaults.");
    module.def(
        "test_policy",
        [](const std::string& task, const Program& program, const std::string& choice, int episodes,
           std::uint64_t seed) {
            const RlTask& found = find_rl_task(task);
            const Choice chosen = choice_named(choice);
            const py::gil_scoped_release nogil;
            return run_tests(found, program_values(program), chosen, episodes, seed);
        },
        py::arg("task"), py::arg("program"), py::arg("choice") = "first", py::arg("episodes") = 1,
        py::arg("seed") = 0, "A program on all test starts of a task.");
}

}  // namespace hri::python
