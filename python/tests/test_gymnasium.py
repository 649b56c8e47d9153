# SPDX-License-Identifier: Apache-2.0
"""A policy for an environment of Gymnasium itself, where that is installed."""

import pytest

import hri
from hri.environments import GymTask

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")

LAKE = ["SFFF", "FFHF", "FFFF", "HHFG"]
CELLS = [f"c{row}{column}" for row in range(4) for column in range(4)]
SAFE = [cell for cell, kind in zip(CELLS, "".join(LAKE)) if kind != "H"]
ONWARD = [(CELLS[i], CELLS[j]) for i in range(16) for j in range(16) if j == i + 4 or (j == i + 1 and j % 4)]


def neighbours(place):
    row, column = divmod(place, 4)
    moves = {0: (row, column - 1), 1: (row + 1, column), 2: (row, column + 1), 3: (row - 1, column)}
    return {CELLS[4 * x + y]: action for action, (x, y) in moves.items() if 0 <= x < 4 and 0 <= y < 4}


def lake():
    return GymTask(
        "lake",
        lambda: gymnasium.make("FrozenLake-v1", desc=LAKE, is_slippery=False),
        constants=CELLS,
        inputs={"at": 1, "safe": 1, "onward": 2},
        target=("go", 1),
        facts=lambda place: {"at": [CELLS[place]], "safe": SAFE, "onward": ONWARD},
        actions=neighbours,
        step_limit=30,
        deterministic=True,
    )


def test_a_policy_crosses_the_frozen_lake():
    report = hri.learn_policy(
        lake(), layers=2, iterations=30, program_updates=20, drawn_programs=50, ppo_runs=1, restarts=2,
        evaluations=2000, judged_starts=3, seed=0,
    )
    assert report.accepted
    assert "onward(Y,X)" in str(report.program) and "safe(X)" in str(report.program)
    score = hri.test_policy(lake(), report.program, episodes=5)
    assert score.solved == 5 and score.reward == 1
