# SPDX-License-Identifier: Apache-2.0
"""What the command line can do, Python can: folds, targets, checkpoints, LRI, scenes, policies."""

import inspect

import numpy as np
import pandas as pd
import pytest

import hri
from conftest import SOURCE


def family_problem(family):
    return hri.problem(family["background"], family["positive"], closed_world=True)


def test_folds_and_hold_out_judge_by_examples_left_out(family):
    problem = family_problem(family)
    seen = []
    result = hri.cross_validate(problem, folds=3, max_work=50_000, progress=seen.append)
    assert len(result) == len(result.folds) == 3
    assert result.mean.accuracy == pytest.approx(np.mean([r.evaluation.accuracy for r in result.folds]))
    assert 0.9 < result.mean.accuracy <= 1
    program = hri.learn(problem, hold_out=0.3, max_work=50_000)
    assert program.report.evaluation.positives > 0
    with pytest.raises(ValueError, match="hold_out: expected a share"):
        hri.learn(problem, hold_out=30)
    part = hri.fold(problem, 3, 0)
    assert part.has_evaluation and not problem.has_evaluation
    with pytest.raises(TypeError, match="no keyword 'lairs' .did you mean layers"):
        hri.cross_validate(problem, 2, lairs=3)


def test_several_targets_give_one_program():
    problems = hri.read_all(SOURCE / "examples" / "data" / "relatives")
    assert {problem.target for problem in problems} == {("grandmother", 2), ("brother", 2)}
    programs = [hri.learn(problem, max_work=100_000) for problem in problems]
    joint = hri.joint_program(programs)
    assert "grandmother(" in str(joint) and "brother(" in str(joint)


def test_targets_are_learned_together_with_all_settings():
    problems = hri.read_all(SOURCE / "examples" / "data" / "relatives")
    seen = []
    reports = hri.learn_together(problems, max_work=100_000, time_limit=0, seed=3, progress=seen.append)
    assert [report.seed for report in reports] == [3, 3] and all(report.fits for report in reports)
    with pytest.raises(TypeError, match="learn_together.. has no keyword 'sed' .did you mean seed"):
        hri.learn_together(problems, sed=3)
    with pytest.raises(TypeError, match="no knowledge graph; .*learn_together.hri.read_all"):
        hri.learn(SOURCE / "examples" / "data" / "relatives", targets="all")


def test_keywords_of_other_functions_are_told_where_they_go(family):
    with pytest.raises(TypeError, match="'target': it goes with hri.read.source, target="):
        hri.learn(SOURCE / "examples" / "data" / "relatives", target="brother")
    with pytest.raises(TypeError, match="'backgroud' .did you mean background"):
        hri.learn(backgroud={}, positive={})
    with pytest.raises(TypeError, match="'fold' .did you mean folds"):
        hri.cross_validate(family_problem(family), fold=3)
    with pytest.raises(TypeError, match="add targets='all'"):
        hri.learn([("a", "r", "b")], test=[("a", "r", "c")])


def test_a_run_goes_on_from_its_checkpoint(family, tmp_path):
    problem = family_problem(family)
    path = tmp_path / "run.state"
    settings = {"strategy": "gradient", "restarts": 3, "iterations": 40, "layers": 2, "time_limit": 0, "seed": 5}
    whole = hri.learn(problem, **settings)
    hri.learn(problem, checkpoint=path, **{**settings, "restarts": 1})
    assert path.stat().st_size > 0
    # the same settings from the checkpoint end as the run without a break
    hri.learn(problem, checkpoint=path, **settings)
    again = hri.learn(problem, checkpoint=path, resume=True, **settings)
    assert again == whole
    with pytest.raises(TypeError, match="resume goes on from a checkpoint"):
        hri.learn(problem, resume=True)


def test_lri_is_a_model_to_learn_by():
    program = hri.learn("predecessor", model="lri", iterations=50, restarts=1, time_limit=0)
    assert program.report.strategy == "gradient"
    with pytest.raises(hri.OptionError, match="model: 'lry' is not one of"):
        hri.learn("predecessor", model="lry")
    with pytest.raises(hri.OptionError, match="model='lri'"):
        hri.learn("predecessor", templates="rlri")


def test_a_diagnosis_names_wrong_examples_and_python_keywords(family):
    program = hri.learn(
        background={"red": ["a", "b"]}, positive={"good": ["a", "c"]}, negative={"good": ["b", "d"]}, max_work=20_000
    )
    diagnosis = hri.diagnose(program)
    assert diagnosis.wrong_count == 2
    assert all("--" not in hint for hint in diagnosis.hints)
    assert str(diagnosis).startswith("wrong: good(") and "\nhint: " in str(diagnosis)
    with pytest.raises(ValueError, match="was learned here"):
        hri.diagnose(hri.Program("p(X) :- q(X)."))


def test_clauses_that_proto_rules_express():
    assert hri.expressible("P(A,B) <- Q(A,C), R(C,B)")["expressible"]
    with pytest.raises(hri.Error):
        hri.expressible("P(A,B")


