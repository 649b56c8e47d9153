# SPDX-License-Identifier: Apache-2.0
"""How results look in a notebook."""

from __future__ import annotations

from html import escape

from hri import _core


def program_html(self: _core.Program) -> str:
    """The rules as a table: what is defined, and by what."""
    rows = []
    for line in self.to_text().splitlines():
        head, arrow, body = line.partition(" <- ")
        rows.append(
            f"<tr><td style='text-align:left'><code>{escape(head)}</code></td>"
            f"<td style='text-align:left'><code>{escape(body if arrow else 'True')}</code></td></tr>"
        )
    evidence = ""
    report = self.report
    if report is not None:
        fits = "explains the training data" if report.fits else repr(report.training)[5:-1]
        evidence = f"<caption>{escape(fits)}; {report.bits:.0f} bits</caption>"
    return (
        f"<table>{evidence}<thead><tr><th>predicate</th><th>holds if</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def explanation_html(self: _core.Explanation) -> str:
    return f"<pre>{escape(str(self))}</pre>"


def model_svg(self: _core.Model) -> str:
    """The hierarchy, as hri export draws it."""
    return self.to_svg()


def install() -> None:
    """Gives the classes the methods that notebooks ask for."""
    setattr(_core.Program, "_repr_html_", program_html)
    setattr(_core.Explanation, "_repr_html_", explanation_html)
    setattr(_core.Model, "_repr_svg_", model_svg)
