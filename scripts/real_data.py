#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns from public data with cross-validation and prints one table.

    scripts/real_data.py DATA [--hri build/hri] [--state FILE] [--time-limit SECONDS] [NAME...]

DATA is a folder with popper/ (task folders of Popper's examples) and kg/ (triples of Neural-LP's
datasets). Each row is one `hri learn`, whose command is printed; rows that FILE remembers are not
run again. The time limit is by the clock and for each program; `processor` is the processor time of
a program in seconds, the folds' and the last one's on average.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

# name: (path, flags). Tiny tasks are learned without cross-validation.
RUNS = {
    "kinship-pi": ("popper/kinship-pi", []),
    "kinship-pi, closed world": ("popper/kinship-pi", ["--closed-world"]),
    "kinship-ancestor": ("popper/kinship-ancestor", []),
    "kinship-ancestor, closed world": ("popper/kinship-ancestor", ["--closed-world"]),
    "andersen": ("popper/andersen", []),
    "andersen, closed world": ("popper/andersen", ["--closed-world"]),
    "zendo1": ("popper/zendo1", ["--folds", "5"]),
    "zendo3": ("popper/zendo3", ["--folds", "5"]),
    "trains1": ("popper/trains1", ["--folds", "5"]),
    "trains2": ("popper/trains2", ["--folds", "5"]),
    "imdb3": ("popper/imdb3", ["--folds", "5", "--sample", "400"]),
    "drugdrug": ("popper/noisy-drugdrug", ["--folds", "5", "--split", "never"]),
    "wn18rr1": ("popper/noisy-wn18rr1", ["--folds", "5", "--sample", "400", "--split-size", "30"]),
    "family uncle": ("kg/family", ["--target", "uncle", "--closed-world", "--split-size", "16",
                                   "--sample", "600"]),
    "family wife": ("kg/family", ["--target", "wife", "--closed-world", "--split-size", "16",
                                  "--sample", "600"]),
    "kinship Term18": ("kg/kinship", ["--target", "Term18", "--closed-world"]),
}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def learn(hri, data, path, flags):
    before = processor_seconds()
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [hri, "learn", os.path.join(data, path), *flags, "--json", out.name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}\n{run.stderr}")
        report = json.load(open(out.name, encoding="utf-8"))
    notes = [line for line in run.stderr.splitlines() if "note:" in line]
    kept = {key: report[key] for key in ("program", "fits", "seconds", "training", "evaluation")}
    programs = 1 + len(report.get("folds", []))
    return {**kept, "notes": notes, "cross_validation": report.get("cross_validation"),
            "processor": (processor_seconds() - before) / programs}


def cells(name, run):
    def percent(scores, key):
        return f"{scores[key]:.1f}" if scores else "-"

    judged = run["cross_validation"] or run["evaluation"]
    return [name, "yes" if run["fits"] else "no", percent(run["training"], "accuracy"),
            *(percent(judged, key) for key in ("accuracy", "precision", "recall")),
            f"{run['seconds']:.1f}", f"{run['processor']:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("names", nargs="*", help=", ".join(RUNS))
    parser.add_argument("--hri", default="build/hri")
    parser.add_argument("--state")
    parser.add_argument("--time-limit", default="60")
    arguments = parser.parse_intermixed_args()
    state = {}
    if arguments.state and os.path.exists(arguments.state):
        state = json.load(open(arguments.state, encoding="utf-8"))
    rows = [["data", "fits", "training", "accuracy", "precision", "recall", "seconds", "processor"]]
    for name in arguments.names or RUNS:
        path, flags = RUNS[name][0], [*RUNS[name][1], "--time-limit", arguments.time_limit]
        if name not in state:
            print(f"{arguments.hri} learn {path} {' '.join(flags)}", file=sys.stderr)
            state[name] = learn(arguments.hri, arguments.data, path, flags)
            if arguments.state:
                with open(arguments.state + ".new", "w", encoding="utf-8") as out:
                    json.dump(state, out, indent=1)
                os.replace(arguments.state + ".new", arguments.state)
        rows.append(cells(name, state[name]))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]))
    print()
    for name in arguments.names or RUNS:
        print(f"{name}:\n  " + state[name]["program"].strip().replace("\n", "\n  "))


if __name__ == "__main__":
    main()
