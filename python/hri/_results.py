# SPDX-License-Identifier: Apache-2.0
"""What programs and reports give back in Python's own terms: values as they were given, frames,
files, rules as objects."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from hri import _core, _facts

Path = Union[str, "os.PathLike[str]"]

tuples = _core.Program.predict


class Evidence(NamedTuple):
    """How often a rule holds in the training data: of positive examples, of negative ones, and of
    all positive examples the share."""

    positives: int
    negatives: int
    recall: float

    @property
    def precision(self) -> float:
        """The share of labelled examples that it gets right where it holds."""
        covered = self.positives + self.negatives
        return self.positives / covered if covered else 1.0


class Rule(NamedTuple):
    """One rule of a program. `evidence` is None for rules of other predicates than the target, and
    where the program was not learned here."""

    head: str
    body: tuple[str, ...]
    text: str
    evidence: Optional[Evidence] = None

    def __str__(self) -> str:
        return self.text


def predict(self: _core.Program, facts: Any, steps: int = -1, *, as_frame: bool = False) -> Any:
    """The target's tuples that follow from facts.

    `facts` are what hri.problem takes as background, an Instance, or a problem of one instance.
    Numbers come back as the numbers that were given. `as_frame` gives a pandas DataFrame with a
    column per argument. A relation that the program reads and the facts lack is warned of.

    >>> import hri
    >>> program = hri.Program("next(X,Y) :- edge(X,Z), edge(Z,Y).")
    >>> program.predict({"edge": [(0, 1), (1, 2)]})
    [(0, 2)]
    """
    given = _facts.settled(facts)
    _warn_of_missing(self, given)
    found = tuples(self, given, steps)
    names = _facts.originals(given)
    if names:
        found = [tuple(names.get(cell, cell) for cell in row) for row in found]
    if not as_frame:
        return found
    pandas = importlib.import_module("pandas")

    columns = list("abcdefghijklmnopqrstuvwxyz")[: self.target[1]]
    columns += [f"a{i}" for i in range(len(columns), self.target[1])]
    return pandas.DataFrame(found, columns=columns)


def _warn_of_missing(program: _core.Program, facts: Any) -> None:
    arities = _facts.relation_arities(facts)
    if arities is None:
        return
    given = set(arities)
    for name, arity in program.inputs:
        found = arities.get(name)
        if found is not None and found != arity:
            warnings.warn(
                f"the program reads {name}/{arity}, the facts have {name}/{found}: it counts as empty",
                stacklevel=3,
            )
        if name not in given and name != program.target[0]:
            nearest = f" (did you mean {_core.nearest(name, sorted(given))}?)" if given else ""
            warnings.warn(
                f"the facts lack {name}/{arity}, which the program reads: it counts as empty{nearest}",
                stacklevel=3,
            )


def save(self: _core.Program, path: Path) -> None:
    """Writes the program as Prolog, which hri.Program.load and `hri eval` read."""
    name = os.fspath(path)
    with open(name + ".part", "w", encoding="utf-8") as file:
        file.write(self.to_prolog())
    os.replace(name + ".part", name)


def load(path: Path) -> _core.Program:
    """The program of a Prolog file.

    >>> import hri, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "program.pl")
    >>> hri.Program("next(X,Y) :- edge(X,Y).").save(path)
    >>> print(hri.Program.load(path))
    next(X,Y) <- edge(X,Y)
    """
    with open(path, encoding="utf-8") as file:
        return _core.Program(file.read())


def rules(self: _core.Program) -> list[Rule]:
    """The rules as objects, with the evidence for those of the target.

    >>> import hri
    >>> program = hri.learn(background={"red": ["a", "b"], "big": ["a", "c"]}, positive={"good": ["a", "b", "c"]},
    ...                     negative={"good": ["d"]}, max_work=50_000)
    >>> for rule in program.rules:
    ...     print(rule, rule.evidence)
    good(X) :- big(X). Evidence(positives=2, negatives=0, recall=0.6666666666666666)
    good(X) :- red(X). Evidence(positives=2, negatives=0, recall=0.6666666666666666)
    """
    clauses = _clauses(self)
    known = self.report.evidence if self.report is not None else []
    own = [i for i, clause in enumerate(clauses) if _name(clause[0]) == self.target[0]]
    found = []
    for i, (head, body, text) in enumerate(clauses):
        evidence = None
        if self.report is not None and len(known) == len(own) and i in own:
            positives, negatives, _ = known[own.index(i)]
            evidence = Evidence(positives, negatives, positives / max(self.report.training.positives, 1))
        elif self.problem is not None and _name(head) == self.target[0]:
            others = [c for c in clauses if _name(c[0]) != self.target[0]]
            alone = _core.Program("\n".join(c[2] for c in [clauses[i], *others]))
            evidence = _evidence(alone, self.problem) if not self.recursive else None
        found.append(Rule(head, tuple(body), text, evidence))
    return found


def _evidence(program: _core.Program, problem: _core.Problem) -> Evidence:
    covered = [0, 0]
    positives = 0
    for instance in problem.instances():
        truth = program.truth(instance).ravel()
        for label in (0, 1):
            labelled = instance.labels == label
            covered[label] += int((truth & labelled).sum())
        positives += int((instance.labels == 1).sum())
    return Evidence(covered[1], covered[0], covered[1] / positives if positives else 0.0)


def _name(atom: str) -> str:
    return atom.partition("(")[0].strip("'")


def _clauses(program: _core.Program) -> list[tuple[str, list[str], str]]:
    clauses = []
    for line in program.to_prolog().splitlines():
        if line.startswith(("%", ":-")) or not line.strip():
            continue
        head, _, body = line.strip().removesuffix(".").partition(" :- ")
        clauses.append((head, _atoms(body), line.strip()))
    return clauses


def _atoms(body: str) -> list[str]:
    """A body's atoms: commas outside brackets and quotes part them."""
    atoms, depth, quoted, begin = [], 0, False, 0
    for i, letter in enumerate(body):
        quoted ^= letter == "'"
        if not quoted:
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                atoms.append(body[begin:i].strip())
                begin = i + 1
    return [*atoms, body[begin:].strip()] if body.strip() else []


