# SPDX-License-Identifier: Apache-2.0
"""What several tests share."""

import os
import pathlib

import pytest

SOURCE = pathlib.Path(os.environ.get("HRI_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

FATHER = [("carl", "bob"), ("bob", "ann"), ("emil", "dora"), ("finn", "emil"), ("bob", "gus")]
MOTHER = [("dora", "bob"), ("ann", "hugo"), ("ida", "finn"), ("dora", "kim")]


def grandparents(father, mother):
    parent = set(father) | set(mother)
    return sorted({(x, y) for x, z in parent for w, y in parent if z == w})


@pytest.fixture
def source_dir():
    return SOURCE


@pytest.fixture
def family():
    """Background and positive examples; all other atoms are negative."""
    return {
        "background": {"father": FATHER, "mother": MOTHER},
        "positive": {"grandparent": grandparents(FATHER, MOTHER)},
    }
