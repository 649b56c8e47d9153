# SPDX-License-Identifier: Apache-2.0
"""Policies for worlds of the user's own."""

import doctest
import subprocess
import sys

import pytest

import hri
import hri.environments
from hri.environments import GymTask


class Corridor:
    """Places in a line; action 1 steps to the right, 0 to the left, 2 stays."""

    def __init__(self, places=5):
        self.places = places
        self.place = 0

    def reset(self, *, seed=None, options=None):
        self.place = 0
        return self.place, {}

    def step(self, action):
        self.place = min(max(self.place + {0: -1, 1: 1, 2: 0}[action], 0), self.places - 1)
        done = self.place == self.places - 1
        return self.place, (1.0 if done else -0.02), done, False, {}


def corridor(**changes):
    names = [f"p{i}" for i in range(5)]
    settings = dict(
        constants=names,
        inputs={"at": 1, "right": 2},
        target=("go", 1),
        facts=lambda place: {"at": [names[place]], "right": list(zip(names, names[1:]))},
        actions=lambda place: {
            name: {-1: 0, 0: 2, 1: 1}[i - place]
            for i, name in enumerate(names)
            if abs(i - place) <= 1
        },
        step_limit=30,
        deterministic=True,
    )
    settings.update(changes)
    return GymTask("corridor", Corridor, **settings)


def test_a_policy_is_learned_in_a_world_of_your_own():
    report = hri.learn_policy(
        corridor(), layers=2, iterations=20, program_updates=20, drawn_programs=50, ppo_runs=1, restarts=2,
        evaluations=2000, judged_starts=3, seed=1,
    )
    assert report.accepted
    score = hri.test_policy(corridor(), report.program)
    assert score.solved == 1 and score.moves == 3
    assert "right" in str(report.program)


def test_the_example_of_the_module_runs():
    assert doctest.testmod(hri.environments).failed == 0


def test_gymnasium_is_not_needed():
    code = "import sys, hri.environments; assert 'gymnasium' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_mistakes_of_a_world_are_told():
    with pytest.raises(hri.Error, match="no constant 'elsewhere'"):
        hri.learn_policy(corridor(facts=lambda place: {"at": ["elsewhere"]}), iterations=1)
    with pytest.raises(hri.Error, match="no actions"):
        hri.learn_policy(corridor(actions={}), iterations=1)
    with pytest.raises(ValueError, match="different names"):
        corridor(constants=["a", "a"])


def test_errors_inside_a_world_reach_the_caller():
    def fails(place):
        if place > 0:
            raise RuntimeError("lost")
        return {"at": ["p0"]}

    with pytest.raises(RuntimeError, match="lost"):
        hri.learn_policy(corridor(facts=fails), layers=2, iterations=3, program_updates=0, ppo_runs=1, seed=1)


def test_the_gradient_of_any_policy_loss_goes_through_the_rules():
    torch = pytest.importorskip("torch")
    from hri.torch import RuleLayer

    layer = RuleLayer({"at": 1, "right": 2}, ("go", 1), layers=2, steps=2, seed=1)
    at = torch.zeros(1, 5)
    at[0, 1] = 1
    right = torch.diag(torch.ones(4), 1).unsqueeze(0)
    probabilities = torch.softmax(layer(at=at, right=right)[0] / 0.1, dim=-1)
    reward = torch.tensor([-1.0, 0.0, 1.0, 0.0, 0.0])
    (-(probabilities * reward).sum()).backward()
    assert layer.slot_embeddings.grad.abs().sum() > 0
