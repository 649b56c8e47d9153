# SPDX-License-Identifier: Apache-2.0
"""From facts to a program, and what a program can do."""

import json
import pickle
import shutil
import subprocess

import numpy as np
import pytest

import hri

WORK = {"max_work": 300_000, "time_limit": 0}


@pytest.fixture
def program(family):
    return hri.learn(**family, **WORK)


def test_a_program_is_learned_and_explains_its_data(program, family):
    assert program.report.fits
    assert program.target == ("grandparent", 2)
    assert program.predict(family["background"]) == family["positive"]["grandparent"]


def test_it_predicts_on_other_facts(program):
    facts = {"father": [("x", "y")], "mother": [("y", "z")]}
    assert program.predict(facts) == [("x", "z")]
    truth = program.truth(facts)
    assert truth.dtype == bool and truth.shape == (3, 3)
    assert np.argwhere(truth).tolist() == [[0, 2]]


def test_it_prints_as_the_command_line_does(program):
    assert str(program).startswith("grandparent(X,Y) <- ")
    assert str(program) == program.to_text().rstrip("\n")


def test_it_explains_from_the_facts_it_was_learned_from(program):
    true = program.explain("grandparent", "carl", "ann")
    assert true.holds and bool(true) and "carl" in str(true)
    assert true.reason.atom == "grandparent(carl,ann)"
    false = program.explain("grandparent(ann,carl)")
    assert not false.holds and "is false" in str(false)


def test_a_program_without_data_says_that_it_needs_facts(program):
    alone = hri.Program(program.to_prolog())
    with pytest.raises(ValueError, match="give them by facts="):
        alone.explain("grandparent", "carl", "ann")


def test_every_export_says_the_same_in_another_language(program):
    assert hri.Program(program.to_prolog()) == program
    assert ".decl" in program.to_datalog()
    assert "CREATE" in program.to_sql().upper()
    assert program.to_sql("postgresql") != ""
    assert json.loads(program.to_json())["target"]
    assert "align" in program.to_latex()
    assert program.to_dot().startswith("digraph")
    assert program.to_svg().startswith("<svg")
    with pytest.raises(ValueError, match="sqlite"):
        program.to_sql("oracle")


@pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")
def test_prolog_predicts_the_same(program, family, tmp_path):
    facts = [f"{name}({x},{y}).\n" for name, rows in family["background"].items() for x, y in rows]
    file = tmp_path / "program.pl"
    file.write_text(program.to_prolog() + "".join(facts))
    goal = "forall(distinct(X-Y, grandparent(X,Y)), (print(X), write(' '), print(Y), nl))"
    run = subprocess.run(
        ["swipl", "-q", "-f", "none", "-t", "halt", "-g", goal, str(file)],
        capture_output=True, text=True, check=True, timeout=60,
    )
    said = sorted(tuple(line.split()) for line in run.stdout.splitlines())
    assert said == program.predict(family["background"])


def test_the_same_seed_gives_the_same_program(family):
    first, second = (hri.learn(**family, **WORK, seed=3, threads=t) for t in (1, 2))
    assert first == second


def test_a_report_holds_the_evidence(program):
    report = program.report
    assert report.training.accuracy == 1.0
    assert report.bits > 0 and report.baseline_bits > 0
    assert report.stop_reason in ("finished", "fits")
    assert json.loads(report.to_json())["fits"] is True
    assert report.alternatives[0].fits
    raw = report.model.extract()
    assert raw == report.raw and hri.same_answers(raw, program, program.inputs)


def test_a_built_in_task_is_learned_by_its_name():
    program = hri.learn("grandparent", **WORK)
    assert program.report.fits and program.report.evaluation.accuracy == 1.0
    with pytest.raises(hri.Error, match="grandparent"):
        hri.learn("grandparnt")


def test_pickle_keeps_rules_and_models(program):
    again = pickle.loads(pickle.dumps(program))
    assert again == program and hash(again) == hash(program)
    model = pickle.loads(pickle.dumps(program.report.model))
    assert model.extract() == program.report.model.extract()


def test_a_program_that_calls_everything_false_is_a_program_too():
    false = hri.Program("% target: p/1\n")
    assert str(false) == "p(X) <- False" and len(false) == 0
    again = pickle.loads(pickle.dumps(false))
    assert again == false and again.target == false.target
    assert again.predict({"q": ["a"]}) == []


def test_questions_name_atoms_on_which_fitting_programs_disagree():
    problem = hri.problem({"p": ["a", "b"], "q": ["a", "c"]}, {"t": ["a"]}, {"t": ["d"]})
    program = hri.learn(problem, **WORK)
    asked = hri.questions(problem, program.report, count=5)
    assert program.report.different > 1 and asked
    for instance, atom, yes, no in asked:
        assert problem.instances()[instance].labels[atom] == 2 and yes > 0 and no > 0


def test_irrelevant_predicates_can_be_added(family):
    problem = hri.problem(**family, closed_world=True).with_distractors(3, seed=1)
    assert [name for name, _ in problem.inputs][2:] == ["irrelevant1", "irrelevant2", "irrelevant3"]
    assert hri.learn(problem, **WORK).report.fits


def test_the_curve_has_the_accuracy_of_each_point(family):
    report = hri.learn(
        **family, strategy="gradient", iterations=400, restarts=1, log_every=100, time_limit=0, seed=1
    ).report
    told = json.loads(report.to_json())["curve"]
    assert len(told) == len(report.curve) >= 4
    for (iteration, loss, sharpness, accuracy), point in zip(report.curve, told):
        assert (iteration, loss, sharpness) == (point["iteration"], point["loss"], point["sharpness"])
        assert 100 * accuracy == point["accuracy"]
        assert 0 < accuracy <= 1
