# SPDX-License-Identifier: Apache-2.0
"""Names that mean two things, and names that are misspelt."""

from contact import FirstContact, main

UNCLE = {
    "uncle/bk.pl": "parent(ann,bob). parent(ann,carl). parent(bob,dora). male(bob). male(carl).\n",
    "uncle/exs.pl": "pos(uncle(carl,dora)). neg(uncle(bob,dora)). neg(uncle(ann,dora)).\n"
    "neg(uncle(dora,carl)).\n",
}


class Names(FirstContact):
    def write_all(self, files):
        for name, text in files.items():
            self.write(name, text)

    def test_a_folder_is_not_shadowed_by_a_hidden_task(self):
        """hri inspect uncle, in a folder that has uncle/.
        The user's facts are read: parent and male, not father, mother and brother."""
        self.write_all(UNCLE)
        outcome = self.hri("inspect", "uncle")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("parent/2", outcome)
        self.says("male/1", outcome)
        self.says_not("brother", outcome)

    def test_a_folder_is_not_shadowed_by_a_listed_task(self):
        """hri inspect grandparent, in a folder that has grandparent/.
        The user's facts are read, and a note tells how to get the built-in task."""
        self.write("grandparent/bk.pl", "parent(ann,bob). parent(bob,cleo).\n")
        self.write("grandparent/exs.pl", "pos(grandparent(ann,cleo)). neg(grandparent(bob,ann)).\n")
        outcome = self.hri("inspect", "grandparent")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("parent/2", outcome)
        self.says("the built-in task is task:grandparent", outcome)

    def test_the_explicit_form_gives_the_task(self):
        """hri eval program.pl task:grandparent, in a folder that has grandparent/.
        The built-in task is judged."""
        self.write("grandparent/bk.pl", "parent(ann,bob).\n")
        self.write("grandparent/exs.pl", "pos(grandparent(ann,bob)).\n")
        self.write(
            "program.pl",
            "grandparent(X,Y) :- p(X,Z), p(Z,Y). p(X,Y) :- father(X,Y). p(X,Y) :- mother(X,Y).\n",
        )
        outcome = self.hri("eval", "program.pl", "task:grandparent", "--count", "2")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("100.00 %", outcome)

    def test_hidden_tasks_have_no_plain_name(self):
        """hri learn uncle, without such a folder.
        An error, since hri tasks does not list it; task:uncle is there for who knows it."""
        outcome = self.hri("learn", "uncle")
        self.assertEqual(outcome.code, 2, outcome)
        self.says("there is no task, file or folder 'uncle'", outcome)
        self.assertNotIn("uncle", self.hri("tasks").out)
        self.write(
            "program.pl",
            "uncle(X,Y) :- brother(X,Z), father(Z,Y). uncle(X,Y) :- brother(X,Z), mother(Z,Y).\n",
        )
        known = self.hri("eval", "program.pl", "task:uncle", "--count", "1")
        self.assertEqual(known.code, 0, known)

    def test_a_missing_file_is_called_a_file(self):
        """hri inspect shop.sqlite, which is not there.
        The message speaks of a file, not of a task with a similar name."""
        outcome = self.hri("inspect", "shop.sqlite")
        self.assertEqual(outcome.code, 2, outcome)
        self.says("there is no such file or folder", outcome)
        self.says_not("isolated", outcome)

    def test_a_misspelt_constant_of_an_example_is_told(self):
        """An example says ancestor(anne,dan), and the facts have ann and dan.
        A warning names anne and ann."""
        self.write("family/bk.pl", "parent(ann,bob). parent(bob,dan).\n")
        self.write("family/exs.pl", "pos(ancestor(anne,dan)). neg(ancestor(dan,ann)).\n")
        outcome = self.hri("inspect", "family")
        self.says("no fact has this constant of an example: anne (did you mean ann?)", outcome)

    def test_an_empty_background_is_told(self):
        """bk.pl is empty.
        A warning says that there are no facts."""
        self.write("family/bk.pl", "")
        self.write("family/exs.pl", "pos(ancestor(ann,dan)). neg(ancestor(dan,ann)).\n")
        self.says("there are no inputs", self.hri("inspect", "family"))

    def test_a_misspelt_predicate_of_a_program_is_told(self):
        """hri eval and hri predict of a program with mle(X), where the data have male(X).
        A warning names mle/1 and male."""
        self.write_all(UNCLE)
        self.write("program.pl", "uncle(X,Y) :- mle(X), parent(Z,X), parent(Z,U), parent(U,Y).\n")
        for command in ("eval", "predict"):
            outcome = self.hri(command, "program.pl", "uncle")
            self.says("the data have no mle/1, which counts as false (did you mean male?)", outcome)

    def test_a_misspelt_constant_of_a_program_is_told(self):
        """hri predict and hri eval of a program whose rule names a constant that no fact has.
        A warning with the nearest one; bounds on numbers are none."""
        self.write("t.csv", "id,colour,n,hot\n1,red,5,1\n2,blue,6,0\n3,red,7,1\n")
        self.write("p.pl", "hot(X) :- colour(X,rad), n(X,Y), Y > 5.5.\n")
        for command in ("predict", "eval"):
            outcome = self.hri(command, "p.pl", "t.csv")
            self.says("the data have no constant rad, which the program names (did you mean red?)", outcome)
            self.says_not("5.5", outcome)

    def test_a_key_of_a_query_without_its_prefix_is_told(self):
        """hri predict --query 'hot(3)', where the constant is t:3.
        A warning names it; with the prefix the atom is printed."""
        self.write("t.csv", "id,colour,n,hot\n1,red,5,1\n2,blue,6,0\n3,red,7,1\n")
        self.write("p.pl", "hot(X) :- colour(X,red).\n")
        outcome = self.hri("predict", "p.pl", "t.csv", "--query", "hot(3)")
        self.assertEqual((outcome.code, outcome.out), (1, ""), outcome)
        self.says("the data have no constant 3, which the query names (did you mean 't:3'?)", outcome)
        outcome = self.hri("predict", "p.pl", "t.csv", "--query", "hot(t:3)")
        self.assertEqual(outcome.out, "hot('t:3')\n", outcome)

    def test_flags_of_a_split_are_named_where_there_is_none(self):
        """hri learn --value-types foo of data that are too small to be split.
        A warning says that it has no effect."""
        self.write_all(UNCLE)
        outcome = self.hri("inspect", "uncle", "--value-types", "foo")
        self.says("--value-types has no effect: the data are not split", outcome)

    def test_help_takes_the_name_of_a_command(self):
        """hri help learn.
        The help of hri learn."""
        outcome = self.hri("help", "learn")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("hri learn TASK", outcome)

    def test_bad_values_of_flags_get_a_message_of_our_own(self):
        """--time-limit abc, --strategy best, --seed -1, --value-types foo.
        Each message says what was expected."""
        self.write_all(UNCLE)
        for flags, text in (
            (["--time-limit", "abc"], "expected"),
            (["--strategy", "best"], "is not one of gradient, search, clauses, portfolio"),
            (["--seed", "-1"], "expected"),
        ):
            outcome = self.hri("learn", "uncle", *flags)
            self.assertEqual(outcome.code, 2, outcome)
            self.says(text, outcome)
            self.says_not("FAILED", outcome)


if __name__ == "__main__":
    main()
