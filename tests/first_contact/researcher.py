# SPDX-License-Identifier: Apache-2.0
"""Folders and backgrounds as researchers have them: trains, ages, targets of three arguments."""

import json
import random

from contact import SOURCE, FirstContact, main


class Researcher(FirstContact):
    def write_folder(self, name, facts, positives, negatives, bias=""):
        self.write(f"{name}/bk.pl", facts)
        self.write(
            f"{name}/exs.pl",
            "".join(f"pos({atom}).\n" for atom in positives)
            + "".join(f"neg({atom}).\n" for atom in negatives),
        )
        if bias:
            self.write(f"{name}/bias.pl", bias)

    def test_targets_of_three_arguments(self):
        """A target sent/3 over gave/3 and paper/1.
        The rule, by clauses."""
        self.write_folder(
            "gifts",
            "gave(ann,book,bob). gave(bob,pen,cy). gave(cy,cup,ann). gave(eve,card,dan).\n"
            "paper(book). paper(card).\n",
            ["sent(ann,book,bob)", "sent(eve,card,dan)"],
            ["sent(bob,pen,cy)", "sent(cy,cup,ann)", "sent(ann,book,cy)", "sent(ann,card,dan)"],
        )
        outcome = self.hri("learn", "gifts")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("sent(X,Y,Z) <- gave(X,Y,Z) & paper(Y)", outcome)

    ages = {"ann": 3, "bob": 17, "cy": 18, "dan": 40, "eve": 21, "fay": 12, "gus": 70, "hal": 16}

    def write_ages(self, background="", bias=""):
        self.write_folder(
            "ages",
            background + "".join(f"age({n},{a}).\n" for n, a in self.ages.items()),
            [f"adult({n})" for n, a in self.ages.items() if a >= 18],
            [f"adult({n})" for n, a in self.ages.items() if a < 18],
            bias,
        )

    def test_thresholds_are_found(self):
        """Eight people with their ages; adults are 18 and more.
        The bound, without being told to look for one."""
        self.write_ages()
        outcome = self.hri("learn", "ages", "--max-work", "50000")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("adult(X) <- age(X,Y) & Y >= 18", outcome)

    def test_background_with_comparison_runs(self):
        """geq(X,Y) :- number(X), number(Y), X >= Y. in the background, as Popper's files have it.
        It is no obstacle: the bound is found all the same."""
        self.write_ages(
            "geq(X,Y) :- number(X), number(Y), X >= Y.\n",
            "head_pred(adult,1).\nbody_pred(age,2).\nbody_pred(geq,2).\n"
            "type(adult,(person,)).\ntype(age,(person,number)).\ntype(geq,(number,number)).\n"
            "direction(adult,(in,)).\ndirection(age,(in,out)).\ndirection(geq,(in,in)).\n",
        )
        outcome = self.hri("learn", "ages", "--max-work", "50000")
        if "install" in outcome.err:
            self.skipTest("SWI-Prolog is not installed")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("18", outcome)

    def test_trains_as_attributes(self):
        """Michalski's trains, 40 of them: east if a short car has a roof that is not none.
        A program with constants that is right of all."""
        rng = random.Random(3)
        facts, east, west = [], [], []
        while len(east) < 20 or len(west) < 20:
            train = f"t{len(east) + len(west)}"
            cars = [
                (rng.choice(["short", "long"]), rng.choice(["none", "flat", "peaked"]))
                for _ in range(rng.randint(2, 4))
            ]
            group = east if any(a == "short" and b != "none" for a, b in cars) else west
            if len(group) == 20:
                continue
            group.append(f"eastbound({train})")
            for i, (length, roof) in enumerate(cars):
                car = f"{train}c{i}"
                facts += [f"has_car({train},{car}).\n", f"length({car},{length}).\n"]
                facts += [f"roof({car},{roof}).\n", f"wheels({car},{rng.choice([2, 3])}).\n"]
        self.write_folder("trains", "".join(sorted(facts)), east, west)
        outcome = self.hri("learn", "trains", "--stop", "first-fit")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("length(Y,short) & roof(Y,flat)", outcome)
        self.says("length(Y,short) & roof(Y,peaked)", outcome)

    def test_the_weather_table_is_learned(self):
        """The classical table of fourteen days, with default options.
        A program that is right of all days."""
        outcome = self.hri("learn", SOURCE / "examples/data/weather/play.csv")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("explains the training data", outcome)

    def test_events_have_a_type_of_their_own(self):
        """--reify of load/3, in data that have a type called load.
        Events and loads are different types."""
        self.write_folder(
            "cars",
            "has_car(t1,c1). has_car(t2,c2). load(c1,circle,3). load(c2,square,1).\n",
            ["east(t1)"],
            ["east(t2)"],
            "head_pred(east,1). body_pred(has_car,2). body_pred(load,3).\n"
            "type(east,(train,)). type(has_car,(train,car)). type(load,(car,load,num)).\n",
        )
        outcome = self.hri("inspect", "cars", "--reify")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertRegex(outcome.out, r"load_2/2 +2 +load_event, load")

    def test_a_report_says_why_it_stopped(self):
        """Runs that end by the limit of time, by the limit of work and by the first fit.
        Each says so."""
        rng = random.Random(9)
        names = [f"n{i}" for i in range(30)]
        edges = "".join(f"e({rng.choice(names)},{rng.choice(names)}).\n" for _ in range(60))
        atoms = [f"t({n})" for n in names]
        rng.shuffle(atoms)
        self.write_folder("noise", edges, atoms[:10], atoms[10:])
        outcome = self.hri("learn", "noise", "--time-limit", "1")
        self.says("stopped: the time limit of 1 s was reached", outcome)
        outcome = self.hri("learn", "noise", "--max-work", "5000")
        self.says("stopped: the limit of work was reached", outcome)
        self.write_ages()
        outcome = self.hri("learn", "ages", "--json", "r.json")
        self.says_not("time limit", outcome)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["stop_reason"], "fits")

    def test_a_search_without_clauses_names_them(self):
        """hri learn --strategy search of ages, which needs a bound on numbers.
        The hint is the portfolio, whose clauses have bounds; not negation."""
        self.write_ages()
        outcome = self.hri("learn", "ages", "--strategy", "search", "--max-work", "20000")
        self.assertEqual(outcome.code, 1, outcome)
        self.says("clauses with constants and numbers make fewer errors here", outcome)
        self.says_not("--negation", outcome)


if __name__ == "__main__":
    main()
