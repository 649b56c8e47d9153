#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what a build spent its time on, from ninja's log:

    scripts/slowest-objects.py                      the release build, its 20 slowest edges
    scripts/slowest-objects.py build/asan -n 50     another build folder, 50 edges
    scripts/slowest-objects.py --match apps/        only outputs with this text in their path

An edge-second is one second of one command. A build on two idle cores takes about half as many seconds by
the clock. Commands that found their result in a compiler cache count with the little time that they took.
"""

import argparse
import collections
import pathlib
import re
import sys


def read_edges(log):
    """The last run of every edge: (seconds, output), one output per edge."""
    lines = log.read_text().splitlines()
    if not lines or not re.fullmatch(r"# ninja log v[56]", lines[0]):
        sys.exit(f"{log}: expected a ninja log of version 5 or 6, found: {lines[:1]}")
    last = {}
    for line in lines[1:]:
        start, end, _, output, _ = line.split("\t")
        last[output] = (int(start), int(end))
    # An edge with several outputs has one line for each, with the same times.
    edges = {times: output for output, times in reversed(last.items())}
    return [((end - start) / 1000, output) for (start, end), output in edges.items()]


def folder_of(output):
    """The source folder of an object, else the kind of the output."""
    if "cmake_pch" in output:
        return "(precompiled headers)"
    match = re.fullmatch(r"(?:(.*)/)?CMakeFiles/[^/]+\.dir/(.*)\.o", output)
    return str(pathlib.PurePosixPath(match[1] or "", match[2]).parent) if match else "(links and others)"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", nargs="?", default="build/release", type=pathlib.Path, help="folder with .ninja_log")
    parser.add_argument("-n", "--edges", default=20, type=int, help="how many edges to list (20)")
    parser.add_argument("--match", default="", help="only outputs with this text in their path")
    arguments = parser.parse_args()

    log = arguments.build / ".ninja_log"
    if not log.is_file():
        sys.exit(f"{log}: there is no such file; build first")
    edges = sorted((e for e in read_edges(log) if arguments.match in e[1]), reverse=True)

    for seconds, output in edges[: arguments.edges]:
        print(f"{seconds:8.1f}  {output}")
    print(f"\n{sum(s for s, _ in edges):8.1f}  edge-seconds in {len(edges)} edges, by folder:")
    folders = collections.defaultdict(list)
    for seconds, output in edges:
        folders[folder_of(output)].append(seconds)
    for folder, times in sorted(folders.items(), key=lambda item: -sum(item[1])):
        print(f"{sum(times):8.1f}  {len(times):4} x  {folder}")


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
