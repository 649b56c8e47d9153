#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of generated tables in docs/ again and writes what they print into the pages.

    scripts/update-results.py --list
    scripts/update-results.py --check
    scripts/update-results.py [--hri build/hri] TEXT...

A generated table stands between two comments:

    <!-- generated: hri reproduce operators --seeds 10 -->
    (a code block: the command behind `$ `, and its output)
    <!-- end -->

TEXT chooses blocks: those whose page or command contains it. Most commands take minutes, some take
hours. Standard error is shown, standard output is kept. --check tells whether all blocks are well
formed and show the command that generates them; it runs nothing.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"<!-- generated: (?P<command>[^\n]*?) -->\n(?P<body>.*?)<!-- end -->", re.DOTALL)
BODY = re.compile(r"```\n\$ (?P<command>[^\n]*)\n(?P<output>.*\S.*\n)```\n", re.DOTALL)


def pages():
    return sorted((ROOT / "docs").glob("**/*.md"))


def blocks(page):
    return list(BLOCK.finditer(page.read_text(encoding="utf-8")))


def check():
    """The number of blocks that are not as they should be."""
    wrong = count = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        found = blocks(page)
        count += len(found)
        if not len(found) == text.count("<!-- generated:") == text.count("<!-- end -->"):
            wrong += 1
            print(f"{page.relative_to(ROOT)}: a block is not closed, or not begun")
        for block in found:
            body = BODY.fullmatch(block["body"])
            if not body or body["command"] != block["command"]:
                wrong += 1
                print(f"{page.relative_to(ROOT)}: {block['command']}: no output of this command below")
    print(f"{count} generated tables, {wrong} wrong")
    return wrong if count else 1


def output_of(command, hri):
    words = shlex.split(command)
    if words[0] == "hri":
        words[0] = str(hri)
    print(f"$ {command}", file=sys.stderr)
    run = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 1) or not run.stdout.strip():
        sys.exit(f"exit code {run.returncode}; the page is left as it was")
    return "".join(line.rstrip() + "\n" for line in run.stdout.rstrip().splitlines())


def update(chosen, hri):
    done = 0
    for page in pages():
        for block in blocks(page):
            command = block["command"]
            if not any(text in command or text in str(page.relative_to(ROOT)) for text in chosen):
                continue
            new = (f"<!-- generated: {command} -->\n```\n$ {command}\n{output_of(command, hri)}```\n"
                   "<!-- end -->")
            text = page.read_text(encoding="utf-8")
            page.write_text(text.replace(block.group(0), new), encoding="utf-8")
            done += 1
    print(f"{done} tables written", file=sys.stderr)
    return 0 if done else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hri", type=pathlib.Path, default=ROOT / "build" / "hri")
    parser.add_argument("--list", action="store_true", help="print pages and commands")
    parser.add_argument("--check", action="store_true", help="check the blocks, run nothing")
    parser.add_argument("chosen", nargs="*", metavar="TEXT", help="in the page or the command")
    arguments = parser.parse_args()
    if arguments.check:
        return 1 if check() else 0
    if arguments.list or not arguments.chosen:
        for page in pages():
            for block in blocks(page):
                print(f"{page.relative_to(ROOT)}: {block['command']}")
        return 0
    return update(arguments.chosen, arguments.hri.resolve())


if __name__ == "__main__":
    sys.exit(main())
