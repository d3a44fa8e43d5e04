"""Bugs that fuzzing found in formats other than the puzzle language: the smallest input for each."""

from __future__ import annotations

import time

import pytest

from puzzlec.compiler import convert, parse
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.formats.reading import read
from puzzlec.ir import Fitting, Puzzle
from tests.tools.fuzz import files, rules
from tests.tools.fuzz.targets import TARGETS

#: Inputs of targets that broke a rule, by the name of the bug.
BROKEN: dict[str, tuple[str, bytes]] = {
    "a place in bytes, not in characters": ("dpf", "““l".encode() + b"\xbd o"),
    "a colon without an item has no place": ("dlx", b"x\n:"),
    "and a colour behind it": ("dlx", b"x | y\nx :red\n"),
    "a name with a control character is never read again": ("polycube", b"[0][2]\n\x0e 00"),
    "so is a title": ("puzzle", b'puzzle "a\x0bb"\nlocations box 1x1\npiece A { x }\n'),
    "and one with a tab": ("puzzle", b'puzzle "a\tb"\nlocations box 1x1\npiece "A\t" { x }\n'),
    "an empty first line": ("polyform", b"\r4"),
    "a table of pieces without a name has no place": ("polyform", b"piece_data={V}\npiece_data={"),
    "a status behind a model without literals: IndexError": ("answer", b"\x00v E\ns"),
    "a name of no letters has no place": ("answer", b"\x00'x1':1\"\""),
    "a remark between two lines of a solution": ("answer", b"\x00x1\n%\nx2 e\n----------"),
    "a colour that only a piece has is not written: KeyError": ("compact", b"2 1 1 0 0 1 1 1 4 0 0 2"),
    "a sign among cells of digits: ValueError": ("cells", b"{{01,-1}}"),
    "a condition that is too long has no place": ("condition", b"\x00" + b"a" * 10_001),
    "a coordinate that JSON does not take": ("compact", b"2 0 1 2147483647 0 1 1 4 0 0"),
    "a contradiction of a variable with a leading zero: IndexError": ("answer", b"s-7\n07"),
    "a title with a tab between its words": ("soma", b";.\t.\n/VVV"),
    "a piece whose name is empty": ("polyform", b"piece_data={'':(((0,2)){})}"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_inputs_that_once_broke_a_rule_keep_it(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SAMPLED", 1)
    target, content = BROKEN[what]
    with rules.small_bounds():
        assert TARGETS[target].tried(content).wrong == ""


def refused(content: bytes | str, format: str) -> Diagnostic:
    try:
        source = Source(f"f.{format}", content) if isinstance(content, str) else source_of(content, f"f.{format}")
        read(source, format, Report())
    except PuzzleError as error:
        return error.diagnostics[0]
    raise AssertionError("this is not refused")


def test_the_position_of_invalid_text_is_counted_in_characters() -> None:
    found = refused("“”\n“x".encode() + b"\xbd", "dpf")
    assert found.message == "file is not UTF-8 text: byte 11 is invalid"
    assert str(found.span) == "f.dpf:2:3"


def test_a_control_character_is_named_with_its_place() -> None:
    found = refused(b"2 1\n 1 \x1b[1m", "dpf")
    assert (found.code, str(found.span)) == ("PZ002", "f.dpf:2:4")
    assert found.message == "unexpected control character U+001B: this is not a text"


@pytest.mark.parametrize("format", ["piezas", "xmpuzzle", "json", "offsets", "puzzle"])
def test_half_a_character_is_not_text(format: str) -> None:
    """Readers of XML encode a text, which raised a UnicodeEncodeError."""
    assert refused("<a b='\ud83e'/>", format).message == "unexpected surrogate U+D83E: this is not a text"


def test_a_tab_in_a_name_is_read_as_a_space() -> None:
    puzzle = parse('puzzle "a\tb"\nlocations box 1x1\npiece "A\t" { x }\n')
    assert (puzzle.title, puzzle.pieces[0].name) == ("a b", "A ")


def test_old_xml_has_the_signs_of_windows() -> None:
    """Latin-1 has control characters where Windows-1252 has quotation marks. Names may not contain them."""
    text = '<PIEZAS><PIEZA Nombre="“é”" Ancho="1" Alto="1" Contenido="1"/></PIEZAS>'
    assert source_of(text.encode("cp1252"), "f.xml").text == text


def test_a_colour_that_only_a_piece_has_is_written_and_read_again() -> None:
    puzzle = parse("2 1 1 0 0 1 1 1 4 0 0 2", format="compact")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.colours.names == ("1", "2")
    again = parse(convert(puzzle, "compact"), format="compact")
    assert isinstance(again, Puzzle)
    assert (again.locations[0].colour, again.pieces[0].colours) == (puzzle.locations[0].colour, ("2",))
    assert parse(convert(puzzle, "json"), format="json") == puzzle


@pytest.mark.parametrize("empty", [(1, 0), (-1, 0), (0, 2**31)])
def test_impossible_numbers_of_empty_locations_are_not_a_fitting(empty: tuple[int, int]) -> None:
    """They appeared only in the exact cover, as bounds of an item `empty`."""
    with pytest.raises(ValueError, match="bounds of empty locations run backwards"):
        Fitting(2, (), frozenset({0}), empty)


@pytest.mark.parametrize(
    ("target", "content"),
    [
        ("polyform", b"#" * 200_000),  # comments before a table: the time grew at least with the square of their number
        ("polyform", b"piece_data = {'V': (((0,1),), {})}\n" + b"\n" * 200_000),
        ("answer", b"\x00" + b":" * 200_000),  # each colon may end the name of a piece
        ("solutions", b"\x00" + b"a: " * 70_000),
    ],
)
def test_very_many_of_one_sign_take_no_time(target: str, content: bytes) -> None:
    begun = time.process_time()
    assert TARGETS[target].tried(content).wrong == ""
    assert time.process_time() - begun < 5.0
