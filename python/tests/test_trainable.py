# SPDX-License-Identifier: Apache-2.0
"""A model inside one's own training loop."""

import numpy as np
import pytest

import hri

RULES = """
A: H(X) <- P(X,Y)
B: H(X,Y) <- ~P(Y,X)
C: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
"""
FACTS = {
    "parent": [("ann", "bob"), ("bob", "cleo"), ("dan", "bob"), ("cleo", "eve")],
    "old": ["ann", "dan"],
}
SMOOTH = {"fuzzy_and": "product", "fuzzy_or": "prodminus", "skip_pairs": 0.0, "skip_gradients": 0.0}


def network(dtype="float64", **options):
    options = {"rules": RULES, "layers": 2, "start": "uniform", **SMOOTH, **options}
    model = hri.Model([("parent", 2), ("old", 1)], ("grandparent", 2), seed=3, **options)
    net = hri.trainable(model, dtype)
    net.set_facts(FACTS)
    return net


def loss_of(net, weights, alpha_weights, steps, temperature):
    alphas = net.unify(temperature=temperature)
    target = net.infer(steps=steps)
    return float((weights * target**2).sum() + (alpha_weights * alphas).sum())


@pytest.mark.parametrize("similarity", ["cosine", "l2", "scalar_product"])
def test_gradients_of_a_whole_step_agree_with_finite_differences(similarity):
    net = network(similarity=similarity)
    random = np.random.default_rng(1)
    n = net.constants
    weights = random.normal(size=(n, n))
    alpha_weights = 0.1 * random.normal(size=net.unify().shape)
    steps, temperature = 2, 0.3

    loss_of(net, weights, alpha_weights, steps, temperature)
    d_predicates, d_slots = net.backward(2 * weights * net.infer(steps=steps), alpha_weights)
    assert np.abs(d_slots).max() > 1e-3 and np.abs(d_predicates).max() > 1e-4

    delta = 1e-6
    for embeddings, gradient in (
        (net.predicate_embeddings, d_predicates),
        (net.slot_embeddings, d_slots),
    ):
        fixed = gradient is d_predicates
        for row, column in random.integers(0, embeddings.shape, size=(60, 2)):
            if fixed and (row < 2 or column < 2):
                assert gradient[row, column] == 0  # True and False stay as they are
                continue
            kept = embeddings[row, column]
            embeddings[row, column] = kept + delta
            above = loss_of(net, weights, alpha_weights, steps, temperature)
            embeddings[row, column] = kept - delta
            below = loss_of(net, weights, alpha_weights, steps, temperature)
            embeddings[row, column] = kept
            assert gradient[row, column] == pytest.approx((above - below) / (2 * delta), rel=1e-5, abs=1e-8)


