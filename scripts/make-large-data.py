#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the figures on large data are of: make-large-data.py FOLDER [planted].

million.tsv: 1,000,000 triples over 100,000 nodes; t is r0 twice.
nodes/: 20,000 labelled nodes with 100,000 edges; t holds next to a red node.

With `planted`, instead: planted.tsv, 10,000,000 triples of 40 relations over 1,200,000 entities, a
fifth of them noise, and planted.pl, the rules that they follow. Each of four domains has three
functions, their inverses, two compositions, the class of each entity (of 300), and the class of
what the first function leads to.
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


def domain(out, name, first, size, triples, rng):
    """Writes ten relations over `size` entities; returns the rules that they follow."""

    def write(relation, value):
        for x in rng.sample(range(size), triples):
            y = value(x) if rng.random() >= 0.2 else rng.randrange(size)
            out.write(f"e{first + x}\t{relation}_{name}\te{first + y}\n")

    rules = []
    functions = []
    for i in range(3):
        images = list(range(size))
        rng.shuffle(images)
        functions.append(images)
        origins = [0] * size
        for x, y in enumerate(images):
            origins[y] = x
        write(f"f{i}", images.__getitem__)
        write(f"inverse{i}", origins.__getitem__)
        rules.append(f"inverse{i}_{name}(X,Y) :- f{i}_{name}(Y,X).")
    for i, (f, g) in enumerate(zip(functions, functions[1:])):
        write(f"both{i}", lambda x, f=f, g=g: g[f[x]])
        rules.append(f"both{i}_{name}(X,Y) :- f{i}_{name}(X,Z1), f{i + 1}_{name}(Z1,Y).")
    write("class", lambda x: x // 300 * 300)
    write("image", lambda x: functions[0][x] // 300 * 300)
    rules.append(f"image_{name}(X,Y) :- f0_{name}(X,Z1), class_{name}(Z1,Y).")
    return rules


def planted(folder, triples=250_000, entities=300_000):
    rng = random.Random(0)
    rules = []
    with open(folder / "planted.tsv", "w", encoding="utf-8") as out:
        for i, name in enumerate("abcd"):
            rules += domain(out, name, i * entities, entities, triples, rng)
    (folder / "planted.pl").write_text("".join(f"{rule}\n" for rule in rules))


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["planted"]:
        planted(out)
        sys.exit()
    million(out / "million.tsv")
    labelled(out / "nodes")
