# SPDX-License-Identifier: Apache-2.0
"""Many labels, many facts, positive examples alone: what is sampled, said and judged."""

import json
import os
import pty
import random
import subprocess

from contact import HRI, FirstContact, main


class Sizes(FirstContact):
    def write_nodes(self, nodes, listed):
        """A random graph; t holds of the nodes with an edge to a red one."""
        rng = random.Random(1)
        red = [rng.random() < 0.1 for _ in range(nodes)]
        ends = [[rng.randrange(nodes) for _ in range(4)] for _ in range(nodes)]
        facts = "".join(f"edge(n{a},n{b}).\n" for a in range(nodes) for b in ends[a])
        facts += "".join(f"red(n{a}).\n" for a in range(nodes) if red[a])
        labels = [any(red[b] for b in ends[a]) for a in range(nodes)]
        self.write("graph/bk.pl", facts)
        self.write(
            "graph/exs.pl",
            "".join(
                f"{'pos' if label else 'neg'}(t(n{a})).\n"
                for a, label in enumerate(labels)
                if label or listed
            ),
        )
        return sum(labels)

    def test_many_labels_are_sampled_and_judged_by_all(self):
        """hri learn of 2,000 labelled nodes of one connected graph, by the hierarchy alone.
        A note says that the instances are a sample; the figures are of all labels."""
        positives = self.write_nodes(2000, True)
        outcome = self.hri(
            "learn", "graph", "--strategy", "search", "--max-work", "20000", "--json", "r.json"
        )
        self.says("instances of", outcome)
        self.says("a sample of 2000, judged by all", outcome)
        score = json.loads((self.folder / "r.json").read_text())["training"]
        self.assertEqual((score["positives"], score["negatives"]), (positives, 2000 - positives))

    def test_a_closed_world_of_nodes_is_learned_whole(self):
        """hri learn --closed-world of 2,000 nodes, of which the positive ones are listed.
        The rule, right of all 2,000."""
        positives = self.write_nodes(2000, False)
        outcome = self.hri("learn", "graph", "--closed-world")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("t(X) <- edge(X,Y) & red(Y)", outcome)
        self.says(f"{positives:,} positive examples, {2000 - positives:,} negative ones", outcome)

    def write_family(self, families):
        """grandparents of many families, as triples, without negative examples."""
        lines = []
        for f in range(families):
            for a, b in (("a", "c"), ("b", "c"), ("c", "e"), ("d", "e"), ("c", "f"), ("f", "g")):
                lines.append(f"{a}{f}\tparent\t{b}{f}\n")
            for a, b in (("a", "e"), ("b", "e"), ("a", "f"), ("b", "f"), ("c", "g")):
                lines.append(f"{a}{f}\tgrandparent\t{b}{f}\n")
            lines.append(f"a{f}\tmarried\tb{f}\n")
        self.write("kin.tsv", "".join(lines))

    def test_a_closed_world_of_many_pairs_is_learned_from_drawn_ones(self):
        """hri learn --closed-world of a relation of triples, with 705,600 pairs.
        The rule, judged by all pairs."""
        self.write_family(120)
        outcome = self.hri(
            "learn", "kin.tsv", "--format", "triples", "--target", "grandparent",
            "--closed-world", "--json", "r.json",
        )
        self.says("grandparent(X,Y) <- parent(X,Z) & parent(Z,Y)", outcome)
        score = json.loads((self.folder / "r.json").read_text())["training"]
        self.assertEqual(score["positives"], 600)
        self.assertEqual(score["negatives"], 840 * 840 - 600)

    def test_the_first_fit_ends_a_run_where_asked(self):
        """hri learn --stop first-fit, and the default.
        The same data; the first takes fewer trials, and both programs fit."""
        self.write_nodes(60, True)
        trials = []
        for stop in ("first-fit", "best"):
            outcome = self.hri("learn", "graph", "--stop", stop, "--json", "r.json")
            self.assertEqual(outcome.code, 0, outcome)
            trials.append(json.loads((self.folder / "r.json").read_text())["trials"])
        self.assertLess(trials[0], trials[1])

    def test_reading_shows_progress(self):
        """hri inspect of 300,000 triples, on a terminal.
        The line tells how many facts were read, before the relations are shown."""
        self.write("big.tsv", "".join(f"n{i}\tr{i % 7}\tm{i % 1000}\n" for i in range(300_000)))
        ours, theirs = pty.openpty()
        run = subprocess.Popen(
            [HRI, "inspect", "big.tsv", "--format", "triples", "--target", "r1"],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
        )
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(run.wait(), 0)
        self.assertRegex(text.decode(), r"reading: \d+ facts")


if __name__ == "__main__":
    main()
