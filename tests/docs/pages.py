# SPDX-License-Identifier: Apache-2.0
"""The Markdown pages of the repository, and the lines outside their code blocks."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def all_pages():
    """Every Markdown file that git tracks or would track; all of docs/ where git is absent."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
            cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        found = {ROOT / name for name in listed}
    except (OSError, subprocess.CalledProcessError):
        found = {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")}
    return sorted(page for page in found if page.exists())


def lines_with_code(page):
    """(line number, line, whether it stands in a code block), fences counting as code."""
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = line.lstrip().startswith("```")
        yield number, line, inside or fence
        if fence:
            inside = not inside
