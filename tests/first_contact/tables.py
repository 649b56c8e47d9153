# SPDX-License-Identifier: Apache-2.0
"""CSV files and databases: ids, numbers, booleans, separators, what inspect tells."""

import gzip
import json
import sqlite3
import subprocess
import sys

from contact import SOURCE, FirstContact, main

PLAY = """outlook,temperature,humidity,windy,play
sunny,hot,high,no,no
sunny,hot,high,yes,no
overcast,hot,high,no,yes
rain,mild,high,no,yes
rain,cool,normal,no,yes
rain,cool,normal,yes,no
overcast,cool,normal,yes,yes
sunny,mild,high,no,no
sunny,cool,normal,no,yes
rain,mild,normal,no,yes
sunny,mild,normal,yes,yes
overcast,mild,high,yes,yes
overcast,hot,normal,no,yes
rain,mild,high,yes,no
"""


class Tables(FirstContact):
    def inspected(self, *arguments):
        outcome = self.hri("inspect", *arguments, "--json", "inspected.json")
        self.assertEqual(outcome.code, 0, outcome)
        return outcome, json.loads((self.folder / "inspected.json").read_text())

    def types(self, *arguments):
        _, told = self.inspected(*arguments)
        return {column["column"]: column["type"] for column in told["columns"]}

    def test_ids_and_numbers_are_different_things(self):
        """hri predict of a rule that takes a number of visits for a customer, on risk.csv.
        Nothing holds: customer 7 is not the number 7."""
        self.write("risk.csv", (SOURCE / "examples/data/risk/risk.csv").read_text())
        self.write("wrong.pl", "risk(X) :- visits(X,Y), region(Y,Z).\n")
        outcome = self.hri("predict", "wrong.pl", "risk.csv")
        self.assertEqual((outcome.code, outcome.out), (1, ""), outcome)
        outcome, _ = self.inspected("risk.csv")
        self.says("keys of risk are called risk:...", outcome)

    def test_columns_of_0_and_1_are_booleans_and_labels(self):
        """hri inspect of a CSV with a column of 0 and 1, as an input and as the target.
        big/1 is unary; as a target, its zeros are negative examples."""
        self.write("t.csv", "id,colour,big\na,red,1\nb,red,0\nc,blue,1\n")
        outcome, told = self.inspected("t.csv", "--target", "colour=red")
        self.says("big/1", outcome)
        _, told = self.inspected("t.csv", "--target", "big")
        self.assertEqual((told["target"]["arity"], told["positives"], told["negatives"]), (1, 2, 1))

    def test_rows_without_a_key_have_names_of_their_own(self):
        """The classical weather table, whose first column is no key.
        Fourteen rows are examples, nine of them positive."""
        self.write("weather.csv", PLAY)
        outcome, told = self.inspected("weather.csv", "--target", "play")
        self.assertEqual((told["positives"], told["negatives"]), (9, 5))
        self.says("outlook/2", outcome)
        self.says("windy/1", outcome)

    def test_separators_are_recognised(self):
        """Semicolons with decimal commas, tabs, bars, and a separator of one's own.
        The same table each time."""
        rows = [["id", "amount", "shop"], ["a", "1.5", "web"], ["b", "20", "store"]]
        for name, separator in (("s.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t"), ("b.csv", "|")):
            text = "\n".join(separator.join(row) for row in rows) + "\n"
            self.write(name, text.replace("1.5", "1,5") if separator == ";" else text)
            self.assertEqual(
                self.types(name), {"id": "key", "amount": "number", "shop": "category"}, name
            )
        self.write("colon.csv", "\n".join(":".join(row) for row in rows) + "\n")
        self.assertEqual(self.types("colon.csv", "--separator", ":")["amount"], "number")

    def test_compressed_and_quoted_files_are_read(self):
        """hri inspect of a table that gzip compressed, with quoted cells.
        The same as of the plain file."""
        text = 'id,note,n\n"a","x, ""y""",1\n"b",z,22\n'
        self.write("t.csv", text)
        self.write("u.csv.gz", gzip.compress(text.encode()))
        self.assertEqual(self.types("t.csv"), self.types("u.csv.gz"))
        self.write("cut.csv.gz", gzip.compress(text.encode())[:-9])
        outcome = self.hri("inspect", "cut.csv.gz")
        self.assertEqual(outcome.code, 2, outcome)
        self.says("damaged or cut off", outcome)

    def test_types_are_told(self):
        """hri inspect of tables with keys, references, dates, times, numbers and words.
        Each column's type, by name and cells."""
        self.write(
            "customers.csv", "id,name,since,vip\n1,Ann,2023-01-05,yes\n2,Bob,2024-02-29,no\n"
        )
        self.write(
            "orders.csv",
            "id,customer_id,at,amount\n1,2,2024-03-01 10:00,5.50\n2,2,2024-03-02T11:30:00,120\n"
            "3,1,2024-03-03 09:15:30,99.9\n",
        )
        _, told = self.inspected(".", "--target", "vip")
        found = {(c["table"], c["column"]): c["type"] for c in told["columns"]}
        self.assertEqual(found[("customers", "id")], "key")
        self.assertEqual(found[("customers", "since")], "date")
        self.assertEqual(found[("customers", "vip")], "boolean")
        self.assertEqual(found[("orders", "customer_id")], "foreign key")
        self.assertEqual(found[("orders", "at")], "time")
        self.assertEqual(found[("orders", "amount")], "number")

    def test_mappings_select_compute_and_aggregate(self):
        """A mapping of CSV files with where, computed columns, types and aggregates.
        The relations hold what SQL says."""
        self.write("customers.csv", "id,name,vip\n1,Ann,yes\n2,Bob,no\n3,Cleo,no\n")
        self.write(
            "orders.csv",
            "id,customer_id,day,amount\n1,2,2024-03-01,5\n2,2,2024-03-02,120\n3,1,2024-03-03,99\n",
        )
        self.write(
            "map.toml",
            """target = "vip"
[[relation]]
name = "vip"
table = "customers"
columns = ["id"]
prefixes = ["c:"]
boolean = "vip"
[[relation]]
name = "large"
table = "orders"
columns = ["customer_id"]
prefixes = ["c:"]
where = "amount > 50"
[[relation]]
name = "twice"
table = "orders"
columns = ["customer_id", "double"]
prefixes = ["c:", ""]
types = ["key", "number"]
computed = { double = "2 * amount" }
[[relation]]
name = "orders"
table = "orders"
columns = ["customer_id"]
prefixes = ["c:"]
aggregate = "count"
of = "customers"
of_key = "id"
[[relation]]
name = "last"
table = "orders"
columns = ["customer_id", "amount"]
prefixes = ["c:", ""]
aggregate = "latest"
by = "day"
""",
        )
        for rule, expected in (
            ("vip(X) :- large(X).", ["vip('c:1')", "vip('c:2')"]),
            ("vip(X) :- twice(X,10).", ["vip('c:2')"]),
            ("vip(X) :- orders(X,0).", ["vip('c:3')"]),
            ("vip(X) :- orders(X,2).", ["vip('c:2')"]),
            ("vip(X) :- last(X,120).", ["vip('c:2')"]),
            ("vip(X) :- last(X,5).", []),
        ):
            self.write("p.pl", rule + "\n")
            outcome = self.hri("predict", "p.pl", ".", "--mapping", "map.toml")
            self.assertEqual(outcome.out.split(), expected, (rule, outcome))

    def test_mistakes_in_a_mapping_are_told(self):
        """A condition that is no SQL, an unknown aggregate, an unknown type.
        The mapping's line, and what was expected."""
        self.write("t.csv", "id,n,flag\na,1,yes\nb,2,no\n")
        begin = '[[relation]]\nname = "r"\ntable = "t"\ncolumns = ["id", "n"]\n'
        for line, text in (
            ('where = "n >"', "where and computed hold SQL over the columns of table t"),
            ('aggregate = "median"', "expected count, sum, min, max, mean or latest"),
            ('types = ["key", "integer"]', "there is no type 'integer' of columns"),
            ('aggregate = "latest"', "write by ="),
        ):
            self.write("map.toml", begin + line + "\n")
            outcome = self.hri("inspect", "t.csv", "--mapping", "map.toml", "--target", "r")
            self.assertEqual(outcome.code, 2, outcome)
            self.says("map.toml:1:1", outcome)
            self.says(text, outcome)

    def test_predictions_without_labels(self):
        """hri predict on a table that lacks the target's column.
        The rows that the program holds true of, with keys as the table has them in CSV."""
        self.write("t.csv", "id,colour,n\n1,red,5\n2,blue,6\n3,red,7\n")
        self.write("p.pl", "hot(X) :- colour(X,red).\n")
        text = self.hri("predict", "p.pl", "t.csv")
        self.assertEqual(text.out, "hot('t:1')\nhot('t:3')\n", text)
        csv = self.hri("predict", "p.pl", "t.csv", "--to", "csv")
        self.assertEqual(csv.out.splitlines()[1:], ["1", "3"], csv)
        some = self.hri("predict", "p.pl", "t.csv", "--query", "hot('t:3')", "--to", "json")
        self.assertEqual(json.loads(some.out)["atoms"][0]["atom"], "hot('t:3')")

    def test_atoms_can_be_pasted(self):
        """An atom that hri predict printed, given to hri explain, with and without its quotes.
        It is explained."""
        self.write("t.csv", "id,colour,n,hot\n1,red,5,1\n2,blue,6,0\n3,red,7,1\n")
        self.write("p.pl", "hot(X) :- colour(X,red).\n")
        atom = self.hri("predict", "p.pl", "t.csv").out.splitlines()[0]
        for pasted in (atom, atom.replace("'", "")):
            outcome = self.hri("explain", "p.pl", "t.csv", pasted)
            self.assertEqual(outcome.code, 0, outcome)
            self.says("is true", outcome)


