# SPDX-License-Identifier: Apache-2.0
"""RuleLearner, in the manner of scikit-learn: options by keyword, fit, predict, score, pickle.

Prints, among others:

    RuleLearner(seed=1, layers=3)
    accuracy 1.0
    the same after pickling: True
"""

import pickle

import hri

problem = hri.task("son")
learner = hri.RuleLearner(layers=3, seed=1)
print(learner)
learner.fit(problem)
print(learner.program_)
print("accuracy", learner.score(problem))

again = pickle.loads(pickle.dumps(learner))
print("the same after pickling:", (again.predict(problem) == learner.predict(problem)).all())

for layers in (1, 2):  # a search over options by hand
    learner.set_params(layers=layers, grow=False, max_work=100_000, time_limit=0)
    print(layers, "layers:", learner.fit(problem).score(problem))
