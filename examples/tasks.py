# SPDX-License-Identifier: Apache-2.0
"""The built-in tasks: generators of families, graphs, numbers and lists.

Prints, among others:

    21 tasks
    accuracy on fresh, larger families: 1.0
"""

import hri

print(len(hri.tasks()), "tasks:", ", ".join(hri.tasks()))

problem = hri.task("grandparent")
program = hri.learn(problem, time_limit=20)
print(program)
print("accuracy on fresh, larger families:", program.report.evaluation.accuracy)

larger = hri.task("grandparent", constants=40)
print("families of 40:", program.score(larger, count=3, seed=7))

# The paper's method with the paper's settings for the task.
paper = hri.learn(
    problem, strategy="gradient", restarts=3, time_limit=20, **hri.task_options("grandparent")
)
print("by gradient descent alone:", paper.report)
