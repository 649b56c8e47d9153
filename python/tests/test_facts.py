# SPDX-License-Identifier: Apache-2.0
"""Every form that facts may take gives the same problem."""

import pickle

import numpy as np
import pandas as pd
import pytest

import hri

PARENT = [("ann", "bob"), ("bob", "cleo"), ("bob", "dan")]
GRAND = [("ann", "cleo"), ("ann", "dan")]
WORK = {"max_work": 300_000, "time_limit": 0}


def same(a, b):
    """Whether two problems have the same instances."""
    (x,), (y,) = a.instances(), b.instances()
    return (
        a.target == b.target
        and x.inputs == y.inputs
        and x.constants == y.constants
        and all(x.facts(name) == y.facts(name) for name, _ in x.inputs)
        and np.array_equal(x.labels, y.labels)
    )


@pytest.fixture
def listed():
    return hri.problem({"parent": PARENT}, {"grandparent": GRAND}, closed_world=True)


def test_lists_of_tuples(listed):
    (instance,) = listed.instances()
    assert instance.constants == ["ann", "bob", "cleo", "dan"]
    assert instance.facts("parent") == PARENT
    assert instance.labels.reshape(4, 4)[0].tolist() == [0, 0, 1, 1]


def test_data_frames(listed):
    frame = pd.DataFrame(PARENT, columns=["who", "of"])
    grand = pd.DataFrame(GRAND)
    assert same(hri.problem({"parent": frame}, {"grandparent": grand}, closed_world=True), listed)


def test_triples_as_list_and_as_frame(listed):
    triples = [(a, "parent", b) for a, b in PARENT]
    wanted = [(a, "grandparent", b) for a, b in GRAND]
    assert same(hri.problem(triples, wanted, closed_world=True), listed)
    assert same(hri.problem(np.array(triples), wanted, closed_world=True), listed)
    frame = pd.DataFrame(triples, columns=["head", "relation", "tail"])
    assert same(hri.problem(frame, wanted, closed_world=True), listed)


def test_arrays_of_names_and_of_numbers(listed):
    names = hri.problem({"parent": np.array(PARENT)}, {"grandparent": np.array(GRAND)}, closed_world=True)
    assert same(names, listed)
    numbers = hri.problem({"succ": np.array([[0, 1], [1, 2]])}, {"two": np.array([2])}, closed_world=True)
    assert numbers.instances()[0].facts("succ") == [("0", "1"), ("1", "2")]
    assert numbers.target == ("two", 1)


def test_dense_valuations_in_and_out(listed):
    names = ["ann", "bob", "cleo", "dan"]
    parent = np.zeros((4, 4))
    grand = np.zeros((4, 4), bool)
    for a, b in PARENT:
        parent[names.index(a), names.index(b)] = 1
    for a, b in GRAND:
        grand[names.index(a), names.index(b)] = True
    dense = hri.problem({"parent": parent}, {"grandparent": grand}, {"grandparent": ~grand}, constants=names)
    assert same(dense, listed)
    assert np.array_equal(dense.instances()[0].valuation("parent"), parent)
    soft = hri.problem({"hot": np.array([0.25, 0.0, 1.0])}, {"target": np.array([True, False, False])})
    assert soft.instances()[0].valuation("hot").tolist() == [0.25, 0.0, 1.0]
    assert len(soft.instances()[0].constants) == 3


def test_single_constants_are_unary_facts():
    problem = hri.problem({"zero": [0], "succ": [(0, 1), (1, 2)]}, {"one": [1]}, {"one": [0, 2]})
    assert problem.inputs == [("zero", 1), ("succ", 2)] and problem.target == ("one", 1)
    assert problem.instances()[0].facts("zero") == [("0",)]


def test_a_popper_folder_is_read_and_written(tmp_path, listed):
    listed.save(str(tmp_path / "family"))
    again = hri.read(tmp_path / "family")
    assert same(again, listed)
    assert hri.learn(tmp_path / "family", **WORK).report.fits


