#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of Markdown pages and compares what they print with what the page says.

    tests/docs/run_commands.py --hri build/hri [--update] PAGE...

A block that begins with ```console holds commands behind `$ ` and, below each, its output. All
commands of a page run one after the other in one temporary folder, which has a copy of examples/,
with `hri` on the PATH. Output is standard error, then standard output.

A line `...` stands for any lines, `...` inside a line for any text. Seconds are not compared. A
command without output in the page must print nothing and succeed.

--update writes the real output into the page where the two differ.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from pages import ROOT

TIMEOUT = 300  # seconds for one command
SECONDS = re.compile(r"\b(\d+ (h|min) )*\d+(\.\d+)? s\b")


def console_commands(lines):
    """(line number of the command, command, number of its first output line, output lines)"""
    found, inside, current = [], False, None
    for number, line in enumerate(lines):
        if line.startswith("```"):
            inside = line.strip() == "```console"
            current = None
        elif inside and current and not current[3] and current[1].endswith("\\"):
            current[1] = current[1] + "\n" + line
            current[2] = number + 1
        elif inside and line.startswith("$ "):
            current = [number + 1, line[2:], number + 1, []]
            found.append(current)
        elif inside and current:
            current[3].append(line)
    return found


def without_seconds(lines):
    """Seconds in sentences, and in the last column of a table whose header says `seconds`."""
    column = False
    for line in lines:
        column = line.endswith("seconds") or (column and bool(line.strip()))
        yield SECONDS.sub("T s", re.sub(r" +\d+\.\d+$", " T", line) if column else line)


def pattern_of(expected):
    parts = []
    for masked in without_seconds(line.rstrip() for line in expected):
        if masked.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in masked.split("...")) + r"\n")
    return re.compile("".join(parts))


def run(command, folder, environment):
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=TIMEOUT,
                            capture_output=True, text=True, check=False)
    return result.returncode, [line.rstrip() for line in (result.stderr + result.stdout).splitlines()]


def check_page(page, hri, update):
    lines = page.read_text(encoding="utf-8").splitlines()
    commands = console_commands(lines)
    wrong, changes = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "examples", folder / "work" / "examples")
        (folder / "bin").mkdir()
        (folder / "bin" / "hri").symlink_to(hri)
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:/usr/bin:{os.environ['PATH']}"}
        for number, command, first, expected in commands:
            code, actual = run(command, folder / "work", environment)
            masked = "".join(line + "\n" for line in without_seconds(actual))
            if pattern_of(expected).fullmatch(masked) and (expected or code == 0):
                continue
            if update:
                changes.append((first, len(expected), actual))
                continue
            wrong += 1
            print(f"{page}:{number}: {command}\n--- the page says\n" + "\n".join(expected) +
                  f"\n--- it prints (exit code {code})\n" + "\n".join(actual) + "\n")
    for first, count, actual in reversed(changes):
        lines[first:first + count] = actual
    if changes:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{page}: {len(commands)} commands, {wrong} wrong" +
          (f", {len(changes)} outputs written" if changes else ""))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hri", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--update", action="store_true", help="write real output into the pages")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    hri = arguments.hri.resolve()
    if not hri.exists():
        sys.exit(f"there is no program {hri}")
    return 1 if sum(check_page(page, hri, arguments.update)
                    for page in arguments.pages) else 0


if __name__ == "__main__":
    sys.exit(main())
