#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the size of the code: lines and files by folder, the longest files and functions.

    scripts/code-figures.py            the working tree
    scripts/code-figures.py --limit 80 functions with more lines than that are listed
"""
import argparse
import pathlib
import re

SOURCES = {".cpp", ".hpp", ".ipp", ".cu"}
ROOT = pathlib.Path(__file__).resolve().parent.parent


def functions(path):
    """Yields (name, first line, number of lines, whether it is a table) of functions in formatted code.

    A table of data has few statements for its lines.

    clang-format puts the end of a function at the column where its head begins, so that a body is
    what lies between a line that ends in '{' and the next '}' of the same indentation."""
    lines = path.read_text().split("\n")
    head = re.compile(r"^( {0,8})(?!namespace|struct|class|enum|union|if|for|while|switch|else|do|try|\}|//|\s)"
                      r"[^;=]*\(.*$")
    at = 0
    while at < len(lines):
        match = head.match(lines[at])
        if not match:
            at += 1
            continue
        begin = at
        while at < len(lines) and not lines[at].endswith(("{", ";", "{}", "}")):
            at += 1
        if at >= len(lines) or not lines[at].endswith("{"):
            at = max(at, begin) + 1
            continue
        end = at + 1
        while end < len(lines) and not re.match(match[1] + r"\}", lines[end]):
            end += 1
        statements = sum(line.endswith((";", "{")) for line in lines[at:end])
        is_table = 4 * statements < end - at
        yield re.split(r"\(", lines[begin].strip())[0], begin + 1, end - begin + 1, is_table
        at = end + 1 if match[1] == "" else at + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=int, default=80)
    limit = parser.parse_args().limit
    rooms, long_functions, files = {}, [], []
    for top in ("include", "src", "apps", "experiments", "reference"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            parts = path.relative_to(ROOT).parts
            room = "/".join(parts[:2]) if top in ("src", "apps") else top
            count = len(path.read_text().split("\n")) - 1
            lines, number = rooms.get(room, (0, 0))
            rooms[room] = (lines + count, number + 1)
            files.append((count, path.relative_to(ROOT)))
            long_functions += [(length, f"{path.relative_to(ROOT)}:{line}", name)
                               for name, line, length, is_table in functions(path)
                               if length > limit and not is_table]
    print("| folder | lines | files |\n| --- | --- | --- |")
    for room, (lines, number) in rooms.items():
        print(f"| {room} | {lines:,} | {number} |")
    shipped = [v for room, v in rooms.items() if room.startswith(("src", "apps"))]
    print(f"| src and apps | {sum(l for l, _ in shipped):,} | {sum(n for _, n in shipped)} |")
    print("\nLongest files:")
    for count, path in sorted(files, reverse=True)[:5]:
        print(f"  {count:5} {path}")
    print(f"\nFunctions over {limit} lines, tables of data aside: {len(long_functions)}")
    for length, place, name in sorted(long_functions, reverse=True):
        print(f"  {length:5} {place} {name}")


if __name__ == "__main__":
    main()