def test_policies_are_learned_and_tested():
    assert {"stack", "unstack", "on"} <= set(hri.rl_tasks())
    report = hri.learn_policy("unstack", restarts=1, iterations=3, program_updates=3, evaluations=2000, time_limit=20)
    score = hri.test_policy("unstack", report.program)
    assert score.episodes > 0
    world = hri.Environment("stack")
    before = world.state
    move = {world.atom(action): action for action in world.actions()}[("a", "b")]
    reward, done, solved = world.step(move)
    assert world.state != before and not done and not solved
    with pytest.raises(ValueError, match="expected one of actions"):
        world.step(10_000)


def test_scenes_and_many_targets(tmp_path):
    scenes = hri.generate_scenes("wrist(X) :- on(Y,X), watch(Y).", images=60, seed=1)
    assert scenes.synthetic and len(scenes) == 60
    scenes.save(str(tmp_path / "all.scenes"))
    assert len(hri.SceneSet.open(str(tmp_path / "all.scenes"))) == 60
    learned = hri.learn_scenes(scenes, ["wrist"], rounds=3, layers=2)
    assert learned.targets == ["wrist"]
    assert learned.program("wrist").target == ("wrist", 1)
    assert 0 <= learned.recalls(scenes)["recall_at_1"] <= 1
    assert len(scenes.select([0, 1])) == 2
    with pytest.raises(KeyError):
        learned.program("no such name")


def test_numbers_stay_numbers_and_results_can_be_frames():
    program = hri.Program("next(X,Y) :- edge(X,Z), edge(Z,Y).")
    assert program.predict({"edge": [(0, 1), (1, 2)]}) == [(0, 2)]
    assert program.predict({"edge": np.array([[0, 1], [1, 2]])}) == [(0, 2)]
    assert program.predict({"edge": np.array([[0.0, 1, 0], [0, 0, 1], [0, 0, 0]])}) == [(0, 2)]
    assert program.predict({"edge": iter([("a", "b"), ("b", 1.5)])}) == [("a", 1.5)]
    frame = program.predict({"edge": pd.DataFrame({"from": [0, 1], "to": [1, 2]})}, as_frame=True)
    assert frame.values.tolist() == [[0, 2]]


def test_a_file_is_loaded_not_parsed():
    with pytest.raises(hri.Error, match="name of a file: 'p.pl' .hri.Program.load"):
        hri.Program("p.pl")


def test_a_relation_that_is_missing_is_warned_of():
    program = hri.Program("next(X,Y) :- edge(X,Z), edge(Z,Y).")
    with pytest.warns(UserWarning, match="lack edge/2, .*did you mean edges"):
        assert program.predict({"edges": [(0, 1)]}) == []


def test_programs_are_saved_loaded_and_taken_apart(tmp_path):
    program = hri.Program("good(X) :- big(X,'a,b'), red(X). good(X) :- round(X).")
    program.save(tmp_path / "p.pl")
    assert hri.Program.load(tmp_path / "p.pl") == program
    first, second = program.rules
    assert first.head == "good(X)" and first.body == ("big(X,'a,b')", "red(X)")
    assert str(second) == "good(X) :- round(X)." and second.evidence is None
    learned = hri.learn(
        background={"red": ["a", "b"]},
        positive={"good": ["a", "b", "c"]},
        negative={"good": ["d"]},
        strategy="search",  # of four examples, bits alone do not speak for a rule
        max_work=20_000,
    )
    (rule,) = [rule for rule in learned.rules if "red" in rule.text]
    assert (rule.evidence.positives, rule.evidence.negatives, rule.evidence.precision) == (2, 0, 1.0)


def test_curves_are_frames_and_pictures(family):
    program = hri.learn(
        family_problem(family), strategy="gradient", restarts=1, iterations=20, log_every=5, layers=1, time_limit=0
    )
    frame = program.report.curve_frame()
    assert list(frame.columns)[:2] == ["loss", "accuracy"] and len(frame) == len(program.report.curve)
    assert program.report.to_svg().startswith("<svg")
    try:
        import matplotlib
    except ImportError:
        assert program.report.plot()._repr_svg_().startswith("<svg")
    else:
        matplotlib.use("Agg")
        assert len(program.report.plot().lines) == 2
    assert program.plot()._repr_svg_().startswith("<svg")


def test_wide_frames_become_relations_of_their_key():
    people = pd.DataFrame(
        {
            "name": ["ann", "bob", None],
            "city": ["Rome", None, "Oslo"],
            "born": pd.to_datetime(["2001-05-06", "1999-01-01", None]),
            "age": [24, 26, 3],
            "adult": [True, False, True],
        }
    )
    relations = hri.table(people, key="name")
    assert relations["city/2"] == [("ann", "Rome")]
    assert relations["adult/1"] == [("ann",)]
    assert [tuple(map(str, row)) for row in relations["age/2"]] == [("ann", "24"), ("bob", "26")]
    problem = hri.problem(relations, {"old": ["bob"]}, {"old": ["ann"]})
    assert "2001-05-06" in problem.instances()[0].constants
    with pytest.raises(ValueError, match="no column 'nam' .did you mean 'name'"):
        hri.table(people, key="nam")


