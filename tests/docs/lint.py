#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the prose of README.md, CONTRIBUTING.md, docs/ and examples/.

    tests/docs/lint.py [--statistics]

Lines have at most 100 characters and sentences at most 30 words; a page's sentences have at most
18 words on average. Code blocks and tables are passed over. A span of code counts as one word.
"""
import re
import sys

from pages import ROOT, all_pages, lines_with_code

MAX_COLUMNS = 100
MAX_WORDS = 30
MAX_MEAN_WORDS = 18


def is_prose_page(page):
    name = str(page.relative_to(ROOT))
    return name in ("README.md", "CONTRIBUTING.md") or name.startswith(("docs/", "examples/"))


def paragraphs(page):
    """(line number of the beginning, text) of each paragraph, list item or heading."""
    text, start = [], 0
    for number, line, code in lines_with_code(page):
        bare = line.strip()
        ends = code or not bare or bare.startswith(("|", "<", "#"))
        item = re.match(r"([-*]|\d+\.)\s+", bare)
        if ends or item:
            if text:
                yield start, " ".join(text)
            text = []
        if ends:
            continue
        if not text:
            start = number
        text.append(bare[item.end():] if item else bare)
    if text:
        yield start, " ".join(text)


def sentences(text):
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for sentence in re.split(r"(?<=[.!?])[)\"*]*\s+(?=[A-Z0-9*(\"'\[]|code)", text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if words:
            yield sentence, len(words)


def main():
    wrong = 0
    for page in filter(is_prose_page, all_pages()):
        name = page.relative_to(ROOT)
        for number, line, code in lines_with_code(page):
            if not code and not line.lstrip().startswith(("|", "<!--")) and len(line) > MAX_COLUMNS:
                wrong += 1
                print(f"{name}:{number}: {len(line)} characters, at most {MAX_COLUMNS}")
        counts = []
        for number, text in paragraphs(page):
            for sentence, words in sentences(text):
                counts.append(words)
                if words > MAX_WORDS:
                    wrong += 1
                    print(f"{name}:{number}: {words} words, at most {MAX_WORDS}: {sentence[:60]}...")
        mean = sum(counts) / len(counts) if counts else 0
        if mean > MAX_MEAN_WORDS:
            wrong += 1
            print(f"{name}: {mean:.1f} words a sentence, at most {MAX_MEAN_WORDS} on average")
        if "--statistics" in sys.argv and counts:
            print(f"{name}: {len(counts)} sentences, {mean:.1f} words on average, longest {max(counts)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
