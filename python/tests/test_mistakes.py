# SPDX-License-Identifier: Apache-2.0
"""Wrong types, shapes, NaN and empty inputs give clear exceptions."""

import pickle

import numpy as np
import pandas as pd
import pytest

import hri

GOOD = {"parent": [("ann", "bob"), ("bob", "cleo")]}
WANTED = {"grandparent": [("ann", "cleo")]}
NAN = float("nan")


@pytest.mark.parametrize(
    ("background", "positive", "kind", "words"),
    [
        (7, WANTED, TypeError, "background: expected a dict"),
        ("parent(a,b).", WANTED, TypeError, "background: expected a dict"),
        ({3: [("a", "b")]}, WANTED, TypeError, "names of predicates"),
        ({"parent": 5}, WANTED, TypeError, r"background\['parent'\]: expected a list"),
        ({"parent": "ann"}, WANTED, TypeError, "expected a list of tuples"),
        ({"parent": []}, WANTED, ValueError, "write the name as 'parent/2'"),
        ({"parent": [("a", "b"), ("c",)]}, WANTED, ValueError, "expected 2 constants in row 1"),
        ({"parent": [("a", None)]}, WANTED, TypeError, "in row 0, found None"),
        ({"parent": [("a", NAN)]}, WANTED, ValueError, "in row 0, found nan"),
        ({"parent": [("a", "")]}, WANTED, ValueError, "empty string"),
        ({"parent": [("a", object())]}, WANTED, TypeError, "string or a number"),
        ({"parent": np.array([[0.5, NAN], [0, 1]])}, WANTED, ValueError, "without NaN"),
        ({"parent": np.array([[0.5, 2.0], [0, 1]])}, WANTED, ValueError, "from 0 to 1"),
        ({"parent": np.zeros((2, 3))}, WANTED, ValueError, r"found \(2, 3\)"),
        ({"parent": np.zeros((2, 2, 2), int)}, WANTED, ValueError, r"shape \(2, 2, 2\)"),
        ({"p": np.zeros((2, 2)), "q": np.ones(3)}, WANTED, ValueError, "different numbers"),
        ({"p": [tuple(range(33))]}, WANTED, hri.Error, "p/33 has too many arguments"),
        (pd.DataFrame({"a": [1], "b": [2]}), WANTED, ValueError, "3 columns"),
        ([("a", "parent")], WANTED, ValueError, "head, relation, tail"),
        (GOOD, {}, ValueError, "no examples"),
        (GOOD, {"grandparent/2": []}, ValueError, "no examples"),
        (GOOD, None, ValueError, "no examples"),
        (GOOD, {"p": [("a", "b")], "q": [("a", "b")]}, hri.Error, "several targets"),
        (GOOD, {"p": [tuple(range(33))]}, hri.Error, "p/33 has too many arguments"),
    ],
)
def test_facts_that_are_none(background, positive, kind, words):
    with pytest.raises(kind, match=words):
        hri.problem(background, positive)


def test_learn_says_what_it_needs():
    with pytest.raises(TypeError, match="needs a problem"):
        hri.learn()
    with pytest.raises(TypeError, match="needs a problem"):
        hri.learn(background=GOOD)
    with pytest.raises(TypeError, match="not both"):
        hri.learn("grandparent", background=GOOD)
    with pytest.raises(TypeError, match="closed_world"):
        hri.learn("grandparent", closed_world=True)
    with pytest.raises(TypeError, match="found int"):
        hri.learn(5)
    with pytest.raises(TypeError, match="progress"):
        hri.learn("grandparent", progress=3)


