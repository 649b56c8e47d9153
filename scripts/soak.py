#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns, resumes, judges and exports random tasks for a while, and watches codes and memory.

    scripts/soak.py --hri build/hri --seconds 3600

Every round draws a task, a seed and a strategy, stops learning by a work limit, resumes it from its
checkpoint, and compares with a run without a break. The program is then judged and exported in every
language. It fails on any exit code but 0 and 1, on results that differ, and where the largest memory
of a run of the last third is more than 1.2 times that of the first third for the same task.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

LANGUAGES = ["prolog", "datalog", "sql", "json", "dot", "svg", "latex", "text"]


class Soak:
    def __init__(self, hri, folder):
        self.hri = hri
        self.folder = folder
        self.runs = 0
        self.memory = {}  # [task]: (seconds since the beginning, kB) of each run
        self.begin = time.monotonic()

    def run(self, *arguments, task=None):
        """The exit code has to be 0 or 1. Remembers the memory that the run took."""
        self.runs += 1
        command = [self.hri, *map(str, arguments)]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        process.returncode = code
        if code not in (0, 1):
            sys.exit(f"exit code {code}: {' '.join(command)}\n{message}")
        if task:
            since = time.monotonic() - self.begin
            self.memory.setdefault(task, []).append((since, usage.ru_maxrss))

    def report(self, name):
        report = json.loads((self.folder / name).read_text())
        for key in ("seconds", "command"):
            report.pop(key, None)
        return report

    def round(self, task, seed, own):
        """`own`: flags that the task needs."""
        learn = ["learn", task, *own, "--seed", seed, "--time-limit", 0, "--threads", 2]
        whole = [*learn, "--max-work", 400_000]
        self.run(*whole, "--json", self.folder / "whole.json", task=task)
        (self.folder / "c").unlink(missing_ok=True)
        checkpoint = ["--checkpoint", self.folder / "c"]
        self.run(*learn, "--max-work", 150_000, *checkpoint, task=task)
        program = self.folder / "p.pl"
        model = self.folder / "m.safetensors"
        self.run(
            *whole, *checkpoint, "--resume", "--json", self.folder / "resumed.json",
            "--program", program, "--out", model, task=task,
        )  # fmt: skip
        if self.report("whole.json") != self.report("resumed.json"):
            sys.exit(f"a resumed run of {task} with seed {seed} ends in another way")
        self.run("eval", program, task)
        for language in LANGUAGES:
            for learned in (program, model):
                self.run("export", learned, "--to", language, "--out", self.folder / "export",
                         "--force")  # fmt: skip

    def check_memory(self, seconds):
        for task, runs in sorted(self.memory.items()):
            first = [kb for at, kb in runs if at < seconds / 3]
            last = [kb for at, kb in runs if at > 2 * seconds / 3]
            if first and last and max(last) > 1.2 * max(first) + 4096:
                sys.exit(f"memory of {task} grew from {max(first)} to {max(last)} kB")
        largest = max(kb for runs in self.memory.values() for _, kb in runs)
        print(f"{self.runs} runs in {time.monotonic() - self.begin:.0f} s; none took more than "
              f"{largest / 1024:.0f} MB, and none more at the end than at the beginning")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hri", default="build/hri")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(os.path.abspath(arguments.hri), pathlib.Path(folder))
        soak.run("tasks", "--json", soak.folder / "tasks.json")
        tasks = json.loads((soak.folder / "tasks.json").read_text())["tasks"]
        while time.monotonic() - soak.begin < arguments.seconds:
            task = chance.choice(tasks)
            own = ["--nullary"] if task["target"].endswith("/0") else []
            soak.round(task["task"], chance.randrange(1000), own)
        soak.check_memory(arguments.seconds)


if __name__ == "__main__":
    main()
