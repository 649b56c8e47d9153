#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the figures on large data are of: make-large-data.py FOLDER.

million.tsv: 1,000,000 triples over 100,000 nodes; t is r0 twice.
nodes/: 20,000 labelled nodes with 100,000 edges; t holds next to a red node.
"""

import pathlib
import random
import sys


def million(path, nodes=100_000):
    rng = random.Random(4)
    parents = [[rng.randrange(nodes) for _ in range(2)] for _ in range(nodes)]
    lines = [f"n{i}\tr0\tn{p}\n" for i in range(nodes) for p in parents[i]]
    for r in range(1, 9):
        lines += [f"n{rng.randrange(nodes)}\tr{r}\tn{rng.randrange(nodes)}\n" for _ in range(87_500)]
    lines += [f"n{i}\tt\tn{parents[parents[i][0]][0]}\n" for i in range(nodes)]
    path.write_text("".join(lines))


def labelled(folder, nodes=20_000):
    rng = random.Random(1)
    red = [rng.random() < 0.1 for _ in range(nodes)]
    ends = [[rng.randrange(nodes) for _ in range(5)] for _ in range(nodes)]
    folder.mkdir(exist_ok=True)
    facts = [f"edge(n{a},n{b}).\n" for a in range(nodes) for b in ends[a]]
    facts += [f"red(n{a}).\n" for a in range(nodes) if red[a]]
    (folder / "bk.pl").write_text("".join(facts))
    labels = ["pos" if any(red[b] for b in ends[a]) else "neg" for a in range(nodes)]
    (folder / "exs.pl").write_text("".join(f"{l}(t(n{a})).\n" for a, l in enumerate(labels)))


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    million(out / "million.tsv")
    labelled(out / "nodes")
