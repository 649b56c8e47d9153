# SPDX-License-Identifier: Apache-2.0
"""Data frames as the tables of a database."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Mapping
from typing import Any, Optional

from hri import _core, _errors, _facts


def read_frames(
    frames: Mapping[str, Any], target: Optional[str] = None, *, to_predict: bool = False, **reading: Any
) -> _core.Problem:
    """A problem from data frames that are the tables of a database, by name.

    Keys, foreign keys and the types of columns are recognised as of CSV files: a column of distinct
    cells that others refer to is a key, and keys that are whole numbers get their table's name as
    prefix, `customers:7`. `target` is a column of two values, or a relation. Cells that are None
    or NaN are unknown. Frames of pandas, Polars and Arrow are taken. With `to_predict` frames need
    no target: `program.predict` takes the problem, and gives keys as they were. Other keywords are
    those of `hri.read`; `mapping` names a TOML file that says otherwise what the tables mean.

    >>> import hri
    >>> import pandas as pd
    >>> customers = pd.DataFrame({"id": range(8), "plan": ["basic", "pro"] * 4,
    ...                           "left": [i in (0, 4) for i in range(8)]})
    >>> tickets = pd.DataFrame({"ticket": range(100, 106), "customer": [0, 1, 2, 4, 5, 7],
    ...                         "severity": ["high", "low", "low", "high", "low", "low"]})
    >>> problem = hri.read_frames({"customers": customers, "tickets": tickets}, target="left")
    >>> program = hri.learn(problem, max_work=100_000, time_limit=0)
    >>> print(program)
    left(X) <- customer(Y,X) & severity(Y,high)
    >>> program.predict(problem)
    [(0,), (4,)]
    """
    if not isinstance(frames, Mapping) or not frames:
        raise TypeError(f"frames: expected a dict of data frames by name, found {_facts.short(frames)}")
    if target is not None:
        reading["target"] = target
    with tempfile.TemporaryDirectory(prefix="hri-") as parent:
        folder = os.path.join(parent, "frames")
        os.mkdir(folder)
        numbers: dict[str, Any] = {}
        for name, frame in frames.items():
            _write(folder, name, frame, numbers)
        try:
            problem = _core.read_problem(folder, not to_predict, **reading)
        except _errors.Error as error:
            raise _of_frames(error, folder) from None
    problem._numbers = numbers
    return problem


def _write(folder: str, name: str, frame: Any, numbers: dict[str, Any]) -> None:
    """Writes a frame as CSV, and notes what its numbers may be called."""
    if not isinstance(name, str) or not name or os.sep in name or name.startswith("."):
        raise TypeError(f"frames: expected names of tables, found {name!r}")
    if not _facts.is_frame(frame):
        raise TypeError(f"frames[{name!r}]: expected a DataFrame, found {_facts.short(frame)}")
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_facts.frame_columns(frame))
        for i, row in enumerate(_facts.frame_rows(frame)):
            cells = [_cell(name, i, cell) for cell in row]
            writer.writerow(cells)
            for cell, shown in zip(row, cells):
                if shown and _facts.is_number(cell):
                    # whole numbers are floats in columns with unknown cells
                    value = int(cell) if float(cell).is_integer() else float(cell)
                    numbers.setdefault(shown, value)
                    numbers[f"{name}:{shown}"] = value


def _cell(name: str, row: int, cell: Any) -> str:
    if _facts.is_missing(cell) or (isinstance(cell, str) and not cell):
        return ""
    if isinstance(cell, _facts.BOOLEANS):
        return "yes" if cell else "no"
    return _facts.constant(f"frames[{name!r}]", row, cell)


def _of_frames(error: _errors.Error, folder: str) -> _errors.Error:
    """The same error, its place in a frame instead of a file."""

    def shown(text: str) -> str:
        return text.replace(folder + os.sep, "").replace(folder, "the frames").replace(".csv", "")

    place = error.place._replace(file=shown(error.place.file))
    return type(error)(shown(error.message), place, shown(error.hint), shown(str(error)))
