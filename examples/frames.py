# SPDX-License-Identifier: Apache-2.0
"""Facts as pandas DataFrames: who is whose uncle?

Prints, among others:

    explains the training data: True
    uncle
"""

import pandas as pd

import hri

brothers = pd.DataFrame(
    [("bob", "ann"), ("bob", "carl"), ("carl", "ann"), ("carl", "bob"), ("hugo", "gina")],
    columns=["who", "of"],
)
parents = pd.DataFrame(
    [("ann", "dora"), ("bob", "emil"), ("carl", "finn"), ("gina", "ida"), ("hugo", "kim")],
    columns=["who", "of"],
)
uncles = brothers.merge(parents, left_on="of", right_on="who")[["who_x", "of_y"]]

program = hri.learn(
    background={"brother": brothers, "parent": parents}, positive={"uncle": uncles}, time_limit=20
)
print(program)
print("explains the training data:", program.report.fits)

new = {"brother": pd.DataFrame([("x", "y")]), "parent": pd.DataFrame([("y", "z")])}
print(pd.DataFrame(program.predict(new), columns=["uncle", "of"]))
