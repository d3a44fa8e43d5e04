"""Each line of the cheat sheet can be typed, and the sheet has every word of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzlec
from puzzlec.language.elaborate.statements import KEYWORDS, WORDS

PAGE = Path(__file__).parents[2] / "docs" / "language" / "cheat-sheet.md"

PIECE = "\npiece Z x0..1 { x }"

#: The statements around a line of each section. ``!`` is the line.
AROUND = {
    "The puzzle": f"!\nlocations box 6x10{PIECE}",
    "Board": f"!\noptional locations cells (30,30) (31,30){PIECE}",
    "Pieces": "locations box 6x10\n!",
    "Colours and tiles": "!\nlocations box 2x1",
    "Rules": "colours 0 1 2\nlocations box 6x4\npiece A { 12 }\n!",
    "Costs": "colours 0 1 2\nlocations box 3x2\noptional locations cells (0,2)\npiece A { 12 }\n!",
    "Promised numbers": "locations box 3x2\npiece A { xx }\ncost A = 1\n!",
    "Taking apart": "locations box 3x2\npiece A { xx }\npiece B { xx }\n!",
    "How pieces meet": "colours r\nlocations box 4x4\npiece A { rr }\npiece B { rr }\npiece C x2 { r }\n!",
    "Numbers and loops": f"param n = 4\n!\noptional locations cells (30,30){PIECE}",
}

#: Lines that need other statements.
OTHERS = {
    "lattice cubic": "!\nlocations box 2x2x2\npiece Z { x }",
    "lattice none": "!\nlocations names a\npiece Z covers {a}",
    "piece J = mirror L": "locations box 6x10\npiece L one-sided { xxx/x.. }\n!",
    **dict.fromkeys(("paint L red", 'paint L "#ff8000"'), "locations box 2x1\npiece L { xx }\n!"),
    "colours r b": "!\nlocations { rb }\npiece Z { rb }",
    "piece D { rb }": "colours r b\nlocations { rb }\n!",
    "allow r on b": "colours r b\nlocations { rb }\npiece Z { rr }\n!",
    "piece T sides r b r b": "colours r b\nlocations box 1x1\n!",
    "match r b": "colours r b\nlocations box 2x1\npiece Z x2 sides r b r b\n!",
    "frame r": "colours r b\nlocations box 2x1\npiece Z x2 sides r b r b\n!",
    **dict.fromkeys(("hexagon 3", "triangle 6"), f"lattice hex\nlocations !{PIECE}"),
    "tetrahedron 4": f"lattice fcc\nlocations !{PIECE}",
    "edges of box 3x3": "lattice sticks\nlocations !\npiece Z x0..1 { | }",
    "grid 3x3": "lattice sticks\nlocations !\npiece Z x0..1 { | }",
    "crossing": "lattice sticks\nlocations grid 2x2\n!\npiece Z x0..1 { | }",
    "regions A": "!\nlocations { AAxx }\npiece Z x0..1 { x }",
    "param n = 4": f"!\nlocations box {{n}}x{{n}}{PIECE}",
}


def lines() -> Iterator[tuple[str, str]]:
    """Yield the section and the code of each cell of the first column."""
    for section, body in re.findall(r"(?ms)^## (.*?)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8")):
        for cell in re.findall(r"(?m)^\| (`.*?) \| [^|]* \|$", body):
            for code in re.findall(r"`([^`]*)`", cell):
                yield section, code


def typed(section: str, code: str) -> str:
    """Return a text with a line of the sheet, where a reader would write it."""
    line = code
    if code.split()[0] not in KEYWORDS and code not in OTHERS and not code.startswith("#"):
        is_region = re.match(r"\(|(box|cells|diamond|pyramid|cross|ring) ", code)
        is_condition = re.search(r" = |<", code)
        line = (
            f"locations {code}"
            if is_region
            else f"for i in 1..3 where {code} {{ locations cells (i,0) }}"
            if is_condition
            else f"for i in (2) {{ piece A[i] x{{{code}}} {{ x }} }}"
        )
    return f"{OTHERS.get(code, AROUND[section]).replace('!', line)}\n"


@pytest.mark.parametrize(("section", "code"), list(lines()))
def test_a_line_of_the_cheat_sheet_can_be_typed(
    section: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letters.puzzle").write_text("piece L { xxx/x.. }\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = typed(section, code)
    assert code in text
    puzzlec.parse(text)
    puzzlec.fmt(text)


@pytest.mark.parametrize("word", list(WORDS))
def test_a_word_of_the_language_is_on_the_cheat_sheet(word: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = " ".join(re.findall(r"(?s)```.*?```|`[^`]+`", page))
    assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", shown), f"add a line with `{word}` to {PAGE.name}"
