# SPDX-License-Identifier: Apache-2.0
"""Rules you can read, learned from relations.

>>> import hri
>>> program = hri.learn("grandparent", max_work=200_000)
>>> print(program)
grandparent(X,Y) <- aux1(X,Z) & aux1(Z,Y)
aux1(X,Y) <- father(X,Y) | mother(X,Y)
"""

from typing import Union

from hri import _core, _display
from hri._core import (
    Alternative,
    Explanation,
    Instance,
    Model,
    Options,
    Problem,
    Program,
    Reason,
    Report,
    Score,
    Trainable32,
    Trainable64,
    __version__,
    option_fields,
    questions,
    read_formats,
    same_answers,
    task_options,
    tasks,
)
from hri._errors import Error, Interrupted, OptionError, ParseError, Place
from hri._facts import problem
from hri._graphs import Answer, GraphRules
from hri._learn import RuleLearner, defaults, learn, read, task

__all__ = [
    "Alternative", "Answer", "Error", "Explanation", "GraphRules", "Instance", "Interrupted", "Model", "OptionError", "Options",
    "ParseError", "Place", "Problem", "Program", "Reason", "Report", "RuleLearner", "Score", "Trainable32",
    "Trainable64", "defaults", "learn", "option_fields", "problem", "questions", "read", "read_formats",
    "same_answers", "task", "task_options", "tasks", "trainable",
]  # fmt: skip

_display.install()
for _name in __all__:
    if hasattr(_core, _name) and _name != "GraphRules":
        getattr(_core, _name).__module__ = "hri"


def trainable(model: Model, dtype: str = "float32") -> Union[Trainable32, Trainable64]:
    """A model inside one's own training loop, in 'float32' or 'float64'.

    >>> import hri
    >>> import numpy as np
    >>> model = hri.Model([("parent", 2)], ("grandparent", 2), layers=2, seed=1)
    >>> net = hri.trainable(model)
    >>> net.set_facts({"parent": [("ann", "bob"), ("bob", "cleo")]})
    >>> alphas = net.unify(temperature=0.5)
    >>> target = net.infer(steps=2)
    >>> wanted = np.zeros((3, 3))
    >>> wanted[0, 2] = 1                                     # grandparent(ann, cleo)
    >>> d_predicates, d_slots = net.backward(target - wanted)  # of half the squared error
    >>> net.step()
    """
    if dtype not in ("float32", "float64"):
        raise ValueError(f"dtype: expected 'float32' or 'float64', found {dtype!r}")
    return Trainable32(model) if dtype == "float32" else Trainable64(model)