def test_both_precisions_and_the_model_agree():
    double, single = network(), network("float32")
    for net in (double, single):
        net.unify()
    a, b = double.infer(steps=3), single.infer(steps=3)
    assert a.dtype == np.float64 and b.dtype == np.float32
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(single.model.infer(FACTS, steps=3), b, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(single.model.alphas, single.unify(), rtol=1e-6)


def test_scores_are_a_distribution_over_a_slots_candidates():
    net = network()
    np.testing.assert_allclose(net.unify().sum(axis=1), 1)
    sharp, flat = (net.unify(temperature=t).max(axis=1) for t in (0.001, 10))
    assert (sharp >= flat).all() and sharp.mean() > 2 * flat.mean()
    noise = np.zeros(net.unify().shape)
    noise[:, :] = 5.0
    np.testing.assert_allclose(net.unify(noise=noise), net.unify(), rtol=1e-9)


def test_valuations_of_every_predicate_follow_their_rules():
    net = network()
    model = net.model
    alphas = net.unify()
    target = net.infer(steps=2, all=True)
    parent = net.valuation("parent")
    assert parent.sum() == len(FACTS["parent"]) and net.valuation("old").shape == (5,)
    assert net.valuation("True") == 1 and net.valuation("False") == 0

    # Target: the sum over what its slot matches, by the scores of its slot.
    pooled = sum(
        alphas[-1, p] * net.valuation(p)
        for p in range(len(model.predicates))
        if alphas[-1, p] > 0
    )
    np.testing.assert_allclose(target, pooled, rtol=1e-9)

    # The first layer's B: H(X,Y) <- ~P(Y,X), one slot over inputs, True and False.
    slot = [name for name, _ in model.slots].index("B_1")
    wanted = np.zeros((5, 5))
    for p in np.nonzero(alphas[slot])[0]:
        value = net.valuation(int(p))
        if value.ndim == 1:
            value = np.broadcast_to(value[:, None], (5, 5))
        wanted += alphas[slot, p] * (value.T if value.ndim == 2 else value)
    np.testing.assert_allclose(net.valuation("B_1"), wanted, rtol=1e-9)


def test_inputs_can_be_set_as_arrays():
    net = network()
    net.unify()
    before = net.infer(steps=2)
    parent, old = net.valuation("parent"), net.valuation("old")
    net.set_facts(5)
    assert net.valuation("parent").sum() == 0
    net.set_input("parent", parent)
    net.set_input("old", old)
    np.testing.assert_array_equal(net.infer(steps=2), before)
    net.set_facts({"parent": parent, "old": old.astype(bool)})
    np.testing.assert_array_equal(net.infer(steps=2), before)
    net.set_input("parent", 0.5 * parent)
    assert net.infer(steps=2).sum() < before.sum()


def test_embeddings_are_views_that_can_be_written():
    net = network()
    before = net.unify()
    net.slot_embeddings[...] = np.random.default_rng(2).uniform(size=net.slot_embeddings.shape)
    assert not np.array_equal(net.unify(), before)
    np.testing.assert_allclose(net.model.slot_embeddings, net.slot_embeddings, rtol=1e-6)
    model = net.model
    model.slot_embeddings[0] = 1.0
    assert (model.slot_embeddings[0] == 1.0).all()
    noisy = net.unify(slot_embeddings=net.slot_embeddings + 0.1)
    assert not np.array_equal(noisy, net.unify())


def test_steps_of_the_optimiser_lower_a_loss():
    problem = hri.task("grandparent")
    options = hri.task_options("grandparent")
    model = hri.Model(problem.inputs, problem.target, seed=1, layers=options["layers"])
    net = hri.trainable(model)
    random = np.random.default_rng(0)
    losses = []
    for instance in problem.instances(count=300, seed=1):
        net.set_facts(instance)
        wanted = instance.labels.reshape(len(instance), -1)
        net.unify(noise=random.gumbel(size=model.alphas.shape) * 0.05)
        target = net.infer()
        losses.append(float(((target - wanted) ** 2).sum()))
        net.backward(2 * (target - wanted))
        net.step()
    assert np.mean(losses[-50:]) < 0.5 * np.mean(losses[:20])


def test_mistakes_are_told():
    net = network()
    with pytest.raises(hri.Error, match="unify"):
        net.infer()
    with pytest.raises(hri.Error, match="backward"):
        net.step()
    net.unify()
    with pytest.raises(hri.Error, match="infer"):
        net.backward(np.zeros((5, 5)))
    net.infer(steps=1)
    with pytest.raises(hri.Error, match="all"):
        net.valuation("B_1")
    with pytest.raises(KeyError, match="nobody"):
        net.valuation("nobody")
    with pytest.raises(ValueError, match=r"d_target: expected an array of shape \(5, 5\)"):
        net.backward(np.zeros(5))
    with pytest.raises(ValueError, match="NaN"):
        net.backward(np.full((5, 5), np.nan))
    with pytest.raises(TypeError, match="d_target"):
        net.backward("abc")
    with pytest.raises(ValueError, match="noise"):
        net.unify(noise=np.zeros(3))
    with pytest.raises(ValueError, match="temperature"):
        net.unify(temperature=0)
    with pytest.raises(hri.Error, match="0 to 1"):
        net.set_input("parent", np.full((5, 5), 2.0))
    with pytest.raises(ValueError, match="shape"):
        net.set_input("old", np.zeros((5, 5)))
    with pytest.raises(ValueError, match="input"):
        net.set_input("B_1", np.zeros((5, 5)))
    with pytest.raises(hri.Error, match="step"):
        net.infer(steps=0)
    with pytest.raises(hri.Error, match="constants"):
        net.set_facts(0)
    with pytest.raises(ValueError, match="float32"):
        hri.trainable(net.model, "float16")
