# SPDX-License-Identifier: Apache-2.0
"""The layer for tensors on a GPU. Where there is none, a stand-in reads the same addresses in the
processor's memory, so that what the layer hands over is tested everywhere."""

import copy
import ctypes

import numpy as np
import pytest

import hri
from hri import _core

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import hri.torch as layers  # noqa: E402
from hri.torch import RuleLayer  # noqa: E402

GPU = torch.cuda.is_available() and len(_core.back_ends()) > 1
on_gpu = pytest.mark.skipif(not GPU, reason="there is no GPU, or hri was built without CUDA")
SMOOTH = {"fuzzy_and": "product", "fuzzy_or": "prodminus", "merge": "sum", "temperature": 0.5}


class StandIn:
    """Does what _core.CudaLayer64 does, by the processor's inference."""

    def __init__(self, model):
        self.model = model
        self.net = hri.trainable(model, "float64", input_gradients=True)

    def at(self, address, *shape):
        memory = (ctypes.c_double * int(np.prod(shape, dtype=int))).from_address(address)
        return np.frombuffer(memory, dtype=np.float64).reshape(shape)

    def shape(self, name):
        return (self.batch, *[self.constants] * dict(self.model.inputs)[name])

    def infer(self, *, device, stream, constants, batch, steps, temperature, predicates, slots,
              noise, inputs, target, alphas):  # fmt: skip
        assert device == 0 and stream == 0
        self.batch, self.constants = batch, constants
        self.rows = self.net.predicate_embeddings.shape, self.net.slot_embeddings.shape
        self.scores = (len(self.net.slot_embeddings), len(self.net.predicate_embeddings))
        self.net.set_facts(constants, batch=batch)
        for name, address in inputs.items():
            self.net.set_input(name, self.at(address, *self.shape(name)))
        self.at(alphas, *self.scores)[...] = self.net.unify(
            temperature=temperature,
            noise=self.at(noise, *self.scores) if noise else None,
            predicate_embeddings=self.at(predicates, *self.rows[0]),
            slot_embeddings=self.at(slots, *self.rows[1]),
        )
        found = self.net.infer(steps=steps)
        self.at(target, *found.shape)[...] = found
        self.found = found.shape

    def backward(self, *, d_target, d_alphas, d_predicates, d_slots, d_inputs):
        found = self.net.backward(self.at(d_target, *self.found), self.at(d_alphas, *self.scores))
        self.at(d_predicates, *self.rows[0])[...], self.at(d_slots, *self.rows[1])[...] = found
        for name, address in d_inputs.items():
            self.at(address, *self.shape(name))[...] = self.net.d_input(name)


def results(layer, p, u, noise=None):
    """Target, scores and all gradients of two calls before one backward."""
    p, u = p.clone().requires_grad_(), u.clone().requires_grad_()
    layer.zero_grad()
    target, alphas = layer(p, u, noise=noise, return_alphas=True)
    other = layer(p[:1].flip(1), u[:1])
    weights = torch.linspace(-1, 1, target.numel()).reshape(target.shape).to(target)
    ((target * weights).sum() + (alphas**2).sum() + other.sum()).backward()
    slots, predicates = layer.slot_embeddings.grad, layer.predicate_embeddings.grad
    return [r.detach().cpu() for r in (target, alphas, p.grad, u.grad, slots, predicates)]


def given(batch=3, n=4, dtype=torch.float64):
    generator = torch.Generator().manual_seed(1)
    p = torch.rand(batch, n, n, generator=generator, dtype=dtype)
    return p.transpose(1, 2), torch.rand(batch, n, generator=generator, dtype=dtype)  # not contiguous


def test_what_is_handed_to_the_gpu_is_what_the_processor_reads(monkeypatch):
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=2, steps=2, seed=3, **SMOOTH).double()
    p, u = given()
    noise = torch.randn(len(layer.slots), len(layer.predicates), dtype=torch.float64)
    expected = results(layer, p, u, noise)
    monkeypatch.setattr(_core, "CudaLayer64", StandIn)
    monkeypatch.setattr(layers, "_stream_of", lambda tensor: 0)
    key = (torch.float64, torch.device("cpu"))
    layer._runs[key] = layers._OnGpu(layer._model, torch.float64)
    for found, wanted in zip(results(layer, p, u, noise), expected):
        assert torch.equal(found, wanted)
    with pytest.raises(ValueError, match="noise: expected the shape"):
        layer(p, u, noise=noise[:1])


