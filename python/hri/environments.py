# SPDX-License-Identifier: Apache-2.0
"""Worlds of your own for `hri.learn_policy`: the adapter for Gymnasium.

Gymnasium itself is not needed; anything with its `reset` and `step` will do.

>>> from hri.environments import GymTask
>>> class Corridor:
...     '''Five places in a line; action 1 steps to the right, 0 to the left.'''
...     def reset(self, *, seed=None, options=None):
...         self.place = 0
...         return self.place, {}
...     def step(self, action):
...         self.place = min(max(self.place + (1 if action == 1 else -1), 0), 4)
...         return self.place, (1.0 if self.place == 4 else -0.02), self.place == 4, False, {}
>>> task = GymTask(
...     "corridor", Corridor,
...     constants=[f"p{i}" for i in range(5)],
...     inputs={"at": 1, "right": 2}, target=("go", 1),
...     facts=lambda place: {"at": [f"p{place}"],
...                          "right": [(f"p{i}", f"p{i + 1}") for i in range(4)]},
...     actions=lambda place: {f"p{i}": int(i > place) for i in (place - 1, place + 1) if 0 <= i < 5})
>>> world = task.make("train", 0)
>>> world.reset(1)
>>> world.actions
[('p1',)]
>>> world.step(("p1",))
(-0.02, False, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Optional, Sequence, Tuple, Union

__all__ = ["GymTask", "GymWorld"]

Atom = Tuple[str, ...]


def _atom(value: Union[str, Sequence[str]]) -> Atom:
    return (value,) if isinstance(value, str) else tuple(value)


class GymTask:
    """A Gymnasium environment as a task of `hri.learn_policy`.

    `make` makes an environment, as `lambda: gymnasium.make("FrozenLake-v1")` does. `constants` are
    the names of all objects, in one order. `inputs` are the predicates of the facts with their
    arities, `target` is the predicate of the actions. `facts(observation)` gives, by predicate, the
    atoms that hold: tuples of names, or a name where there is one argument. `actions` gives the
    environment's action for each atom of the target that may be tried: a dict, or a function of the
    observation. `solved(reward, terminated, info)` says whether an episode that ended reached its
    goal; without it a terminated one with a positive last reward did. `deterministic`: the same
    actions after the same reset lead to the same observations.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Any],
        *,
        constants: Sequence[str],
        inputs: Mapping[str, int],
        target: Tuple[str, int],
        facts: Callable[[Any], Mapping[str, Any]],
        actions: Union[Mapping[Any, Any], Callable[[Any], Mapping[Any, Any]]],
        solved: Optional[Callable[[float, bool, Mapping[str, Any]], bool]] = None,
        step_limit: int = 200,
        deterministic: bool = False,
    ) -> None:
        if len(set(constants)) != len(constants) or not constants:
            raise ValueError("constants: expected different names, one at least")
        self.name = name
        self.make_gym = make
        self.constants = list(constants)
        self.inputs = [(predicate, arity) for predicate, arity in inputs.items()]
        self.target = target
        self.facts_of = facts
        self.actions_of = actions
        self.solved = solved
        self.step_limit = step_limit
        self.deterministic = deterministic

    def make(self, start: str, size: int) -> GymWorld:
        """A world for one learner; `start` and `size` are the environment's own affair."""
        del start, size
        return GymWorld(self)


class GymWorld:
    """What `hri.learn_policy` plays in: `constants`, `facts`, `actions` and `text` of the state."""

    def __init__(self, task: GymTask) -> None:
        self.task = task
        self.gym = task.make_gym()
        self.deterministic = task.deterministic
        self.constants = task.constants
        self.steps = 0
        self._see(self.gym.reset(seed=0)[0])

    def reset(self, seed: int) -> None:
        """Begins an episode."""
        self.steps = 0
        self._see(self.gym.reset(seed=seed)[0])

    def step(self, action: Atom) -> Tuple[float, bool, bool]:
        """(reward, done, solved)."""
        observation, reward, terminated, truncated, info = self.gym.step(self._choices[action])
        self.steps += 1
        done = bool(terminated or truncated or self.steps >= self.task.step_limit)
        solved = False
        if terminated:
            rule = self.task.solved
            solved = bool(reward > 0 if rule is None else rule(float(reward), terminated, info))
        self._see(observation)
        return float(reward), done, solved

    def _see(self, observation: Any) -> None:
        self.facts = {
            predicate: [_atom(atom) for atom in atoms]
            for predicate, atoms in self.task.facts_of(observation).items()
        }
        given = self.task.actions_of
        choices = given(observation) if callable(given) else given
        self._choices = {_atom(atom): action for atom, action in choices.items()}
        self.actions = list(self._choices)
        self.text = str(observation)
