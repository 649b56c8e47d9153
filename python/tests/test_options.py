# SPDX-License-Identifier: Apache-2.0
"""Keywords and defaults are those of the C++ structs, whose headers are read here to make sure."""

import copy
import inspect
import pickle
import re

import pytest

import hri


def fields_of(header, struct):
    """name -> default of the data members of a struct, as its header writes them."""
    text = re.search(rf"struct {struct} {{\n(.*?)\n}};", header, re.S).group(1)
    text = re.sub(r"//.*", "", text)
    fields = {}
    for statement in text.split(";"):
        statement = " ".join(statement.split())
        found = re.fullmatch(r"(?:const )?[\w:<>(), &*]+[ *](\w+) ?= ?(.*)", statement)
        if found and found.group(1) != "operator":
            fields[found.group(1)] = found.group(2).strip('"')
    return fields


def same(python, written):
    if isinstance(python, bool):
        return written == str(python).lower()
    if isinstance(python, (int, float)):
        return float(written.replace("'", "")) == python
    return written.rpartition("::")[2] == python


@pytest.mark.parametrize(
    ("header", "struct", "given"),
    [
        ("options.hpp", "Options", lambda: hri.Options().to_dict()),
        ("learn.hpp", "LearnSettings", lambda: hri._core.setting_defaults()),
    ],
)
def test_names_and_defaults_are_those_of_the_struct(source_dir, header, struct, given):
    written = fields_of((source_dir / "include" / "hri" / header).read_text(), struct)
    for callback in ("interrupt", "progress", "watch"):  # which Python gives in its own way
        written.pop(callback, None)
    for other in ("lri", "split", "checkpoint", "resume", "constraints"):  # no plain values
        written.pop(other, None)
    assert sorted(written) == sorted(given())
    for name, value in given().items():
        assert same(value, written[name]), name


def test_a_learner_takes_exactly_these_keywords():
    signature = inspect.signature(hri.RuleLearner)
    assert {n: p.default for n, p in signature.parameters.items()} == hri.defaults()
    assert hri.RuleLearner().get_params() == hri.defaults()
    assert list(hri.defaults()) == list(hri._core.setting_defaults()) + list(hri.Options().to_dict())


def test_every_option_can_be_set_by_keyword_and_by_attribute():
    for field in hri.option_fields():
        values = field["choices"] or [field["default"]]
        options = hri.Options(**{field["name"]: values[-1]})
        assert getattr(options, field["name"]) == values[-1]
        setattr(options, field["name"], values[0])
        assert options.to_dict()[field["name"]] == values[0]
        assert field["help"] and getattr(hri.Options, field["name"]).__doc__


def test_options_are_values():
    options = hri.Options(layers=3)
    assert options == hri.Options(layers=3) and options != hri.Options() and options != 3
    assert pickle.loads(pickle.dumps(options)) == options
    assert copy.copy(options) == options
    assert repr(options) == "Options(layers=3)"


def test_a_learner_behaves_as_scikit_learn_expects():
    learner = hri.RuleLearner(max_work=300_000, time_limit=0, layers=3)
    clone = type(learner)(**learner.get_params())
    assert all(a is b for a, b in zip(clone.get_params().values(), learner.get_params().values()))
    assert learner.set_params(layers=4) is learner and learner.layers == 4
    assert repr(learner) == "RuleLearner(time_limit=0, max_work=300000)"
    problem = hri.task("grandparent")
    assert learner.fit(problem) is learner
    predicted, labels = learner.predict(problem), learner.labels(problem)
    assert predicted.shape == labels.shape and set(predicted) == {0, 1}
    assert learner.score(problem) == (predicted == labels).mean() == 1.0
    assert learner.report_ is learner.program_.report and learner.report_.fits
    again = pickle.loads(pickle.dumps(learner))
    assert again.get_params() == learner.get_params() and again.score(problem) == 1.0


def test_a_learner_scores_examples_only(family):
    problem = hri.problem(**family, negative={"grandparent": [("ann", "carl")]})
    learner = hri.RuleLearner(max_work=300_000, time_limit=0).fit(problem)
    assert len(learner.predict(problem)) == len(family["positive"]["grandparent"]) + 1
