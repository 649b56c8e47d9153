# SPDX-License-Identifier: Apache-2.0
"""From facts and examples to a program."""

from __future__ import annotations

import functools
import inspect
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union, overload

import numpy as np
from numpy.typing import NDArray

from hri import _core, _facts
from hri._errors import Interrupted
from hri._graphs import GraphRules, learn_graph
from hri._progress import Bar, Progress, callback_of

Given = Union[_core.Problem, str, "os.PathLike[str]"]


def task(name: str, constants: int = 0, evaluation_constants: int = 0) -> _core.Problem:
    """A built-in task; `hri.tasks()` lists them. 0 constants: the paper's sizes.

    >>> import hri
    >>> hri.task("grandparent").inputs
    [('father', 2), ('mother', 2)]
    """
    return _core.make_task(name, constants, evaluation_constants)


def read(
    source: Union[str, "os.PathLike[str]"], *, to_predict: bool = False, **reading: Any
) -> _core.Problem:
    """A problem from a folder (Popper's bk.pl and exs.pl, CSV, triples, ...), a file or a database.

    With `to_predict` the tables need no examples: `program.predict` takes the problem. Keywords:
    closed_world, format, target, reify, mapping, split, max_constants, value_types, value_degree;
    docs/reference/formats.md tells what they do.
    """
    return _core.read_problem(os.fspath(source), not to_predict, **reading)


def as_problem(given: Given) -> _core.Problem:
    """A problem as it is; a built-in task by its name; a file or folder by its path."""
    if isinstance(given, _core.Problem):
        return given
    if isinstance(given, str) and given in _core.tasks():
        return task(given)
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        if os.path.exists(path) or os.sep in path or os.path.splitext(path)[1]:
            return read(path)
        return task(path)  # which names the nearest task
    hint = ""
    if isinstance(given, dict):
        hint = "; give facts by background=, examples by positive= and negative="
    elif _facts.is_frame(given) or isinstance(given, (list, tuple)):
        hint = "; a knowledge graph goes with targets='all', tables with hri.read_frames, rows with hri.RuleClassifier"
    raise TypeError(
        f"expected a problem, the name of a task or a path, found {type(given).__name__}{hint}"
    )


@overload
def learn(  # type: ignore[misc]
    problem: Any, *, targets: Union[str, Sequence[str]], valid: Any = None, test: Any = None, **settings: Any
) -> GraphRules: ...


@overload
def learn(
    problem: Optional[Given] = None,
    *,
    background: Any = None,
    positive: Any = None,
    negative: Any = None,
    constants: Any = None,
    closed_world: bool = False,
    hold_out: float = 0,
    checkpoint: Union[None, str, "os.PathLike[str]"] = None,
    resume: bool = False,
    model: str = "hri",
    templates: str = "",
    constraints: Optional[_core.Constraints] = None,
    progress: Progress = None,
    **settings: Any,
) -> _core.Program: ...


