# SPDX-License-Identifier: Apache-2.0
"""Facts as dicts of lists of tuples: which numbers are even?

Prints, among others:

    even(X) <- (even(Y) & succ(Y,Z) & succ(Z,X)) | zero(X)
    [(0,), (2,), (4,), (6,), (8,)]
    even(4) is true
"""

import hri

background = {"zero": [0], "succ": [(i, i + 1) for i in range(6)]}
program = hri.learn(
    background=background,
    positive={"even": [0, 2, 4, 6]},
    negative={"even": [1, 3, 5]},
    time_limit=20,
)
print(program)
print(program.to_prolog())

larger = {"zero": [0], "succ": [(i, i + 1) for i in range(9)]}
print(program.predict(larger))
print(program.explain("even", 4))
