# SPDX-License-Identifier: Apache-2.0
"""Rules with confidences for the names of scene graphs."""

import json
import os
import subprocess

import pytest

import hri


@pytest.fixture(scope="module")
def scenes():
    return hri.generate_scenes("wrist(X) :- on(Y,X), watch(Y).", images=200, seed=1)


def test_the_planted_rule_is_found_with_its_evidence(scenes):
    rules = hri.learn_scene_rules(scenes, ["wrist"])
    (rule, *_) = rules["wrist"]
    assert str(rule) == "wrist(X) :- on(Y,X), watch(Y)."
    assert rule.correct == rule.covered > 0 and 0.8 < rule.confidence <= 1
    assert str(rules.program("wrist")).startswith("wrist(X) <- on(Y,X) & watch(Y)")
    frame = rules.to_frame()
    assert frame["rule"][0] == rule.text and set(frame["name"]) == {"wrist"}
    with pytest.raises(KeyError):
        rules["watch"]


def test_names_of_unseen_images_are_guessed_and_judged(scenes, tmp_path):
    rules = hri.learn_scene_rules(scenes, images=range(150))
    assert set(rules.targets) == set(scenes.targets) and len(rules) == len(scenes.targets)
    found = rules.recalls(images=range(150, 200))
    assert 0 < found["recall_at_1"] <= found["recall_at_5"] <= 1 and found["objects"] > 0
    unseen = scenes.select(list(range(150, 200)))
    assert rules.recalls(unseen) == found
    guesses = rules.guess(0, 0, top=3, scenes=unseen)
    assert len(guesses) == 3
    assert [g.probability for g in guesses] == sorted((g.probability for g in guesses), reverse=True)
    for confusion in rules.confusions(5):
        assert confusion.name != confusion.guess and 0 < confusion.mistaken <= confusion.objects
    with pytest.raises(IndexError, match="no object 1000 of image 0"):
        rules.guess(0, 1000)
    cup = {"name": "cup", "relations": [{"name": "on", "object": "2"}]}
    image = {"objects": {"1": cup, "2": {"name": "table", "relations": []}}}
    (tmp_path / "other.json").write_text(json.dumps({"1": image}))
    with pytest.raises(hri.Error, match="other predicates"):
        rules.recalls(hri.read_scenes(tmp_path / "other.json", min_count=1))


def test_folds_of_images_compare_rules_with_baselines(scenes):
    found = {by: hri.cross_validate_scenes(scenes, by, folds=2) for by in ("rules", "weights", "freq", "bayes")}
    for by, recalls in found.items():
        assert 0 <= recalls["recall_at_1"] <= recalls["recall_at_5"] <= 1, by
    with pytest.raises(ValueError, match="by: 'counts' is not one of rules, weights"):
        hri.cross_validate_scenes(scenes, "counts")
    with pytest.raises(TypeError, match="no keyword 'body' .did you mean bodies"):
        hri.learn_scene_rules(scenes, body="all")


def test_the_command_line_says_the_same(scenes, tmp_path):
    binary = os.environ.get("HRI_BINARY")
    if binary is None:
        pytest.skip("HRI_BINARY names no hri")
    scenes.save(str(tmp_path / "all.scenes"))
    ran = subprocess.run(
        [binary, "learn", str(tmp_path / "all.scenes"), "--targets", "all", "--program", str(tmp_path / "rules.pl")],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    hri.learn_scene_rules(scenes).save(tmp_path / "own.pl")
    assert (tmp_path / "own.pl").read_text() == (tmp_path / "rules.pl").read_text()
