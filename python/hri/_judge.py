# SPDX-License-Identifier: Apache-2.0
"""Judging what was learned: folds, several targets, questions, diagnosis, expressivity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from hri import _core, _facts
from hri._learn import Given, as_problem, defaults, refuse_unknown, watched
from hri._progress import Progress


def cross_validate(
    problem: Given, folds: int = 5, *, progress: Progress = None, **settings: Any
) -> _core.CrossValidation:
    """Learns once for each fold of the examples, and judges by those left out.

    Keywords are the settings of `hri.learn`; `seed` deals the examples too. The result has a report
    for each fold (`folds`) and means over them (`mean`).

    >>> import hri
    >>> parents = [("ann", "bob"), ("bob", "cleo"), ("cleo", "dan"), ("eve", "bob"), ("dan", "fay")]
    >>> grand = [("ann", "cleo"), ("bob", "dan"), ("eve", "cleo"), ("cleo", "fay")]
    >>> problem = hri.problem({"parent": parents}, {"grandparent": grand}, closed_world=True)
    >>> result = hri.cross_validate(problem, folds=2, max_work=100_000)
    >>> result.mean.accuracy
    1.0
    """
    refuse_unknown(cross_validate, settings)
    result, raised = watched(
        _core.cross_validate, progress, as_problem(problem), folds, **settings
    )
    if raised is not None:
        raise raised
    found: _core.CrossValidation = result
    return found


def learn_together(
    problems: Sequence[_core.Problem], *, progress: Progress = None, **settings: Any
) -> list[_core.Report]:
    """Learns the targets of one source together: each may occur in the rules of the others.

    `problems` are what `hri.read_all` gives. Keywords are the settings of `hri.learn`; the time
    limit is that of each target. A report for each, whose program is the target's own rules;
    `hri.joint_program` makes one program of them.

    >>> import hri
    >>> people = {"parent": [("ann", "bob"), ("bob", "cleo"), ("cleo", "dan")]}
    >>> problems = [hri.problem(people, {name: pairs}, closed_world=True) for name, pairs in {
    ...     "child": [("bob", "ann"), ("cleo", "bob"), ("dan", "cleo")],
    ...     "grandchild": [("cleo", "ann"), ("dan", "bob")]}.items()]
    >>> reports = hri.learn_together(problems, max_work=20_000, time_limit=0)
    >>> [report.fits for report in reports]
    [True, True]
    """
    refuse_unknown(learn_together, settings)
    reports, raised = watched(_core.learn_together, progress, list(problems), **settings)
    if raised is not None:
        raise raised
    found: list[_core.Report] = reports
    return found


class Question(NamedTuple):
    """An atom without a label on which programs that fit disagree: how many say yes, and no."""

    atom: str
    yes: int
    no: int


def questions(program: _core.Program, count: int = 10) -> list[Question]:
    """What to ask: atoms without a label whose label would tell programs that fit apart.

    `program` is one that was learned here. The most disputed atoms come first.

    >>> import hri
    >>> program = hri.learn(background={"p": ["a", "b"], "q": ["a", "c"]}, positive={"t": ["a"]},
    ...                     negative={"t": ["d"]}, max_work=20_000, time_limit=0)
    >>> [question.atom for question in hri.questions(program)]
    ['t(b)', 't(c)']
    """
    if not isinstance(program, _core.Program):
        raise TypeError(f"expected a program that was learned, found {_facts.short(program)}")
    problem = program.problem
    if program.report is None or problem is None:
        raise ValueError("questions() needs a program that was learned here: it has no report")
    name, arity = problem.target
    instances = problem.instances()
    found = []
    for instance, atom, yes, no in _core.questions(problem, program.report, count):
        constants = instances[instance].constants
        places = np.unravel_index(atom, (len(constants),) * arity) if arity else ()
        arguments = ",".join(constants[int(place)] for place in places)
        found.append(Question(f"{name}({arguments})" if arguments else name, yes, no))
    return found


def diagnose(program: _core.Program) -> _core.Diagnosis:
    """Why a learned program does not fit its data, and what might help.

    >>> import hri
    >>> program = hri.learn(background={"red": ["a", "b"]}, positive={"good": ["a", "c"]},
    ...                     negative={"good": ["b", "d"]}, max_work=20_000)
    >>> diagnosis = hri.diagnose(program)
    >>> diagnosis.wrong_count
    2
    """
    if program.report is None or program.problem is None:
        raise ValueError("diagnose() needs a program that was learned here: it has no report")
    settings = {**defaults(), **(program.settings or {})}
    return _core.diagnose(program.report, program.problem, **settings)


def why_not(
    rules: str, program: Union[_core.Program, Given], *, threads: int = 1
) -> _core.WhyNot:
    """Why a rule of one's own was not learned: its score beside that of the learned program.

    `rules` are Prolog, or p(X) <- q(X) & r(X). `program` is one that was learned here, or a problem
    to score the rules on alone.

    >>> import hri
    >>> program = hri.learn(background={"parent": [("ann", "bob"), ("bob", "cleo"), ("cleo", "dan")]},
    ...                     positive={"grand": [("ann", "cleo"), ("bob", "dan")]}, max_work=20_000)
    >>> answer = hri.why_not("grand(X,Y) :- parent(X,Y).", program)
    >>> answer.missed
    ['grand(ann,cleo)', 'grand(bob,dan)']
    >>> answer.rule.score.recall, answer.learned.score.recall
    (0.0, 1.0)
    """
    if not isinstance(program, _core.Program):
        return _core.why_not(rules, as_problem(program), None, threads)
    if program.problem is None:
        raise ValueError("program: it was not learned here; give the problem instead")
    return _core.why_not(rules, program.problem, program, threads)


def expressible(clause: str, rules: str = "R0", **options: Any) -> dict[str, Any]:
    """Whether a set of proto-rules can express a clause, and how.

    The dict has `expressible`, `complete` (the answer holds for any depth) and, where it is,
    `layers`, `derivation` and `program`. Keywords: with_true, with_equal, extra_atoms,
    max_queries.

    >>> import hri
    >>> answer = hri.expressible("P(A,B) <- Q(A,C), R(C,B)")
    >>> answer["expressible"], answer["layers"]
    (True, 1)
    """
    return _core.expressible(clause, rules, **options)


Question.__module__ = "hri"
