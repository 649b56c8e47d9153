# SPDX-License-Identifier: Apache-2.0
"""Rules you can read, learned from relations.

>>> import hri
>>> program = hri.learn("grandparent", max_work=200_000)
>>> print(program)
grandparent(X,Y) <- aux1(X,Z) & aux1(Z,Y)
aux1(X,Y) <- father(X,Y) | mother(X,Y)
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Union as _Union

from hri import _core, _display, _results
from hri._core import (
    Alternative,
    Constraints,
    CrossValidation,
    Diagnosis,
    Environment,
    EpisodeScore,
    Explanation,
    FoldMeans,
    Instance,
    Model,
    Options,
    PolicyReport,
    Problem,
    Program,
    ProgramFigures,
    Reason,
    Report,
    SceneRules,
    SceneSet,
    Score,
    Trainable32,
    Trainable64,
    WhyNot,
    __version__,
    fold,
    held_out,
    joint_program,
    option_fields,
    policy_defaults,
    read_formats,
    rl_tasks,
    same_answers,
    sampled,
    task_options,
    tasks,
    test_policy,
)
from hri._errors import Error, Interrupted, OptionError, ParseError, Place
from hri._facts import problem, table
from hri._frames import read_frames
from hri._graphs import Answer, GraphRules
from hri._judge import Question, cross_validate, diagnose, expressible, learn_together, questions, why_not
from hri._results import Drawing, Evidence, Rule
from hri._scenes import Confusion, NameGuess, NameRules, SceneRule, cross_validate_scenes, learn_scene_rules
from hri._learn import (
    RuleLearner,
    defaults,
    generate_scenes,
    learn,
    learn_policy,
    learn_scenes,
    read,
    read_all,
    read_scenes,
    task,
)

__all__ = [
    "Alternative", "Answer", "Confusion", "Constraints", "CrossValidation", "Diagnosis", "Drawing", "Environment", "EpisodeScore", "Error",
    "Evidence", "Explanation", "FoldMeans", "GraphRules", "Instance", "Interrupted", "Model", "NameGuess", "NameRules", "OptionError", "Options",
    "ParseError", "Place", "PolicyReport", "Problem", "Program", "ProgramFigures", "Question", "Reason", "Report", "Rule",
    "RuleClassifier", "RuleLearner", "SceneRule", "SceneRules", "SceneSet", "Score", "Trainable32", "Trainable64", "WhyNot",
    "cross_validate", "cross_validate_scenes", "defaults", "diagnose", "expressible", "fold", "generate_scenes", "held_out",
    "joint_program", "learn", "learn_policy", "learn_scene_rules", "learn_scenes", "learn_together", "option_fields", "policy_defaults",
    "problem", "questions", "read", "read_all", "read_formats", "read_frames", "read_scenes", "rl_tasks", "same_answers",
    "sampled", "table", "task", "task_options", "tasks", "test_policy", "trainable", "why_not",
]  # fmt: skip

if _TYPE_CHECKING:
    from hri._classifier import RuleClassifier

_display.install()
_results.install()
for _name in __all__:
    if hasattr(_core, _name) and globals()[_name] is getattr(_core, _name):
        getattr(_core, _name).__module__ = "hri"


def trainable(
    model: Model, dtype: str = "float32", *, input_gradients: bool = False, threads: int = 1
) -> _Union[Trainable32, Trainable64]:
    """A model inside one's own training loop, in 'float32' or 'float64'.

    With `input_gradients`, backward() computes the gradients of the facts too, which d_input()
    gives. `threads` share the instances of a batch. hri.torch.RuleLayer is the same as a module
    of PyTorch.

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
    if dtype == "float32":
        return Trainable32(model, input_gradients=input_gradients, threads=threads)
    return Trainable64(model, input_gradients=input_gradients, threads=threads)


def __getattr__(name: str) -> _Any:
    # scikit-learn takes a second to import: only where it is wanted
    if name == "RuleClassifier":
        from hri._classifier import RuleClassifier

        globals()[name] = RuleClassifier
        return RuleClassifier
    raise AttributeError(f"module 'hri' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
