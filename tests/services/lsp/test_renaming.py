"""Renaming does not change a puzzle."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlec.diagnostics import Report, Source
from puzzlec.formats.reading import read
from puzzlec.ir import Puzzle
from puzzlec.language.editing.renaming import RENAMABLE_KINDS, RefusedNameError, _of_libraries, renamed
from puzzlec.language.editing.syntax import NameKind, syntax_of
from puzzlec.language.fixing import applied
from puzzlec.lower import place

PUZZLES = sorted((Path(__file__).parents[3] / "puzzles").rglob("*.puzzle"))
SMALL = [path for path in PUZZLES if path.stat().st_size < 1500]

QUEENS = """lattice none
param n = 4
locations names file[j] for j in 1..n   "one more"
optional locations names up[s] for s in 2..2*n
for i in 1..n {
  piece rank[i] covers {file[j] up[i+j]} for j in 1..n
}
piece "the rest" covers {"one more"}
fix rank[1] at names file[2] up[3]
forbid "rank[2]" at names "file[2]" up[4]
"""


def level(text: str, name: str) -> Puzzle:
    what = read(Source(name, text), "puzzle", Report())
    assert isinstance(what, Puzzle)
    return what


def meaning(puzzle: Puzzle) -> list[object]:
    """Return a puzzle without its names."""
    fitting = place(puzzle, Report())
    return [
        fitting.locations,
        fitting.optional,
        [(piece.placements, piece.low, piece.high) for piece in fitting.pieces],
    ]


def check_all(text: str, name: str, new: str) -> int:
    """Rename each thing of a text in turn; return their number."""
    syntax = syntax_of(Source(name, text))
    before = meaning(level(text, name))
    things = {thing.key: thing for thing in syntax.names if thing.defines and thing.kind in RENAMABLE_KINDS}
    for thing in things.values():
        word = new if thing.kind in (NameKind.PIECE, NameKind.LOCATION) else re.sub(r"\W", "_", new)
        after = applied(text, renamed(syntax, thing, word))
        assert meaning(level(after, name)) == before, f"{thing.word} in {name}"
    return len(things)


@pytest.mark.parametrize("new", ["brandnew", "brand new", "box", "x2", "\U0001f600"])
def test_everything_with_a_name_can_be_renamed(new: str) -> None:
    try:
        assert check_all(QUEENS, "queens.puzzle", new) > 8
    except RefusedNameError as error:
        assert new in ("box", "x2", "\U0001f600"), error


def test_a_piece_is_renamed_in_every_statement_that_names_it() -> None:
    text = "locations box 2x1\npiece A { x }\npiece B { x }\nimmovable A\ntogether A B\nplace A inside box 1x1\n"
    syntax = syntax_of(Source("x.puzzle", text))
    name = next(named for named in syntax.names if named.word == "A")
    after = applied(text, renamed(syntax, name, "Z"))
    assert after == text.replace(" A", " Z")


@pytest.mark.parametrize(
    "line",
    [
        "rule box 2x1 exactly 1 A",
        "rule each row at most n A[1]",
        'paint "A" red',
        "fix { AB }",
        "apart A B with corners",
        "touching A B",
        "forbid A at box 1x1",
        "cost A per box 1x1 = 2",
        "for i in 1..2 { rule box 2x1 at least 0 A }",
    ],
)
def test_a_renamed_piece_keeps_its_name_nowhere(line: str) -> None:
    index = "[1]" if "[1]" in line else ""
    text = f"param n = 1\nlocations box 2x1\npiece A{index} {{ x }}\npiece B {{ x }}\n{line}\n"
    syntax = syntax_of(Source("x.puzzle", text))
    name = next(named for named in syntax.names if named.word == "A" and named.defines)
    after = applied(text, renamed(syntax, name, "Z"))
    assert after == text.replace("A", "Z")
    assert len(level(after, "x.puzzle").pieces) == 2


def test_a_name_in_a_drawing_has_one_character() -> None:
    text = "locations box 2x1\npiece A { x }\npiece B { x }\nfix { AB  # A }\n}\n"
    syntax = syntax_of(Source("x.puzzle", text))
    name = next(named for named in syntax.names if named.word == "A")
    assert applied(text, renamed(syntax, name, "Z")) == text.replace("piece A", "piece Z").replace("AB", "ZB")
    for new in ("long", "B", "x", "?", "."):
        with pytest.raises(RefusedNameError):
            renamed(syntax, name, new)


@pytest.mark.parametrize("path", SMALL[::40], ids=lambda path: path.stem)
def test_renaming_does_not_change_a_puzzle_of_the_catalogue(path: Path) -> None:
    check_all(path.read_text(encoding="utf-8"), str(path), "brandnew")


@pytest.mark.slow
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_renaming_does_not_change_any_puzzle_of_the_catalogue(path: Path) -> None:
    check_all(path.read_text(encoding="utf-8"), str(path), "brandnew")


@pytest.mark.parametrize(
    ("text", "word", "new"),
    [
        ("piece A { x }\npiece B { x }\nlocations box 2x1\n", "A", "B"),
        ("lattice none\nlocations names a b\npiece A covers {a b}\n", "a", "b"),
        ("param n = 1\nparam m = n\nlocations box {m}x1\npiece A { x }\n", "n", "m"),
        ("lattice none\nlocations names a b\npiece A covers {a b}\n", "b", "for"),
        ("lattice none\nlocations names a\npiece A covers {a}\n", "a", "3"),
        ("lattice none\nlocations names 0..1\npiece A covers {0 1}\n", "0", "a"),
    ],
)
def test_a_name_that_is_taken_is_refused_or_put_in_quotes(text: str, word: str, new: str) -> None:
    syntax = syntax_of(Source("x.puzzle", text))
    name = next(named for named in syntax.names if named.word == word)
    with pytest.raises(RefusedNameError):
        renamed(syntax, name, new)


@pytest.mark.parametrize(("word", "taken"), [("only", {"P", "U"}), ("except", set("FILNTVWXYZ"))])
def test_the_pieces_of_a_library_are_those_that_only_and_except_leave(word: str, taken: set[str]) -> None:
    text = f"locations box 5x3\npieces pentominoes {word} P, U\n"
    assert _of_libraries(syntax_of(Source("a", text))) == [taken]
