# SPDX-License-Identifier: Apache-2.0
"""Facts and examples as Python has them, for the C++ reader.

A table is `(name, arity, cells, values)`: the cells of all rows one after the other, as names of
constants, and a valuation for each row.
"""

from __future__ import annotations

import datetime
import importlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Tuple, Union

import numpy as np

from hri import _core

BOOLEANS = (bool, np.bool_)

Table = Tuple[str, int, "list[str]", "list[float]"]


def problem(
    background: Any,
    positive: Any,
    negative: Any = None,
    *,
    constants: Optional[Sequence[Any]] = None,
    name: str = "memory",
    **reading: Any,
) -> _core.Problem:
    """Facts and examples as a problem.

    `background`, `positive` and `negative` map names of predicates to relations, each of them one of

    - a list of tuples, or of single constants for a predicate of one argument;
    - a pandas DataFrame with a column per argument;
    - a numpy array of integers or strings, a row per tuple;
    - a numpy array of floats or booleans of shape (n,) or (n, n): the valuation of every atom, the
      constants being 0 to n - 1 or named by `constants`.

    Triples (head, relation, tail), as a list or a DataFrame, stand for such a mapping. Keywords are
    those of `hri.read`: closed_world, target, reify, split and so on.

    >>> import hri
    >>> problem = hri.problem({"parent": [("ann", "bob"), ("bob", "cleo")]},
    ...                       {"grandparent": [("ann", "cleo")]}, closed_world=True)
    >>> problem
    <hri.Problem memory: grandparent/2 from parent/2>
    >>> hri.problem({"parent": [("ann", "bob"), ("bob",)]}, {"grandparent": [("ann", "cleo")]})
    Traceback (most recent call last):
        ...
    ValueError: background['parent']: expected 2 constants in row 1 as in row 0, found ('bob',)
    """
    target = reading.get("target")
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target: expected a name or 'name/arity', found {target!r}")
    names = _names(constants)
    counts: set[int] = set()
    facts = _tables("background", background, names, counts)
    true = [] if positive is None else _tables("positive", positive, names, counts)
    false = [] if negative is None else _tables("negative", negative, names, counts)
    if not any(values for _, _, _, values in true + false):
        raise ValueError("there are no examples: give at least one positive or negative tuple")
    return _core.make_problem(
        name, facts, true, false, _all_constants(names, counts), None, **reading
    )


class WithConstants:
    """Facts, and constants that no fact need mention."""

    def __init__(self, facts: Any, constants: Iterable[str]) -> None:
        self.facts = facts
        self.constants = list(constants)


def world(facts: Any, target: Tuple[str, int]) -> Union[_core.Problem, _core.Instance]:
    """Facts without examples, for predictions. Valuations are read where they lie."""
    counts: set[int] = set()
    if isinstance(facts, WithConstants):
        tables = [t for t in _tables("facts", facts.facts, None, counts) if (t[0], t[1]) != target]
        names = dict.fromkeys(_all_constants(None, counts) + facts.constants)
        return _core.make_problem("facts", tables, [], [], list(names), target, split="never")
    dense = isinstance(facts, Mapping) and all(
        isinstance(name, str) and "/" not in name and _is_dense(v) for name, v in facts.items()
    )
    if dense and facts:
        for name, values in facts.items():
            _check_dense(f"facts[{name!r}]", values, None, counts)
        others = {n: v for n, v in facts.items() if (n, v.ndim) != target}
        return _core.dense_instance(others, len(_all_constants(None, counts)))
    tables = [t for t in _tables("facts", facts, None, counts) if (t[0], t[1]) != target]
    return _core.make_problem(
        "facts", tables, [], [], _all_constants(None, counts), target, split="never"
    )


def settled(facts: Any) -> Any:
    """Facts that can be read twice: what a generator gives is kept in a list."""
    if isinstance(facts, Mapping):
        return {
            name: list(relation) if isinstance(relation, Iterator) else relation
            for name, relation in facts.items()
        }
    return list(facts) if isinstance(facts, Iterator) else facts


