# SPDX-License-Identifier: Apache-2.0
"""Long calls let other threads run, report progress and stop when asked to."""

import io
import os
import signal
import sys
import threading
import time
import types

import numpy as np
import pytest

import hri
from hri._progress import Bar, callback_of

ENDLESS = {"time_limit": 60, "max_work": 0}


@pytest.fixture
def hard():
    """Labels at random: no program explains them, so that learning goes on."""
    random = np.random.default_rng(4)
    labels = random.integers(0, 2, size=(12, 12)).astype(bool)
    return hri.problem({"edge": random.random((12, 12)) < 0.2}, {"odd": labels}, {"odd": ~labels})


def interrupt_when(happened):
    def wait_and_send():
        happened.wait(30)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=wait_and_send)
    thread.start()
    return thread


def test_ctrl_c_stops_and_keeps_the_best_so_far(hard):
    running = threading.Event()
    thread = interrupt_when(running)
    with pytest.raises(KeyboardInterrupt) as caught:
        hri.learn(hard, progress=lambda now: running.set(), **ENDLESS)
    thread.join()
    assert isinstance(caught.value, hri.Interrupted)
    program = caught.value.program
    assert program.report.stop_reason == "interrupted"
    assert len(program.predict(hard)) >= 0


def test_a_learner_keeps_what_it_had_when_it_was_stopped(hard):
    running = threading.Event()
    thread = interrupt_when(running)
    learner = hri.RuleLearner(**ENDLESS)
    with pytest.raises(hri.Interrupted):
        learner.fit(hard, progress=lambda now: running.set())
    thread.join()
    assert learner.report_.stop_reason == "interrupted"
    assert 0 <= learner.score(hard) <= 1


def test_progress_is_reported_to_a_function(hard):
    seen = []
    hri.learn(hard, progress=seen.append, time_limit=1)
    assert seen
    assert set(seen[0]) == {"fraction", "restarts", "fits", "errors", "loss", "program"}
    fractions = [now["fraction"] for now in seen]
    assert fractions == sorted(fractions) and 0 <= fractions[0] and fractions[-1] <= 1


def test_a_bar_is_drawn_while_learning_and_gone_afterwards(hard, capfd):
    hri.learn(hard, progress=True, time_limit=1)
    drawn = capfd.readouterr().err
    assert drawn.startswith("\r[") and "restarts" in drawn and drawn.endswith(" \r")


def test_an_exception_of_the_function_stops_the_call(hard):
    class Enough(Exception):
        pass

    def refuse(now):
        raise Enough("at once")

    with pytest.raises(Enough, match="at once"):
        hri.learn(hard, progress=refuse, **ENDLESS)


def test_other_threads_run_meanwhile(hard):
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    hri.learn(hard, progress=False, time_limit=1)
    during = len(counted) - before
    done.set()
    thread.join()
    assert during > 20  # with the lock held there would be none


def test_two_threads_learn_at_once():
    programs = [None, None]

    def learn(i):
        programs[i] = hri.learn("grandparent", max_work=200_000, time_limit=0, seed=i)

    threads = [threading.Thread(target=learn, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(program.report.fits for program in programs)


def test_the_bar_draws_and_clears_itself():
    stream = io.StringIO()
    bar = Bar(stream)
    now = {"fraction": 0.5, "restarts": 3, "fits": 0, "errors": 2, "loss": -1.0, "program": "p(X) <-\n q(X)"}
    bar(now)
    assert "[############............]  50 %  3 restarts, 2 errors: p(X) <- q(X)" in stream.getvalue()
    bar.clear()
    assert stream.getvalue().endswith(" \r")


def test_a_bar_where_somebody_looks_on(monkeypatch):
    class ZMQInteractiveShell:  # what a notebook's kernel is called
        pass

    notebook = types.SimpleNamespace(get_ipython=ZMQInteractiveShell)
    assert callback_of(None) is None
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    assert isinstance(callback_of(None), Bar)
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert isinstance(callback_of(None), Bar)
    assert callback_of(False) is None and callback_of(print) is print


def test_no_bar_where_nobody_looks_on(capfd):
    hri.learn("grandparent", max_work=1_000, time_limit=0)
    assert capfd.readouterr().err == ""