def test_triples_in_a_file(tmp_path):
    lines = [f"{a}\tparent\t{b}" for a, b in PARENT] + [f"{a}\tgrandparent\t{b}" for a, b in GRAND]
    (tmp_path / "kin.txt").write_text("\n".join(lines) + "\n")
    problem = hri.read(tmp_path / "kin.txt", target="grandparent", closed_world=True)
    assert problem.instances()[0].facts("parent") == PARENT


def test_built_in_tasks():
    assert len(hri.tasks()) == 21
    problem = hri.task("even-odd")
    assert hri.task_options("even-odd")["layers"] > 0
    first, second = problem.instances(count=2, seed=5), problem.instances(count=2, seed=5)
    assert [i.constants for i in first] == [i.constants for i in second]
    assert len(hri.task("grandparent").instances("evaluation", count=3)) == 3
    larger = hri.task("grandparent", constants=12).instances(count=1)[0]
    assert len(larger) == 12


def test_labels_and_truth_are_views_without_copies(listed):
    (instance,) = listed.instances()
    labels = instance.labels
    assert not labels.flags.owndata and not labels.flags.writeable
    truth = hri.Program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).").truth(instance)
    assert not truth.flags.owndata
    del instance
    assert labels.sum() == 2  # the array keeps the instance alive


@pytest.mark.parametrize("kind", [bool, np.float32, np.float64, np.float16])
def test_predictions_read_valuations_where_they_lie(kind):
    program = hri.Program("path(X,Y) :- edge(X,Y), open(Y), rain.\npath(X,Y) :- path(X,Z), path(Z,Y).")
    edge = (np.random.default_rng(3).random((6, 6)) < 0.3).astype(kind)
    gate = np.array([1, 1, 0, 1, 1, 1]).astype(kind)
    wet = np.array(1).astype(kind)
    rows = {"edge": np.argwhere(edge), "open": np.flatnonzero(gate), "rain": [()]}
    expected = program.predict(rows)
    assert expected and program.predict({"edge": edge, "open": gate, "rain": wet}) == expected
    turned = np.asfortranarray(edge)  # other strides, the same facts
    assert program.predict({"edge": turned, "open": gate[::-1][::-1], "rain": wet}) == expected
    assert program.predict({"edge/2": edge, "open": gate, "rain": wet}) == expected
    assert program.truth({"edge": edge, "open": gate, "rain": wet}).shape == (6, 6)


def test_an_empty_relation_takes_its_arity_from_its_name():
    problem = hri.problem({"parent": PARENT, "dead/1": []}, {"grandparent": GRAND})
    assert ("dead", 1) in problem.inputs


def test_instances_and_fixed_problems_can_be_pickled(listed):
    (instance,) = listed.instances()
    again = pickle.loads(pickle.dumps(instance))
    assert again.facts("parent") == PARENT and np.array_equal(again.labels, instance.labels)
    assert same(pickle.loads(pickle.dumps(listed)), listed)
    with pytest.raises(TypeError, match="draws its instances"):
        pickle.dumps(hri.task("grandparent"))


def test_frames_of_categories_nullable_numbers_dates_and_gaps():
    frame = pd.DataFrame(
        {
            "who": pd.Categorical(["ann", "bob", "cleo", None]),
            "age": pd.array([30, None, 41, 5], dtype="Int64"),
            "since": [pd.Timestamp(t) for t in ("2020-01-02", None, "2021-03-04 05:06", "2022-01-01")],
            "score": [1.5, float("nan"), 2.0, 3.0],
            "member": pd.array([True, None, False, True], dtype="boolean"),
        }
    )
    relations = hri.table(frame, key="who")
    assert relations["age/2"] == [("ann", 30), ("cleo", 41)]
    assert [row[0] for row in relations["since/2"]] == ["ann", "cleo"]
    assert relations["score/2"] == [("ann", 1.5), ("cleo", 2.0)]
    assert relations["member/1"] == [("ann",)]
    problem = hri.problem(relations, {"old": ["cleo"]}, {"old": ["ann"]})
    assert problem.background()["since/2"] == [("ann", "2020-01-02"), ("cleo", "2021-03-04T05:06:00")]
    assert hri.Program("p(X,Y) :- age(X,Y).").predict(relations) == [("ann", 30), ("cleo", 41)]