class Shop(FirstContact):
    def setUp(self):
        super().setUp()
        subprocess.run(
            [sys.executable, SOURCE / "examples/data/shop/make_shop.py", "shop.sqlite"],
            cwd=self.folder,
            check=True,
        )

    def test_columns_of_a_database_are_told(self):
        """hri inspect shop.sqlite.
        Types, references that are not declared, a junction table, and how to go on."""
        outcome = self.hri("inspect", "shop.sqlite")
        self.assertEqual(outcome.code, 0, outcome)
        self.says("foreign key of customers", outcome)
        self.says("date, in days", outcome)
        self.says("churned", outcome)
        self.says("order_items", outcome)
        self.says("read in", outcome)
        self.says_not("left out", outcome)

    def test_a_boolean_column_is_a_target_with_labels(self):
        """hri inspect shop.sqlite --target churned.
        135 negative examples, and no relation is lost by the split."""
        outcome = self.hri("inspect", "shop.sqlite", "--target", "churned", "--json", "i.json")
        self.assertEqual(outcome.code, 0, outcome)
        told = json.loads((self.folder / "i.json").read_text())
        self.assertEqual((told["positives"], told["negatives"]), (15, 135))
        facts = {i["name"]: i["facts"] for i in told["inputs"]}
        self.assertGreaterEqual(facts["severity"], 185)
        self.assertGreaterEqual(facts["channel"], 347)

    def views(self, program, *flags):
        self.write("program.pl", program)
        before = self.dump()
        script = self.hri("export", "program.pl", "--to", "sql", *flags)
        self.assertEqual(script.code, 0, script)
        self.assertNotIn("CREATE TABLE", script.out)
        database = sqlite3.connect(self.folder / "shop.sqlite")
        database.executescript(script.out)
        return before, database

    def dump(self):
        database = sqlite3.connect(self.folder / "shop.sqlite")
        lines = [line for line in database.iterdump() if "VIEW" not in line]
        database.close()
        return lines

    def test_sql_reads_the_users_own_tables(self):
        """hri export churn.pl --to sql --data shop.sqlite, run in the shop's database.
        The view has the rows of hri predict; no table is made or changed."""
        program = "churned(X) :- tickets_customer_id(T,X), severity(T,high), \\+ resolved(T).\n"
        before, database = self.views(program, "--data", "shop.sqlite")
        rows = sorted(str(row[0]) for row in database.execute("SELECT a FROM churned"))
        told = self.hri("predict", "program.pl", "shop.sqlite", "--to", "csv")
        self.assertEqual(rows, sorted(told.out.splitlines()[1:]), told)
        self.assertEqual(len(rows), 15)
        labels = database.execute("SELECT id FROM customers WHERE churned = 1").fetchall()
        self.assertEqual(rows, sorted(str(row[0]) for row in labels))
        database.close()
        self.assertEqual(before, self.dump())

    def test_sql_of_two_arguments_and_a_junction_table(self):
        """A program about customers and products, over order_items.
        The view's pairs are those of hri predict."""
        program = "bought(C,P) :- orders_customer_id(O,C), order_items(O,P), category(P,toy).\n"
        self.hri("inspect", "shop.sqlite", "--propose-mapping")
        mapping = self.hri("inspect", "shop.sqlite", "--propose-mapping").out
        self.write("map.toml", mapping)
        _, database = self.views(program, "--mapping", "map.toml")
        rows = sorted(f"{a},{b}" for a, b in database.execute("SELECT a, b FROM bought"))
        told = self.hri(
            "predict", "program.pl", "shop.sqlite", "--to", "csv", "--mapping", "map.toml"
        )
        self.assertEqual(rows, sorted(told.out.splitlines()[1:]), told)
        self.assertGreater(len(rows), 50)

    def test_sql_without_a_mapping_makes_no_tables(self):
        """hri export --to sql without a mapping, run in the shop's database.
        No table is made; a query says which is missing."""
        _, database = self.views("churned(X) :- nosuch(X,high).\n")
        with self.assertRaisesRegex(sqlite3.OperationalError, "no such table"):
            database.execute("SELECT * FROM churned").fetchall()


if __name__ == "__main__":
    main()
