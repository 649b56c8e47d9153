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

    def test_a_hint_names_negation_where_it_helps(self):
        """hri learn of birds that fly unless they are flightless, without --negation.
        The hint is --negation, and neither more time nor missing facts."""
        birds = "tweety coco pingu opus hedwig zazu".split()
        dogs = "rex fido lassie".split()
        self.write(
            "birds/bk.pl",
            "".join(f"bird({b}).\n" for b in birds)
            + "".join(f"dog({d}).\n" for d in dogs)
            + "flightless(pingu).\nflightless(opus).\n",
        )
        self.write(
            "birds/exs.pl",
            "".join(
                f"{'pos' if b in birds and b not in ('pingu', 'opus') else 'neg'}(flies({b})).\n"
                for b in birds + dogs
            ),
        )
        outcome = self.hri("learn", "birds", "--max-work", "30000")
        self.says('rules with "not" make fewer errors here: --negation', outcome)
        self.says_not("more time", outcome)

    def test_a_hint_names_what_a_set_of_proto_rules_lacks(self):
        """hri learn grandparent --rules MIL, whose predicates have one rule each.
        The hint is --rules R*; generated labels are not called wrong."""
        outcome = self.hri("learn", "grandparent", "--rules", "MIL", "--max-work", "20000")
        self.says("a predicate has one rule where no proto-rule ends in | ~R: --rules R*", outcome)
        self.says_not("labels may be wrong", outcome)

    def write_clinic(self):
        """Patients whose visits lead to doctors that many share: instances are cut out of it.
        risky: an urgent visit to a surgeon."""
        rng = random.Random(4)
        skills = [rng.choice(["surgeon", "surgeon", "nurse"]) for _ in range(8)]
        facts = "".join(f"skill(d{d},{skills[d]}).\n" for d in range(8))
        labels = ""
        for p in range(120):
            risky = False
            for v in range(rng.randint(0, 4)):
                doctor, urgent = rng.randrange(8), rng.random() < 0.3
                facts += f"visit(p{p},p{p}v{v}).\ndoctor(p{p}v{v},d{doctor}).\n"
                facts += f"urgent(p{p}v{v}).\n" if urgent else ""
                risky = risky or (urgent and skills[doctor] == "surgeon")
            labels += f"{'pos' if risky else 'neg'}(risky(p{p})).\n"
        self.write("clinic/bk.pl", "".join(sorted(facts.splitlines(keepends=True))))
        self.write("clinic/exs.pl", labels)

    def test_programs_for_data_that_are_cut_are_judged_on_the_whole(self):
        """hri why-not of a rule about data that a split cuts into instances.
        The true program makes no errors, for hri why-not as for hri eval."""
        self.write_clinic()
        true = "risky(X) :- visit(X,Y), urgent(Y), doctor(Y,Z), skill(Z,surgeon).\n"
        self.write("p.pl", true)
        outcome = self.hri("eval", "p.pl", "clinic")
        self.says("100.00 %", outcome)
        outcome = self.hri(
            "why-not", "risky(X) :- visit(X,Y), urgent(Y)", "clinic", "--program", "p.pl"
        )
        self.assertEqual(outcome.code, 1, outcome)
        self.says("cut out around one example", outcome)
        self.assertRegex(outcome.out, r"It makes \d+ errors, the learned program 0\.")

    def test_the_bits_of_a_program_are_told(self):
        """hri eval of a right program and of a wrong one, and hri why-not of the latter.
        Both tell the same bits; the right program has fewer."""
        self.write_clinic()
        bits = {}
        for rule in ("doctor(Y,Z), skill(Z,surgeon), urgent(Y)", "urgent(Y)"):
            self.write("p.pl", f"risky(X) :- visit(X,Y), {rule}.\n")
            outcome = self.hri("eval", "p.pl", "clinic", "--json", "e.json")
            bits[rule] = json.loads((self.folder / "e.json").read_text())["bits"]
            self.says(f"{bits[rule]:.0f} bits with its errors", outcome)
        right, wrong = bits.values()
        self.assertLess(right, wrong)
        rule = "risky(X) :- visit(X,Y), urgent(Y)"
        self.hri("why-not", rule, "clinic", "--program", "p.pl", "--json", "w.json")
        told = json.loads((self.folder / "w.json").read_text())
        self.assertAlmostEqual(told["score"]["bits"], wrong, 3)

    def test_strategies_and_seeds_are_compared(self):
        """hri compare of two strategies and two seeds, with examples held out.
        A row for each run with errors, bits and seconds; an unknown strategy is an error."""
        self.write_clinic()
        outcome = self.hri(
            "compare", "clinic", "--strategies", "clauses,search", "--seeds", "2", "--hold-out", "20",
            "--max-work", "3000", "--time-limit", "20", "--json", "c.json",
        )
        self.says("4 runs, each up to 20.0 s: 80.0 s at most", outcome)
        lines = outcome.out.splitlines()
        self.assertRegex(lines[0], r"strategy +seed +errors +training +held out +atoms +bits +first fit")
        self.assertEqual([line.split()[:2] for line in lines[1:5]],
                         [["clauses", "0"], ["clauses", "1"], ["search", "0"], ["search", "1"]])
        runs = json.loads((self.folder / "c.json").read_text())["runs"]
        self.assertEqual([run["strategy"] for run in runs], ["clauses"] * 2 + ["search"] * 2)
        outcome = self.hri("compare", "clinic", "--strategies", "clause")
        self.assertEqual(outcome.code, 2, outcome)
        self.says("there is no strategy 'clause' (did you mean clauses?)", outcome)

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
