"""The canonical form: its layout, and that it keeps the meaning and the text of the author."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec import compiler
from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.ir import Puzzle
from puzzlec.language.formatter import layout
from puzzlec.language.formatter.words import words_of
from tests.strategies import puzzles

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden" / "fmt").glob("*.before.puzzle"))

TEMPLATES = [
    """puzzle "Queens"
lattice none
param n = 4
locations names file[j] for j in 1..n
optional locations names up[s] for s in 2..2*n   down[d] for d in 1-n..n-1
for i in 1..n {
  piece rank[i] covers { file[j] up[i+j] down[i-j] } for j in 1..n where not (i = 1 and j = 1) or n < 2
}
""",
    """puzzle "Dominoes"
colours 0 1 2 [ ( - ;
locations {
  0012
  0112
  [(-;
}
allow 0 on 1 2
allow [ on (
for a in 0..2, b in a..2 where a != b or max(a,b) < 2 { piece d[a,b] x0..{a*2+1} fixed { {a}{b} } }
piece m x* { x }
forbid d[0,1] at cells (0,0) (1,0)
""",
    """lattice cubic
locations {
  xx  x?
  xx  ..
} + box {1+1}x1x1 at (4,0,-1)
optional locations cells (i, 2*i + 1, 7) for i in 1..2
empty 0..3
piece V x2 one-sided { x }
piece box x0..2 { xx/x. }
pieces tricubes x0..1 except V
place V inside (box 9x9x9) - cells (0,0,0)
""",
    """puzzle "Tiles"
colours r g b
locations box 2x1
frame g
match r b
piece A sides g r g g
piece B x1 free sides g {r} g b
fix A sides g r g g at cells (0,0)
""".replace("{r}", "g"),
    """param n = 3
lattice none
locations names 0..n-1 a b[1] c[i,j] for i in 1..n, j in (1, 2)   "d e"
empty n..
optional locations names f
piece A x0..n covers {0 1} {2 a}
piece B x2.. covers {f}
""",
    """lattice none
locations names (
  row[y,v] for y in 0..1, v in 1..2
  "box" "5" x1 "a b" is
)
for v at (x,y) in {
  1.
  .2
} {
  piece g[x,y] covers { row[y,v] }
}
for i in (1, 3) {
  for k in 1..1 {
    piece "box"[i,k] x0..1 covers {"box" "5"} {x1} {"a b" is}
  }
}
piece rest x* covers { row[0,2] } { row[1,1] } {is} {"5"} {"box"} {x1} {"a b"}
""",
]

#: Drawings in which white space means position, on one line or several, with the first row anywhere.
STICKS = [
    "{+-+}", "{   +-+ }", "{ | |/+-+ }", "{+-+/| |/+-+}", "{ +-+/  |}", "{/ +-+}", "{ . +-+\n   |}",
    "{ |\n        +-+\n  }",
    "{\n  +-+\n  | |\n}", "{\n      +-+\n        |\n\n        | # c\n}", "{ # c\n+-+\n# c\n| |}", "{\n\n   +-+/   |\n}",
    "{\n    +-+/| |\n    | |\n}", "{\n |\n+\n }", "{#c\n    -   #c\n      \n}", "{\n  +-+ /  |/\n  +\n\n\n}",
]  # fmt: skip

#: The same with hexagons and triangles.
POSITIONS = [
    ("hex", "{x x}"), ("hex", "{   x x/ x }"), ("hex", "{\n      x\n     x x\n }"), ("hex", "{ x\n    x x\n  }"),
    ("hex", "{ # c\n   x . x#c\n\n     x x\n\n}"), ("hex", "{. x/ x#c\n x\n}"),
    ("hex", "{ # c\n   x . x#c\n    # c\n   x x\n\n}"),
    ("triangle", "{xxx}"), ("triangle", "{  .x/xxx }"), ("triangle", "{\n      x\n     xxx\n\n }"),
    ("triangle", "{ xx # c\n    x x\n  }"), ("triangle", "{ # c\n   .xx#c\n\n     xxx\n}"),
    ("triangle", "{./x/ x#c\n}"),
]  # fmt: skip


def read(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def comments(text: str) -> list[str]:
    return [comment.rstrip() for comment in re.findall(r"#c[^\n]*", text)]


def disturbed(text: str, chance: random.Random) -> str:
    """Return a text with the same meaning in another layout."""
    words = words_of(Source("", text))
    parts: list[str] = []
    blocks: list[bool] = []
    depth = at = 0
    for word in words.words:
        between, written = text[at : word.start], word.text if word.type == "DRAWING" else text[word.start : word.end]
        at = word.end
        if "\n" in between and not depth:
            between = chance.choice(
                ["\n", "\n\n", "\n\n\n", "\n \t\n", "  \n# c\n", f" #c{chance.random()}  \n", "\r\n"]
            )
            between += chance.choice(["", "", " ", "\t", "      "])
        elif between or depth:
            loose = between or not (word.type == "LPAR" or parts[-1:] == ["min"])
            between = chance.choice([between, between + "  ", "\t" + between] if loose else [between])
            if depth and chance.random() < 0.2:
                between += chance.choice(["\n", "\r\n\n", f"#c{chance.random()}\n", "\n #c )}{\n"])
        elif word.type in ("COMMA", "TIMES", "PLUS", "MINUS", "RPAR", "RSQB", "COMPARISON", "LSQB"):
            between = chance.choice(["", " "])
        if word.type == "NAME" and chance.random() < 0.3 and not word.text.isdecimal():
            written = f'"{word.text}"'
        if word.type == "DRAWING":
            written = drawing(written, chance)
        if word.opens:
            blocks.append(word.block)
            depth += not word.block
        elif word.closes:
            depth -= not blocks.pop()
        parts += [between, written]
    found = "".join(parts) + text[at:]
    found = re.sub(r"[ \t](x[\d*.]+)[ \t]+(free|fixed|one-sided)\b", r" \2  \1", found)
    return chance.choice(["", "\ufeff", "\n\n"]) + found + chance.choice(["", "\n\n", "#c end"])


def drawing(text: str, chance: random.Random) -> str:
    if "{" in text[1:-1] or "(" in text:
        return text
    rows = [row for row in re.split(r"[\n/]", text[1:-1]) if row.strip()]
    rows = [chance.choice(["", "  ", "\t"]) + re.sub(" +", chance.choice([" ", "   "]), row.strip()) for row in rows]
    ends = [chance.choice(["/", " / ", "\n", " #c row\n", "\n #c } {\n", "\r\n"]) for _ in rows[1:]]
    ends.append(chance.choice(["", " ", "\n", "#c last\n"]))
    return "{" + "".join(row + end for row, end in zip(rows, ends, strict=True)) + "}"


def check(text: str, original: str) -> None:
    result = compiler.fmt(text)
    assert compiler.fmt(result) == result
    assert read(result) == read(original), result
    assert comments(result) == comments(text.replace("\r\n", "\n"))
    assert not re.search(r"[ \t\r]\n|\n\n\n|\A\n|\n\n\Z|[^\n]\Z|\ufeff|\t", result)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.split(".")[0])
def test_a_text_gets_its_canonical_form(path: Path) -> None:
    expected = path.with_name(path.name.replace("before", "after")).read_text(encoding="utf-8")
    assert compiler.fmt(path.read_text(encoding="utf-8")) == expected
    assert compiler.fmt(expected) == expected


@pytest.mark.parametrize("text", TEMPLATES)
def test_a_template_is_already_canonical(text: str) -> None:
    read(text)
    assert compiler.fmt(text) == text


@given(puzzles(), st.randoms(use_true_random=False))
@pytest.mark.long
def test_a_puzzle_in_any_layout_keeps_its_meaning_when_formatted(puzzle: Puzzle, chance: random.Random) -> None:
    text = puzzlec.convert(puzzle, "puzzle")
    check(disturbed(text, chance), text)


@given(st.sampled_from(TEMPLATES), st.randoms(use_true_random=False))
@pytest.mark.long
def test_a_template_in_any_layout_keeps_its_meaning_when_formatted(text: str, chance: random.Random) -> None:
    check(disturbed(text, chance), text)


@pytest.mark.parametrize(
    ("quoted", "plain"),
    [
        ('locations names "a"', "locations names a"),
        ('locations names "5"', 'locations names "5"'),  # 5 names five locations
        ('locations names "box"', 'locations names "box"'),
        ('locations names "x2"', 'locations names "x2"'),
        ('locations names "a b" "c-d" "-e"', 'locations names "a b" c-d "-e"'),
        ('piece "fixed" covers {"for"}', 'piece "fixed" covers {"for"}'),
        ('puzzle "Two"', 'puzzle "Two"'),
    ],
)
def test_quotes_are_removed_only_if_the_name_stays_the_same(quoted: str, plain: str) -> None:
    assert compiler.fmt(quoted) == plain + "\n"


@pytest.mark.parametrize(
    "rows",
    [
        "xx\n\nxx",
        "xx//xx",
        "xx/\n/xx",
        "xx/\n\nxx",
        "xx\n//\nxx",
        "xx/ \t/xx",
        "xx\n\n#c\n\nxx",
        "xx//\n#c\nxx",
        "xx #c/\n/xx",
    ],
)
def test_a_gap_between_rows_is_neither_added_nor_removed(rows: str) -> None:
    # On a flat lattice it has no meaning; in a solid it is an error that must be reported.
    text = "lattice cubic\nlocations {\n" + rows + "\n}\npiece D x2 { xx }\n"
    result = compiler.fmt(text)
    assert compiler.fmt(result) == result
    if rows != "xx #c/\n/xx":
        with pytest.raises(PuzzleError, match=r"blank row|PZ313"):
            read(result)
    for fine in ("xx/\nxx", "xx\n/xx", "xx\n/\nxx", "xx\n#c\nxx"):
        assert "\n\n" not in compiler.fmt(text.replace(rows, fine))


@pytest.mark.parametrize(("lattice", "drawing"), [*(("sticks", sticks) for sticks in STICKS), *POSITIONS])
@pytest.mark.parametrize("before", ["", "for i in 1..1 {\n"])
def test_a_drawing_is_only_moved_if_white_space_means_position(lattice: str, drawing: str, before: str) -> None:
    text = f"lattice {lattice}\nlocations box 9x9\n{before}   piece A x0..1{drawing}\n" + "}" * bool(before)
    result = compiler.fmt(text)
    assert compiler.fmt(result) == result
    assert outcome(result) == outcome(text), result


@pytest.mark.parametrize("lattice", ["hex", "triangle", "sticks", "mine.yaml"])
def test_spaces_between_the_characters_of_a_row_stay_if_they_may_mean_position(lattice: str) -> None:
    text = f'lattice "{lattice}"\nlocations box 3x3\npiece A {{ x   x }}\n'
    assert "{ x   x }" in compiler.fmt(text)


@pytest.mark.parametrize("lattice", ["cubic", "fcc", "none", "tetoct"])
def test_spaces_between_groups_become_one_if_they_divide_layers(lattice: str) -> None:
    text = f"lattice {lattice}\nlocations box 3x3x3\npiece A {{ x   x }}\n"
    assert "{ x x }" in compiler.fmt(text)


def outcome(text: str) -> object:
    """Return the pieces of a text, or the code of its error."""
    try:
        return read(text).pieces
    except PuzzleError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]


def test_a_text_without_statements_keeps_its_comments() -> None:
    assert compiler.fmt("\n\n") == ""
    assert compiler.fmt("  # a\n\n\n\n#b") == "# a\n\n#b\n"


def test_all_errors_of_form_are_reported() -> None:
    with pytest.raises(PuzzleError) as caught:
        compiler.fmt("locations box\npieces\npiece A { xx }\npiece B {")
    assert len(caught.value.diagnostics) == 3


def test_a_result_with_another_meaning_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout._TextLayout, "text", lambda _: "locations box 3x3\n")
    with pytest.raises(layout.ChangedMeaningError):
        compiler.fmt("locations box 3x4\n")


@pytest.mark.parametrize(
    "text",
    [
        "puzzle \"Many\"\n" + "".join(f"piece p{number} fixed x2 {{ xx / x. }} # c\n" for number in range(4000)),
        "lattice none\nlocations names " + " ".join(f"a{number}" for number in range(20_000)) + "\n",
        "locations {" + "x" * 1_000_000 + "}\n",
        "locations { " + "{i + 1}" * 20_000 + "}\n",
        "locations {" + "/" * 100_000 + "\n" * 100_000 + "x}\n",
        "param n = " + "+ ".join("1" * 20_000) + "\n",
        "puzzle \"Gaps\"" + "\n#c\n\n" * 20_000,
        "for i in 1..2 {" * 49 + "piece A { x }" + "}" * 49 + "\n",
        "piece A covers (" + "{0 1}\n" * 10_000 + ")\n",
    ],
    ids=["statements", "names", "row", "expressions", "slashes", "sum", "comments", "blocks", "sets"],
)  # fmt: skip
def test_large_texts_take_a_bounded_time(text: str) -> None:
    begun = time.process_time()
    assert compiler.fmt(text)
    assert time.process_time() - begun < 20