@pytest.mark.parametrize(
    ("keywords", "kind", "words"),
    [
        ({"layer": 3}, TypeError, r"'layer' \(did you mean layers\?\)"),
        ({"layers": "3"}, TypeError, "layers: expected an integer"),
        ({"layers": True}, TypeError, "layers: expected an integer"),
        ({"layers": 2.5}, hri.OptionError, "layers"),
        ({"layers": 0}, hri.OptionError, "from 1 to 1000"),
        ({"temperature": NAN}, hri.OptionError, "temperature"),
        ({"similarity": "l3"}, hri.OptionError, "not one of cosine"),
        ({"train_predicates": 1}, TypeError, "True or False"),
        ({"strategy": "magic"}, hri.OptionError, "did you mean"),
        ({"strategy": 4}, TypeError, "a string"),
        ({"seed": -1}, hri.OptionError, "seed"),
        ({"seed": 1.5}, hri.OptionError, "an integer"),
        ({"time_limit": -1}, hri.OptionError, "0 or more"),
        ({"time_limit": NAN}, hri.OptionError, "0 or more"),
        ({"time_limit": "long"}, TypeError, "a number"),
        ({"threads": 0}, hri.OptionError, "from 1 to 1024"),
        ({"restarts": 10**30}, hri.OptionError, "from 1 to 1000000"),
        ({"grow": "yes"}, TypeError, "True or False"),
        ({"rules": "R7"}, hri.Error, "named set"),
        ({"rules": "H(X) <- P(Y"}, hri.ParseError, ""),
    ],
)
def test_settings_that_are_none(keywords, kind, words):
    with pytest.raises(kind, match=words):
        hri.learn("grandparent", **{"max_work": 1000, **keywords})


def test_an_error_carries_message_place_and_hint(tmp_path):
    (tmp_path / "bk.pl").write_text("parent(ann,bob).\nparent(ann bob).\n")
    (tmp_path / "exs.pl").write_text("pos(grandparent(ann,bob)).\n")
    with pytest.raises(hri.ParseError) as caught:
        hri.read(tmp_path)
    error = caught.value
    assert isinstance(error, hri.Error) and isinstance(error, ValueError)
    assert error.place == hri.Place(str(tmp_path / "bk.pl"), 2, error.place.column)
    assert str(error).startswith(f"{tmp_path / 'bk.pl'}:2:{error.place.column}: {error.message}")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.place, again.hint) == (str(error), error.place, error.hint)
    with pytest.raises(hri.OptionError) as caught:
        hri.Options(similarity="l3")
    assert caught.value.hint == "did you mean l1?"


def test_reading_what_is_not_there():
    with pytest.raises(hri.Error, match="no such file"):
        hri.read("/nowhere/at/all")
    with pytest.raises(TypeError, match="closed_world"):
        hri.read("/nowhere", close_world=True)
    with pytest.raises(ValueError, match="automatic"):
        hri.read("/nowhere", split="often")


def test_predictions_of_wrong_things():
    program = hri.Program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).")
    with pytest.raises(TypeError, match="facts: expected a dict"):
        program.predict(3)
    with pytest.raises(ValueError, match="row 1"):
        program.predict({"parent": [("a", "b"), ("c",)]})
    with pytest.raises(ValueError, match="without NaN"):
        program.predict({"parent": np.full((2, 2), NAN)})
    with pytest.raises(ValueError, match="different numbers"):
        program.predict({"parent": np.zeros((2, 2)), "old": np.zeros(3)})
    with pytest.raises(ValueError, match="one instance"):
        program.predict(hri.task("grandparent"))
    with pytest.raises(hri.Error, match="zoe"):
        program.explain("grandparent", "zoe", "ann", facts=GOOD)
    with pytest.raises(ValueError, match="evaluation"):
        program.score(hri.problem(GOOD, WANTED), part="evaluation")
    assert program.predict({}) == []
    assert program.predict({"parent/2": []}) == []


def test_a_learner_that_has_not_learned():
    with pytest.raises(AttributeError, match="fit"):
        hri.RuleLearner().predict("grandparent")


def test_a_damaged_model(tmp_path):
    with pytest.raises(hri.Error, match="bytes"):
        hri.Model.from_bytes(b"abc")
    with pytest.raises(hri.Error, match="no.such|cannot|there is no"):
        hri.Model.load(str(tmp_path / "none.safetensors"))
    with pytest.raises(TypeError):
        hri.Model("parent", 2)
    with pytest.raises(ValueError, match=r"expected an array of shape"):
        hri.Model([("parent", 2)], ("grandparent", 2)).slot_embeddings = np.zeros(3)
