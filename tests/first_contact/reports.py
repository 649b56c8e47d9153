# SPDX-License-Identifier: Apache-2.0
"""What a run says about itself: scores, time, flags, help."""

import json
import os
import random
import signal
import subprocess
import time

from contact import HRI, FirstContact, main


class Reports(FirstContact):
    def write_noise(self, examples=60):
        """Labels that no facts explain, one in four positive."""
        rng = random.Random(1)
        facts = "".join(
            f"e(n{rng.randrange(examples)},n{rng.randrange(examples)}).\n" for _ in range(150)
        )
        self.write("noise/bk.pl", facts)
        self.write(
            "noise/exs.pl",
            "".join(
                f"{'pos' if rng.random() < 0.25 else 'neg'}(t(n{i})).\n" for i in range(examples)
            ),
        )

    def test_scores_stand_beside_the_baseline(self):
        """hri learn of labels that nothing explains, and hri eval of a program.
        Precision, recall, balanced accuracy, and the accuracy of calling everything false."""
        self.write_noise()
        outcome = self.hri("learn", "noise", "--max-work", "20000", "--time-limit", "20")
        self.assertEqual(outcome.code, 1, outcome)
        for word in ("precision", "recall", "balanced accuracy", "calling everything false"):
            self.says(word, outcome)
        self.write("p.pl", "t(X) :- e(X,Y).\n")
        outcome = self.hri("eval", "p.pl", "noise")
        self.says("all false", outcome)
        self.says("balanced", outcome)

    def test_an_interrupted_run_is_not_worse_than_all_false(self):
        """Ctrl-C two seconds into learning noise.
        The program has no more errors than `false`, and the report says why it stopped."""
        self.write_noise()
        run = subprocess.Popen(
            [HRI, "learn", "noise", "--time-limit", "60", "--json", "r.json"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(2)
        os.kill(run.pid, signal.SIGINT)
        run.communicate(timeout=60)
        path = self.folder / "r.json"
        if not path.exists():
            self.skipTest("ended before there was a program")
        report = json.loads(path.read_text())
        self.assertLessEqual(report["bits"], report["baseline_bits"] + 1e-9)

    def test_noisy_labels_do_not_end_learning_early(self):
        """hri learn of 200 trains with 5 % wrong labels, whose true rule has two clauses.
        No more errors than the true rule makes: 10."""
        rng = random.Random(7)
        facts, labels = [], []
        for t in range(200):
            east = False
            for c in range(rng.randint(2, 4)):
                length = rng.choice(["short", "long"])
                roof = rng.choice(["flat", "peaked", "jagged", "open"])
                load = rng.choice(["circle", "triangle", "rectangle"])
                facts.append(f"has_car(t{t},t{t}c{c}).\n")
                facts += [f"{p}(t{t}c{c}).\n" for p in (length, roof, load)]
                east |= length == "short" and roof in ("flat", "peaked")
            labels.append(east)
        wrong = set(rng.sample(range(200), 10))
        self.write("trains/bk.pl", "".join(sorted(facts)))
        self.write(
            "trains/exs.pl",
            "".join(
                f"{'pos' if labels[t] != (t in wrong) else 'neg'}(eastbound(t{t})).\n"
                for t in range(200)
            ),
        )
        outcome = self.hri("learn", "trains", "--json", "r.json")
        self.assertEqual(outcome.code, 1, outcome)
        score = json.loads((self.folder / "r.json").read_text())["training"]
        self.assertLessEqual(score["false_positives"] + score["false_negatives"], 10)

    def test_folds_say_how_long_they_take(self):
        """hri learn --folds 3 --time-limit 2.
        A note says: 8 s at most."""
        self.write_noise(12)
        outcome = self.hri("learn", "noise", "--folds", "3", "--time-limit", "2")
        self.says("3 folds and then all data, each up to 2.00 s: 8.00 s at most", outcome)

    def test_flags_without_effect_are_named(self):
        """hri learn --restarts 5 with the default strategy.
        A note says that --restarts has no effect."""
        self.write_noise(12)
        outcome = self.hri("learn", "noise", "--restarts", "5", "--max-work", "1000")
        self.says("--restarts has no effect with --strategy portfolio (used by gradient)", outcome)
        outcome = self.hri("learn", "noise", "--seed", "5", "--max-work", "1000")
        self.says_not("no effect", outcome)

    def test_help_fits_on_a_screen(self):
        """hri learn --help.
        At most 60 lines, each a whole sentence; the rest behind --help-all."""
        outcome = self.hri("learn", "--help")
        self.assertLessEqual(len(outcome.out.splitlines()), 60)
        self.says("--help-all", outcome)


if __name__ == "__main__":
    main()
