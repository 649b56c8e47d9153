# SPDX-License-Identifier: Apache-2.0
"""A policy for a world of your own, with the interface of Gymnasium.

A thermostat: the room is cold, fine or hot, and the heater may be set lower or higher.
"""

import random

import hri
from hri.environments import GymTask

LEVELS = ["cold", "cool", "fine", "warm", "hot"]


class Room:
    """As an environment of Gymnasium: reset and step."""

    def reset(self, *, seed=None, options=None):
        self.level = random.Random(seed).choice([0, 1, 3, 4])
        return self.level, {}

    def step(self, action):
        self.level = min(max(self.level + action, 0), 4)
        fine = LEVELS[self.level] == "fine"
        return self.level, 1.0 if fine else -0.02, fine, False, {}


task = GymTask(
    "room",
    Room,
    constants=LEVELS + ["lower", "higher"],
    inputs={"cold": 1, "hot": 1, "lowers": 1, "raises": 1},
    target=("turn", 1),
    facts=lambda level: {
        "cold": [LEVELS[level]] if level < 2 else [],
        "hot": [LEVELS[level]] if level > 2 else [],
        "lowers": ["lower"],
        "raises": ["higher"],
    },
    actions={"lower": -1, "higher": 1},
    step_limit=30,
)

report = hri.learn_policy(
    task, layers=3, iterations=50, program_updates=30, drawn_programs=100, ppo_runs=1, restarts=4,
    judged_starts=20, seed=2,
)
print(report.program)
score = hri.test_policy(task, report.program, episodes=100)
print(f"solved {score.solved} of {score.episodes}, {score.moves:.2f} moves")