class InterchangeOnly:
    """A frame that only has the interchange protocol."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, *given, **named):
        return self.frame.__dataframe__(*given, **named)


def test_frames_of_other_libraries_are_read():
    edges = InterchangeOnly(pd.DataFrame({"a": [0, 1], "b": [1, 2]}))
    assert hri.Program("p(X,Y) :- e(X,Y).").predict({"e": edges}) == [(0, 1), (1, 2)]
    for name in ("polars", "pyarrow"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        make = library.DataFrame if name == "polars" else library.table
        assert hri.Program("p(X,Y) :- e(X,Y).").predict({"e": make({"a": [0], "b": [1]})}) == [(0, 1)]
        column = library.Series([3, None]) if name == "polars" else library.array([3, None])
        assert hri.Program("p(X) :- q(X).").predict({"q": column}) == [(3,)]
        if name == "polars":
            with pytest.raises(TypeError, match=r"q'\]: expected a list of tuples, .* give its collect"):
                hri.Program("p(X) :- q(X).").predict({"q": library.LazyFrame({"a": [0]})})


def test_a_proposed_rule_is_scored_beside_the_learned_program(family):
    program = hri.learn(family_problem(family), max_work=100_000)
    answer = hri.why_not("grandparent(X,Y) <- father(X,Z) & father(Z,Y)", program)
    assert answer.rule.score.false_negatives == len(answer.missed) > 0
    assert answer.learned.score.false_negatives == 0 and answer.reasons
    assert answer.rule.bits > 0 and "covers" in str(answer)
    alone = hri.why_not("grandparent(X,Y) :- fathr(X,Y).", family_problem(family))
    assert alone.learned is None and alone.unknown == [("fathr/2", "father")]
    with pytest.raises(hri.Error, match="expected grandparent/2"):
        hri.why_not("uncle(X,Y) :- father(X,Y).", program)
    with pytest.raises(ValueError, match="was not learned here"):
        hri.why_not("p(X) :- q(X).", hri.Program("p(X) :- q(X)."))


def test_rules_are_vetoed_and_pinned(family):
    problem = family_problem(family)
    first = hri.learn(problem, max_work=30_000, strategy="search")
    vetoed = first.to_prolog().splitlines()[-1]
    veto = hri.Constraints(vetoed_rules=[rule.text for rule in first.rules if rule.head.startswith("grandparent")])
    again = hri.learn(problem, constraints=veto, max_work=30_000, strategy="search")
    assert vetoed and str(again) != str(first)
    assert not set(veto.vetoed_rules) & {rule.text for rule in again.rules}
    literal = hri.Constraints(vetoed_literals=["grandparent(X,Y) :- father(X,Z)."])
    assert literal and literal.vetoed_literals == ["grandparent(X,Y) :- father(X,Z)."]
    fatherless = hri.learn(problem, constraints=literal, max_work=10_000)
    own = [rule for rule in fatherless.rules if rule.head.startswith("grandparent")]
    assert not any("father(X,Z)" in rule.text for rule in own)
    none = hri.Constraints(vetoed_predicates=["mother/2"])
    assert "mother" not in str(hri.learn(problem, constraints=none, max_work=10_000))
    pin = hri.Constraints(pinned="grandparent(X,Y) :- father(X,Z), father(Z,Y).")
    assert pin and not hri.Constraints()
    assert "father(X,Z) & father(Z,Y)" in str(hri.learn(problem, constraints=pin, max_work=10_000))
    with pytest.raises(TypeError):
        hri.Constraints(veto=["p"])


def functions():
    for name in hri.__all__:
        value = getattr(hri, name)
        if inspect.isclass(value):
            for member, part in vars(value).items():
                part = part.__func__ if isinstance(part, staticmethod) else part
                if not member.startswith("_") and callable(part):
                    yield f"hri.{name}.{member}", part
        elif callable(value):
            yield f"hri.{name}", value


@pytest.mark.parametrize(("name", "function"), list(functions()), ids=lambda v: v if isinstance(v, str) else "")
def test_every_function_has_a_signature_and_a_docstring(name, function):
    signature = inspect.signature(function)
    assert not any(p.name.startswith("arg") and p.name != "args" for p in signature.parameters.values()), signature
    if "." in name[4:] and name.split(".")[1] in ("Rule", "Evidence", "Place", "Drawing"):
        return  # of tuples and texts
    assert inspect.getdoc(function), name


def test_keywords_and_defaults_are_the_command_lines_fields():
    known = hri.defaults()
    parameters = inspect.signature(hri.RuleClassifier).parameters
    assert set(known) <= set(parameters)
    assert all(parameters[name].default == value for name, value in known.items())
    flags = (SOURCE / "docs" / "reference" / "flags.md").read_text()
    for name in known:
        assert f"--{name.replace('_', '-')}" in flags or name in flags or name in ("grow", "lri"), name


def test_nothing_leaks_into_the_package():
    public = {name for name in dir(hri) if not name.startswith("_")}
    assert public - set(hri.__all__) <= {"environments", "torch"}  # modules, once imported
