"""Markdown, reStructuredText, HTML and plain text are read by their structure."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.errors import DqgenError
from dqgen.rulebook.document import parse
from tests.rulebook.conftest import read_text


def test_markdown_links_and_contents(tmp_path: Path) -> None:
    text = """# Contents

- [[#A.1 FRAME|A.1 FRAME]]
- [A.2 Brakes](#a2)

# A.1 FRAME

**A.1.1** See [[#A.2 BRAKES|A.2.1]] and [the site](https://x.org).

**A.1.2** It must be **strong** and *light*.

# A.2 BRAKES

**A.2.1** It must stop.
"""
    rules = {rule.id: rule for rule in read_text(tmp_path, text).rules}
    assert list(rules) == ["A.1", "A.1.1", "A.1.2", "A.2", "A.2.1"]
    assert rules["A.1.1"].text == "See A.2.1 and the site."
    assert rules["A.1.2"].text == "It must be strong and light."
    assert rules["A.1.1"].references[0].ids == ["A.2.1"]


def test_rest_notes_tables_and_roles(tmp_path: Path) -> None:
    text = """9 Robot
#######

9.1 Frame
*********

**R1.** The *robot* must be ``safe``, see `Frame <http://x.org/#f>`_ .

.. note::
    Wrap a string
    around it.

.. image:: a.png

**R2.** Parts must be listed:

+------+--------+
| Name | Mass   |
+------+--------+
| Arm  | 2 kg   |
+------+--------+

**R3.** It must be light.
"""
    book = read_text(tmp_path, text, ".rst")
    rules = {rule.id: rule for rule in book.rules}
    assert list(rules) == ["9", "9.1", "R1", "R2", "R3"]
    assert rules["R1"].text == "The robot must be safe, see Frame ."
    assert rules["R1"].notes == ["Wrap a string\naround it."]
    assert rules["R2"].tables[0].rows == [["Arm", "2 kg"]]
    assert rules["R1"].parent == "9.1"


def test_html_by_structure(tmp_path: Path) -> None:
    text = """<html><head><title>x</title></head><body><nav>A1.9 menu</nav>
<h1>405 Ramps</h1><h2>405.1 General</h2><p>A ramp must comply.</p>
<h2>405.2 Slope</h2><p>A slope must not be steeper than 1:12.</p>
<ol type="a"><li>Short ramps</li><li>Long ramps<ul><li>of steel</li></ul></li></ol>
<div class="advisory"><p>Gentle slopes are better.</p></div>
<h2>405.3 Width</h2><table><tr><th>Kind</th><th>Width</th></tr><tr><td>Short</td><td>900 mm</td></tr></table>
<script>405.4</script></body></html>"""
    book = read_text(tmp_path, text, ".html")
    rules = {rule.id: rule for rule in book.rules}
    assert list(rules) == ["405", "405.1", "405.2", "405.3"]
    assert rules["405.2"].title == "Slope"
    assert rules["405.2"].text == "A slope must not be steeper than 1:12.\na. Short ramps\nb. Long ramps\n• of steel"
    assert [item.id for item in rules["405.2"].items] == ["405.2.a", "405.2.b", "405.2.b#1"]
    assert rules["405.2"].notes == ["Gentle slopes are better."]
    assert rules["405.3"].tables[0].header == ["Kind", "Width"]


def test_html_lists_of_paragraphs_and_rows_of_maxima(tmp_path: Path) -> None:
    text = """<html><body><h2>1. Game</h2><h3>1.1. Robots</h3>
<div><ul><li><p>A robot must fit into a box.</p></li><li><p>It must be red.</p></li></ul></div>
<table><thead><tr><th>League</th><th>Open</th></tr></thead><tbody><tr><td>Maximum Weight</td><td>2200 g</td></tr>
<tr><td>Time (min)</td><td>9 min</td></tr></tbody></table><h3>1.2. Ball</h3><p>It must roll [1].</p>
<ol><li><p>over grass, and</p></li><li><p>over sand.</p></li></ol>
<div id="footnotes"><div class="footnote">1. Slowly.</div></div><div id="footer">Last updated</div></body></html>"""
    rules = {rule.id: rule for rule in read_text(tmp_path, text, ".html").rules}
    assert [item.id for item in rules["1.1"].items] == ["1.1#1", "1.1#2"]
    assert [(q.comparator, q.value, q.role) for q in rules["1.1"].quantities] == [
        ("maximum", 2200, "limit"),
        ("exactly", 9, "information"),
    ]
    assert [item.text for item in rules["1.2"].items] == ["over grass, and", "over sand."]
    assert rules["1.2"].text == "It must roll [1].\n1. over grass, and\n2. over sand."


def test_lost_signs_are_reported(tmp_path: Path) -> None:
    text = "\n\n".join(f"A1.{n} The angle must be 30\ufffd or less." for n in range(1, 6))
    codes = [problem.code for problem in read_text(tmp_path, text, ".txt").problems]
    assert codes == ["text"]


def test_pages_of_a_text_are_parted_by_form_feeds(tmp_path: Path) -> None:
    text = "A1.1 It must roll.\nA1.2 It must stop.\n\fA1.3 It must carry.\nA1.4 It must turn.\n"
    assert [rule.page for rule in read_text(tmp_path, text, ".txt").rules] == [1, 1, 2, 2]


@pytest.mark.parametrize("text", ["<!-- A1.1 -->", "</p>", "<", "<>"])
def test_html_without_content_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DqgenError):
        read_text(tmp_path, text, ".html")


@given(
    st.text(alphabet="A1.2 \n#*|-<>/ptd[]()`\t\f½9mgh:", max_size=400),
    st.sampled_from([".md", ".rst", ".html", ".txt"]),
)
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, suffix: str) -> None:
    path = tmp_path_factory.mktemp("any") / f"a{suffix}"
    path.write_text(text, encoding="utf-8")
    try:
        ids = [rule.id for rule in parse(path).rules]
    except DqgenError:
        return
    assert ids
