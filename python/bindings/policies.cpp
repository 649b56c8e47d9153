// SPDX-License-Identifier: Apache-2.0

// Policies as programs: environments and reinforcement learning.

#include "hri/rl.hpp"

#include "bind.hpp"
#include "watched.hpp"

#include <algorithm>

namespace hri::python {
namespace {

/// A Python object that any thread may let go of.
std::shared_ptr<py::object> shared(py::object object) {
    return {new py::object(std::move(object)), [](py::object* held) {
                const py::gil_scoped_acquire gil;
                delete held;
            }};
}

/// A world of the user, as hri.environments.GymWorld is one.
class OwnEnvironment final : public Environment {
  public:
    /// With the interpreter's lock.
    OwnEnvironment(py::object world, SharedSchema schema)
        : world_(shared(std::move(world))), schema_(std::move(schema)) {
        see();
    }

    void reset(Random& random) override {
        const py::gil_scoped_acquire gil;
        world_->attr("reset")(static_cast<std::int64_t>(random.next() >> 33));
        see();
    }

    const Instance& facts() const override { return facts_; }

    const std::vector<int>& actions() const override { return actions_; }

    StepResult step(int action) override {
        const py::gil_scoped_acquire gil;
        py::tuple atom(schema_->target.arity);
        if (schema_->target.arity == 2) {
            atom[0] = facts_.name_of(action / facts_.constants);
        }
        atom[atom.size() - 1] = facts_.name_of(action % facts_.constants);
        const py::tuple result = world_->attr("step")(atom);
        see();
        return {result[0].cast<double>(), result[1].cast<bool>(), result[2].cast<bool>()};
    }

    std::string text() const override {
        const py::gil_scoped_acquire gil;
        return world_->attr("text").cast<std::string>();
    }

    bool deterministic() const override { return deterministic_; }

  private:
    int number(const std::string& name) const {
        const int found = facts_.find(name);
        if (found < 0) {
            throw Error("the world has no constant '" + name + "'", {},
                        "name all objects in `constants`");
        }
        return found;
    }

    std::vector<int> numbers(const py::handle& atom, const PredicateSymbol& predicate) const {
        std::vector<int> arguments;
        for (const std::string& name : atom.cast<std::vector<std::string>>()) {
            arguments.push_back(number(name));
        }
        if (static_cast<int>(arguments.size()) != predicate.arity) {
            throw Error("an atom of " + predicate.name + " has " +
                            std::to_string(arguments.size()) + " arguments, not " +
                            std::to_string(predicate.arity),
                        {});
        }
        return arguments;
    }

    /// The world's state.
    void see() {
        facts_.schema = schema_;
        const auto names = world_->attr("constants").cast<std::vector<std::string>>();
        facts_.reset(static_cast<int>(names.size()), Label::unlabelled);
        facts_.names = names;
        const py::dict facts = world_->attr("facts");
        for (std::size_t p = 0; p < schema_->inputs.size(); ++p) {
            const PredicateSymbol& predicate = schema_->inputs[p];
            if (!facts.contains(predicate.name.c_str())) {
                continue;
            }
            for (const py::handle atom : facts[predicate.name.c_str()]) {
                const std::vector<int> arguments = numbers(atom, predicate);
                facts_.facts[p].push_back({arguments.empty() ? 0 : arguments[0],
                                           arguments.size() < 2 ? 0 : arguments[1]});
            }
            std::sort(facts_.facts[p].begin(), facts_.facts[p].end());
        }
        actions_.clear();
        for (const py::handle atom : world_->attr("actions")) {
            const std::vector<int> arguments = numbers(atom, schema_->target);
            actions_.push_back(arguments.size() == 2
                                   ? arguments[0] * facts_.constants + arguments[1]
                                   : arguments[0]);
        }
        std::sort(actions_.begin(), actions_.end());
        if (actions_.empty()) {
            throw Error("a state has no actions", {}, "give one at least, also at the end");
        }
        deterministic_ = world_->attr("deterministic").cast<bool>();
    }

    std::shared_ptr<py::object> world_;
    SharedSchema schema_;
    Instance facts_;
    std::vector<int> actions_;
    bool deterministic_ = false;
};

/// A built-in task by its name, or an object such as hri.environments.GymTask.
RlTask task_of(const py::object& given) {
    if (py::isinstance<py::str>(given)) {
        return find_rl_task(given.cast<std::string>());
    }
    RlTask task;
    task.name = given.attr("name").cast<std::string>();
    task.inputs = given.attr("inputs").cast<std::vector<PredicateSymbol>>();
    task.target = given.attr("target").cast<PredicateSymbol>();
    if (task.target.arity < 1 || task.target.arity > 2) {
        throw Error("actions are atoms of one or two arguments", {}, "give a target of such arity");
    }
    task.training_size = 1;
    const SharedSchema schema = make_schema(task.inputs, task.target);
    task.make = [maker = shared(given.attr("make")), schema](
                    const std::string& start, int size) -> std::unique_ptr<Environment> {
        const py::gil_scoped_acquire gil;
        return std::make_unique<OwnEnvironment>((*maker)(start, size), schema);
    };
    return task;
}

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
py::tuple learn_policy_watched(const py::object& task, const py::object& progress,
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
    const RlTask found = task_of(task);
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
        .def_readonly("argmax", &PolicyReport::raw, "The argmax program of the soft policy.")
        .def_readonly("accepted", &PolicyReport::accepted,
                      "Whether it solves all that it could be tried on.")
        .def_readonly("starts", &PolicyReport::starts, "That programs are judged by.")
        .def_readonly("solved_starts", &PolicyReport::solved_starts, "Of them, by the program.")
        .def_readonly("training", &PolicyReport::training,
                      "Of the program, from the training start.")
        .def_readonly("restarts", &PolicyReport::restarts, "Runs of PPO.")
        .def_readonly("updates", &PolicyReport::updates, "Of all runs.")
        .def_readonly("episodes", &PolicyReport::episodes, "Of PPO, over all runs.")
        .def_readonly("programs", &PolicyReport::programs, "Drawn by PPO, over all runs.")
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
        [](const py::object& task, const Program& program, const std::string& choice, int episodes,
           std::uint64_t seed) {
            const RlTask found = task_of(task);
            const Choice chosen = choice_named(choice);
            const py::gil_scoped_release nogil;
            if (found.tests.empty()) {
                return run_episodes(*make_environment(found), program_values(program), chosen,
                                    episodes, seed);
            }
            return run_tests(found, program_values(program), chosen, episodes, seed);
        },
        py::arg("task"), py::arg("program"), py::arg("choice") = "first", py::arg("episodes") = 1,
        py::arg("seed") = 0,
        "A program on all test starts of a task; of a task of your own on its training start.");
}

}  // namespace hri::python