def learn(
    problem: Any = None,
    *,
    background: Any = None,
    positive: Any = None,
    negative: Any = None,
    constants: Any = None,
    closed_world: bool = False,
    hold_out: float = 0,
    checkpoint: Union[None, str, "os.PathLike[str]"] = None,
    resume: bool = False,
    model: str = "hri",
    templates: str = "",
    constraints: Optional[_core.Constraints] = None,
    progress: Progress = None,
    targets: Union[None, str, Sequence[str]] = None,
    valid: Any = None,
    test: Any = None,
    **settings: Any,
) -> Union[_core.Program, GraphRules]:
    """Learns a program, or the rules of a knowledge graph.

    Either from a problem (hri.problem, hri.read, hri.task, the name of a task, a path), or from
    `background`, `positive` and `negative` as `hri.problem` takes them. Without `negative` every
    atom that is not positive counts as negative, as with `closed_world`.

    `hold_out` is the share of the examples (between 0 and 1) that is not learned from:
    `report.evaluation` judges the program by them. `checkpoint` is a file that says now and then
    where the run stands; with `resume` the run goes on from there, and ends as it would have
    without a break. `model="lri"` learns by LRI, the paper's baseline, with its `templates`.
    `constraints` are an `hri.Constraints` of vetoed and pinned rules.

    `progress` is a function that is called now and then with a dict (fraction, restarts, fits,
    errors, loss, program), True or False for a bar, None for a bar where somebody looks on. Ctrl-C
    raises `hri.Interrupted`, which holds the best program so far. Other keywords are the settings of
    `RuleLearner`.

    With `targets`, "all" or names of relations, the problem is a knowledge graph: a folder, or
    triples (head, relation, tail) as a DataFrame or tuples, with `valid` and `test` beside them. The
    result is `GraphRules`: `to_frame()`, `rank(triples)`, `answer(relation, head=...)`.

    >>> import hri
    >>> program = hri.learn(
    ...     background={"father": [("carl", "bob"), ("bob", "ann"), ("emil", "dora")],
    ...                 "mother": [("dora", "bob"), ("ann", "hugo")]},
    ...     positive={"grandparent": [("carl", "ann"), ("dora", "ann"), ("emil", "bob"), ("bob", "hugo")]},
    ...     max_work=200_000)
    >>> program.report.fits
    True
    >>> program.predict({"father": [("x", "y")], "mother": [("y", "z")]})
    [('x', 'z')]
    """
    if targets is not None:
        if isinstance(constants, bool):  # of a graph: whether its rules may hold constants
            settings["constants"] = constants
            constants = None
        if any(given is not None for given in (background, positive, negative, constants)):
            raise TypeError("targets goes with a knowledge graph, not with background and examples")
        for name, is_given in {
            "closed_world": closed_world,
            "hold_out": hold_out,
            "checkpoint": checkpoint is not None,
            "resume": resume,
            "model": model != "hri",
            "templates": templates,
            "constraints": constraints is not None,
        }.items():
            if is_given:
                raise TypeError(f"{name} does not go with targets, which are of a knowledge graph")
        return learn_graph(problem, targets, valid, test, progress, settings)
    refuse_unknown(learn, settings)
    if valid is not None or test is not None:
        raise TypeError("valid and test are parts of a knowledge graph: add targets='all'")
    if problem is None:
        if background is None or (positive is None and negative is None):
            raise TypeError("learn() needs a problem, or background and positive examples")
        problem = _facts.problem(
            background,
            positive,
            negative,
            constants=constants,
            closed_world=closed_world or negative is None,
        )
    elif any(given is not None for given in (background, positive, negative, constants)):
        raise TypeError("learn() takes a problem, or background and examples, not both")
    elif closed_world:
        raise TypeError("closed_world goes with background; of files: hri.read(..., closed_world=True)")
    made = as_problem(problem)
    for text in made.warnings:
        warnings.warn(text, stacklevel=2)
    if hold_out:
        if not 0 < hold_out < 1:
            raise ValueError(f"hold_out: expected a share between 0 and 1, found {hold_out!r}")
        made = _core.held_out(made, hold_out, settings.get("seed", 0))
    if model == "lri":
        settings.setdefault("strategy", "gradient")
    report, raised = watched(
        _core.learn,
        progress,
        made,
        checkpoint=None if checkpoint is None else _file_writer(checkpoint),
        resume=_checkpoint_text(checkpoint) if resume else "",
        model=model,
        templates=templates,
        constraints=_core.Constraints() if constraints is None else constraints,
        **settings,
    )
    program: _core.Program = report.program
    program.report = report
    program.problem = made
    program.settings = settings
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(program) from raised
    if raised is not None:
        raise raised
    return program


def watched(function: Any, progress: Progress, *given: Any, **settings: Any) -> Any:
    """Calls it with a bar or one's own function."""
    callback = callback_of(progress)
    try:
        return function(*given, progress=callback, **settings)
    finally:
        if isinstance(callback, Bar):
            callback.clear()


@functools.lru_cache(maxsize=None)
def _keywords(function: Any) -> frozenset[str]:
    own = inspect.signature(function).parameters
    return frozenset(own) - {"settings"} | frozenset(defaults())


def refuse_unknown(function: Any, settings: Iterable[str]) -> None:
    """A TypeError that says where a keyword goes, or names the nearest."""
    known = _keywords(function)
    for name in settings:
        if name in known:
            continue
        if name in _core.reading_keywords():
            raise TypeError(
                f"{function.__name__}() has no keyword '{name}': it goes with hri.read(source, {name}=...) "
                "or hri.problem(...)"
            )
        nearest = _core.nearest(name, sorted(known))
        raise TypeError(f"{function.__name__}() has no keyword '{name}' (did you mean {nearest}?)")


def _checkpoint_text(checkpoint: Union[None, str, "os.PathLike[str]"]) -> str:
    if checkpoint is None:
        raise TypeError("resume goes on from a checkpoint: name it by checkpoint='FILE'")
    with open(checkpoint, encoding="utf-8") as file:
        return file.read()