def relation_arities(facts: Any) -> Optional[dict[str, Optional[int]]]:
    """Predicates by name, with their arities where these are seen at once; None where the names are
    not known from outside. Of a name with several arities the arity is not known."""
    if isinstance(facts, WithConstants):
        facts = facts.facts
    found: dict[str, Optional[int]] = {}
    if isinstance(facts, (_core.Problem, _core.Instance)):
        for name, arity in facts.inputs:
            found[name] = arity if name not in found else None
        return found
    if not isinstance(facts, Mapping):
        return None
    for key, relation in facts.items():
        if isinstance(key, str):
            name, _, digits = key.rpartition("/")
            named = bool(name) and digits.isdigit()
            seen = int(digits) if named else _arity_of(relation)
            key = name if named else key
            found[key] = seen if key not in found else None
    return found


def _arity_of(relation: Any) -> Optional[int]:
    if is_frame(relation):
        return len(frame_columns(relation))
    if isinstance(relation, np.ndarray):
        return relation.ndim if _is_dense(relation) or relation.ndim < 2 else relation.shape[1]
    if isinstance(relation, Sequence) and relation:
        return len(relation[0]) if isinstance(relation[0], (tuple, list)) else 1
    return None


def originals(facts: Any) -> dict[str, Any]:
    """The numbers among the constants, by the names that they got."""
    if isinstance(facts, WithConstants):
        facts = facts.facts
    if isinstance(facts, (_core.Problem, _core.Instance)):
        return getattr(facts, "_numbers", {})
    found: dict[str, Any] = {}
    for relation in facts.values() if isinstance(facts, Mapping) else [facts]:
        if _is_dense(relation):
            found.update((str(i), i) for i in range(max(relation.shape, default=0)))
            continue
        relation = frame_rows(relation) if is_frame(relation) else _column(relation)
        if isinstance(relation, np.ndarray):
            if relation.dtype.kind not in "iuO":
                continue
            relation = relation.tolist()
        for row in relation:
            for cell in row if isinstance(row, (tuple, list, np.ndarray)) else (row,):
                if is_number(cell) and cell == cell:
                    value = cell.item() if isinstance(cell, np.number) else cell
                    found.setdefault(constant("facts", 0, cell), value)
    return found


def _names(constants: Optional[Sequence[Any]]) -> Optional[list[str]]:
    if constants is None:
        return None
    names = [constant("constants", i, c) for i, c in enumerate(constants)]
    if len(set(names)) != len(names):
        raise ValueError("constants: the same name is there twice")
    return names


def _all_constants(names: Optional[list[str]], counts: set[int]) -> list[str]:
    if len(counts) > 1:
        raise ValueError(f"valuations of different numbers of constants: {sorted(counts)}")
    if names is not None:
        return names
    return [str(i) for i in range(counts.pop())] if counts else []


def _tables(part: str, given: Any, names: Optional[list[str]], counts: set[int]) -> list[Table]:
    if is_frame(given):
        columns = frame_columns(given)
        if len(columns) != 3:
            raise ValueError(
                f"{part}: expected a DataFrame of triples with 3 columns (head, relation, tail), "
                f"found {len(columns)}; give one relation as {{'name': frame}}"
            )
        middle = columns[1].lower()
        if middle not in ("1", "relation", "predicate", "property", "rel", "r", "p"):
            raise ValueError(
                f"{part}: a DataFrame alone holds triples, and its middle column is called "
                f"{columns[1]!r}; rename it to 'relation', or give each column as a relation "
                f"{{{columns[1]!r}: frame[[{columns[0]!r}, "
                f"{columns[1]!r}]]}}"
            )
        given = frame_rows(given)
    if isinstance(given, (str, bytes)) or not isinstance(given, (Mapping, Iterable)):
        raise TypeError(
            f"{part}: expected a dict of relations or a list of triples, found {short(given)}"
        )
    if not isinstance(given, Mapping):
        given = _by_relation(part, given)
    tables = []
    for name, relation in given.items():
        if not isinstance(name, str) or not name:
            raise TypeError(f"{part}: expected names of predicates, found {name!r}")
        tables.append(_table(f"{part}[{name!r}]", name, relation, names, counts))
    return tables


def _by_relation(part: str, triples: Iterable[Any]) -> dict[str, list[Tuple[Any, Any]]]:
    relations: dict[str, list[Tuple[Any, Any]]] = {}
    for i, triple in enumerate(triples):
        if isinstance(triple, np.ndarray):
            triple = triple.tolist()
        if isinstance(triple, str) or not isinstance(triple, Sequence) or len(triple) != 3:
            raise ValueError(
                f"{part}: expected (head, relation, tail) in row {i}, found {short(triple)}"
            )
        head, relation, tail = triple
        if not isinstance(relation, str):
            raise TypeError(f"{part}: expected a relation's name in row {i}, found {relation!r}")
        relations.setdefault(relation, []).append((head, tail))
    return relations


