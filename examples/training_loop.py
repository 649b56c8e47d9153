# SPDX-License-Identifier: Apache-2.0
"""A training loop of one's own: another loss, another schedule, proto-rules as text.

The loss is the squared error instead of the paper's cross-entropy, with the paper's regulariser
a(1 - a) on the scores; its gradients with respect to the target's valuations and the scores go in,
the gradients of the embeddings come out, and Adam makes a step.

Prints, among others:

    accuracy of the program: 1.0
"""

import numpy as np

import hri

RULES = """
inverse: H(X,Y) <- ~P(Y,X)
chain:   H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
either:  H(X,Y) <- ~P(X,Y) | ~Q(X,Y)
"""

problem = hri.task("grandparent")
iterations = 1500

for seed in range(5):
    random = np.random.default_rng(seed)
    model = hri.Model(problem.inputs, problem.target, seed=seed, rules=RULES, layers=3, train_steps=3)
    net = hri.trainable(model)
    for i, instance in enumerate(problem.instances(count=iterations, seed=seed)):
        wanted = instance.labels.reshape(len(instance), -1)
        net.set_facts(instance)
        slots = net.slot_embeddings
        alphas = net.unify(
            temperature=0.1,
            noise=0.3 * (1 - i / iterations) * random.gumbel(size=model.alphas.shape),
            slot_embeddings=slots + 0.5 ** (1 + i / 60) * random.normal(size=slots.shape),
        )
        target = net.infer()
        error = target - wanted
        net.backward(2 * error * (1 + 3 * wanted), 0.01 * (1 - 2 * alphas))
        net.step()
        if i % 500 == 0:
            print(f"seed {seed}, iteration {i:4}: squared error {(error**2).sum():.3f}")
    program = net.model.extract().simplified()
    if program.score(problem).accuracy == 1:
        break

print(program)
print("accuracy of the program:", program.score(problem, "evaluation").accuracy)
