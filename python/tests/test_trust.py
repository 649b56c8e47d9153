# SPDX-License-Identifier: Apache-2.0
"""What damaged pickles and several threads may not do: crash."""

import threading

import pytest

import hri


@pytest.fixture
def instance():
    problem = hri.problem(
        background={"parent": [("ann", "bob"), ("bob", "cleo")]},
        positive={"grand": [("ann", "cleo")]},
        negative={"grand": [("ann", "bob")]},
    )
    (one,) = problem.instances()
    return one


def changed(instance, place, value):
    """Unpickles the instance with one part of its state replaced."""
    schema, state = instance.__getstate__()
    state = list(state)
    state[place] = value
    again = type(instance).__new__(type(instance))
    again.__setstate__((schema, tuple(state)))
    return again


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, -1),
        (0, 1),  # facts and labels are of three constants
        (1, ["ann"]),
        (2, []),
        (2, [[(0, 7, 1.0)]]),
        (2, [[(-1, 0, 1.0)]]),
        (2, [[(0, 1, float("nan"))]]),
        (3, b"\x00"),
        (3, b"\x09" * 9),
        (4, [(0, 99, 1)]),
    ],
)
def test_a_damaged_pickle_is_an_error(instance, place, value):
    with pytest.raises(Exception, match="damaged"):
        changed(instance, place, value)


def test_a_whole_pickle_is_not(instance):
    again = changed(instance, 1, instance.__getstate__()[1][1])
    assert again.facts("parent") == instance.facts("parent")


def test_a_trainable_in_use_tells_other_threads():
    net = hri.trainable(hri.Model([("e", 2), ("f", 2)], ("t", 2)))
    refused, broken = [], []

    def work(constants):
        for _ in range(30):
            try:
                net.set_facts(constants)
                net.unify()
                net.infer(steps=2)
            except Exception as error:  # told, not crashed
                (refused if "in use" in str(error) else broken).append(error)

    threads = [threading.Thread(target=work, args=(20 + 10 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not broken


def test_sizes_that_overflow_are_errors():
    with pytest.raises(Exception, match="at most 2,147,483,647"):
        hri.trainable(hri.Model([("e", 2), ("f", 2)], ("t", 1))).set_facts(33_000)
    with pytest.raises(Exception, match="at most 2,147,483,647"):
        hri.Model([(f"p{i}", 1) for i in range(66_000)], ("t", 1))
