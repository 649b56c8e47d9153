#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run hri on a golden case and compare the learned program with expected.pl.

    run_case.py HRI FOLDER             compare; HRI_GOLDEN_UPDATE=1 writes expected.pl instead

Each line of FOLDER/command holds the arguments of one run of hri, which runs inside FOLDER. Lines that
begin with # are comments. $OUT stands for a scratch folder, and $THREADS for the number of threads
(HRI_GOLDEN_THREADS, 2 if unset), which must not change the result.

The compared text has every program file (*.pl) that the runs wrote under $OUT, without its comments:
these hold seconds and wording. Then it has what each report (*.json) counts, so that a search that
takes another path to the same program is noticed.
"""

import difflib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

COUNTS = ("restarts", "fitting", "different", "trials", "iterations", "rounds", "updates", "evaluations",
          "needed", "bits", "final_loss", "loss", "accuracy", "false_positives", "false_negatives")


def run_commands(hri, folder, out):
    threads = os.environ.get("HRI_GOLDEN_THREADS", "2")
    for line in (folder / "command").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        arguments = [part.replace("$OUT", str(out)).replace("$THREADS", threads) for part in shlex.split(line)]
        run = subprocess.run([hri, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):  # 1: no program explains all of the data
            sys.exit(f"hri {shlex.join(arguments)}\nexit code {run.returncode}\n{run.stdout}{run.stderr}")


def rules(program):
    return "".join(line + "\n" for line in program.splitlines() if line and not line.startswith("%"))


def counts(name, report):
    """One line for the report, and those of the targets and folds inside it."""
    found = {**report.get("training", {}), **report}
    told = [f"{key} {found[key]:.6g}" if isinstance(found[key], float) else f"{key} {found[key]}"
            for key in COUNTS if isinstance(found.get(key), (int, float))]
    text = f"% {name}: {', '.join(told)}\n" if told else ""
    for part in ("targets", "folds"):
        for number, inner in enumerate(report.get(part, []), 1):
            text += counts(f"{name}, {part[:-1]} {number}", inner)
            if part == "folds":  # whose programs are in no file
                text += rules(inner["prolog"])
    return text


def learned(hri, folder):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        run_commands(hri, folder, out)
        text = "".join(f"% {file.relative_to(out)}\n{rules(file.read_text())}" for file in sorted(out.rglob("*.pl")))
        for file in sorted(out.rglob("*.json")):
            text += counts(file.relative_to(out), json.loads(file.read_text()))
    return text


def main():
    hri, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    expected = folder / "expected.pl"
    found = learned(hri, folder)
    if os.environ.get("HRI_GOLDEN_UPDATE"):
        expected.write_text(found)
        return
    difference = difflib.unified_diff(expected.read_text().splitlines(keepends=True), found.splitlines(keepends=True),
                                      str(expected), "learned now")
    sys.exit("".join(difference) or None)


if __name__ == "__main__":
    main()
