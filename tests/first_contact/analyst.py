# SPDX-License-Identifier: Apache-2.0
"""Tables as analysts have them: money, percent, dates of all kinds, NA, blanks, odd headers.

A rule is planted in each; learning with the default options finds it, or a rule that is as good.
"""

import datetime
import json
import random
import sqlite3

from contact import FirstContact, main

QUICK = ("--max-work", "60000")


class Analyst(FirstContact):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(5)

    def write_rows(self, name, header, rows):
        self.write(name, "\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")

    def typed(self, name, *flags):
        outcome = self.hri("inspect", name, "--json", "i.json", *flags)
        self.assertEqual(outcome.code, 0, outcome)
        columns = json.loads((self.folder / "i.json").read_text())["columns"]
        return {column["column"]: (column["type"], column["unit"]) for column in columns}, outcome

    def learned(self, name, target, *flags):
        outcome = self.hri("learn", name, "--target", target, *QUICK, *flags)
        self.assertEqual(outcome.code, 0, outcome)
        return outcome.out.splitlines()[0]

    def test_amounts_with_units_are_numbers(self):
        """A CSV with $1,250.00, 7.5% and 4/30/2023; defaulted: above 20,000 dollars and 8 percent.
        The columns are numbers and dates, and the rule compares them."""
        rows = []
        for i in range(80):
            amount, rate = self.rng.randint(500, 50000), round(self.rng.uniform(1, 15), 1)
            day = f"{self.rng.randint(1, 12)}/{13 + i % 15}/2023"
            bad = "Y" if amount > 20000 and rate > 8 else "N"
            rows.append((f"L{i}", f'"${amount:,}.00"', f"{rate}%", day, bad))
        self.write_rows("loans.csv", ("loan id", "amount", "rate", "start", "defaulted"), rows)
        types, _ = self.typed("loans.csv")
        self.assertEqual(types["amount"], ("number", "$"))
        self.assertEqual(types["rate"], ("number", "%"))
        self.assertEqual(types["start"][0], "date")
        rule = self.learned("loans.csv", "defaulted")
        self.assertRegex(rule, r"amount\(X,Y\) & rate\(X,Z\) & Y >= 2\d{4} & Z >= 8")

    def test_excel_of_europe_is_read(self):
        """Semicolons, decimal commas, points between thousands, ja and nein, umlauts, line breaks.
        Numbers, a boolean, and a rule over columns with blanks in their names."""
        rows = ["Nr;Umsatz (EUR);Rabatt %;Bemerkung;gekündigt"]
        for i in range(60):
            amount, percent = self.rng.randint(10000, 999999), self.rng.choice([0, 5, 10])
            text = f"{amount // 100:,}".replace(",", ".") + f",{amount % 100:02d}"
            gone = amount < 400000 and percent < 10
            rows.append(f'K-{i};{text};{percent} %;"neu\nund gut";{"ja" if gone else "nein"}')
        self.write("excel.csv", ("\ufeff" + "\n".join(rows) + "\n").encode())
        types, _ = self.typed("excel.csv")
        self.assertEqual(types["Umsatz (EUR)"], ("number", ""))
        self.assertEqual(types["Rabatt %"], ("number", "%"))
        self.assertEqual(types["gekündigt"], ("boolean", ""))
        rule = self.learned("excel.csv", "gekündigt")
        self.assertIn("'Umsatz (EUR)'(X,Y)", rule)
        self.assertIn("Y =< 3", rule)

    def test_na_counts_as_empty(self):
        """Ages among which NA stands, and a column with one typing mistake.
        Ages are numbers, which a warning says; the mistake is named."""
        ages = [self.rng.randint(20, 90) for _ in range(80)]
        rows = [
            (f"p{i}", "NA" if i % 9 == 0 else age, "4o" if i == 33 else age + i, int(age > 60))
            for i, age in enumerate(ages)
        ]
        rows = [(*row[:3], 0 if row[1] == "NA" else row[3]) for row in rows]
        self.write_rows("na.csv", ("id", "age", "typed", "sick"), rows)
        types, outcome = self.typed("na.csv")
        self.assertEqual(types["age"][0], "number")
        self.says("NA counts as empty", outcome)
        self.says("column typed is taken for words: most of its values are numbers", outcome)
        self.says("but not '4o'", outcome)
        self.assertRegex(self.learned("na.csv", "sick"), r"age\(X,Y\) & Y >= 6\d$")

    def test_empty_cells_can_be_what_matters(self):
        """A database of employees, some without a boss; the target is just that.
        no_boss(X)."""
        database = sqlite3.connect(self.folder / "staff.sqlite")
        database.execute(
            "CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES staff,"
            " team TEXT, top INTEGER)"
        )
        for i in range(1, 61):
            boss = None if i % 4 == 0 else self.rng.randint(1, 20)
            row = (i, boss, self.rng.choice("ab"), int(boss is None))
            database.execute("INSERT INTO staff VALUES (?, ?, ?, ?)", row)
        database.commit()
        self.assertEqual(self.learned("staff.sqlite", "top", "--program", "p.pl"), "top(X) <- no_boss(X)")
        self.check_view(database, "p.pl", "staff.sqlite", "top")

    def check_view(self, database, program, data, name):
        """The rows of the exported view are those of hri predict."""
        script = self.hri("export", program, "--to", "sql", "--data", data)
        self.assertEqual(script.code, 0, script)
        database.executescript(script.out)
        rows = sorted(str(row[0]) for row in database.execute(f'SELECT a FROM "{name}"'))
        told = self.hri("predict", program, data, "--to", "csv")
        self.assertEqual(rows, sorted(told.out.splitlines()[1:]), told)
        self.assertGreater(len(rows), 0)

    def test_views_read_amounts_and_dates_as_hri_does(self):
        """A database with salaries in euros, shares in percent, days as 30.4.2021 and 4/30/2021.
        The exported view has the rows of hri predict."""
        database = sqlite3.connect(self.folder / "pay.sqlite")
        database.execute(
            "CREATE TABLE pay (id INTEGER PRIMARY KEY, salary TEXT, share TEXT, hired TEXT,"
            " left_on TEXT, bonus TEXT)"
        )
        for i in range(1, 81):
            salary = self.rng.randint(30000, 99000)
            share = None if i % 8 == 0 else self.rng.randint(40, 100)
            month = self.rng.randint(1, 12)
            bonus = salary > 60000 and share is not None and share >= 80
            row = (
                i,
                f"€{salary:,}.00",
                "n/a" if share is None else f"{share} %",
                f"{13 + i % 10}.{month}.2021",
                f"{month}/{13 + i % 10}/2022",
                "oui" if bonus else "non",
            )
            database.execute("INSERT INTO pay VALUES (?, ?, ?, ?, ?, ?)", row)
        database.commit()
        self.learned("pay.sqlite", "bonus", "--program", "p.pl")
        self.check_view(database, "p.pl", "pay.sqlite", "bonus")
        self.write("q.pl", "bonus(X) :- hired(X,Y), left_on(X,Z), Y >= 18800, Z =< 19200.\n")
        self.check_view(database, "q.pl", "pay.sqlite", "bonus")

    def test_dates_with_names_of_months_and_short_years_are_read(self):
        """A database with days as 9 Apr 2023, April 9, 2023, 09-Apr-23, 4/29/23 and 29.04.23.
        All are dates; bounds on them choose the same rows in hri and in the exported view."""
        database = sqlite3.connect(self.folder / "days.sqlite")
        database.execute(
            "CREATE TABLE stay (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT, d TEXT, e TEXT,"
            " old INTEGER)"
        )
        for i in range(1, 61):
            day = datetime.date(1999, 1, 1) + datetime.timedelta(days=self.rng.randrange(9000))
            form = (f"{day.day} %b %Y", f"%B {day.day}, %Y", "%d-%b-%y", f"{day.month}/%d/%y", "%d.%m.%y")
            texts = [None if i == 7 else day.strftime(f) for f in form]
            row = (i, *texts, int(i != 7 and day < datetime.date(2010, 1, 1)))
            database.execute("INSERT INTO stay VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        database.commit()
        types, outcome = self.typed("days.sqlite")
        for column in "abcde":
            self.assertEqual(types[column][0], "date", column)
        self.says("column c: years of two digits are those from 1970 to 2069", outcome)
        self.assertRegex(self.learned("days.sqlite", "old"), r"old\(X\) <- [a-e]\(X,Y\) & Y =< 14\d{3}$")
        labelled = database.execute("SELECT count(*) FROM stay WHERE old = 1").fetchone()[0]
        for column in "abcde":
            self.write("p.pl", f"old(X) :- {column}(X,Y), Y < 14610.\n")
            self.check_view(database, "p.pl", "days.sqlite", "old")
            self.assertEqual(database.execute("SELECT count(*) FROM old").fetchone()[0], labelled)

    def test_versions_and_codes_are_no_dates(self):
        """Versions 1.2.10, codes 12-34-56, and words that begin as months do.
        None is a date."""
        rows = [
            (f"r{i}", f"{i % 4}.{i % 9}.{10 + i}", f"12-{10 + i}-56", f"{i} Marvel 2020", i % 2)
            for i in range(1, 29)
        ]
        self.write_rows("v.csv", ("id", "version", "code", "hero", "ok"), rows)
        types, _ = self.typed("v.csv")
        for column in ("version", "code", "hero"):
            self.assertIn(types[column][0], ("category", "text"), column)

    def test_each_class_of_a_column_is_learned(self):
        """hri learn triage.csv --target triage, a column of three classes.
        A rule for each class, in one program."""
        rows = []
        for i in range(1, 91):
            fever, smoker = round(self.rng.uniform(36, 41), 1), self.rng.choice(["yes", "no"])
            kind = "red" if fever > 39 else "amber" if smoker == "yes" else "green"
            rows.append((i, fever, smoker, kind))
        self.write_rows("triage.csv", ("nr", "fever", "smoker", "triage"), rows)
        outcome = self.hri("learn", "triage.csv", "--target", "triage", "--program", "p.pl", *QUICK)
        self.assertEqual(outcome.code, 0, outcome)
        self.says("triage_red(X) <- fever(X,Y) & Y >= 39", outcome)
        for kind in ("amber", "green"):
            self.says(f"triage_{kind}(X) <- ", outcome)
        outcome = self.hri("eval", "p.pl", "triage.csv", "--target", "triage")
        self.assertEqual(outcome.out.count("100.00 %    "), 3, outcome)
        outcome = self.hri("predict", "p.pl", "triage.csv", "--query", "triage_red(X)", "--to", "csv")
        reds = [str(row[0]) for row in rows if row[3] == "red"]
        self.assertEqual(sorted(outcome.out.split()[1:]), sorted(reds), outcome)

    def test_a_day_or_a_month_first_is_not_guessed(self):
        """Dates such as 3/4/2024, all of whose parts are below 13.
        They stay words, which a warning says."""
        rows = [(f"r{i}", f"{i % 12 + 1}/{i % 5 + 1}/2024", i % 2, i) for i in range(30)]
        self.write_rows("d.csv", ("id", "day", "ok", "n"), rows)
        types, outcome = self.typed("d.csv")
        self.assertEqual(types["day"][0], "category")
        self.says("whether the day or the month comes first", outcome)

    def test_names_are_not_amounts(self):
        """Rooms 3a, squares e4, ids s1, zip codes 01099, account numbers of 19 digits.
        All stay words."""
        rows = [
            (f"s{i}", f"{i}a", f"e{i % 8 + 1}", f"0{1000 + i % 9}", 1234567890123456780 + i % 9, i % 2)
            for i in range(30)
        ]
        self.write_rows("n.csv", ("id", "room", "square", "zip", "account", "ok"), rows)
        types, _ = self.typed("n.csv")
        for column in ("room", "square", "zip", "account"):
            self.assertIn(types[column][0], ("category", "text"), column)

    def test_a_file_called_like_its_target_is_learned(self):
        """hri learn loss.csv --target loss, where loss is a column; the file has row numbers as
        pandas writes them, blanks after commas and a column `value` of large numbers.
        The rule compares two columns."""
        rows = []
        for i in range(60):
            price, cost = self.rng.randint(1, 999), self.rng.randint(1, 999)
            rows.append((i, price, f" {cost}", i * 7 % 13, "yes" if cost > price else "no"))
        self.write_rows("loss.csv", ("", "price", " cost ", "value", "loss"), rows)
        self.assertIn(
            self.learned("loss.csv", "loss"),
            ("loss(X) <- price(X,Y) & cost(X,Z) & Y < Z", "loss(X) <- cost(X,Y) & price(X,Z) & Z < Y"),
        )

    def test_bounds_and_classes_of_odd_columns_are_targets(self):
        """--target 'amount>=1000' of a column of dollars, and --target 'day<2021-06-01'.
        The labels are right."""
        rows = [(f"r{i}", f'"${i * 100:,}"', f"{i + 13}.2.2021", i % 3) for i in range(1, 16)]
        self.write_rows("t.csv", ("id", "amount", "day", "n"), rows)
        for target, positives in (("amount>=1000", 6), ("day<2021-02-20", 6)):
            _, outcome = self.typed("t.csv", "--target", target)
            self.assertEqual(
                json.loads((self.folder / "i.json").read_text())["positives"], positives, outcome
            )

    def test_a_hint_names_counts_where_they_help(self):
        """A user is a VIP from five posts on, and no rule of the default options can count.
        The hint is --aggregates, and with it the rule is found."""
        database = sqlite3.connect(self.folder / "blog.sqlite")
        database.executescript(
            "CREATE TABLE users (id INTEGER PRIMARY KEY, country TEXT, vip INTEGER);"
            "CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users,"
            " topic TEXT);"
        )
        for i in range(1, 61):
            count = self.rng.randint(0, 8)
            database.execute("INSERT INTO users VALUES (?, ?, ?)", (i, "de", int(count >= 5)))
            for _ in range(count):
                database.execute(
                    "INSERT INTO posts(user_id, topic) VALUES (?, ?)", (i, self.rng.choice("abc"))
                )
        database.commit()
        database.close()
        outcome = self.hri("learn", "blog.sqlite", "--target", "vip", "--max-work", "3000")
        self.assertEqual(outcome.code, 1, outcome)
        self.says("says more: --aggregates counts in tables", outcome)
        self.assertRegex(
            self.learned("blog.sqlite", "vip", "--aggregates"), r"users_posts_count\(X,Y\) & Y >= 5$"
        )


if __name__ == "__main__":
    main()
