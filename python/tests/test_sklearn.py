# SPDX-License-Identifier: Apache-2.0
"""The classifier under scikit-learn's tools, on atoms of relations and on tables."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest

import hri
from conftest import FATHER, MOTHER, SOURCE, grandparents

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer, StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

QUICK = {"max_work": 50_000, "time_limit": 0}


def family(seed=0):
    """Pairs of persons and whether one is the other's grandparent, in random order."""
    people = sorted({p for pair in FATHER + MOTHER for p in pair})
    rows = [(a, b) for a in people for b in people]
    true = set(grandparents(FATHER, MOTHER))
    order = np.random.default_rng(seed).permutation(len(rows))
    return [rows[i] for i in order], np.array([rows[i] in true for i in order])


def family_classifier(**settings):
    background = {"father": FATHER, "mother": MOTHER}
    return hri.RuleClassifier(background=background, target="grandparent", **{**QUICK, **settings})


# every check of the installed scikit-learn; none is left out
@parametrize_with_checks([hri.RuleClassifier(max_work=20_000, time_limit=0)])
def test_the_estimator_checks_pass(estimator, check):
    check(estimator)


def test_atoms_are_classified_by_rules():
    X, y = family()
    classifier = family_classifier().fit(X, y)
    assert classifier.score(X, y) == 1.0
    assert list(classifier.classes_) == [False, True]
    assert classifier.predict([("carl", "ann"), ("ann", "carl")]).tolist() == [True, False]
    probabilities = classifier.predict_proba(X)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert ((probabilities[:, 1] > 0.5) == y).all()
    assert str(classifier.program_).startswith("grandparent(X,Y) <- ")
    assert classifier.program_.report.fits


@pytest.mark.parametrize("form", [list, np.array, pd.DataFrame])
def test_rows_may_be_lists_arrays_or_frames(form):
    X, y = family()
    assert family_classifier().fit(form(X), list(y)).score(form(X), y) == 1.0


def test_rows_of_new_constants_can_be_asked_about():
    X, y = family()
    classifier = family_classifier().fit(X, y)
    assert classifier.predict([("nobody", "else")]).tolist() == [False]
    numbers = hri.RuleClassifier(background={"succ": [(i, i + 1) for i in range(9)]}, **QUICK)
    pairs = [(i, j) for i in range(10) for j in range(10)]
    numbers.fit(np.array(pairs), [j == i + 2 for i, j in pairs])
    assert numbers.predict(np.array([(3, 5), (5, 3)])).tolist() == [True, False]


def test_cross_validation_grids_and_splits_work():
    X, y = family()
    assert cross_val_score(family_classifier(), np.array(X), y, cv=3).mean() > 0.9
    grid = GridSearchCV(family_classifier(), {"layers": [1, 2], "strategy": ["search", "portfolio"]}, cv=2)
    grid.fit(np.array(X), y)
    assert grid.best_score_ > 0.9
    assert set(grid.best_params_) == {"layers", "strategy"}
    train, test, train_y, test_y = train_test_split(np.array(X), y, test_size=0.3, random_state=0, stratify=y)
    assert family_classifier().fit(train, train_y).score(test, test_y) > 0.9


def test_a_grid_over_the_examples_of_a_folder():
    problem = hri.read(SOURCE / "examples" / "data" / "family", split="never")
    X, y = problem.examples()
    classifier = hri.RuleClassifier(background=problem.background(), target=problem.target[0], **QUICK)
    grid = GridSearchCV(classifier, {"layers": [2, 3], "strategy": ["search", "portfolio"]}, cv=2)
    grid.fit(np.array(X), y)
    assert grid.best_estimator_.score(np.array(X), y) == 1.0


def test_clones_and_pickles_keep_parameters_and_rules():
    X, y = family()
    classifier = family_classifier(layers=3)
    again = clone(classifier)
    assert again.get_params() == classifier.get_params()
    assert not hasattr(again, "program_")
    classifier.fit(X, y)
    loaded = pickle.loads(pickle.dumps(classifier))
    assert (loaded.predict(X) == classifier.predict(X)).all()
    assert loaded.program_ == classifier.program_


def test_tables_of_categories_numbers_dates_and_gaps():
    rows = pd.DataFrame(
        {
            "plan": ["basic", "pro", "basic", "pro", None, "basic", "pro", "basic"],
            "calls": [1, 9, 8, 2, 9, 2, 7, np.nan],
            "since": [datetime.date(2020 + i % 3, 1, 1) for i in range(8)],
            "active": [True, False, True, False, True, True, False, True],
        }
    )
    leaves = ["no", "yes", "yes", "no", "yes", "no", "yes", "no"]
    classifier = hri.RuleClassifier(target="leaves", **QUICK).fit(rows, leaves)
    assert classifier.score(rows, leaves) == 1.0
    assert list(classifier.classes_) == ["no", "yes"]
    assert str(classifier.program_) == "leaves(X) <- 'calls > 4.5'(X)"
    assert list(classifier.feature_names_in_) == list(rows.columns)
    reordered = rows[rows.columns[::-1]]
    assert (classifier.predict(reordered) == classifier.predict(rows)).all()
    with pytest.raises(ValueError, match="expected the columns"):
        classifier.predict(rows.rename(columns={"plan": "tariff"}))


def test_more_than_two_classes_and_pipelines():
    X, y = load_iris(return_X_y=True, as_frame=True)
    classifier = hri.RuleClassifier(**QUICK)
    assert cross_val_score(classifier, X, y, cv=3).mean() > 0.9
    scaled = make_pipeline(StandardScaler(), classifier).fit(X, y)
    assert scaled.score(X, y) > 0.9
    assert scaled.predict_proba(X).shape == (150, 3)
    columns = ColumnTransformer([("petals", FunctionTransformer(), ["petal length (cm)", "petal width (cm)"])])
    assert Pipeline([("columns", columns), ("rules", classifier)]).fit(X, y).score(X, y) > 0.9


def test_problems_are_fitted_as_before():
    classifier = hri.RuleClassifier(max_work=200_000).fit(hri.task("grandparent"))
    assert classifier.score(hri.task("grandparent")) == 1.0
    with pytest.raises(TypeError, match="a problem has its labels"):
        hri.RuleClassifier().fit(hri.task("grandparent"), [0, 1])
    with pytest.raises(ValueError, match="learned from a Problem"):
        classifier.predict([("a", "b")])


def test_mistakes_name_the_parameter():
    with pytest.raises(TypeError, match="no parameter 'layer' .did you mean layers"):
        hri.RuleClassifier(layer=3)
    with pytest.raises(ValueError, match="no parameter 'sed' .did you mean seed"):
        hri.RuleClassifier().set_params(sed=3)
    with pytest.raises(hri.OptionError, match="layers"):
        family_classifier(layers=-1).fit(*family())
    with pytest.raises(ValueError, match="at least two classes"):
        family_classifier().fit([("a", "b")], [1])
    with pytest.raises(ValueError, match="requires y"):
        family_classifier().fit([("a", "b")])
