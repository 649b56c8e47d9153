# SPDX-License-Identifier: Apache-2.0
"""A folder as Popper has it: bk.pl, exs.pl and perhaps bias.pl.

Prints, among others:

    grandparent(X,Y) <- parent(X,Z) & parent(Z,Y)
"""

import pathlib
import tempfile

import hri

BACKGROUND = """
mother(ann,amy).   mother(ann,andy).   mother(amy,amelia).   mother(linda,gavin).
father(steve,amy). father(steve,andy). father(gavin,amelia). father(andy,spongebob).
parent(X,Y) :- mother(X,Y).
parent(X,Y) :- father(X,Y).
"""
EXAMPLES = """
pos(grandparent(ann,amelia)).     pos(grandparent(steve,amelia)).
pos(grandparent(ann,spongebob)).  pos(grandparent(steve,spongebob)).
pos(grandparent(linda,amelia)).
neg(grandparent(amy,amelia)).     neg(grandparent(ann,amy)).
neg(grandparent(amelia,ann)).     neg(grandparent(gavin,linda)).
"""
BIAS = "head_pred(grandparent,2).\nbody_pred(parent,2).\n"

with tempfile.TemporaryDirectory() as folder:
    for name, text in (("bk.pl", BACKGROUND), ("exs.pl", EXAMPLES), ("bias.pl", BIAS)):
        (pathlib.Path(folder) / name).write_text(text)
    problem = hri.read(folder)

print(problem, problem.notes)
program = hri.learn(problem, time_limit=20)
print(program)
