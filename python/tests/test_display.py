# SPDX-License-Identifier: Apache-2.0
"""How results look in a notebook."""

import xml.etree.ElementTree as ElementTree

import hri


def test_a_program_is_a_table_of_its_rules():
    program = hri.Program(
        "grand(X,Y) :- parent(X,Z), parent(Z,Y).\nparent(X,Y) :- 'is<old>'(X,Y).\nparent(X,Y) :- mother(X,Y)."
    )
    table = ElementTree.fromstring(program._repr_html_())
    cells = [["".join(cell.itertext()) for cell in row] for row in table.find("tbody")]
    assert [" <- ".join(row) for row in cells] == program.to_text().splitlines()
    assert "&lt;" in program._repr_html_()


def test_a_learned_program_shows_its_evidence():
    program = hri.learn("grandparent", max_work=300_000, time_limit=0)
    table = ElementTree.fromstring(program._repr_html_())
    assert "explains the training data" in table.find("caption").text


def test_a_model_is_drawn():
    model = hri.Model([("parent", 2)], ("grandparent", 2), layers=2)
    svg = ElementTree.fromstring(model._repr_svg_())
    assert svg.tag.endswith("svg")


def test_an_explanation_keeps_its_tree():
    program = hri.Program("grand(X,Y) :- parent(X,Z), parent(Z,Y).")
    why = program.explain("grand", "a", "c", facts={"parent": [("a", "b"), ("b", "c")]})
    pre = ElementTree.fromstring(why._repr_html_())
    assert pre.text == str(why)
    assert repr(why) == "<hri.Explanation: grand(a,c) is true>"
    assert [part.atom for part in why.reason.body] == ["parent(a,b)", "parent(b,c)"]