def _table(
    where: str, name: str, relation: Any, names: Optional[list[str]], counts: set[int]
) -> Table:
    arity: Optional[int] = None
    if name.rpartition("/")[2].isdigit() and "/" in name:  # "dead/1": where no row tells
        name, _, digits = name.rpartition("/")
        arity = int(digits)
    if is_frame(relation):
        arity = len(frame_columns(relation)) if arity is None else arity
        relation = [row for row in frame_rows(relation) if not any(map(is_missing, row))]
    elif _is_series(relation):
        relation = [cell for cell in _column(relation) if not is_missing(cell)]
    relation = _column(relation)
    if isinstance(relation, np.ndarray):
        if _is_dense(relation):
            return _dense(where, name, relation, names, counts)
        if relation.ndim not in (1, 2) or relation.dtype.kind not in "iuUSO":
            raise ValueError(
                f"{where}: expected rows of constants or an array of valuations, found an array of "
                f"shape {relation.shape} and type {relation.dtype}"
            )
        if relation.ndim == 2:
            arity = relation.shape[1] if arity is None else arity
        relation = relation.tolist()
    if isinstance(relation, (str, bytes)) or not isinstance(relation, Iterable):
        hint = "; give its collect()" if hasattr(relation, "collect") else ""
        raise TypeError(f"{where}: expected a list of tuples, found {short(relation)}{hint}")
    cells: list[str] = []
    rows = 0
    for row in relation:
        tuple_ = row if isinstance(row, (tuple, list, np.ndarray)) else (row,)
        if arity is None:
            arity = len(tuple_)
        if len(tuple_) != arity:
            first = " as in row 0" if rows else ""
            raise ValueError(
                f"{where}: expected {arity} constant{'' if arity == 1 else 's'} in row {rows}"
                f"{first}, found {short(row)}"
            )
        for cell in tuple_:
            cells.append(constant(where, rows, cell))
        rows += 1
    if arity is None:
        raise ValueError(
            f"{where}: an empty list does not tell the arity; write the name as '{name}/2'"
        )
    return name, arity, cells, [1.0] * rows


def _is_dense(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind in "fb"


def _check_dense(where: str, values: Any, names: Optional[list[str]], counts: set[int]) -> None:
    if values.ndim > 2 or (values.ndim == 2 and values.shape[0] != values.shape[1]):
        raise ValueError(
            f"{where}: expected valuations of shape (n,) or (n, n), found {values.shape}"
        )
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError(f"{where}: expected valuations from 0 to 1, without NaN")
    if values.ndim > 0:
        counts.add(values.shape[0])
        if names is not None and len(names) != values.shape[0]:
            raise ValueError(f"{where}: {len(names)} constants, but valuations of {values.shape[0]}")


def _dense(
    where: str, name: str, values: Any, names: Optional[list[str]], counts: set[int]
) -> Table:
    _check_dense(where, values, names, counts)
    at = np.nonzero(values) if values.ndim else ()
    labels = np.asarray(names if names is not None else range(max(values.shape, default=0)))
    cells = labels[np.stack(at, axis=1).ravel()].tolist() if values.ndim else []
    held = values[at].ravel() if values.ndim else values[values > 0].ravel()
    return name, values.ndim, [str(cell) for cell in cells], held.astype(float).tolist()


def constant(where: str, row: int, value: Any) -> str:
    """A constant's name. Dates are written as ISO 8601 has them."""
    if isinstance(value, str):
        if not value:
            raise ValueError(f"{where}: expected a constant in row {row}, found an empty string")
        return value
    if isinstance(value, BOOLEANS) or value is None:
        raise TypeError(f"{where}: expected a constant in row {row}, found {value!r}")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise ValueError(f"{where}: expected a constant in row {row}, found {value!r}")
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime.datetime):  # pandas' Timestamp too
        at_midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if at_midnight else value.isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise TypeError(
        f"{where}: expected a string or a number as constant in row {row}, found {short(value)}"
    )


