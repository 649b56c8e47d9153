# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
# (what it builds on may be there or not)
"""Rules as a layer of a neural network, for PyTorch.

The facts come out of a network, the rules are learned behind it, and the gradient goes through
the rules to the network. Needs PyTorch: pip install "hri[torch]".

>>> import torch
>>> from hri.torch import RuleLayer
>>> layer = RuleLayer({"parent": 2}, ("grandparent", 2), layers=2, steps=2, seed=1)
>>> parent = torch.rand(4, 5, 5, requires_grad=True)      # 4 instances of 5 constants
>>> grandparent = layer(parent=parent)
>>> grandparent.shape
torch.Size([4, 5, 5])
>>> grandparent.sum().backward()
>>> parent.grad.shape, layer.slot_embeddings.grad is None
(torch.Size([4, 5, 5]), False)
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

try:
    import torch
    from torch import Tensor, nn
    from torch.autograd.function import once_differentiable
except ImportError as _missing:
    raise ImportError(
        "hri.torch needs PyTorch, which is not installed; everything else of hri works without it"
    ) from _missing

from hri import _core

__all__ = ["RuleLayer"]

Inputs = Union[Mapping[str, int], Sequence[Tuple[str, int]]]


class _Inference:
    """The library's soft inference in one precision. The last batch is kept for its gradient; the
    gradient of an earlier one makes its batch be inferred again."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.calls = 0

    def forward(self, run: _Run, tensors: Sequence[Tensor]) -> Tuple[Tensor, Tensor]:
        with self.lock:
            return self._forward(run, tensors)

    def _forward(self, run: _Run, tensors: Sequence[Tensor]) -> Tuple[Tensor, Tensor]:
        results = self.infer(run, tensors)
        self.calls += 1
        run.call = self.calls
        return results

    def backward(
        self, run: _Run, tensors: Sequence[Tensor], d_target: Tensor, d_alphas: Tensor, wanted: Sequence[str]
    ) -> list[Optional[Tensor]]:
        """Gradients of the predicates' and slots' embeddings, then of each input."""
        with self.lock:
            if run.call != self.calls:
                self._forward(run, tensors)
            return self.gradients(run, tensors, d_target, d_alphas, wanted)


class _OnProcessor(_Inference):
    """On the processor; tensors of other devices are copied."""

    def __init__(self, model: _core.Model, dtype: torch.dtype, threads: int) -> None:
        super().__init__()
        made = _core.Trainable64 if dtype == torch.float64 else _core.Trainable32
        self.net: Any = made(model, input_gradients=True, threads=threads)
        self.dtype = np.float64 if dtype == torch.float64 else np.float32

    def array(self, tensor: Tensor) -> Any:
        return tensor.detach().cpu().numpy().astype(self.dtype, copy=False)

    def infer(self, run: _Run, tensors: Sequence[Tensor]) -> Tuple[Tensor, Tensor]:
        predicates, slots, *facts = (self.array(t) for t in tensors)
        self.net.set_facts(run.constants, batch=run.batch)
        for name, values in zip(run.names, facts):
            self.net.set_input(name, np.clip(values, 0, 1))
        alphas = self.net.unify(
            temperature=run.temperature,
            noise=None if run.noise is None else self.array(run.noise),
            predicate_embeddings=predicates,
            slot_embeddings=slots,
        )
        target = self.net.infer(steps=run.steps)
        like = tensors[0]
        return torch.from_numpy(target).to(like), torch.from_numpy(alphas).to(like)

    def gradients(
        self, run: _Run, tensors: Sequence[Tensor], d_target: Tensor, d_alphas: Tensor, wanted: Sequence[str]
    ) -> list[Optional[Tensor]]:
        found = list(self.net.backward(self.array(d_target), self.array(d_alphas)))
        found += [self.net.d_input(name) if name in wanted else None for name in run.names]
        return [None if g is None else torch.from_numpy(g).to(t) for g, t in zip(found, tensors)]