def test_a_build_without_cuda_says_so():
    if len(_core.back_ends()) > 1:
        pytest.skip("this build has CUDA")
    with pytest.raises(hri.Error, match="built without CUDA"):
        _core.CudaLayer32(hri.Model([("p", 2)], ("t", 2)))


@on_gpu
@pytest.mark.parametrize("options", [{}, {"negation": True, "last_layer": "all"}, {"pool": "max"}, {"rules": "R*"}])
@pytest.mark.parametrize("n", [1, 4, 9, 32])
def test_the_gpu_computes_what_the_processor_does_in_double(options, n):
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=2, steps=3, seed=3, **options).double()
    p, u = given(n=n)
    noise = torch.randn(len(layer.slots), len(layer.predicates), dtype=torch.float64)
    expected = results(layer, p, u, noise)
    layer.cuda()
    for found, wanted in zip(results(layer, p.cuda(), u.cuda(), noise.cuda()), expected):
        assert torch.allclose(found, wanted, rtol=1e-9, atol=1e-9)


@on_gpu
@pytest.mark.parametrize("n", [8, 40, 100])  # 40 and 100 are spread over the whole GPU
def test_the_gpu_computes_what_the_processor_does_in_single_precision(n):
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=2, steps=3, seed=3, **SMOOTH)
    p, u = given(n=n, dtype=torch.float32)
    on_processor = results(layer, p, u)
    on_gpu = results(copy.deepcopy(layer).cuda(), p.cuda(), u.cuda())
    exact = results(layer.double(), p.double(), u.double())
    for found, other, wanted in zip(on_gpu, on_processor, exact):
        rounding, error = torch.linalg.norm(other - wanted), torch.linalg.norm(found - wanted)
        assert error <= 4 * rounding + 1e-6 * (0.1 + torch.linalg.norm(wanted))


@on_gpu
def test_gradcheck_passes_on_the_gpu():
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=2, steps=2, seed=3, **SMOOTH).double().cuda()
    p, u = (0.1 + 0.8 * t.cuda() for t in given(batch=2, n=3))
    assert torch.autograd.gradcheck(layer, (p.requires_grad_(), u.requires_grad_()), eps=1e-6, atol=1e-6, rtol=1e-4)


@on_gpu
def test_no_tensor_leaves_the_gpu():
    layer = RuleLayer({"p": 2, "u": 1}, ("t", 2), layers=2, steps=2, seed=3).cuda()
    p, u = (t.cuda().requires_grad_() for t in given(dtype=torch.float32))
    layer(p, u).sum().backward()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
        layer(p, u).sum().backward()
        torch.cuda.synchronize()
    copied = [e for e in seen.events() if "Memcpy DtoH" in e.name]
    assert len(copied) <= 2, copied  # whether an input has a NaN: one byte each


@on_gpu
def test_a_layer_on_the_gpu_learns_and_keeps_its_memory():
    torch.manual_seed(0)
    layer = RuleLayer({"parent": 2}, ("grandparent", 2), layers=1, steps=1, seed=2).cuda()
    chain = torch.zeros(1, 4, 4, device="cuda")
    chain[0, 0, 1] = chain[0, 1, 2] = chain[0, 2, 3] = 1
    wanted = torch.zeros_like(chain)
    wanted[0, 0, 2] = wanted[0, 1, 3] = 1
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.05)
    used = []
    for step in range(1000):
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy(layer(chain).clamp(1e-4, 1 - 1e-4), wanted)
        loss.backward()
        optimiser.step()
        if step in (200, 999):
            used.append(torch.cuda.mem_get_info()[0])
    assert loss < 0.3 and used[0] - used[1] < 8 << 20
    assert layer.extract().predict({"parent": [(0, 1), (1, 2), (2, 3)]}) == [(0, 2), (1, 3)]
