#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that relative links and images of all Markdown pages lead somewhere.

    tests/docs/links.py

A link with an anchor must name a heading of its page, spelt as GitHub spells anchors.
"""
import re
import sys

from pages import ROOT, all_pages, lines_with_code

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?\)|(?:src|srcset|href)=\"([^\"]+)\"")


def anchors(page):
    """The anchors of a page's headings; a heading that comes again gets -1, -2 behind it."""
    seen = {}
    for _, line, code in lines_with_code(page):
        if code or not line.startswith("#"):
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(anchor, -1) + 1
        seen[anchor] = count
        yield anchor if count == 0 else f"{anchor}-{count}"


def main():
    wrong = 0
    checked = 0
    for page in all_pages():
        text = "\n".join("" if code else line for _, line, code in lines_with_code(page))
        for match in LINK.finditer(re.sub(r"`[^`\n]*`", lambda span: " " * len(span.group()), text)):
            link = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            checked += 1
            problem = None
            if not target.exists():
                problem = "there is no such file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                problem = "there is no such heading"
            if problem:
                wrong += 1
                number = text.count("\n", 0, match.start()) + 1
                print(f"{page.relative_to(ROOT)}:{number}: {link}: {problem}")
    print(f"{checked} links, {wrong} wrong")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