class _OnGpu(_Inference):
    """On a GPU that holds the tensors: the library is given their addresses, and no number goes
    through the processor's memory."""

    def __init__(self, model: _core.Model, dtype: torch.dtype) -> None:
        super().__init__()
        made = _core.CudaLayer64 if dtype == torch.float64 else _core.CudaLayer32
        self.layer: Any = made(model)
        self.dtype = dtype
        self.options = model.options
        self.arity = model.target[1]

    def plain(self, tensor: Tensor) -> Tensor:
        return tensor.detach().to(self.dtype).contiguous()

    def infer(self, run: _Run, tensors: Sequence[Tensor]) -> Tuple[Tensor, Tensor]:
        predicates, slots, *facts = (self.plain(t) for t in tensors)
        noise = None if run.noise is None else self.plain(run.noise.to(slots.device))
        target = slots.new_empty((run.batch, *[run.constants] * self.arity))
        alphas = slots.new_empty((len(slots), len(predicates)))
        if noise is not None and noise.shape != alphas.shape:
            raise ValueError(f"noise: expected the shape {tuple(alphas.shape)}, found {tuple(noise.shape)}")
        self.layer.infer(
            device=slots.device.index or 0,
            stream=_stream_of(slots),
            constants=run.constants,
            batch=run.batch,
            steps=self.options.train_steps if run.steps is None else run.steps,
            temperature=self.options.temperature if run.temperature is None else run.temperature,
            predicates=predicates.data_ptr(),
            slots=slots.data_ptr(),
            noise=0 if noise is None else noise.data_ptr(),
            inputs={name: t.data_ptr() for name, t in zip(run.names, facts)},
            target=target.data_ptr(),
            alphas=alphas.data_ptr(),
        )
        return target.to(tensors[0].dtype), alphas.to(tensors[0].dtype)

    def gradients(
        self, run: _Run, tensors: Sequence[Tensor], d_target: Tensor, d_alphas: Tensor, wanted: Sequence[str]
    ) -> list[Optional[Tensor]]:
        d_target, d_alphas = self.plain(d_target), self.plain(d_alphas)
        found: list[Optional[Tensor]] = [t.new_empty(t.shape, dtype=self.dtype) for t in tensors[:2]]
        found += [
            t.new_empty(t.shape, dtype=self.dtype) if name in wanted else None
            for name, t in zip(run.names, tensors[2:])
        ]
        self.layer.backward(
            d_target=d_target.data_ptr(),
            d_alphas=d_alphas.data_ptr(),
            d_predicates=found[0].data_ptr(),
            d_slots=found[1].data_ptr(),
            d_inputs={name: g.data_ptr() for name, g in zip(run.names, found[2:]) if g is not None},
        )
        return [None if g is None else g.to(t.dtype) for g, t in zip(found, tensors)]


def _stream_of(tensor: Tensor) -> int:
    return int(torch.cuda.current_stream(tensor.device).cuda_stream)


def _has_cuda() -> bool:
    return len(_core.back_ends()) > 1


class _Run:
    """What one call of the layer is given beside tensors that have gradients."""

    def __init__(
        self,
        inference: _Inference,
        names: Sequence[str],
        batch: int,
        constants: int,
        steps: Optional[int],
        temperature: Optional[float],
        noise: Optional[Tensor],
    ) -> None:
        if temperature is not None and not temperature > 0:
            raise ValueError(f"temperature: expected a number above 0, found {temperature!r}")
        if steps is not None and steps < 1:
            raise ValueError(f"steps: expected at least one step, found {steps!r}")
        self.inference = inference
        self.names = list(names)
        self.batch = batch
        self.constants = constants
        self.steps = steps
        self.temperature = temperature
        self.noise = noise
        self.call = 0


class _Infer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, run: _Run, *tensors: Tensor) -> Tuple[Tensor, Tensor]:
        ctx.run = run
        ctx.save_for_backward(*tensors)
        return run.inference.forward(run, tensors)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_target: Tensor, d_alphas: Tensor) -> Tuple[Optional[Tensor], ...]:
        run = ctx.run
        wanted = [name for name, needed in zip(run.names, ctx.needs_input_grad[3:]) if needed]
        found = run.inference.backward(run, ctx.saved_tensors, d_target, d_alphas, wanted)
        return (None, *found)


