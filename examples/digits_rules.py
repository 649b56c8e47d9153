# SPDX-License-Identifier: Apache-2.0
"""A network that reads digits and rules that relate them, learned together.

The images are scikit-learn's handwritten digits. Some 100 of them have a label; of all other
training images it is only known which pairs show a digit and its successor. The network turns
images into facts digit(image, value), the rules behind it learn what `next` means, and what the
rules get wrong goes back through them into the network. Images that are judged were never seen.

Prints, beside figures:

    next(X,Y) <- digit(X,Z) & succ(Z,U) & shown(U,Y)

Needs PyTorch and scikit-learn.
"""

import argparse
import sys
import time

import numpy as np

try:
    import torch
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    from hri.torch import RuleLayer
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

DIGITS = 10
IMAGES = 6  # in one instance; its constants are these images and the ten digits


def background():
    """succ(d, d + 1) of the digits, which are the constants after the images."""
    n = IMAGES + DIGITS
    succ = torch.zeros(n, n)
    for d in range(DIGITS - 1):
        succ[IMAGES + d, IMAGES + d + 1] = 1
    return succ


def facts(read, batch):
    """From (batch, images, digits) to digit(image, value) and shown(value, image)."""
    n = IMAGES + DIGITS
    digit = torch.zeros(batch, n, n)
    digit[:, :IMAGES, IMAGES:] = read
    return digit, digit.transpose(1, 2)


def draw(labels, batch, generator):
    """Images of instances, chosen so that neighbours in counting are often there."""
    by_digit = [np.flatnonzero(labels == d) for d in range(DIGITS)]
    chosen = np.empty((batch, IMAGES), int)
    for row in chosen:
        first = generator.integers(0, DIGITS - 1)
        digits = [first, first + 1, *generator.integers(0, DIGITS, IMAGES - 2)]
        row[:] = [generator.choice(by_digit[d]) for d in digits]
    return chosen


def successor_pairs(values):
    """The label of every pair of images."""
    values = np.asarray(values)
    return torch.tensor(values[:, None, :] == values[:, :, None] + 1, dtype=torch.float32)


def reader():
    return torch.nn.Sequential(
        torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, DIGITS), torch.nn.Softmax(-1)
    )


def train(images, labels, labelled, seed, iterations, with_rules=True):
    """The network and the layer, and the mean loss of the last iterations."""
    torch.manual_seed(seed)
    generator = np.random.default_rng(seed)
    network = reader()
    layer = RuleLayer(
        {"digit": 2, "shown": 2, "succ": 2}, ("next", 2), rules="B: H(X,Y) <- P(X,Z) & Q(Z,Y)",
        layers=2, auxiliaries=1, steps=2, recursivity="none", temperature=0.2, seed=seed,
    )
    optimiser = torch.optim.Adam(
        [{"params": network.parameters(), "lr": 2e-3}, {"params": layer.parameters(), "lr": 3e-2}]
    )
    succ = background()
    batch = 16
    losses = []
    warm_up = iterations // 3  # of the network alone
    for iteration in range(iterations):
        known = torch.as_tensor(generator.choice(labelled, 64))
        seen = network(images[known])
        loss = torch.nn.functional.nll_loss(torch.log(seen + 1e-6), torch.as_tensor(labels[known]))
        if with_rules and iteration >= warm_up:
            share = (iteration - warm_up) / (iterations - warm_up)
            chosen = draw(labels, batch, generator)
            read = network(images[torch.as_tensor(chosen)])
            noise = torch.randn(len(layer.slots), len(layer.predicates)) * max(0.0, 0.5 - share)
            digit, shown = facts(read, batch)
            target, alphas = layer(
                digit=digit, shown=shown, succ=succ.expand(batch, -1, -1), noise=noise, return_alphas=True
            )
            said = target[:, :IMAGES, :IMAGES].clamp(1e-4, 1 - 1e-4)
            wanted = successor_pairs(labels[chosen])
            weight = 1 + 4 * wanted  # few pairs are successors
            relation = torch.nn.functional.binary_cross_entropy(said, wanted, weight)
            loss = loss + relation + 1e-2 * share * layer.regulariser(alphas)
            losses.append(float(relation.detach()))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return network, layer, float(np.mean(losses[-20:])) if losses else 0.0


def accuracy(network, images, labels):
    with torch.no_grad():
        return float((network(images).argmax(-1).numpy() == labels).mean())


def relation_accuracy(network, program, images, labels, seed):
    """Of the extracted program over what the network reads, on pairs of unseen images."""
    with torch.no_grad():
        read = network(images).argmax(-1).numpy()
    generator = np.random.default_rng(seed)
    right = {True: [], False: []}
    for chosen in draw(labels, 100, generator):
        names = [f"image{i}" for i in range(IMAGES)]
        digit = [(name, int(read[i])) for name, i in zip(names, chosen)]
        said = set(program.predict({
            "digit": digit, "shown": [(d, i) for i, d in digit], "succ": [(d, d + 1) for d in range(DIGITS - 1)],
        }))
        for a, i in zip(names, chosen):
            for b, j in zip(names, chosen):
                holds = bool(labels[j] == labels[i] + 1)
                right[holds].append(((a, b) in said) == holds)
    return (np.mean(right[True]) + np.mean(right[False])) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--restarts", type=int, default=2, help="the one with the least training loss is kept")
    parser.add_argument("--labels", type=int, default=100, help="images whose digit is told")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)

    data = load_digits()
    train_images, test_images, train_labels, test_labels = train_test_split(
        (data.images / 16).reshape(-1, 64).astype("float32"), data.target, test_size=0.3, random_state=given.seed
    )
    images = torch.from_numpy(train_images)
    unseen = torch.from_numpy(test_images)
    labelled = np.random.default_rng(given.seed).permutation(len(images))[: given.labels]

    began = time.perf_counter()
    alone, _, _ = train(images, train_labels, labelled, given.seed, given.iterations, with_rules=False)
    runs = [train(images, train_labels, labelled, given.seed + i, given.iterations) for i in range(given.restarts)]
    network, layer, loss = min(runs, key=lambda run: run[2])
    seconds = time.perf_counter() - began

    program = layer.extract()
    print(program)
    print(f"digits read right, labels alone: {accuracy(alone, unseen, test_labels):.1%}")
    print(f"digits read right, with rules:   {accuracy(network, unseen, test_labels):.1%}")
    print(
        "pairs right, of unseen images:   "
        f"{relation_accuracy(network, program, unseen, test_labels, 1):.1%} (mean over successors and others)"
    )
    print(f"{given.restarts} restarts, {seconds:.1f} s")


if __name__ == "__main__":
    main()
