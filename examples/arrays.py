# SPDX-License-Identifier: Apache-2.0
"""Facts as numpy arrays: which nodes of a graph are joined by a path?

A boolean or float array of shape (n, n) holds the valuation of every pair; an array of integers
holds a pair in each row.

Prints, among others:

    explains the training data: True
    right on another graph: True
"""

import numpy as np

import hri


def graph(seed, n=8):
    """Edges, and which nodes can be reached from which."""
    edge = np.random.default_rng(seed).random((n, n)) < 0.15
    reached = edge.copy()
    for middle in range(n):
        reached |= np.outer(reached[:, middle], reached[middle])
    return edge, reached


edge, reached = graph(seed=1)
program = hri.learn(
    background={"edge": edge}, positive={"path": reached}, negative={"path": ~reached}, time_limit=30
)
print(program)
print("explains the training data:", program.report.fits)

edge, reached = graph(seed=2, n=20)
print("right on another graph:", np.array_equal(program.truth({"edge": edge}), reached))

rows = np.argwhere(edge)  # the same facts, a pair in each row
print(len(program.predict({"edge": rows})), "pairs are joined")