class RuleLayer(nn.Module):
    """Learned rules as a layer: valuations of input predicates in, those of the target out.

    `inputs` are names and arities, {"parent": 2} or [("parent", 2)], `target` is such a pair.
    Keywords are those of `hri.Options` (`rules`, `layers`, `recursivity`, ...); the defaults of
    `skip_pairs` and `skip_gradients` are 0 here, so that gradients are exact. `steps` are the
    inference steps, `train_steps` of the options where none are given.

    A call takes a tensor for each input, by position or by name: (batch, n, n) for a binary
    predicate, (batch, n) for a unary one, (batch,) for one without arguments, with values from 0
    to 1. Values outside are cut off. An input that is left out has no facts. The result has the
    shape of the target. Without the dimension of the batch, the result lacks it too.

    Parameters are `predicate_embeddings` and `slot_embeddings`; True and False stay where they are.
    The layer computes in double precision for double parameters (`layer.double()`). Where hri was
    built with CUDA, `layer.cuda()` computes on the GPU, and tensors stay there; elsewhere tensors of
    other devices are copied to the processor.
    """

    predicate_embeddings: nn.Parameter
    slot_embeddings: nn.Parameter

    def __init__(
        self,
        inputs: Inputs,
        target: Union[Tuple[str, int], str],
        *,
        steps: Optional[int] = None,
        seed: int = 0,
        threads: int = 1,
        **options: Any,
    ) -> None:
        super().__init__()
        pairs = list(inputs.items()) if isinstance(inputs, Mapping) else list(inputs)
        exact = {"skip_pairs": 0.0, "skip_gradients": 0.0}
        self._set_model(_core.Model(pairs, target, seed=seed, **{**exact, **options}))
        self.steps = steps
        self.threads = threads

    @classmethod
    def from_model(
        cls, model: Optional[_core.Model], *, steps: Optional[int] = None, threads: int = 1
    ) -> RuleLayer:
        """A layer that goes on from a model, such as the one that hri.learn reports."""
        if model is None:  # as report.model is where clauses were learned
            raise TypeError("model: expected an hri.Model, found None; strategy='search' learns one")
        layer = cls.__new__(cls)
        nn.Module.__init__(layer)
        layer._set_model(model)
        layer.steps = steps
        layer.threads = threads
        return layer

    def _set_model(self, model: _core.Model) -> None:
        self._model = model
        self._runs: dict[Tuple[torch.dtype, torch.device], _Inference] = {}
        predicates = torch.from_numpy(np.array(model.predicate_embeddings))
        fixed = torch.zeros(predicates.shape, dtype=torch.bool)
        fixed[:2] = True
        fixed[:, :2] = True
        self.predicate_embeddings = nn.Parameter(predicates.clone())
        self.slot_embeddings = nn.Parameter(torch.from_numpy(np.array(model.slot_embeddings)))
        self.register_buffer("_fixed", fixed, persistent=False)
        self.register_buffer("_start", predicates, persistent=False)

    @property
    def inputs(self) -> list[Tuple[str, int]]:
        """(name, arity) of every input, in the order of positional arguments."""
        # negations and equality follow from the others
        return list(dict.fromkeys(pair for pair in self._model.inputs if pair[0] != "="))

    @property
    def target(self) -> Tuple[str, int]:
        """(name, arity)"""
        return self._model.target

    @property
    def slots(self) -> list[Tuple[str, int]]:
        """What the rows of the slots' embeddings stand for: (predicate, place in its body)."""
        return self._model.slots

    @property
    def predicates(self) -> list[str]:
        """What the rows of the predicates' embeddings stand for."""
        return self._model.predicates

    def forward(
        self,
        *facts: Tensor,
        temperature: Optional[float] = None,
        noise: Optional[Tensor] = None,
        return_alphas: bool = False,
        **named: Tensor,
    ) -> Any:
        """The target's valuations. `noise`, (slots, predicates), is added to similarities;
        `return_alphas` gives the unification scores too, for a regulariser."""
        tensors, batched = self._facts(facts, named)
        shapes = {name: tuple(t.shape) for name, t in tensors.items()}
        batch, constants = self._sizes(tensors)
        dtype = self.slot_embeddings.dtype
        if dtype not in (torch.float32, torch.float64):
            dtype = torch.float32
        inference = self._inference(dtype)
        predicates = torch.where(
            self._fixed, self._start.to(self.predicate_embeddings), self.predicate_embeddings
        )
        for name, t in tensors.items():
            if bool(torch.isnan(t).any()):
                raise ValueError(f"{name}: expected valuations from 0 to 1, found NaN (shape {shapes[name]})")
        if batch == 0:  # the last one of a loader may be
            tensors = {name: torch.cat([t, t.new_zeros((1, *t.shape[1:]))]) for name, t in tensors.items()}
        run = _Run(inference, list(tensors), max(batch, 1), constants, self.steps, temperature, noise)
        target, alphas = _Infer.apply(run, predicates, self.slot_embeddings, *tensors.values())
        target = target[:batch]
        if not batched:
            target = target[0]
        return (target, alphas) if return_alphas else target

    def _inference(self, dtype: torch.dtype) -> _Inference:
        device = self.slot_embeddings.device
        if (dtype, device) not in self._runs:
            self._runs[dtype, device] = (
                _OnGpu(self._model, dtype)
                if device.type == "cuda" and _has_cuda()
                else _OnProcessor(self._model, dtype, self.threads)
            )
        return self._runs[dtype, device]

    def _facts(
        self, facts: Tuple[Tensor, ...], named: Mapping[str, Tensor]
    ) -> Tuple[dict[str, Tensor], bool]:
        arity = dict(self.inputs)
        if len(facts) == 1 and isinstance(facts[0], Mapping):
            named, facts = {**facts[0], **named}, ()
        if len(facts) > len(arity):
            raise TypeError(f"expected {len(arity)} tensors at most, found {len(facts)}")
        given = dict(zip(arity, facts))
        for name, tensor in named.items():
            if name not in arity:
                nearest = _core.nearest(name, list(arity))
                raise TypeError(f"the layer has no input '{name}' (did you mean {nearest}?)")
            if name in given:
                raise TypeError(f"the input '{name}' is given twice")
            given[name] = tensor
        if not given:
            raise TypeError("expected a tensor for at least one input")
        extra = set()
        for name, tensor in given.items():
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{name}: expected a tensor, found {type(tensor).__name__}")
            extra.add(tensor.dim() - arity[name])
        if len(extra) != 1 or not extra <= {0, 1}:
            shapes = ", ".join(f"{n}{tuple(t.shape)}" for n, t in given.items())
            raise ValueError(
                "expected tensors of shape (batch, n, n) of binary inputs, (batch, n) of unary ones "
                f"and (batch,) of those without arguments, or all without batch; found {shapes}"
            )
        batched = extra == {1}
        dtype = self.slot_embeddings.dtype
        device = self.slot_embeddings.device
        return {
            name: (t if batched else t[None]).to(device, dtype) for name, t in given.items()
        }, batched

    def _sizes(self, tensors: Mapping[str, Tensor]) -> Tuple[int, int]:
        batches = {t.shape[0] for t in tensors.values()}
        sizes = {n for t in tensors.values() for n in t.shape[1:]}
        if len(batches) != 1 or len(sizes) > 1:
            shapes = ", ".join(f"{n}{tuple(t.shape)}" for n, t in tensors.items())
            raise ValueError(f"expected one batch of one number of constants, found {shapes}")
        return batches.pop(), (sizes.pop() if sizes else 1)

    def regulariser(self, alphas: Tensor) -> Tensor:
        """sum a (1 - a): 0 where every slot has made up its mind. The paper adds it to the loss."""
        return (alphas * (1 - alphas)).sum()

    @property
    def model(self) -> _core.Model:
        """A copy of the model with the present parameters."""
        model = _core.Model.from_bytes(self._model.to_bytes())
        moved = torch.where(
            self._fixed, self._start.to(self.predicate_embeddings), self.predicate_embeddings
        )
        model.predicate_embeddings[...] = moved.detach().cpu().float().numpy()
        model.slot_embeddings[...] = self.slot_embeddings.detach().cpu().float().numpy()
        return model

    def extract(self) -> _core.Program:
        """The program of the best match of every slot, simplified."""
        return self.model.extract().simplified()

    def extra_repr(self) -> str:
        inputs = ", ".join(f"{name}/{arity}" for name, arity in self.inputs)
        name, arity = self.target
        return f"{inputs} -> {name}/{arity}, layers={self._model.options.layers}, steps={self.steps}"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_runs": {}}
