#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines and branches that the tests ran, by room, from the profiles of a coverage build.

    scripts/coverage-by-room.py build/coverage

Writes FOLDER/report.txt and prints it; `make coverage` makes the profiles. With --floor N it fails
where fewer than N percent of all lines of src/ were run.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys


def tool(name):
    """llvm-cov or llvm-cov-14, as Debian calls it."""
    for candidate in (name, f"{name}-14", f"/usr/lib/llvm-14/bin/{name}"):
        found = shutil.which(candidate)
        if found:
            return found
    sys.exit(f"{sys.argv[0]}: {name} is not installed (package llvm)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--floor", type=float, default=0)
    arguments = parser.parse_args()
    profiles = sorted((arguments.folder / "profiles").glob("*.profraw"))
    if not profiles:
        sys.exit(f"{sys.argv[0]}: there are no profiles in {arguments.folder}/profiles")
    merged = arguments.folder / "merged.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", merged, *profiles], check=True)
    programs = sorted((arguments.folder / "tests").glob("test_*"))
    programs = [p for p in programs if p.is_file() and p.suffix == ""]
    programs.append(arguments.folder / "bin" / "hri")
    command = [tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={merged}", programs[0]]
    for program in programs[1:]:
        command += ["-object", program]
    exported = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    root = pathlib.Path(__file__).resolve().parent.parent
    rooms = {}
    for file in json.loads(exported)["data"][0]["files"]:
        path = pathlib.Path(file["filename"])
        if not path.is_relative_to(root):
            continue
        parts = path.relative_to(root).parts
        if parts[0] not in ("src", "apps", "experiments"):
            continue
        room = parts[1] if parts[0] == "src" else parts[0]
        of_room = rooms.setdefault((parts[0] != "src", room), [0, 0, 0, 0])
        summary = file["summary"]
        of_room[0] += summary["lines"]["covered"]
        of_room[1] += summary["lines"]["count"]
        of_room[2] += summary["branches"]["covered"]
        of_room[3] += summary["branches"]["count"]

    def row(name, figures):
        lines, all_lines, branches, all_branches = figures
        return (
            f"| {name} | {all_lines} | {100 * lines / max(all_lines, 1):.1f} % "
            f"| {100 * branches / max(all_branches, 1):.1f} % |"
        )

    table = ["| room | lines | run | branches taken |", "| --- | --- | --- | --- |"]
    table += [row(room, figures) for (_, room), figures in sorted(rooms.items())]
    source = [sum(f[i] for (other, _), f in rooms.items() if not other) for i in range(4)]
    table.append(row("all of src", source))
    text = "\n".join(table) + "\n"
    (arguments.folder / "report.txt").write_text(text)
    print(text, end="")
    if 100 * source[0] < arguments.floor * source[1]:
        sys.exit(f"{sys.argv[0]}: fewer than {arguments.floor} % of the lines of src were run")


if __name__ == "__main__":
    main()
