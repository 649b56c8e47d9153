# SPDX-License-Identifier: Apache-2.0
"""The layer for PyTorch: gradients against finite differences, training, pickles, mistakes."""

import copy
import pickle

import numpy as np
import pytest

import hri

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from hri.torch import RuleLayer  # noqa: E402

RULES = """
    inverse: H(X,Y) <- ~P(Y,X)
    chain:   H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
    project: H(X) <- P(X,Y)
"""


def smooth_layer(**options):
    """Without min and max, at whose kinks no difference quotient is a derivative."""
    smooth = {"fuzzy_and": "product", "fuzzy_or": "prodminus", "merge": "sum", "temperature": 0.5}
    return RuleLayer({"p": 2, "u": 1}, ("t", 2), **{"layers": 2, "steps": 2, "seed": 3, **smooth, **options})


@pytest.mark.parametrize("options", [{}, {"rules": RULES}, {"negation": True, "last_layer": "all"}])
def test_gradients_to_facts_embeddings_and_slots_pass_gradcheck(options):
    layer = smooth_layer(**options).double()
    torch.manual_seed(1)
    p = (0.1 + 0.4 * torch.rand(2, 3, 3, dtype=torch.double)).requires_grad_()
    u = (0.1 + 0.4 * torch.rand(2, 3, dtype=torch.double)).requires_grad_()
    slots = layer.slot_embeddings
    predicates = layer.predicate_embeddings

    def function(p, u, predicates, slots):
        # a parameter is a leaf of the module: take its place for the check
        layer._parameters["predicate_embeddings"] = predicates
        layer._parameters["slot_embeddings"] = slots
        return layer(p, u)

    given = (p, u, predicates.detach().clone().requires_grad_(), slots.detach().clone().requires_grad_())
    assert torch.autograd.gradcheck(function, given, eps=1e-6, atol=1e-6, rtol=1e-4)


def test_a_batch_is_its_instances_one_by_one():
    layer = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=3, seed=1, threads=2)
    p = torch.rand(5, 4, 4)
    together = layer(p)
    assert together.shape == (5, 4, 4)
    for one, expected in zip(p, together):
        assert torch.equal(layer(one), expected)


def test_a_batch_may_be_empty():
    layer = RuleLayer({"p": 2}, ("t", 1), layers=2, steps=2, seed=1)
    p = torch.rand(0, 4, 4, requires_grad=True)
    target = layer(p)
    assert target.shape == (0, 4)
    target.sum().backward()
    assert p.grad.shape == (0, 4, 4) and not layer.slot_embeddings.grad.any()


def test_two_calls_before_one_backward_have_gradients_of_their_own():
    layer = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=2, seed=1)
    first = torch.rand(2, 3, 3, requires_grad=True)
    second = torch.rand(2, 3, 3, requires_grad=True)
    (layer(first).sum() + layer(second).sum()).backward()
    expected = []
    for p in (first, second):
        alone = p.detach().clone().requires_grad_()
        layer(alone).sum().backward()
        expected.append(alone.grad)
    assert torch.equal(first.grad, expected[0])
    assert torch.equal(second.grad, expected[1])


def test_a_layer_says_that_it_needs_a_model():
    with pytest.raises(TypeError, match="expected an hri.Model, found None"):
        RuleLayer.from_model(None)


def test_rules_are_learned_from_facts_and_then_facts_through_the_rules():
    torch.manual_seed(0)
    program = hri.Model([("parent", 2)], ("grandparent", 2), layers=1, seed=2)
    layer = RuleLayer.from_model(program, steps=1)
    chain = torch.zeros(1, 4, 4)
    chain[0, 0, 1] = chain[0, 1, 2] = chain[0, 2, 3] = 1
    wanted = torch.zeros(1, 4, 4)
    wanted[0, 0, 2] = wanted[0, 1, 3] = 1
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.05)
    for _ in range(200):
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy(layer(chain).clamp(1e-4, 1 - 1e-4), wanted)
        loss.backward()
        optimiser.step()
    assert loss < 0.3
    assert layer.extract().predict({"parent": [(0, 1), (1, 2), (2, 3)]}) == [(0, 2), (1, 3)]
    logits = 6 * chain - 3
    logits[0, 1, 2] = -0.5  # the link that both grandparents need
    logits.requires_grad_()
    optimiser = torch.optim.Adam([logits], lr=0.1)
    for _ in range(200):
        optimiser.zero_grad()
        target = layer(torch.sigmoid(logits)).clamp(1e-4, 1 - 1e-4)
        loss = torch.nn.functional.binary_cross_entropy(target, wanted)
        loss.backward()
        optimiser.step()
    assert torch.equal(torch.sigmoid(logits) > 0.5, chain > 0.5)


def test_layers_can_be_copied_pickled_and_loaded():
    layer = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=2, seed=1)
    p = torch.rand(2, 3, 3)
    expected = layer(p)
    assert torch.equal(pickle.loads(pickle.dumps(layer))(p), expected)
    assert torch.equal(copy.deepcopy(layer)(p), expected)
    other = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=2, seed=9)
    assert not torch.equal(other(p), expected)
    other.load_state_dict(layer.state_dict())
    assert torch.equal(other(p), expected)


def test_weight_decay_does_not_move_true_and_false():
    layer = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=2, seed=1)
    before = layer.model.predicate_embeddings[:2].copy()
    optimiser = torch.optim.SGD(layer.parameters(), lr=0.1, weight_decay=0.5)
    layer(torch.rand(1, 3, 3)).sum().backward()
    optimiser.step()
    assert np.array_equal(layer.model.predicate_embeddings[:2], before)


def test_mistakes_name_the_input():
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=1, steps=1)
    with pytest.raises(TypeError, match="no input 'q' .did you mean p"):
        layer(q=torch.rand(2, 3, 3))
    with pytest.raises(ValueError, match="one batch of one number of constants"):
        layer(torch.rand(2, 3, 3), torch.rand(2, 4))
    with pytest.raises(ValueError, match=r"expected tensors of shape .* found p\(3,\)"):
        layer(torch.rand(3), torch.rand(2, 3))
    with pytest.raises(ValueError, match="p: .*NaN"):
        layer(torch.full((1, 2, 2), float("nan")))
    with pytest.raises(TypeError, match="p: expected a tensor, found list"):
        layer([[0, 1]])
    with pytest.raises(TypeError, match="expected a predicate as .name, arity. or 'name/arity', found 't'"):
        RuleLayer({"p": 2}, "t")


def test_a_thousand_steps_keep_their_memory():
    resource = pytest.importorskip("resource")
    layer = RuleLayer({"p": 2}, ("t", 2), layers=2, steps=2, seed=1)
    optimiser = torch.optim.Adam(layer.parameters())

    def steps(count):
        for _ in range(count):
            optimiser.zero_grad()
            layer(torch.rand(4, 5, 5)).sum().backward()
            optimiser.step()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    after_200 = steps(200)
    assert steps(800) - after_200 < 8 * 1024
