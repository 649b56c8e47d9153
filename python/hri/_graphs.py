# SPDX-License-Identifier: Apache-2.0
"""Rules of knowledge graphs: learned from triples, ranked, asked."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from hri import _core, _facts
from hri._errors import Interrupted
from hri._progress import Bar, Progress, callback_of

Path = Union[str, "os.PathLike[str]"]


class Answer(NamedTuple):
    """An entity that rules predict, and some of these rules, the most confident first."""

    entity: str
    score: float
    rules: list[str]


def rows_of(triples: Any) -> list[tuple[str, str, str]]:
    """Head, relation and tail of a DataFrame's first three columns, or of tuples."""
    if triples is None:
        return []
    if _facts.is_frame(triples):
        columns = _facts.frame_columns(triples)
        if len(columns) != 3:
            raise ValueError(
                f"expected three columns (head, relation, tail), found {len(columns)}"
            )
        triples = _facts.frame_rows(triples)
    rows = []
    for row in triples:
        if len(row) != 3:
            raise ValueError(f"expected head, relation and tail, found {row!r}")
        rows.append((str(row[0]), str(row[1]), str(row[2])))
    return rows


class GraphRules:
    """Rules with their evidence, and the graph that they are about.

    >>> import hri
    >>> triples = [(f"p{i}", "parent", f"c{i}") for i in range(6)]
    >>> triples += [(f"c{i}", "child_of", f"p{i}") for i in range(5)]
    >>> rules = hri.learn(triples, targets="all", max_work=10, time_limit=0)
    >>> rules.answer("child_of", head="c5", top=1)[0].entity
    'p5'
    """

    def __init__(self, core: _core.GraphRules) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __str__(self) -> str:
        return str(self._core)

    def save(self, path: Path) -> None:
        """Writes the rules as Prolog, for `hri rank` and `load`."""
        name = os.fspath(path)
        with open(name + ".part", "w", encoding="utf-8") as file:
            file.write(str(self._core))
        os.replace(name + ".part", name)

    @staticmethod
    def load(path: Path, graph: Any, *, valid: Any = None, test: Any = None) -> GraphRules:
        """Rules of a file, and the graph that they speak of: a folder, or triples.

        >>> import hri, os, tempfile
        >>> triples = [(f"p{i}", "parent", f"c{i}") for i in range(6)]
        >>> triples += [(f"c{i}", "child_of", f"p{i}") for i in range(5)]
        >>> path = os.path.join(tempfile.mkdtemp(), "rules.pl")
        >>> hri.learn(triples, targets="all", max_work=10, time_limit=0).save(path)
        >>> hri.GraphRules.load(path, triples).answer("child_of", head="c5", top=1)[0].entity
        'p5'
        """
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.fspath(path)
        if isinstance(graph, (str, os.PathLike)):
            return GraphRules(_core.graph_rules_of_folder(text, name, _folder(graph, valid, test)))
        parts = rows_of(graph), rows_of(valid), rows_of(test)
        return GraphRules(_core.graph_rules_of_triples(text, name, *parts))

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row per rule: its text, relation, support and confidences."""
        pandas = importlib.import_module("pandas")  # only here: the package does without

        return pandas.DataFrame(self._core.columns())

    def rank(self, triples: Any = None, threads: int = 1) -> dict[str, float]:
        """Filtered MRR and Hits@1, 3, 10 of both ends of triples; of the folder's test by default.

        A tie has the mean rank of its members.
        """
        rows = self._core.test if triples is None else rows_of(triples)
        if not rows:
            raise ValueError("rank() needs triples: the graph has no test triples")
        return self._core.ranks(rows, threads)

    def answer(
        self,
        relation: str,
        *,
        head: Optional[str] = None,
        tail: Optional[str] = None,
        top: int = 10,
    ) -> list[Answer]:
        """The best answers to (head, relation, ?) or (?, relation, tail), known facts left out."""
        if (head is None) == (tail is None):
            raise TypeError("answer() needs either head or tail")
        given = head if head is not None else tail
        found = self._core.answers(relation, str(given), head is not None, top)
        return [Answer(*one) for one in found]

    def explain(self, relation: str, head: str, tail: str) -> str:
        """The most confident rules that predict a triple, each with facts that make it true."""
        return self._core.explain(relation, head, tail)


def learn_graph(
    triples: Any,
    targets: Union[str, Sequence[str]],
    valid: Any,
    test: Any,
    progress: Progress,
    settings: dict[str, Any],
) -> GraphRules:
    """See `hri.learn`."""
    wanted = [] if targets == "all" else [targets] if isinstance(targets, str) else list(targets)
    callback = callback_of(progress)
    try:
        if isinstance(triples, (str, os.PathLike)):
            path = _folder(triples, valid, test)
            if os.path.exists(path) and not _core.looks_like_graph(path):
                raise TypeError(
                    f"{path} is no knowledge graph; several targets of other data: "
                    "hri.learn_together(hri.read_all(path))"
                )
            core, raised = _core.mine_folder(path, wanted, callback, **settings)
        else:
            parts = rows_of(triples), rows_of(valid), rows_of(test)
            core, raised = _core.mine_triples(*parts, wanted, callback, **settings)
    finally:
        if isinstance(callback, Bar):
            callback.clear()
    rules = GraphRules(core)
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(rules) from raised
    if raised is not None:
        raise raised
    return rules


def _folder(path: Path, valid: Any, test: Any) -> str:
    if valid is not None or test is not None:
        raise TypeError("valid and test go with triples in memory; a folder holds its own")
    return os.fspath(path)
