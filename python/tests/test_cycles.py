# SPDX-License-Identifier: Apache-2.0
"""A thousand rounds of learning, predicting and pickling take no memory with them."""

import gc
import pickle
import resource

import hri

FACTS = {"parent": [("ann", "bob"), ("bob", "cleo"), ("bob", "dan")]}
WANTED = {"child": [("bob", "ann"), ("cleo", "bob"), ("dan", "bob")]}


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def once(seed):
    program = hri.learn(
        background=FACTS, positive=WANTED, seed=seed, max_work=200, time_limit=0, layers=1, grow=False
    )
    model = pickle.loads(pickle.dumps(program.report.model))
    again = pickle.loads(pickle.dumps(program))
    assert again.predict(FACTS) == program.predict(FACTS)
    assert model.infer(FACTS).shape == (4, 4)
    program.explain("child", "bob", "ann")
    try:
        hri.Program("p(X :-")
    except hri.ParseError:
        pass


def test_a_thousand_cycles_take_bounded_memory():
    for seed in range(200):
        once(seed)
    gc.collect()
    before = resident_kb()
    for seed in range(1000):
        once(seed)
    gc.collect()
    grown = resident_kb() - before
    assert grown < 8 * 1024, f"{grown} kB more after a thousand cycles"
