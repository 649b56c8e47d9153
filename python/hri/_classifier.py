# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
# (what it builds on may be there or not)
"""The estimator that scikit-learn's tools take."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from hri import _core, _facts, _results
from hri._learn import RuleLearner, defaults, learn
from hri._progress import Progress
from hri._table import Table

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning, NotFittedError
    from sklearn.utils.multiclass import check_classification_targets
except ImportError:  # scikit-learn's tools need it, fit() and predict() do not

    class BaseEstimator:
        pass

    class ClassifierMixin:
        pass

    class DataConversionWarning(UserWarning):
        pass

    class NotFittedError(ValueError, AttributeError):
        pass

    def check_classification_targets(y: Any) -> None:
        pass


_OWN = {"background": None, "target": "target", "constants": None}
# Rows do not depend on each other: rules of one variable, and no recursion.
_ROW_SETTINGS = {"rules": "T: H(X) <- (P(X) & Q(X)) | R(X)", "recursivity": "none"}
_ROWS_AT_A_TIME = 100


class RuleClassifier(ClassifierMixin, RuleLearner, BaseEstimator):
    """Learns rules that classify: an estimator in the manner of scikit-learn.

    With `background`, rows of X are the arguments of the target, such as pairs of persons, and y
    says of which of them it holds. `background` is what `hri.problem` takes, `target` the name of
    what is learned. Rows may be tuples, an array or a DataFrame.

    Without `background`, X is a table of features: a DataFrame or an array with categories,
    booleans and numbers; None and NaN are unknown. Rules then speak of rows.

    y may have any two classes; of more than two, one program is learned for each. Other keywords
    are the settings of learning: `hri.defaults()`. fit() also takes a Problem, a task's name or a
    path, without y.

    >>> import hri
    >>> parents = [("ann", "bob"), ("bob", "cleo"), ("cleo", "dan"), ("eve", "bob"), ("dan", "fay")]
    >>> X = [("ann", "cleo"), ("bob", "dan"), ("eve", "cleo"), ("cleo", "fay"),
    ...      ("ann", "bob"), ("ann", "dan"), ("cleo", "ann"), ("dan", "eve")]
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> classifier = hri.RuleClassifier(background={"parent": parents}, target="grandparent",
    ...                                 max_work=200_000)
    >>> classifier.fit(X, y).score(X, y)
    1.0
    >>> print(classifier.program_)
    grandparent(X,Y) <- parent(X,Z) & parent(Z,Y)
    >>> classifier.predict([("bob", "dan"), ("dan", "bob")])
    array([1, 0])
    """

    programs_: list[_core.Program]
    classes_: NDArray[Any]
    n_features_in_: int

    def __init__(self, **settings: Any) -> None:
        known = {**_OWN, **defaults()}
        for name in settings:
            if name not in known:
                nearest = _core.nearest(name, list(known))
                raise TypeError(
                    f"RuleClassifier has no parameter '{name}' (did you mean {nearest}?)"
                )
        for name, value in {**known, **settings}.items():
            setattr(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in {**_OWN, **defaults()}}

    def set_params(self, **settings: Any) -> RuleClassifier:
        """Changes parameters; they are checked when fit() is called."""
        known = {**_OWN, **defaults()}
        for name, value in settings.items():
            if name not in known:
                nearest = _core.nearest(name, list(known))
                raise ValueError(
                    f"RuleClassifier has no parameter '{name}' (did you mean {nearest}?)"
                )
            setattr(self, name, value)
        return self

    def _settings(self) -> dict[str, Any]:
        standard = defaults()
        settings = {name: getattr(self, name) for name in standard}
        if getattr(self, "_table", None) is not None:
            for name, value in _ROW_SETTINGS.items():
                if settings[name] == standard[name]:
                    settings[name] = value
        return settings

    def fit(self, X: Any, y: Any = None, *, progress: Progress = None) -> RuleClassifier:
        """Learns `program_`: from rows and their classes, or from a Problem."""
        if isinstance(X, (_core.Problem, str)) or hasattr(X, "__fspath__"):
            if y is not None:
                raise TypeError("a problem has its labels: y goes with rows")
            self._table = None
            self.program_ = learn(X, progress=progress, **self._settings())
            self.programs_ = [self.program_]
            self.classes_ = np.array([0, 1])
            return self
        rows, names = self._rows(X, fitting=True)
        labels = self._labels(y, len(rows))
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "y: expected at least two classes, found one class: " + repr(self.classes_[0])
            )
        positives = range(1, 2) if len(self.classes_) == 2 else range(len(self.classes_))
        self._table = None
        if self.background is None:
            self._table = Table(names, rows, labels)
        facts, tuples = self._facts_of(rows)
        self.programs_ = [
            self._learn_class(facts, tuples, codes == positive, progress) for positive in positives
        ]
        self._evidence = [
            _confidences(said, codes == positive)
            for said, positive in zip(self._says(rows), positives)
        ]
        self.program_ = self.programs_[0]
        return self

    def _learn_class(
        self, facts: Any, tuples: list[tuple[str, ...]], positive: NDArray[Any], progress: Progress
    ) -> _core.Program:
        problem = _facts.problem(
            facts,
            {f"{self.target}/{len(tuples[0])}": [t for t, is_ in zip(tuples, positive) if is_]},
            {f"{self.target}/{len(tuples[0])}": [t for t, is_ in zip(tuples, positive) if not is_]},
            constants=self.constants,
            name=self.target,
        )
        return learn(problem, progress=progress, **self._settings())

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; of a Problem, 0 or 1 for each labelled atom."""
        if isinstance(X, (_core.Problem, str)) or hasattr(X, "__fspath__"):
            return RuleLearner.predict(self, X)
        probabilities = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The confidence of the rules in each class, a column per class: how often rows of the
        training data were right on which the program said the same, with one success and one
        failure more than were seen. Rows add up to 1."""
        rows, _ = self._rows(X, fitting=False)
        scores = np.stack(
            [np.where(said, yes, no) for said, (yes, no) in zip(self._says(rows), self._evidence)],
            axis=1,
        )
        if len(self.classes_) == 2:
            return np.concatenate([1 - scores, scores], axis=1)
        shares: NDArray[np.float64] = scores / scores.sum(axis=1, keepdims=True)
        return shares

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The accuracy of predict()."""
        if isinstance(X, (_core.Problem, str)) or hasattr(X, "__fspath__"):
            return RuleLearner.score(self, X)
        right = self.predict(X) == np.asarray(y)
        return float(np.average(right, weights=sample_weight))

    def _holds(
        self, program: _core.Program, facts: Any, tuples: list[tuple[str, ...]]
    ) -> NDArray[np.bool_]:
        true = set(_results.tuples(program, _facts.WithConstants(facts, [c for t in tuples for c in t])))
        return np.array([t in true for t in tuples], bool)

    def _says(self, rows: list[Any]) -> list[NDArray[np.bool_]]:
        """What each program says of each row. Rows of a table go in small groups, since time grows
        with the square of the constants."""
        size = len(rows) if self._table is None else _ROWS_AT_A_TIME
        parts = []
        for i in range(0, len(rows), size):
            facts, tuples = self._facts_of(rows[i : i + size])
            parts.append([self._holds(program, facts, tuples) for program in self.programs_])
        return [np.concatenate(said) for said in zip(*parts)]

    def _facts_of(self, rows: list[Any]) -> tuple[Any, list[tuple[str, ...]]]:
        """Facts and the target's arguments for rows."""
        if self._table is None:
            return self.background, [
                tuple(_facts.constant("X", i, cell) for cell in row) for i, row in enumerate(rows)
            ]
        names = [f"r{i}" for i in range(len(rows))]
        return self._table.facts(rows, names), [(name,) for name in names]

    def _rows(self, X: Any, fitting: bool) -> tuple[list[Any], list[str]]:
        """Rows of cells, and the names of columns."""
        if not fitting and not hasattr(self, "programs_"):
            raise NotFittedError("this RuleClassifier has learned nothing yet: call fit() first")
        if not fitting and self._table is None and self.background is None:
            raise ValueError("this classifier learned from a Problem: predict one, not rows")
        if hasattr(X, "toarray"):
            raise TypeError("X: sparse matrices are not supported; give X.toarray()")
        columns: Optional[list[str]] = None
        if _facts.is_frame(X):
            columns = _facts.frame_columns(X)
            rows = [list(row) for row in _facts.frame_rows(X)]
        elif isinstance(X, np.ndarray) or hasattr(X, "__array__"):
            array = np.asarray(X)
            if array.dtype.kind == "c":
                raise ValueError("Complex data not supported")
            if array.ndim != 2:
                raise ValueError(
                    f"Expected 2D array, got {array.ndim}D array instead. "
                    "Reshape your data: rows are atoms or things, columns arguments or features"
                )
            rows = array.tolist()
        else:
            rows = [list(row) if isinstance(row, (tuple, list, np.ndarray)) else [row] for row in X]
        if not rows:
            raise ValueError("Found array with 0 sample(s): X has no rows")
        width = len(rows[0])
        if any(len(row) != width for row in rows):
            raise ValueError("X: rows differ in length")
        if width == 0:
            raise ValueError(
                f"Found array with 0 feature(s) (shape=({len(rows)}, 0)) while a minimum of 1 is required."
            )
        if self.background is None:
            _refuse_infinity(rows)
        if fitting:
            self.n_features_in_ = width
            if columns is not None and self.background is None:
                self.feature_names_in_ = np.array(columns, dtype=object)
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        elif width != self.n_features_in_:
            raise ValueError(
                f"X has {width} features, but RuleClassifier is expecting "
                f"{self.n_features_in_} features as input"
            )
        elif columns is not None and hasattr(self, "feature_names_in_"):
            known = self.feature_names_in_.tolist()
            if sorted(known) == sorted(columns):
                order = [columns.index(name) for name in known]
                rows = [[row[i] for i in order] for row in rows]
            else:
                raise ValueError(
                    f"X: expected the columns {known} that fit() saw, found {columns}"
                )
        return rows, columns or [f"x{i}" for i in range(width)]

    def _labels(self, y: Any, rows: int) -> NDArray[Any]:
        if y is None:
            raise ValueError(
                "This RuleClassifier estimator requires y to be passed, but the target y is None"
            )
        labels = np.asarray(y)
        if labels.ndim == 2 and labels.shape[1] == 1:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected",
                DataConversionWarning,
                stacklevel=3,
            )
            labels = labels.ravel()
        if labels.ndim != 1:
            raise ValueError(f"y: expected one class per row, found an array of shape {labels.shape}")
        if len(labels) != rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{rows}, {len(labels)}]"
            )
        if labels.dtype.kind == "f" and not np.isfinite(labels).all():
            raise ValueError("Input y contains NaN or infinity.")
        check_classification_targets(labels)
        return labels

    def _more_tags(self) -> dict[str, Any]:
        return {
            "allow_nan": True,
            "X_types": ["2darray", "string"],
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        standard = {**_OWN, **defaults()}
        changed = []
        for name, value in self.get_params().items():
            if value is not standard[name] and not _same(value, standard[name]):
                changed.append(f"{name}={_facts.short(value)}")
        return f"RuleClassifier({', '.join(changed)})"


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and isinstance(a, (str, int, float)) and a == b


def _refuse_infinity(rows: list[Any]) -> None:
    for row in rows:
        for cell in row:
            if isinstance(cell, (float, np.floating)) and np.isinf(cell):
                raise ValueError("Input X contains infinity")


def _confidences(said: NDArray[np.bool_], positive: NDArray[np.bool_]) -> tuple[float, float]:
    """The share of positives where the program said yes, and where it said no."""

    def share(where: NDArray[np.bool_]) -> float:
        return float((positive[where].sum() + 1) / (where.sum() + 2))

    return share(said), share(~said)


def _signature() -> inspect.Signature:
    return inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in {**_OWN, **defaults()}.items()
        ]
    )


RuleClassifier.__init__.__signature__ = _signature()
RuleClassifier.__signature__ = inspect.Signature(list(_signature().parameters.values())[1:])
RuleClassifier.__module__ = "hri"