def is_missing(value: Any) -> bool:
    """None, NaN and what pandas has in their place."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ in ("NAType", "NaTType")


def is_frame(value: Any) -> bool:
    """Of pandas, Polars, Arrow, or anything with the interchange protocol of data frames."""
    return hasattr(value, "__dataframe__") or (  # newer Polars has Arrow's protocol alone
        hasattr(type(value), "columns")
        and (hasattr(value, "itertuples") or hasattr(value, "__arrow_c_stream__"))
    )


def frame_columns(frame: Any) -> list[str]:
    """The names of a frame's columns."""
    if hasattr(frame, "column_names"):  # Arrow has columns too, which are its data
        names = frame.column_names
        return [str(name) for name in (names() if callable(names) else names)]
    if hasattr(frame, "columns"):
        return [str(name) for name in frame.columns]
    return [str(name) for name in frame.__dataframe__().column_names()]


def frame_rows(frame: Any) -> list[Tuple[Any, ...]]:
    """The rows of a frame as tuples of Python's values."""
    if hasattr(frame, "itertuples"):  # pandas
        return list(frame.itertuples(index=False, name=None))
    if hasattr(frame, "to_pydict"):  # Arrow
        return list(zip(*frame.to_pydict().values()))
    if hasattr(frame, "rows"):  # Polars
        return list(frame.rows())
    pandas = importlib.import_module("pandas")

    return frame_rows(pandas.api.interchange.from_dataframe(frame))


def table(frame: Any, key: Optional[str] = None, *, prefix: str = "") -> dict[str, Any]:
    """A frame of things, one per row, as relations: background for `hri.problem` and `hri.learn`.

    `key` names the column that tells rows apart; without it, the first. Each other column `c`
    becomes the relation c(key, cell), or c(key) where all its cells are booleans. Cells that are
    None or NaN say nothing. `prefix` is put before the keys, such as "customer:" where they are
    numbers as other cells are. Several tables that refer to each other: `hri.read_frames`.

    >>> import hri
    >>> import pandas as pd
    >>> people = pd.DataFrame({"name": ["ann", "bob"], "city": ["Rome", None], "adult": [True, False]})
    >>> hri.table(people, key="name")
    {'city/2': [('ann', 'Rome')], 'adult/1': [('ann',)]}
    """
    if not is_frame(frame):
        raise TypeError(f"frame: expected a DataFrame, found {short(frame)}")
    columns = frame_columns(frame)
    if key is not None and key not in columns:
        raise ValueError(f"key: there is no column {key!r} (did you mean {_core.nearest(key, columns)!r}?)")
    at = 0 if key is None else columns.index(key)
    rows = [row for row in frame_rows(frame) if not is_missing(row[at])]
    things = [prefix + constant(columns[at], i, row[at]) if prefix else row[at] for i, row in enumerate(rows)]
    keys = {thing for thing in things if is_number(thing)}
    relations: dict[str, Any] = {}
    for i, column in enumerate(columns):
        if i == at:
            continue
        known = [(thing, row[i]) for thing, row in zip(things, rows) if not is_missing(row[i])]
        if any(is_number(cell) and cell in keys for _, cell in known):
            warnings.warn(
                f"keys and the cells of {column!r} are the same numbers, and rules take them for the "
                f"same things; if they are not, give hri.table(frame, {columns[at]!r}, prefix='row:')",
                stacklevel=2,
            )
        if known and all(isinstance(cell, BOOLEANS) for _, cell in known):
            relations[f"{column}/1"] = [(thing,) for thing, cell in known if cell]
        else:
            relations[f"{column}/2"] = known
    return relations


def is_number(value: Any) -> bool:
    """No boolean, though these are numbers in Python."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, BOOLEANS)


def _is_series(value: Any) -> bool:
    """A column of pandas, Polars or Arrow."""
    return hasattr(value, "to_numpy") and not is_frame(value)


def _column(relation: Any) -> Any:
    """Its cells as Python's values where it is a column, an array where it is a tensor."""
    if _is_series(relation):
        # Arrow's arrays iterate over scalars
        return relation.to_pylist() if hasattr(relation, "to_pylist") else list(relation)
    if hasattr(relation, "__array__") and not isinstance(relation, np.ndarray):
        return np.asarray(relation)
    return relation


def short(value: Any) -> str:
    """Its repr, cut off where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
