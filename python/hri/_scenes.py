# SPDX-License-Identifier: Apache-2.0
"""Rules with confidences for the names of scene graphs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from hri import _core

_SCORES = ("rules", "weights", "freq", "bayes", "logistic")


class SceneRule(NamedTuple):
    """A rule for a name: in training it covers `covered` objects, of which `correct` have the name.
    The confidence is their share, drawn towards how frequent the name is."""

    text: str
    confidence: float
    correct: int
    covered: int

    def __str__(self) -> str:
        return self.text


class NameGuess(NamedTuple):
    """A name that an object might have, with the rules that say so, the surest first."""

    name: str
    probability: float
    rules: list[str]


class Confusion(NamedTuple):
    """Objects of one name that rules take for another: `mistaken` of `objects`."""

    name: str
    guess: str
    mistaken: int
    objects: int


class NameRules:
    """Rules with confidences for many names, as hri.learn_scene_rules() learns them.

    >>> import hri
    >>> scenes = hri.generate_scenes("wrist(X) :- on(Y,X), watch(Y).", images=200, seed=1)
    >>> rules = hri.learn_scene_rules(scenes, ["wrist"])
    >>> rules.targets
    ['wrist']
    >>> rules["wrist"][0].text
    'wrist(X) :- on(Y,X), watch(Y).'
    """

    def __init__(self, core: _core.NameRules) -> None:
        self._core = core

    @property
    def targets(self) -> list[str]:
        """The names that have rules."""
        return self._core.targets()

    def __getitem__(self, target: str) -> list[SceneRule]:
        return [SceneRule(*row) for row in self._core.rules(target)]

    def __len__(self) -> int:
        return len(self.targets)

    def __str__(self) -> str:
        return "\n".join(self._core.prolog(target) for target in self.targets)

    def program(self, target: str) -> _core.Program:
        """The rules of one name as a program."""
        return self._core.program(target)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row per rule."""
        pandas = importlib.import_module("pandas")

        rows = [(target, *rule) for target in self.targets for rule in self[target]]
        return pandas.DataFrame(rows, columns=["name", "rule", "confidence", "correct", "covered"])

    def guess(
        self, image: int, object: int, top: int = 5, *, scenes: Optional[_core.SceneSet] = None
    ) -> list[NameGuess]:
        """The likeliest names of an object, its own name hidden; of other scenes where given."""
        return [NameGuess(*row) for row in self._core.guess(image, object, top, scenes)]

    def recalls(
        self, scenes: Optional[_core.SceneSet] = None, images: Optional[Sequence[int]] = None
    ) -> dict[str, Any]:
        """How well the rules rank the names of objects: recall at 1 and at 5."""
        return self._core.recalls(scenes, None if images is None else list(images))

    def confusions(self, count: int = 10, *, scenes: Optional[_core.SceneSet] = None) -> list[Confusion]:
        """Where the rules fail most: pairs of names, the most frequent ones first."""
        return [Confusion(*row) for row in self._core.confusions(count, scenes)]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the rules as Prolog, with their confidences as comments."""
        name = os.fspath(path)
        with open(name + ".part", "w", encoding="utf-8") as file:
            file.write(str(self))
        os.replace(name + ".part", name)


def learn_scene_rules(
    scenes: _core.SceneSet,
    targets: Sequence[str] = (),
    *,
    images: Optional[Sequence[int]] = None,
    **settings: Any,
) -> NameRules:
    """Learns rules with confidences for names of scene graphs, as `hri learn SCENES --targets all`.

    Without `targets`, for those of the scenes. `images` are the numbers of the images to learn
    from. Keywords: bodies, min_correct, smoothing, threads.

    >>> import hri
    >>> scenes = hri.generate_scenes("wrist(X) :- on(Y,X), watch(Y).", images=200, seed=1)
    >>> rules = hri.learn_scene_rules(scenes, ["wrist"], images=range(150))
    >>> rules.recalls(scenes, images=range(150, 200))["recall_at_1"]
    1.0
    """
    given = None if images is None else list(images)
    return NameRules(_core.learn_scene_rules(scenes, _names(targets), given, **settings))


def cross_validate_scenes(
    scenes: _core.SceneSet,
    by: str = "rules",
    *,
    targets: Sequence[str] = (),
    folds: int = 10,
    seed: int = 0,
    threads: int = 1,
) -> dict[str, Any]:
    """Recall of unseen images' names, over folds of images, as `hri learn SCENES --folds`.

    `by` says what ranks the names: "rules" (their confidences), "weights" (a softmax that weighs
    rules), or one of the baselines "freq", "bayes", "logistic". The means over folds are
    `recall_at_1` and `recall_at_5`; `folds` has those of each.

    >>> import hri
    >>> scenes = hri.generate_scenes(images=100, seed=1)
    >>> found = hri.cross_validate_scenes(scenes, folds=2)
    >>> len(found["folds"]), 0 <= found["recall_at_1"] <= found["recall_at_5"] <= 1
    (2, True)
    """
    if by not in _SCORES:
        raise ValueError(f"by: {by!r} is not one of {', '.join(_SCORES)}")
    if not 2 <= folds <= len(scenes):
        raise ValueError(f"folds: expected 2 to {len(scenes)}, the number of images, found {folds!r}")
    parts = _core.scene_folds(len(scenes), folds, seed)
    found = []
    for test in parts:
        training = [image for part in parts if part is not test for image in part]
        found.append(
            _core.scene_recalls(scenes, by, sorted(training), test, _names(targets), threads, seed)
        )
    means = {k: sum(f[k] for f in found) / len(found) for k in ("recall_at_1", "recall_at_5")}
    return {**means, "folds": found}


def _names(targets: Sequence[str]) -> list[str]:
    if isinstance(targets, str):
        return [] if targets == "all" else [targets]
    return list(targets)
