# SPDX-License-Identifier: Apache-2.0
"""Data frames as the tables of a database; dates and keys."""

import datetime

import numpy as np
import pandas as pd
import pytest

import hri


def shop(seed=1, customers=80):
    """Customers, tickets and orders; those leave who have an open ticket of severity high."""
    random = np.random.default_rng(seed)
    people = pd.DataFrame(
        {
            "id": np.arange(1, customers + 1),
            "country": random.choice(["de", "fr", "us"], customers),
            "age": random.integers(18, 80, customers).astype(float),
            "since": pd.to_datetime("2020-01-01") + pd.to_timedelta(random.integers(0, 900, customers), unit="D"),
        }
    )
    people.loc[4, "age"] = np.nan
    tickets = pd.DataFrame(
        {
            "ticket_id": np.arange(1000, 1150),
            "customer_id": random.integers(1, customers + 1, 150),
            "severity": random.choice(["low", "high"], 150),
            "resolved": random.random(150) < 0.6,
        }
    )
    left = set(tickets["customer_id"][(tickets["severity"] == "high") & ~tickets["resolved"]])
    return people, tickets, left


def test_frames_are_tables_with_keys_foreign_keys_numbers_and_unknown_cells():
    people, tickets, left = shop()
    people["churned"] = [i in left for i in people["id"]]
    problem = hri.read_frames({"customers": people, "tickets": tickets}, target="churned")
    assert problem.name == "frames" and problem.target == ("churned", 1)
    assert {"country/2", "age/2", "since/2", "severity/2"} <= {f"{n}/{a}" for n, a in problem.inputs}
    program = hri.learn(problem, max_work=200_000)
    assert program.report.fits and len(program.rules) == 1
    for wanted in ("severity(", "not_resolved("):
        assert wanted in program.rules[0].text
    assert sorted(program.predict(problem)) == [(i,) for i in sorted(left)]  # numbers as they were
    again, new_tickets, will_leave = shop(seed=2)
    unseen = hri.read_frames({"customers": again, "tickets": new_tickets}, target="churned", to_predict=True)
    found = program.predict(unseen, as_frame=True)
    assert found["a"].tolist() and set(found["a"]) == will_leave


def test_columns_of_numbers_are_compared_with_cut_points():
    random = np.random.default_rng(3)
    orders = pd.DataFrame({"order": np.arange(5000, 5200), "amount": (random.random(200) * 200).round(2)})
    orders["large"] = orders["amount"] > 100
    program = hri.learn(hri.read_frames({"orders": orders}, target="large"), max_work=200_000)
    assert program.report.fits and "amount(X,Y) & Y >" in str(program)


def test_columns_of_a_table_are_compared_where_all_other_things_are_negative():
    random = np.random.default_rng(0)
    people = pd.DataFrame({"name": [f"p{i}" for i in range(60)], "age": random.integers(1, 90, 60)})
    people["city"] = random.choice(["Rome", "Oslo"], 60)
    adults = people["name"][people["age"] >= 18].tolist()
    program = hri.learn(background=hri.table(people), positive={"adult": adults}, max_work=20_000)
    assert program.report.fits and "age(X,Y) & Y >=" in str(program)
    romans = people["name"][people["city"] == "Rome"].tolist()
    program = hri.learn(background=hri.table(people), positive={"roman": romans}, max_work=20_000)
    assert str(program) == "roman(X) <- city(X,'Rome')"


def test_mistakes_in_frames_name_the_table():
    people, _, _ = shop(customers=10)
    with pytest.raises(hri.Error, match="customers:1:1: there is no target left") as caught:
        hri.read_frames({"customers": people}, target="left")
    assert caught.value.place.file == "customers"
    with pytest.raises(TypeError, match="expected a dict of data frames by name"):
        hri.read_frames([people])
    with pytest.raises(TypeError, match=r"frames\['customers'\]: expected a DataFrame, found \[1, 2\]"):
        hri.read_frames({"customers": [1, 2]})
    with pytest.raises(TypeError, match="no keyword 'tarjet'"):
        hri.read_frames({"customers": people}, tarjet="country")


def test_keys_that_are_numbers_as_cells_are_told_and_can_have_a_prefix():
    frame = pd.DataFrame({"id": [1, 2, 3], "calls": [3, 2, 9]})
    with pytest.warns(UserWarning, match="cells of 'calls' are the same numbers.*prefix='row:'"):
        hri.table(frame, key="id")
    assert hri.table(frame, key="id", prefix="c")["calls/2"] == [("c1", 3), ("c2", 2), ("c3", 9)]


def test_dates_of_a_feature_table_are_shown_as_dates():
    start = datetime.date(2024, 1, 1)
    joined = [start + datetime.timedelta(days=10 * i) for i in range(30)]
    late = [day > datetime.date(2024, 6, 1) for day in joined]
    for column in (joined, pd.to_datetime(joined)):
        frame = pd.DataFrame({"joined": column, "size": range(30)})[["joined"]]
        classifier = hri.RuleClassifier(max_work=20_000).fit(frame, late)
        assert str(classifier.program_).startswith("target(X) <- 'joined > 2024-0")
        assert classifier.score(frame, late) == 1


def test_cut_points_tell_near_numbers_apart():
    frame = pd.DataFrame({"serial": [1_234_567 + i for i in range(20)]})
    wanted = [i > 12 for i in range(20)]
    classifier = hri.RuleClassifier(max_work=20_000).fit(frame, wanted)
    assert classifier.score(frame, wanted) == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_each_library_give_the_same_rules(library):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    plans = ["pro", "basic", None, "pro", "free", "basic", "pro", "free"]
    cells = {
        "id": list(range(1, 9)),
        "plan": plans,
        "calls": [3.5, 2.0, None, 1.0, 7.25, 1.0, 3.5, 2.0],
        "since": [datetime.date(2020, 1, day) for day in range(1, 9)],
        "left": [plan == "pro" for plan in plans],
    }
    frame = make(cells)
    problem = hri.read_frames({"people": frame}, target="left")
    program = hri.learn(problem, max_work=50_000)
    assert str(program) == "left(X) <- plan(X,pro)"
    assert sorted(program.predict(problem)) == [(1,), (4,), (7,)]
    relations = hri.table(frame, key="id", prefix="p")
    assert relations["calls/2"][:3] == [("p1", 3.5), ("p2", 2.0), ("p4", 1.0)]
    assert str(relations["since/2"][0][1]).startswith("2020-01-01")
    features = make({name: cells[name] for name in ("plan", "calls", "since")})
    classifier = hri.RuleClassifier(max_work=20_000).fit(features, cells["left"])
    assert classifier.predict(features).tolist() == cells["left"]
    assert "plan = pro" in str(classifier.program_)