def curve_frame(self: _core.Report) -> Any:
    """The curve as a pandas DataFrame: iteration, loss, accuracy and sharpness of each layer."""
    pandas = importlib.import_module("pandas")

    return pandas.DataFrame(
        [
            {"iteration": i, "loss": loss, "accuracy": accuracy}
            | {f"sharpness_{k + 1}": value for k, value in enumerate(sharpness)}
            for i, loss, sharpness, accuracy in self.curve
        ],
        columns=None if self.curve else ["iteration", "loss", "accuracy"],
    ).set_index("iteration")


def examples(self: _core.Problem) -> tuple[list[tuple[str, ...]], Any]:
    """The labelled atoms as X and y, for scikit-learn: rows of arguments, and 1 or 0.

    >>> import hri
    >>> problem = hri.problem({"red": ["a"]}, {"good": ["a"]}, {"good": ["b"]})
    >>> problem.examples()
    ([('a',), ('b',)], array([1, 0], dtype=int8))
    """
    rows: dict[tuple[str, ...], int] = {}
    arity = self.target[1]
    for instance in _fixed(self).instances():
        names = instance.constants
        for i in np.flatnonzero(instance.labels != 2):
            at = np.unravel_index(i, (len(names),) * arity) if arity else ()
            rows.setdefault(tuple(names[k] for k in at), int(instance.labels[i]))
    return list(rows), np.array(list(rows.values()), np.int8)


def background(self: _core.Problem) -> dict[str, list[tuple[str, ...]]]:
    """The facts by predicate, as `hri.problem` and `hri.RuleClassifier` take them."""
    relations: dict[str, dict[tuple[str, ...], None]] = {}
    for instance in _fixed(self).instances():
        for name, arity in instance.inputs:
            relations.setdefault(f"{name}/{arity}", {}).update(
                dict.fromkeys(instance.facts(f"{name}/{arity}"))
            )
    return {name: list(rows) for name, rows in relations.items()}


def _fixed(problem: _core.Problem) -> _core.Problem:
    if not problem.fixed and problem.target[1] > 2:
        raise ValueError("lists are of examples of one or two arguments")
    if not problem.fixed:
        raise ValueError("this problem draws its instances at random: it has no list of examples")
    return problem


def diagnosis_text(self: _core.Diagnosis) -> str:
    """As the command line writes it."""
    lines = [f"wrong: {atom} should be {'true' if label else 'false'}" for atom, label in self.wrong]
    if self.wrong_count > len(self.wrong):
        lines.append(f"wrong: {self.wrong_count - len(self.wrong)} more")
    return "\n".join([*lines, *(f"hint: {hint}" for hint in self.hints)])


class Drawing(str):
    """SVG text that a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path) -> None:
        """Writes the drawing to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


def plot_report(self: _core.Report, ax: Any = None) -> Any:
    """The curve of training: axes of matplotlib where that is installed or given, else a drawing
    that notebooks show and that has save(path)."""
    if not self.curve:
        raise ValueError("the run has no curve: learn with strategy='gradient' and log_every=100")
    if ax is None:
        try:
            plt = importlib.import_module("matplotlib.pyplot")
        except ImportError:
            return Drawing(self.to_svg())
        ax = plt.figure().gca()
    frame = [(point[0], point[1], point[3]) for point in self.curve]
    ax.plot([p[0] for p in frame], [p[1] for p in frame], label="loss")
    ax.plot([p[0] for p in frame], [p[2] for p in frame], label="accuracy of the argmax program")
    ax.set_xlabel("iteration")
    ax.legend()
    return ax


def plot_drawing(self: Any) -> Drawing:
    """A drawing that notebooks show and that has save(path)."""
    return Drawing(self.to_svg())


def install() -> None:
    """Gives the classes their methods."""
    program: Any = _core.Program
    program.predict = predict
    program.save = save
    program.load = staticmethod(load)
    program.rules = property(rules)
    program.plot = plot_drawing
    problem: Any = _core.Problem
    problem.examples = examples
    problem.background = background
    model: Any = _core.Model
    model.plot = plot_drawing
    report: Any = _core.Report
    report.curve_frame = curve_frame
    report.plot = plot_report
    diagnosis: Any = _core.Diagnosis
    diagnosis.__str__ = diagnosis_text
    for name in ("Evidence", "Rule", "Drawing"):
        globals()[name].__module__ = "hri"
