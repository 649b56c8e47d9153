# SPDX-License-Identifier: Apache-2.0
"""Programs that SWI-Prolog runs beside the original facts, and programs of several files."""

import shutil
import subprocess

from contact import FirstContact, main

BIRDS = "tweety coco pingu opus hedwig zazu iago kowalski".split()
DOGS = "rex fido lassie toto".split()
FLIGHTLESS = {"pingu", "opus", "kowalski"}


class Prolog(FirstContact):
    def answers(self, goal, *files):
        """What SWI-Prolog answers, one atom per line, sorted."""
        if shutil.which("swipl") is None:
            self.skipTest("SWI-Prolog is not installed")
        run = subprocess.run(
            ["swipl", "-q", "-f", "none", "-g", f"forall({goal}, (writeq({goal}), nl)), halt"]
            + [str(self.folder / f) for f in files],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        self.assertEqual(run.returncode, 0, run)
        return sorted(set(run.stdout.split()))

    def write_birds(self):
        facts = "".join(f"bird({b}).\n" for b in BIRDS) + "".join(f"dog({d}).\n" for d in DOGS)
        facts += "".join(f"flightless({b}).\n" for b in sorted(FLIGHTLESS))
        self.write("birds/bk.pl", facts)
        self.write(
            "birds/exs.pl",
            "".join(
                f"{'pos' if b in BIRDS and b not in FLIGHTLESS else 'neg'}(flies({b})).\n"
                for b in BIRDS + DOGS
            ),
        )

    def test_safe_rules_win_ties(self):
        """hri learn of birds that fly, with --negation.
        bird(X) and not flightless(X); not: no dog and not flightless, which is as short."""
        self.write_birds()
        outcome = self.hri("learn", "birds", "--negation", "--time-limit", "20")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("bird(X) & \\+ flightless(X)", outcome)

    def test_prolog_gives_the_answers_of_predict(self):
        """The learned program, loaded in SWI-Prolog beside bk.pl.
        The atoms of hri predict."""
        self.write_birds()
        self.hri(
            "learn", "birds", "--negation", "--program", "program.pl", "--time-limit", "20"
        )
        told = self.hri("predict", "program.pl", "birds").out.split()
        self.assertEqual(len(told), 5)
        self.assertEqual(self.answers("flies(X)", "program.pl", "birds/bk.pl"), sorted(told))

    def test_prolog_lists_all_constants_by_itself(self):
        """A program whose rule needs the list of all constants: lonely(X) <- no friend of X.
        SWI-Prolog gives the atoms of hri predict, without a constant/1 of one's own."""
        self.write("f/bk.pl", "friend(a,b). friend(b,a). friend(c,a). person(d). person(e).\n")
        self.write(
            "f/exs.pl",
            "pos(lonely(d)). pos(lonely(e)). neg(lonely(a)). neg(lonely(b)). neg(lonely(c)).\n",
        )
        self.write("f/bias.pl", "head_pred(lonely,1). body_pred(friend,2).\n")
        self.hri(
            "learn", "f", "--negation", "--program", "program.pl", "--time-limit", "20"
        )
        told = self.hri("predict", "program.pl", "f").out.split()
        self.assertIn("lonely(d)", told)
        program = (self.folder / "program.pl").read_text()
        if "constant(X)" in program:
            self.assertTrue(
                set(self.answers("lonely(X)", "program.pl", "f/bk.pl")).issubset(set(told))
            )

    def test_reified_relations_and_numbers_run_beside_the_original_facts(self):
        """hri learn --reify by the hierarchy of who gave something to whom, and of a threshold.
        SWI-Prolog gives the atoms of hri predict beside the user's own bk.pl."""
        self.write(
            "gifts/bk.pl",
            "gave(ann,book,bob).\ngave(bob,pen,cy).\ngave(cy,cup,ann).\ngave(dan,hat,eve).\n",
        )
        self.write(
            "gifts/exs.pl",
            "pos(met(ann,bob)). pos(met(bob,cy)). pos(met(dan,eve)). neg(met(bob,ann)).\n"
            "neg(met(ann,cy)). neg(met(eve,dan)). neg(met(cy,dan)). neg(met(ann,dan)).\n",
        )
        self.write("ages/bk.pl", "".join(f"age(p{i},{i}).\n" for i in range(3, 60, 4)))
        self.write(
            "ages/exs.pl",
            "".join(f"{'pos' if i > 20 else 'neg'}(adult(p{i})).\n" for i in range(3, 60, 4)),
        )
        for data, goal, flags in (
            ("gifts", "met(X,Y)", ["--reify", "--strategy", "search"]),
            ("ages", "adult(X)", []),
        ):
            outcome = self.hri(
                "learn", data, "--program", "p.pl", "--max-work", "100000", *flags
            )
            self.assertEqual(outcome.code, 0, outcome)
            told = self.hri("predict", "p.pl", data, *flags[:1]).out.split()
            self.assertGreater(len(told), 2)
            self.assertEqual(self.answers(goal, "p.pl", f"{data}/bk.pl"), sorted(told))

    def test_alephs_constants_are_read(self):
        """Aleph's modes with #type, as nearly every file of Aleph has them.
        They are read, and the rule names the constants."""
        self.write(
            "trains.b",
            ":- modeh(1,eastbound(+train)).\n:- modeb(*,has_car(+train,-car)).\n"
            ":- modeb(1,length(+car,#len)).\n:- modeb(1,roof(+car,#roof)).\n"
            "has_car(t1,c1). has_car(t2,c2). has_car(t3,c3). has_car(t4,c4). has_car(t4,c5).\n"
            "length(c1,short). length(c2,short). length(c3,long). length(c4,short).\n"
            "length(c5,long). roof(c1,flat). roof(c2,flat). roof(c3,flat). roof(c4,none).\n"
            "roof(c5,flat).\n",
        )
        self.write("trains.f", "eastbound(t1).\neastbound(t2).\n")
        self.write("trains.n", "eastbound(t3).\neastbound(t4).\n")
        outcome = self.hri("learn", "trains", "--time-limit", "20")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("short", outcome)

    def test_joined_programs_keep_the_facts_of_what_they_define(self):
        """cat a.pl b.pl > both.pl, where b defines an input of a; hri eval both.pl.
        The data's facts of that input still count, which a note says."""
        self.write("g/bk.pl", "p(a,b). p(b,c). q(b,c). q(c,d). r(c,d).\n")
        self.write("g/exs.pl", "pos(t(a,c)). pos(t(b,d)). neg(t(c,a)). neg(t(a,b)).\n")
        self.write("both.pl", "t(X,Y) :- p(X,Z), q(Z,Y).\nq(X,Y) :- r(X,Y).\n")
        outcome = self.hri("eval", "both.pl", "g", "--json", "eval.json")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("q/2 has facts in the data and rules in the program: both count", outcome)
        self.says("100.00 %", outcome)


if __name__ == "__main__":
    main()
