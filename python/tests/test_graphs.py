# SPDX-License-Identifier: Apache-2.0
"""Rules of knowledge graphs."""

import os
import subprocess
import threading

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
    if "HRI_BINARY" not in os.environ:
        pytest.skip("HRI_BINARY names no hri")
    learned().save(tmp_path / "rules.pl")
    (tmp_path / "train.txt").write_text("".join("\t".join(row) + "\n" for row in TRIPLES))
    found = subprocess.run(
        [os.environ["HRI_BINARY"], "rank", tmp_path / "rules.pl", tmp_path, "--query", "child_of(c7,?)"],
        capture_output=True, text=True, check=True,
    )
    assert "p7" in found.stdout


def test_saved_rules_are_loaded_with_their_graph(tmp_path):
    rules = learned()
    rules.save(tmp_path / "rules.pl")
    again = hri.GraphRules.load(tmp_path / "rules.pl", TRIPLES, test=[("c6", "child_of", "p6")])
    assert str(again) == str(rules) and again.rank() == rules.rank()
    (tmp_path / "train.txt").write_text("".join("\t".join(row) + "\n" for row in TRIPLES))
    of_folder = hri.GraphRules.load(tmp_path / "rules.pl", tmp_path)
    assert of_folder.answer("child_of", head="c7", top=1)[0].entity == "p7"


def test_learning_tells_how_far_it_is():
    seen = []
    hri.learn(TRIPLES, targets="all", progress=seen.append, **QUICK)
    assert all(0 <= now["fraction"] <= 1 and now["done"] <= now["relations"] for now in seen)

    def stop(now):
        raise RuntimeError("enough")

    if seen:  # a run may be over before anybody looks
        with pytest.raises(RuntimeError, match="enough"):
            hri.learn(TRIPLES, targets="all", progress=stop, **QUICK)


def test_several_threads_may_ask_at_once():
    rules = learned()
    told, failed = [], []

    def ask():
        try:
            for _ in range(20):
                told.append((rules.rank()["mrr"], rules.answer("child_of", head="c7", top=1)[0].entity, str(rules)))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(set(told)) == 1


def test_mistakes_are_told():
    rules = learned()
    with pytest.raises(hri.Error, match="did you mean parent"):
        rules.answer("parnt", head="p1")
    with pytest.raises(hri.Error, match="did you mean child_of"):
        hri.learn(TRIPLES, targets="childof", **QUICK)
    with pytest.raises(TypeError, match="hold_out does not go with targets"):
        hri.learn(TRIPLES, targets="all", hold_out=0.2, **QUICK)
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
