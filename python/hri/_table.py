# SPDX-License-Identifier: Apache-2.0
"""A table of features as facts: one constant per row, predicates of one argument per column.

A category becomes `colour = red`, a boolean column its name, a number `age > 41` and
`age =< 41` at cut points that the training rows give. Cells that are None or NaN say nothing.
"""

from __future__ import annotations

import datetime
import decimal
from typing import Any, Callable, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from hri._facts import is_missing

MAX_CATEGORIES = 20  # of a column; the rarer ones are left out
_EPOCH = datetime.datetime(1970, 1, 1)
CUTS = 7  # of a column of numbers, at most


class Column:
    """How one column becomes predicates; learned from the training rows."""

    def __init__(self, name: str, cells: Sequence[Any], y: Optional[NDArray[Any]]) -> None:
        self.name = name
        known = [i for i, cell in enumerate(cells) if not is_missing(cell)]
        values = [cells[i] for i in known]
        self.kind = _kind(values)
        self.categories: list[str] = []
        self.cuts: list[float] = []
        if self.kind in ("number", "date"):
            numbers = np.array([_number(v) for v in values], float)
            labels = None if y is None else np.asarray(y)[known]
            self.cuts = _cuts(numbers, labels, _day if self.kind == "date" else _short)
        elif self.kind == "category":
            names, counts = np.unique([str(v) for v in values], return_counts=True)
            best = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
            self.categories = sorted(names[best].tolist())

    def predicates(self) -> list[str]:
        if self.kind == "boolean":
            return [self.name, f"not {self.name}"]
        if self.kind in ("number", "date"):
            shown = _shown if self.kind == "number" else _shown_date
            return [f"{self.name} {sign} {shown(cut)}" for cut in self.cuts for sign in (">", "=<")]
        return [f"{self.name} = {category}" for category in self.categories]

    def holds(self, cell: Any) -> list[bool]:
        """Of each predicate."""
        if is_missing(cell):
            return [False] * len(self.predicates())
        if self.kind == "boolean":
            return [bool(cell), not bool(cell)]
        if self.kind in ("number", "date"):
            number = _number(cell)
            return [number > cut if above else number <= cut for cut in self.cuts for above in (True, False)]
        return [str(cell) == category for category in self.categories]


class Table:
    """The columns of a table."""

    def __init__(self, names: Sequence[str], rows: Sequence[Sequence[Any]], y: Any = None) -> None:
        self.columns = [
            Column(name, [row[i] for row in rows], y) for i, name in enumerate(names)
        ]

    def predicates(self) -> list[str]:
        return [name for column in self.columns for name in column.predicates()]

    def facts(self, rows: Sequence[Sequence[Any]], row_names: Sequence[str]) -> dict[str, list[str]]:
        """The rows that each predicate holds of."""
        found: dict[str, list[str]] = {"row/1": list(row_names)} if not self.predicates() else {}
        for i, column in enumerate(self.columns):
            names = column.predicates()
            lists: list[list[str]] = [[] for _ in names]
            for row, name in zip(rows, row_names):
                for holds, into in zip(column.holds(row[i]), lists):
                    if holds:
                        into.append(name)
            found.update((f"{predicate}/1", into) for predicate, into in zip(names, lists))
        return found


def _kind(values: Sequence[Any]) -> str:
    if values and all(isinstance(v, (bool, np.bool_)) for v in values):
        return "boolean"
    if values and all(isinstance(v, (int, float, np.number, decimal.Decimal)) for v in values):
        return "number"
    if values and all(isinstance(v, (datetime.date, np.datetime64)) for v in values):
        return "date"
    return "category"


def _number(value: Any) -> float:
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime.datetime):  # as the clock on the wall there shows it
        return (value.replace(tzinfo=None) - _EPOCH).total_seconds()
    if isinstance(value, datetime.date):
        return float((value - _EPOCH.date()).days) * 86400
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def _shown(cut: float) -> str:
    return f"{cut:g}" if float(f"{cut:g}") == cut else repr(cut)


def _short(low: float, high: float) -> float:
    """A number in their middle, with as few digits as tell them apart: low <= it < high."""
    for digits in (6, 9, 12, 15):
        cut = float(f"{(low + high) / 2:.{digits}g}")
        if low <= cut < high:
            return cut
    return low


def _day(low: float, high: float) -> float:
    """The same for moments: midnight where there is one between them."""
    midnight = (low + high) / 2 // 86400 * 86400
    return midnight if low <= midnight < high else float((low + high) // 2) if high - low > 2 else low


def _shown_date(cut: float) -> str:
    """To the day where the cut is between days, to the second elsewhere."""
    moment = _EPOCH + datetime.timedelta(seconds=round(cut))
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(" ")


def _cuts(
    numbers: NDArray[Any], y: Optional[NDArray[Any]], between: Callable[[float, float], float]
) -> list[float]:
    """Midpoints between neighbours: where classes are told, those that separate them best,
    otherwise quantiles."""
    values = np.unique(numbers[np.isfinite(numbers)])
    if len(values) < 2:
        return []
    middles = np.unique([between(low, high) for low, high in zip(values[:-1].tolist(), values[1:].tolist())])
    if len(middles) <= CUTS:
        return [float(m) for m in middles]
    if y is None:
        return sorted({float(m) for m in np.quantile(middles, np.linspace(0, 1, CUTS + 2)[1:-1], method="nearest")})
    return sorted(_separating(numbers, y, middles))


def _separating(numbers: NDArray[Any], y: NDArray[Any], middles: NDArray[Any]) -> set[float]:
    """Cuts one after the other: always the one that lowers the classes' entropy most within a part
    that earlier cuts left."""
    chosen: set[float] = set()
    classes, codes = np.unique(y, return_inverse=True)
    parts = [np.isfinite(numbers)]
    while parts and len(chosen) < CUTS:
        part = max(parts, key=lambda p: _entropy(codes[p], len(classes)))
        parts = [p for p in parts if p is not part]
        inside = numbers[part]
        between = middles[(middles >= inside.min()) & (middles < inside.max())]
        if not len(between) or _entropy(codes[part], len(classes)) <= 0:
            continue
        best = min(
            between,
            key=lambda cut: _entropy(codes[part & (numbers <= cut)], len(classes))
            + _entropy(codes[part & (numbers > cut)], len(classes)),
        )
        chosen.add(float(best))
        parts += [part & (numbers <= best), part & (numbers > best)]
    return chosen


def _entropy(codes: NDArray[Any], classes: int) -> float:
    """In bits, of all of them together."""
    counts = np.bincount(codes, minlength=classes).astype(float)
    counts = counts[counts > 0]
    return float(-(counts * np.log2(counts / counts.sum())).sum()) if len(counts) else 0.0
