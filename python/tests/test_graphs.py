# SPDX-License-Identifier: Apache-2.0
"""Rules of knowledge graphs."""

import subprocess
import os

import pytest

import hri

TRIPLES = [(f"p{i}", "parent", f"c{i}") for i in range(8)] + [
    (f"c{i}", "child_of", f"p{i}") for i in range(6)
]
QUICK = {"max_work": 10, "time_limit": 0}


def learned():
    return hri.learn(TRIPLES, targets="all", test=[("c6", "child_of", "p6")], **QUICK)


def test_rules_come_as_a_frame_with_their_evidence():
    frame = learned().to_frame()
    row = frame[frame.rule == "child_of(X,Y) :- parent(Y,X)."].iloc[0]
    assert (row.support, row.predictions, row.confidence) == (6, 8, 0.75)
    assert row.head_coverage == 1


def test_ranks_and_answers():
    rules = learned()
    assert rules.rank()["mrr"] == 1
    best = rules.answer("child_of", head="c7", top=3)[0]
    assert best.entity == "p7"
    assert "child_of(X,Y) :- parent(Y,X)." in best.rules
    assert rules.answer("child_of", tail="p7")[0].entity == "c7"
    assert "parent(p7,c7)  a fact" in rules.explain("child_of", "c7", "p7")


def test_a_frame_of_triples_is_a_graph():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TRIPLES, columns=["head", "relation", "tail"])
    assert str(hri.learn(frame, targets=["child_of"], **QUICK)).count("child_of(X,Y) :-") >= 1


def test_answers_of_a_frame_of_test_triples():
    pandas = pytest.importorskip("pandas")
    columns = ["head", "relation", "tail"]
    test = pandas.DataFrame([("c6", "child_of", "p6"), ("c7", "child_of", "p7")], columns=columns)
    frame = pandas.DataFrame(TRIPLES, columns=columns)
    rules = hri.learn(frame, targets="all", test=test, **QUICK)
    figures = rules.rank(test)
    assert figures["queries"] == 4
    assert figures["mrr"] == figures["hits_1"] == 1
    best = rules.answer("child_of", head="c7", top=1)[0]
    assert (best.entity, type(best.score)) == ("p7", float)
    evidence = rules.to_frame()
    assert set(evidence.columns) == {
        "relation", "rule", "support", "predictions", "confidence",
        "pca_confidence", "pca_confidence_heads", "head_coverage",
    }
    assert (evidence.confidence <= evidence.pca_confidence).all()
    strict = hri.learn(frame, targets="all", min_support=6, min_confidence=0.7, constants=False, **QUICK)
    bodies = strict.to_frame()
    bodies = bodies[bodies.rule.str.contains(":-")]
    assert len(bodies) == 2 and (bodies.support >= 6).all() and (bodies.confidence >= 0.7).all()


def test_names_that_training_lacks_are_ranked():
    test = [("c6", "child_of", "p6"), ("new", "child_of", "p7"), ("c7", "likes", "p7")]
    alone = hri.learn(TRIPLES, targets="all", **QUICK)
    figures = alone.rank(test)
    assert figures["queries"] == 6 and figures["mrr"] < 1
    assert figures == hri.learn(TRIPLES, targets="all", test=test, **QUICK).rank()
    assert alone.answer("child_of", head="c7", top=1)[0].entity == "p7"


def test_saved_rules_are_those_of_the_command_line(tmp_path):
    learned().save(tmp_path / "rules.pl")
    (tmp_path / "train.txt").write_text("".join("\t".join(row) + "\n" for row in TRIPLES))
    found = subprocess.run(
        [os.environ["HRI_BINARY"], "rank", tmp_path / "rules.pl", tmp_path, "--query", "child_of(c7,?)"],
        capture_output=True, text=True, check=True,
    )
    assert "p7" in found.stdout


def test_mistakes_are_told():
    with pytest.raises(hri.Error, match="no relation 'aunt'"):
        hri.learn(TRIPLES, targets=["aunt"], **QUICK)
    with pytest.raises(ValueError, match="head, relation and tail"):
        hri.learn([("a", "b")], targets="all")
    with pytest.raises(hri.Error, match="does not occur"):
        learned().answer("child_of", head="nobody")
    with pytest.raises(TypeError, match="either head or tail"):
        learned().answer("child_of")


class ArrowOnly:
    """As newer frames of Polars are: columns, rows and Arrow's protocol, nothing of pandas."""

    columns = ["head", "relation", "tail"]

    def rows(self):
        return [(f"p{i}", "parent", f"c{i}") for i in range(3)]

    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("the rows are enough")


def test_frames_of_other_libraries_hold_triples():
    program = hri.Program("q(X,Y) :- parent(Y,X).")
    assert program.predict(ArrowOnly()) == [("c0", "p0"), ("c1", "p1"), ("c2", "p2")]
    assert len(hri.learn(ArrowOnly(), targets="all", max_work=10, time_limit=0)) >= 0
