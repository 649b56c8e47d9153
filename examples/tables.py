# SPDX-License-Identifier: Apache-2.0
"""CSV files with a header, and an SQLite database.

Prints, among others:

    play(X) <-
    explains the training data: True
    uncle_of
"""

import pathlib
import sqlite3
import tempfile

import hri

DAYS = """day,calm,dry,label
mon,yes,yes,pos
tue,no,yes,neg
wed,yes,no,neg
thu,yes,yes,pos
fri,no,no,neg
"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "play.csv").write_text(DAYS)
    program = hri.learn(hri.read(folder / "play.csv"), time_limit=10)
    print(program)
    print("explains the training data:", program.report.fits)

    with sqlite3.connect(folder / "kin.sqlite") as database:
        database.executescript(
            """
            CREATE TABLE parent (a TEXT, b TEXT);
            CREATE TABLE brother (a TEXT, b TEXT);
            CREATE TABLE uncle_of (a TEXT, b TEXT);
            INSERT INTO parent VALUES ('ann','dora'), ('gina','ida'), ('bob','emil');
            INSERT INTO brother VALUES ('bob','ann'), ('hugo','gina');
            INSERT INTO uncle_of VALUES ('bob','dora'), ('hugo','ida');
            """
        )
    problem = hri.read(folder / "kin.sqlite", target="uncle_of", closed_world=True)
    program = hri.learn(problem, time_limit=10)
    print(program)
