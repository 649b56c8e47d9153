# SPDX-License-Identifier: Apache-2.0
"""Times a forward and a backward pass of hri.torch.RuleLayer on the processor, and on a GPU where
hri was built with CUDA."""

import os
import time

import torch

from hri import _core
from hri.torch import RuleLayer

SIZES = ((64, 10), (1024, 10), (16, 64), (4, 128))  # batch, constants


def milliseconds(layer, facts, steps):
    def wait():
        if facts.is_cuda:
            torch.cuda.synchronize()

    wait()
    begin = time.perf_counter()
    for _ in range(steps):
        layer.zero_grad(set_to_none=True)
        layer(facts.clone().requires_grad_()).square().sum().backward()
    wait()
    return (time.perf_counter() - begin) / steps * 1e3


def made(threads=1):
    return RuleLayer({"p": 2}, ("t", 2), layers=3, steps=4, seed=1, threads=threads)


def main():
    cores = os.cpu_count() or 1
    has_gpu = torch.cuda.is_available() and len(_core.back_ends()) > 1
    print("batch  constants  one core  " + f"{cores} threads".rjust(10) + ("  GPU" if has_gpu else ""))
    for batch, constants in SIZES:
        facts = torch.rand(batch, constants, constants)
        times = []
        for layer in (made(), made(cores)):
            milliseconds(layer, facts, 1)
            times.append(milliseconds(layer, facts, 2))
        if has_gpu:
            layer, on_gpu = made().cuda(), facts.cuda()
            milliseconds(layer, on_gpu, 3)
            times.append(milliseconds(layer, on_gpu, 10))
        print(f"{batch:5d}  {constants:9d}  " + "  ".join(f"{t:7.2f}" for t in times) + "  ms", flush=True)


if __name__ == "__main__":
    main()
