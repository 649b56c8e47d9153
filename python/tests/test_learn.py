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


def test_clauses_have_evidence_and_no_model(family):
    program = hri.learn(**family, **WORK, strategy="clauses")
    report = program.report
    assert report.fits and report.by_clauses and report.model is None and report.strategy == "clauses"
    assert program.predict(family["background"]) == family["positive"]["grandparent"]
    wanted = len(family["positive"]["grandparent"])
    for rule, (positives, negatives, only) in zip(program.rules, report.evidence, strict=True):
        assert rule.evidence[:2] == (positives, negatives) and negatives == 0 and 0 < only <= positives
        assert rule.evidence.recall == positives / wanted
    assert pickle.loads(pickle.dumps(program)) == program
    with pytest.raises(hri.Error, match="has a generator"):
        hri.learn("grandparent", strategy="clauses")


def test_reports_of_lri_have_no_model_either():
    program = hri.learn("predecessor", model="lri", iterations=50, restarts=1, time_limit=0)
    assert program.report.model is None and not program.report.by_clauses


def test_learned_comparisons_hold_of_other_numbers():
    ages = {f"p{i}": 7 * i % 60 for i in range(20)}
    adult = [name for name, age in ages.items() if age >= 18]
    child = [name for name, age in ages.items() if age < 18]
    program = hri.learn(
        background={"age": list(ages.items())}, positive={"adult": adult}, negative={"adult": child}, **WORK
    )
    assert program.report.fits and program.inputs == [("age", 2)]
    facts = {"age": [("x", 30), ("y", 5), ("z", 99.5)]}
    assert program.predict(facts) == [("x",), ("z",)]
    assert program.score(program.problem).accuracy == 1.0
    assert program.explain("adult", "x", facts=facts) and not program.explain("adult", "y", facts=facts)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("v(X,Y), Y >= 2", ["b", "c"]),
        ("v(X,Y), 2 > Y", ["a"]),
        ("v(X,Y), Y =:= 2", ["b"]),
        ("v(X,Y), Y =\\= 2", ["a", "c"]),
        ("v(X,Y), v(_,Z), Y < Z", ["a", "b"]),
        ("v(X,Y), 1 < 2", ["a", "b", "c"]),
        ("v(X,Y), 2 < 1", []),
        ("v(X,Y), Y =< word", []),
    ],
)
def test_comparisons_need_no_facts(body, found, recwarn):
    program = hri.Program(f"p(X) :- {body}.")
    assert program.inputs == [("v", 2)]
    assert program.predict({"v": [("a", 1), ("b", 2), ("c", 10.5)]}) == [(name,) for name in found]
    assert not recwarn.list


def test_three_arguments_are_learned_and_what_cannot_run_says_so():
    plus = [(i, j, i + j) for i in range(4) for j in range(4)]
    program = hri.learn(
        background={"plus": plus},
        positive={"minus": [(c, a, b) for a, b, c in plus]},
        negative={"minus": [(a, b, c) for a, b, c in plus if b + c != a]},
        **WORK,
    )
    assert str(program) == "minus(X,Y,Z) <- plus(Y,Z,X)" and program.report.fits
    assert program.rules[0].evidence.positives == len(plus)
    assert set(program.predict({"plus": plus})) == {(c, a, b) for a, b, c in plus}
    with pytest.raises(hri.Error, match=r"truth\(\) takes programs whose predicates have one or two"):
        program.truth({"plus": plus})
    assert program.explain("minus", 3, 1, 2)
    even = hri.Program("even(X) :- plus(Y,Y,X).")  # whose facts no instance has
    assert hri.Program("even(X) :- plus(Y,X).").predict({"plus": [(1, 2)]}) == [(2,)]
    assert even.inputs == [("plus", 3)]
    assert set(even.predict({"plus": plus})) == {(0,), (2,), (4,), (6,)}


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
    asked = hri.questions(program, count=5)
    assert program.report.different > 1 and {question.atom for question in asked} == {"t(b)", "t(c)"}
    assert all(question.yes > 0 and question.no > 0 for question in asked)
    with pytest.raises(ValueError, match="learned here"):
        hri.questions(hri.Program("p(X) :- q(X)."))
    with pytest.raises(TypeError, match="expected a program"):
        hri.questions(problem)


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
