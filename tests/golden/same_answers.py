#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run golden cases in many ways, and compare all that they write, bit by bit.

    same_answers.py --hri build/hri                         threads, ranks, instruction sets, locales, time zones
    same_answers.py --hri build/hri --other build/clang/bin/hri --other build/dev/bin/hri
    same_answers.py --hri build/hri --cases gradient,scenes --ways threads-8,plain

The first binary with one thread is compared with every other way. Times and command lines are left out
of reports, comments out of programs. What a machine lacks (AVX-512, mpirun, localedef) is named.
"""

import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

GOLDEN = pathlib.Path(__file__).resolve().parent
LOCALES = ("de_DE", "tr_TR")
# How long it took, and in which way it was run.
LEFT_OUT = ("command", "seconds", "threads", "ranks", "instances_per_second", "instruction_set")


class Way:
    def __init__(self, name, binary, threads=1, ranks=1, environment=None):
        self.name = name
        self.binary = binary
        self.threads = threads
        self.ranks = ranks
        self.environment = environment or {}


def make_locales(folder):
    """Folders for LOCPATH; none where the machine cannot make them."""
    if not shutil.which("localedef"):
        return []
    return [name for name in LOCALES
            if subprocess.run(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"],
                              capture_output=True, check=False).returncode <= 1
            and (folder / f"{name}.UTF-8").exists()]  # fmt: skip


def flags_of_processor():
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    text = cpuinfo.read_text() if cpuinfo.exists() else ""
    return set(next((line for line in text.splitlines() if line.startswith("flags")), "").split())


def all_ways(binaries, locale_folder):
    first = binaries[0]
    ways = [Way(f"threads-{n}", first, threads=n) for n in (1, 2, 8)]
    lacking = []
    if shutil.which("mpirun"):
        root = {name: "1" for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                       "OMPI_MCA_rmaps_base_oversubscribe")}  # fmt: skip
        ways += [Way(f"ranks-{n}", first, ranks=n, environment=root) for n in (2, 4)]
    else:
        lacking.append("mpirun: no ranks")
    flags = flags_of_processor()
    if "avx512bw" not in flags:
        lacking.append("AVX-512: not compared")
    if "avx2" not in flags:
        lacking.append("AVX2: not compared")
    ways += [Way(name, first, environment={"HRI_INSTRUCTION_SET": name}) for name in ("avx2", "plain")]
    locales = make_locales(locale_folder)
    lacking += [f"locale {name}" for name in LOCALES if name not in locales]
    ways += [Way(name, first, environment={"LC_ALL": f"{name}.UTF-8", "LOCPATH": str(locale_folder)})
             for name in locales]  # fmt: skip
    ways += [Way(f"time-zone-{zone.replace('/', '-')}", first, environment={"TZ": zone})
             for zone in ("Pacific/Kiritimati", "America/St_Johns")]  # fmt: skip
    ways += [Way(f"binary-{n}", binary, threads=2) for n, binary in enumerate(binaries[1:], 2)]
    return ways, lacking


def can_be_split(arguments):
    """Whether processes of mpirun may share this run."""
    if arguments[0] == "multitask":
        return "sequential" not in arguments
    return arguments[0] == "learn" and "gradient" in arguments


def run_lines(way, folder, out):
    launcher = ["mpirun", "-n", str(way.ranks)] if way.ranks > 1 else []
    for line in (folder / "command").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        arguments = [part.replace("$OUT", str(out)).replace("$THREADS", str(way.threads))
                     for part in shlex.split(line)]  # fmt: skip
        split = launcher if can_be_split(arguments) else []
        run = subprocess.run([*split, way.binary, *arguments], cwd=folder, capture_output=True, text=True,
                             env={**os.environ, **way.environment}, check=False)  # fmt: skip
        if run.returncode not in (0, 1):
            return f"{way.name}: hri {shlex.join(arguments)}\nexit code {run.returncode}\n{run.stderr}"
    return ""


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items()
                if key not in LEFT_OUT and not key.endswith("_seconds")}  # fmt: skip
    if isinstance(value, list):
        return [without_times(inner) for inner in value]
    return value


def content(path):
    if path.suffix == ".json":
        return json.dumps(without_times(json.loads(path.read_text())), indent=1)
    if path.suffix == ".pl":
        return "".join(line + "\n" for line in path.read_text().splitlines() if not line.startswith("%"))
    return path.read_bytes()


def written(way, folder, scratch):
    # the same folder each time: its name stands in messages
    out = scratch / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    mistake = run_lines(way, folder, out)
    if mistake:
        return {"mistake": mistake}
    return {str(file.relative_to(out)): content(file) for file in sorted(out.rglob("*")) if file.is_file()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hri", required=True)
    parser.add_argument("--other", action="append", default=[], help="another build of the program")
    parser.add_argument("--cases", help="names of golden cases, separated by commas; all without it")
    parser.add_argument("--ways", help="names of ways, separated by commas; all without it")
    given = parser.parse_args()
    cases = given.cases.split(",") if given.cases else sorted(p.parent.name for p in GOLDEN.glob("*/command"))
    different = compared = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "locales").mkdir()
        binaries = [os.path.abspath(binary) for binary in (given.hri, *given.other)]
        ways, lacking = all_ways(binaries, scratch / "locales")
        if given.ways:
            chosen = ["threads-1", *given.ways.split(",")]
            ways = [way for way in ways if way.name in chosen]
        for case in cases:
            expected = written(ways[0], GOLDEN / case, scratch)
            if "mistake" in expected:
                sys.exit(expected["mistake"])
            for way in ways[1:]:
                found = written(way, GOLDEN / case, scratch)
                compared += 1
                names = [name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name)]
                if names:
                    different += 1
                    print(f"{case}, {way.name}: {', '.join(names)} differ", flush=True)
                    print(found.get("mistake", ""), end="")
    for what in lacking:
        print(f"this machine lacks {what}")
    print(f"{len(cases)} cases in {len(ways)} ways: {compared} comparisons, {different} differ, "
          f"{time.monotonic() - begin:.0f} s")  # fmt: skip
    sys.exit(1 if different or not compared else None)


if __name__ == "__main__":
    main()