def _file_writer(path: Union[str, "os.PathLike[str]"]) -> Any:
    """A function that writes a text to the file, whole or not at all."""
    name = os.fspath(path)

    def write(text: str) -> None:
        with open(name + ".part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name + ".part", name)

    return write


def read_all(source: Union[str, "os.PathLike[str]"], **reading: Any) -> list[_core.Problem]:
    """A problem for each target of data that have several. Keywords are those of `hri.read`."""
    return _core.read_problems(os.fspath(source), **reading)


def learn_policy(task: Any, *, progress: Any = None, **settings: Any) -> _core.PolicyReport:
    """Learns a policy as a program, by reinforcement learning; `hri.rl_tasks()` lists the tasks.

    `task` may also be a world of your own, such as `hri.environments.GymTask`.

    Keywords are those of `hri.policy_defaults()`: the settings of PPO and of the search behind it,
    and Options. `progress` is a function of a dict (restart, update, updates, reward).
    """
    report, raised = _core.learn_policy(task, progress=progress, **settings)
    if raised is not None:
        raise raised
    return report


def read_scenes(files: Any, lists: Union[str, "os.PathLike[str]"] = "", **options: Any) -> _core.SceneSet:
    """Scene graphs of GQA, Visual Genome, CLEVR or VRD, from files or folders of JSON.

    `lists` is a folder with lists of names, counts and targets. Keywords are the options of
    `hri scenes build`.
    """
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    return _core.read_scenes([os.fspath(path) for path in paths], os.fspath(lists), **options)


def generate_scenes(planted: Optional[str] = None, **options: Any) -> _core.SceneSet:
    """Synthetic scenes in which rules hold: `planted`, or 20 targets' own.

    >>> import hri
    >>> scenes = hri.generate_scenes("wrist(X) :- on(Y,X), watch(Y).", images=20, seed=1)
    >>> "wrist" in scenes.targets
    True
    """
    return _core.generate_scenes(planted, **options)


def learn_scenes(
    scenes: _core.SceneSet, targets: Any = (), *, progress: Any = None, **settings: Any
) -> _core.SceneRules:
    """Learns a program for each of many targets over scene graphs, with shared embeddings.

    Without `targets`, for those of the scenes. Keywords are the settings of `hri multitask` and
    Options. `progress` is a function of a dict (round, rounds, loss).
    """
    learned, raised = _core.learn_scenes(scenes, list(targets), progress=progress, **settings)
    if raised is not None:
        raise raised
    return learned


def defaults() -> dict[str, Any]:
    """Every keyword of learning with its default, as the C++ structs have them."""
    return {**_core.setting_defaults(), **_core.Options().to_dict()}


class RuleLearner:
    """Learns rules in the manner of scikit-learn's estimators.

    Keywords and defaults are those of the C++ structs: `hri.defaults()`.

    >>> import hri
    >>> learner = hri.RuleLearner(max_work=200_000).fit(hri.task("grandparent"))
    >>> learner.score(hri.task("grandparent"))
    1.0
    >>> learner.get_params()["layers"]
    4
    >>> learner.set_params(layer=3)
    Traceback (most recent call last):
        ...
    ValueError: RuleLearner has no parameter 'layer' (did you mean layers?)
    """

    program_: _core.Program

    def __init__(self, **settings: Any) -> None:
        self.set_params(**{**defaults(), **settings})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All settings by name."""
        return {name: getattr(self, name) for name in defaults()}

    def set_params(self, **settings: Any) -> RuleLearner:
        """Changes settings; they are checked when fit() is called."""
        known = defaults()
        for name, value in settings.items():
            if name not in known:
                nearest = _core.nearest(name, list(known))
                raise ValueError(f"RuleLearner has no parameter '{name}' (did you mean {nearest}?)")
            setattr(self, name, value)
        return self

    def fit(self, problem: Given, y: None = None, *, progress: Progress = None) -> RuleLearner:
        """Learns `program_` from a problem, a task's name or a path."""
        try:
            self.program_ = learn(problem, progress=progress, **self.get_params())
        except Interrupted as stopped:
            self.program_ = stopped.program
            raise
        return self

    @property
    def report_(self) -> Optional[_core.Report]:
        """The evidence for `program_`; pickles do not keep it."""
        return self._learned().report

    def predict(self, problem: Given) -> NDArray[np.int8]:
        """0 or 1 for each labelled atom of the problem's instances, in the order of `labels`."""
        return self._judged(problem)[0]

    def labels(self, problem: Given) -> NDArray[np.int8]:
        """What predict() should give."""
        return self._judged(problem)[1]

    def score(self, problem: Given, y: None = None) -> float:
        """The accuracy of predict()."""
        predicted, labels = self._judged(problem)
        if not len(labels):
            raise ValueError("there are no labelled atoms to score")
        return float(np.mean(predicted == labels))

    def _judged(self, given: Given) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        program = self._learned()
        problem = as_problem(given)
        if problem.target[1] != program.target[1]:
            raise ValueError(
                f"the program defines {program.target}, the problem's target is {problem.target}"
            )
        parts = [np.empty((2, 0), np.int8)]
        for instance in problem.instances():
            labels = instance.labels
            labelled = labels != 2
            truth = program.truth(instance).ravel()
            parts.append(np.stack([truth[labelled].astype(np.int8), labels[labelled]]))
        predicted, labels = np.concatenate(parts, axis=1)
        return predicted, labels

    def _learned(self) -> _core.Program:
        if not hasattr(self, "program_"):
            raise AttributeError("this RuleLearner has learned nothing yet: call fit() first")
        return self.program_

    def __repr__(self) -> str:
        standard = defaults()
        changed = [f"{k}={v!r}" for k, v in self.get_params().items() if v != standard[k]]
        return f"RuleLearner({', '.join(changed)})"


RuleLearner.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in defaults().items()
    ]
)
