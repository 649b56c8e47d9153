#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What learning through Python costs over the command line.

    PYTHONPATH=build/python /usr/bin/python3 bench/python_overhead.py --hri build/hri --rounds 20
    PYTHONPATH=build/python /usr/bin/python3 bench/python_overhead.py --hri build/hri --instructions

Both learn the same task with the same seeds, the same work and one thread, in fresh processes that
take turns; the clock decides nothing. What a process costs before it learns anything
(`hri --version`, `import hri`) is measured too and taken off. CPU seconds are medians over the rounds;
with --instructions valgrind counts, once.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys

WORK = 1_000_000


def cpu_seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def instructions(command):
    counted = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        capture_output=True,
        text=True,
    )
    found = re.search(r"Collected : (\d+)", counted.stderr)
    if counted.returncode != 0 or not found:
        raise SystemExit(f"failed: {' '.join(command)}\n{counted.stderr}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hri", default="build/hri", help="the command line program")
    parser.add_argument("--task", default="grandparent")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--instructions", action="store_true", help="count by valgrind")
    given = parser.parse_args()

    def commands(seed):
        settings = f"seed={seed}, threads=1, max_work={WORK}, time_limit=0, progress=False"
        learn = f"import hri; hri.learn({given.task!r}, {settings})"
        flags = f"--seed {seed} --threads 1 --max-work {WORK} --time-limit 0".split()
        return {
            "hri --version": [given.hri, "--version"],
            "hri learn": [given.hri, "learn", given.task, *flags],
            "import hri": [sys.executable, "-c", "import hri"],
            "hri.learn": [sys.executable, "-c", learn],
        }

    measure = instructions if given.instructions else cpu_seconds
    seen = {name: [] for name in commands(0)}
    for round_ in range(1 if given.instructions else given.rounds):
        for name, command in commands(round_).items():
            seen[name].append(measure(command))
    cost = {name: statistics.median(values) for name, values in seen.items()}
    for name, value in cost.items():
        print(f"{name:14} {value:,}" if given.instructions else f"{name:14} {1000 * value:9.1f} ms")
    pairs = list(zip(*seen.values()))
    ratio = statistics.median((d - c) / (b - a) for a, b, c, d in pairs)
    print(f"learning alone: {100 * (ratio - 1):+.2f} % through Python")


if __name__ == "__main__":
    main()
