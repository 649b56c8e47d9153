# SPDX-License-Identifier: Apache-2.0
"""Triples of head, relation and tail, as knowledge graphs have them.

Prints, among others:

    livesInCountry
    accuracy 1.0
"""

import pathlib
import tempfile

import hri

triples = [
    ("ann", "livesIn", "lyon"), ("bob", "livesIn", "nice"), ("cleo", "livesIn", "bonn"),
    ("dan", "livesIn", "ulm"), ("lyon", "cityOf", "france"), ("nice", "cityOf", "france"),
    ("bonn", "cityOf", "germany"), ("ulm", "cityOf", "germany"), ("ann", "knows", "cleo"),
]  # fmt: skip
wanted = [
    ("ann", "livesInCountry", "france"), ("bob", "livesInCountry", "france"),
    ("cleo", "livesInCountry", "germany"), ("dan", "livesInCountry", "germany"),
]  # fmt: skip

# In memory: a list or a DataFrame of triples.
program = hri.learn(background=triples, positive=wanted, time_limit=20)
print(program)

# In a file: one relation of it is the target.
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "facts.txt"
    path.write_text("".join("\t".join(triple) + "\n" for triple in triples + wanted))
    problem = hri.read(path, target="livesInCountry", closed_world=True)
print("accuracy", program.score(problem).accuracy)
