"""Bad input of every kind gets a diagnostic: never a crash, a hang, or a word on standard output."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec import compiler
from puzzlec.diagnostics import PuzzleError, Report, Severity, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.formats.reading import read
from puzzlec.formats.solvers.answers.lines import lines_of

POSITION = re.compile(r"--> .+:\d+:\d+$", re.MULTILINE)


def check(*arguments: str, folder: Path) -> tuple[int, str]:
    """Run ``puzzlec check`` as a user does; return its status and its standard error."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("FORCE_", "PUZZLEC_"))}
    done = subprocess.run(
        [sys.executable, "-m", "puzzlec", "check", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    said = done.stderr.decode()
    assert done.stdout == b"", "only results go to standard output, and there are none"
    assert "Traceback" not in said
    assert "internal error" not in said
    return done.returncode, said


def codes(text: str | bytes, format: str = "puzzle", board: str | None = None) -> list[str]:
    """Return the codes of all diagnostics of a text, in order; each must have a position."""
    content = text if isinstance(text, bytes) else text.encode()
    report = Report()
    try:
        compiler.check(read(source_of(content, f"bad.{format}"), format, report, board), report=report)
        found = report.diagnostics
    except PuzzleError as error:
        found = [
            *report.diagnostics,
            *(diagnostic for diagnostic in error.diagnostics if diagnostic not in report.diagnostics),
        ]
    assert all(diagnostic.span or diagnostic.file for diagnostic in found)
    return [diagnostic.code for diagnostic in found]


def helps(text: str, format: str = "puzzle") -> list[str]:
    """Return the suggestions in the diagnostics of a text."""
    with pytest.raises(PuzzleError) as raised:
        compiler.check(read(source_of(text.encode(), f"bad.{format}"), format, Report()), report=Report())
    return [help for diagnostic in raised.value.diagnostics for help in diagnostic.helps]


BOX = "locations box 2x2\n"
WHOLE = BOX + "piece A { xx/xx }\n"

#: Name of a file, its content, and the code that it must give.
FILES: dict[str, tuple[bytes, str]] = {
    "empty.puzzle": (b"", "PZ003"),
    "blank.dpf": (b" \n\t\n", "PZ003"),
    "random.puzzle": (random.Random(1).randbytes(5000), "PZ002"),
    "nul.puzzle": (b"locations box 2x2\n\0\n", "PZ002"),
    "nul.dpf": (b"1 1\0 1 1 0", "PZ002"),
    "utf16.puzzle": (WHOLE.encode("utf-16"), "PZ002"),
    "latin1.puzzle": ("# Stück\n".encode("latin-1") + WHOLE.encode(), "PZ002"),
    "typo.puzzle": (b"locatoins box 2x2\npiece A { xx/xx }\n", "PZ102"),
    "open-brace.puzzle": (b"locations box 2x2\npiece A { xx/xx\n", "PZ103"),
    "ragged.board": (b"xxxxx\nxxxx\n", "PZ221"),
    "colour.puzzle": (b"locations { xx/xo }\npiece A { xx/xx }\n", "PZ303"),
    "large-piece.puzzle": (b"locations box 2x2\npiece A { xxxx }\n", "PZ404"),
    "volumes.puzzle": (b"locations box 2x2\npiece A { xxx }\n", "PZ401"),
    "library.puzzle": (b"locations box 6x10\npieces pentomino\n", "PZ304"),
    "shape.puzzle": (b"locations box 6x10\npiece F = pentominoes.f\n", "PZ305"),
    "early.dpf": (b"2 1 1 2 0", "PZ202"),
    "range.dpf": (b"2 1 1 2 0 2", "PZ204"),
    "turns0.compact": (b"2 0 1 0 0 1 1 0 0 0", "PZ213"),
    "turns25.compact": (b"2 0 1 0 0 1 1 25 0 0", "PZ213"),
    "bomb.xml": (
        b'<?xml version="1.0"?>\n<!DOCTYPE PIEZAS [\n<!ENTITY a0 "1111111111">\n'
        + b"".join(b'<!ENTITY a%d "%s">\n' % (k, b"&a%d;" % (k - 1) * 10) for k in range(1, 20))
        + b']>\n<PIEZAS><PIEZA Nombre="I" Ancho="1" Alto="1" Contenido="&a19;"/></PIEZAS>',
        "PZ232",
    ),
    "external.xml": (
        b'<!DOCTYPE PIEZAS [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n<PIEZAS><PIEZA Nombre="&f;"/></PIEZAS>',
        "PZ232",
    ),
    "external-dtd.xml": (b'<!DOCTYPE PIEZAS SYSTEM "http://example.invalid/p.dtd">\n<PIEZAS/>', "PZ232"),
    "box.puzzle": (b"locations box 99999x99999\npieces pentominoes\n", "PZ321"),
    "copies.puzzle": (b"locations box 2x2\npiece A x99999999999 { xx }\n", "PZ321"),
    "parentheses.puzzle": (b"locations " + b"(" * 100_000 + b"box 2x2" + b")" * 100_000 + b"\n", "PZ106"),
    "parentheses-in-braces.puzzle": (b"locations box {" + b"(" * 10_000 + b"1" + b")" * 10_000 + b"}x1\n", "PZ106"),
    "digits.puzzle": (b"locations cells (" + b"9" * 100_000 + b",0)\n", "PZ321"),
    "digits.dpf": (b"9" * 100_000, "PZ201"),
    "digits.offsets": (b"F = {{" + b"9" * 100_000 + b",0}}", "PZ241"),
    "long-line.puzzle": (b"locations " + b"a " * 100_000 + b"\n", "PZ101"),
    "tags.xml": (b"<PIEZAS>" * 100_000, "PZ231"),
}


@pytest.mark.long
def test_the_command_line_refuses_every_bad_file_with_its_reason_and_its_place(tmp_path: Path) -> None:
    for name, (content, _) in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.puzzle").mkdir()
    names = [*FILES, "folder.puzzle", "missing.puzzle", "name-of-nothing"]
    status, said = check(*names, folder=tmp_path)
    assert status == 1
    parts = dict.fromkeys(names, "")
    for part in re.split(r"\n(?=(?:error|warning)\[)", "\n" + said):
        for name in names:
            if f"--> {name}" in part or f"`{name}`" in part.split("\n")[0]:
                parts[name] += part + "\n"
    for name, (_, code) in FILES.items():
        assert f"[{code}]" in parts[name], name
        assert POSITION.search(parts[name]) or code == "PZ003", f"{name} has no place"
    assert "[PZ001]" in parts["folder.puzzle"]
    assert "[PZ001]" in parts["missing.puzzle"]
    assert "[PZ006]" in parts["name-of-nothing"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("empty.puzzle", 1), ("random.puzzle", 1), ("typo.puzzle", 1), ("bomb.xml", 1), ("volumes.puzzle", 3)],
)
@pytest.mark.long
def test_one_bad_file_alone_gives_status_1_and_a_puzzle_without_a_solution_3(
    name: str, expected: int, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(FILES[name][0])
    status, said = check(name, folder=tmp_path)
    assert status == expected
    assert said.startswith("error[PZ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "secret.puzzle").write_text(WHOLE)
    (tmp_path / "secret.puzzle").chmod(0)
    status, said = check("secret.puzzle", folder=tmp_path)
    assert status == 1
    assert "permission denied" in said


def test_a_misspelt_keyword_gets_the_right_suggestion() -> None:
    assert helps("peice A { xx }\n") == ["write `piece A { xx }`"]
    assert helps(BOX + "pieces pentominos\n") == ["did you mean `pentominoes`?"]
    assert helps("locations box 6x10\npiece A = pentominoes.f\n") == ["did you mean `F`?"]
    assert helps("lattice cubik\n" + WHOLE) == ["did you mean `cubic`?"]


def test_a_wrong_single_letter_gets_no_suggestion() -> None:
    assert helps("locations box 6x10\npiece A = pentominoes.Q\n") == []


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("fix A at cells (1,1) (2,1)", "the board has x from 0 to 1 and y from 0 to 1"),
        ("forbid A at cells (-1,0) (0,0)", "the board has x from 0 to 1 and y from 0 to 1"),
        ("rule box 3x1 all equal", "the board has x from 0 to 1 and y from 0 to 1"),
        ("place B inside cells (9,9)", "the board has x from 0 to 1 and y from 0 to 1"),
        ("place B on cells (9,9) (8,8)", "the board has x from 0 to 1 and y from 0 to 1"),
    ],
)
def test_an_unknown_location_gets_the_coordinates_of_the_board(line: str, note: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("colours 1\nlocations box 2x2\npiece A x0..2 { 11 }\npiece B x1..2 { xx }\n" + line + "\n")
    (told,) = caught.value.diagnostics
    assert (told.code, told.notes) == ("PZ311", (note,))
    assert told.span
    assert told.span.text.startswith(("(", "box"))


@pytest.mark.parametrize(
    "line",
    ["place B inside box 9x9", "place B off cells (9,9)", "place A inside cells (9,9)", "place B on cells (1,1) (9,9)"],
)
def test_a_region_that_reaches_the_board_or_restricts_no_necessary_piece_is_allowed(line: str) -> None:
    assert puzzlec.parse(f"locations box 2x2\npiece A x0..2 {{ xx }}\npiece B x1..2 {{ xx }}\n{line}\n")


def test_pieces_that_are_fixed_on_the_same_location_are_one_error_with_both_places() -> None:
    fixed = "fix A at box 2x1\nfix B at box 2x1 at (1,0)\nfix C at box 2x1 at (0,1)\n"
    text = "locations box 4x2\npiece A { xx }\npiece B x2 { xx }\npiece C x0..1 { xx }\n"
    with pytest.raises(PuzzleError) as raised:
        puzzlec.parse(text + fixed)
    (found,) = raised.value.diagnostics
    assert (found.code, found.message) == ("PZ370", "pieces `A` and `B` are both fixed on location (1,0)")
    assert [str(found.span), *(str(label.span) for label in found.others)] == ["<text>:6:10", "<text>:5:10"]
    assert codes(text + "fix B at box 2x1\nfix B at box 2x1 at (1,0)\n") == ["PZ370"]
    for apart in (
        "fix A at box 2x1\nfix B at box 2x1 at (2,0)\nfix B at box 2x1 at (2,0)\n",
        "fix C at box 2x1\nfix A at box 2x1\n",
    ):
        assert puzzlec.parse(text + apart)


def test_whole_layers_one_after_another_are_written_side_by_side() -> None:
    for drawing in ("xx/xx x./..", " xx/xx   x./.. "):
        text = f"lattice cubic\nlocations box 2x2x2\npiece A {{{drawing}}}\npiece B {{ x }}\n"
        assert helps(text) == ["write the layers side by side: `xx x. / xx ..`"]


def test_the_error_for_an_unknown_piece_lists_the_pieces() -> None:
    with pytest.raises(PuzzleError) as raised:
        read(Source("bad.puzzle", WHOLE + "piece B { x }\nfix Q at cells (0,0)\n"), None, Report())
    assert [diagnostic.notes for diagnostic in raised.value.diagnostics] == [("pieces are A, B",)]


def test_a_colour_that_is_a_word_is_not_reported_again_in_drawings() -> None:
    assert codes("colours red b\nlocations { rb }\npiece A { rb }\n") == ["PZ322"]
    assert codes("colours red b\nlocations { rg }\npiece A { rb }\n") == ["PZ322", "PZ303"]


HIDES, OPENS = "`#` begins a comment, so `}` is part of it", "`#` begins a comment"
BEFORE = "write `}` before the comment, or on the next line"


@pytest.mark.parametrize(
    ("text", "code", "note", "help"),
    [
        (BOX + "piece D x3 { ## }\n", "PZ103", HIDES, "write `piece D x3 { xx }`"),
        (BOX + "piece D {\n  ##\n  #. }\npiece E { x }\n", "PZ103", HIDES, "write `x` for a cell"),
        (BOX + "piece D { xx # two }\npiece E { x }\n", "PZ103", HIDES, BEFORE),
        ("locations {\n  ###\n  #.#\n}\npiece D { xx }\n", "PZ314", OPENS, "write `x` for a cell"),
        ("lattice hex\nlocations {\n  # #\n}\npiece D { x }\n", "PZ314", OPENS, "write `x` for a cell"),
    ],
)
def test_cells_that_are_drawn_with_a_hash_are_not_a_comment(text: str, code: str, note: str, help: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read(Source("bad.puzzle", text), None, Report())
    assert [(diagnostic.code, diagnostic.notes, diagnostic.helps) for diagnostic in raised.value.diagnostics] == [
        (code, (note,), (help,))
    ]


def test_an_empty_drawing_with_a_comment_in_words_gets_only_a_general_suggestion() -> None:
    assert helps("locations {\n  ..  # nothing yet\n}\npiece D { xx }\n") == ["write `x` for each cell"]


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        ("soma.svg", '<?xml version="1.0"?>\n<!-- a - b --><svg xmlns="x"/>', "PZ008", "this is a picture, not"),
        ("<stdin>", "<svg/>", "PZ008", "this is a picture, not"),
        ("soma.html", "<!DOCTYPE html>\n<html></html>", "PZ008", "this is an HTML page, not"),
        ("x.py", "#!/usr/bin/env python\nimport puzzler\n", "PZ004", "this Python file has no table"),
        ("README.md", "# A title\n\nSome words.\n", "PZ004", "this is a page of text"),
        ("soma", "{\\rtf1\\ansi\n" + WHOLE + "}", "PZ008", "this is a word processor document"),
        ("soma.puzzle", "{\\rtf1\\ansi\n" + WHOLE + "}", "PZ008", "this is a word processor document"),
    ],
)  # fmt: skip
def test_the_error_for_a_file_without_a_puzzle_names_its_kind(name: str, text: str, code: str, message: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read(Source(name, text), None, Report())
    (found,) = raised.value.diagnostics
    assert (found.code, found.file) == (code, name)
    assert found.message.startswith(message)
    assert found.helps


def test_the_error_for_a_text_in_utf16_names_the_encoding(tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    for encoding, told in (("utf-16", True), ("latin-1", False)):
        text = ("# Stück\n" + WHOLE).encode(encoding)
        answers.write_bytes(text)
        for reading in (lambda text=text: source_of(text, "a.puzzle"), lambda: [*lines_of(str(answers))]):
            with pytest.raises(PuzzleError) as raised:
                reading()
            (help,) = raised.value.diagnostics[0].helps
            assert ("UTF-16" in help, "save it as UTF-8" in help) == (told, True)


def test_a_file_with_an_additional_txt_extension_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "cube.puzzle.txt").write_text(WHOLE)
    for name in ("cube.puzzle", "cube"):
        with pytest.raises(PuzzleError) as raised:
            compiler.load(str(tmp_path / name))
        assert raised.value.diagnostics[0].helps == (f"did you mean `{tmp_path / 'cube.puzzle.txt'}`?",)
    assert compiler.load(str(tmp_path / "cube.puzzle.txt"))


def test_a_puzzle_or_pieces_in_a_file_with_another_extension_are_read() -> None:
    for name, text in (("a.md", WHOLE), ("a.py", "# one\n" + WHOLE), ("a.svg", WHOLE)):
        assert read(Source(name, text), None, Report())
    assert read(Source("a.py", "class Dominoes:\n    piece_data = {'D': (((1,0),), {})}\n"), None, Report(), "2x1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("locations (box 2x2\n", ["PZ103"]),
        ("locations (box 2x2\npiece A { xx/xx }\n", ["PZ103"]),
        ("locations box 2x2)\npiece A { xx/xx }\n", ["PZ104"]),
        ("locations cells (0,0\npiece A { x }\n", ["PZ103"]),
        ("locations { xx/xx\npiece A { xx/xx }\n", ["PZ103"]),
        ("locations xx/xx }\npiece A { xx/xx }\n", ["PZ101"]),
        ("locations { xx/xx } }\npiece A { xx/xx }\n", ["PZ104"]),
        ("locations { { xx/xx }\npiece A { xx/xx }\n", ["PZ103"]),
        ("}\n" + WHOLE, ["PZ104"]),
        (")\n" + WHOLE, ["PZ104"]),
        ("{\n" + WHOLE, ["PZ103"]),
        (WHOLE + "(", ["PZ102"]),
        (WHOLE + "{", ["PZ103"]),
        (BOX + "piece A covers {(0,0) (1,0) {(0,1)}\n", ["PZ103"]),
        (BOX + "piece A covers ({(0,0)}\npiece B { xx }\n", ["PZ103"]),
        (BOX + "piece A covers {(0,0)})\n", ["PZ104"]),
        (BOX + "piece A { xx/xx # } a comment\n", ["PZ103"]),
        (BOX + 'piece "A { xx/xx }\n', ["PZ105"]),
        ('puzzle "A\n' + WHOLE, ["PZ105"]),
    ],
)
def test_unbalanced_brackets_and_quotes_are_one_error_each(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_several_mistakes_in_a_file_are_all_reported_in_their_order() -> None:
    text = "locations box 2 x 2\npeice A { xx }\npiece B { xx\npiece C covers {(0,0)\nplace D on (0,0)\n"
    assert codes(text) == ["PZ101", "PZ102", "PZ103", "PZ103", "PZ101"]
    text = BOX + "piece A { xo }\npiece A { xx }\npiece C = pentominos.C\nplace D on box 1x1\n"
    assert codes(text) == ["PZ303", "PZ301", "PZ304", "PZ306"]


def test_one_mistake_with_many_consequences_is_one_error() -> None:
    assert codes("locations { zzzz }\npiece A { zz }\npiece B { zz }\n") == ["PZ303"]
    assert codes(BOX + BOX + "piece A { xx/xx }\n") == ["PZ310"]
    assert codes("locations box 6x10\npieces pentominoes\npieces pentominoes\n") == ["PZ301"]
    assert codes("Dear reader,\nhere is a file\nwithout any puzzle.\n") == ["PZ102"]


def test_tabs_windows_line_ends_and_a_byte_order_mark_are_allowed() -> None:
    assert codes(WHOLE.replace(" ", "\t")) == []
    assert codes(WHOLE.replace("\n", "\r\n")) == []
    assert codes(WHOLE.replace("\n", "\r")) == []
    assert codes(b"\xef\xbb\xbf" + WHOLE.encode()) == []
    assert codes("\ufeff2\t1\r\n1\r\n\t2 0 1", "dpf") == []


def test_positions_are_right_after_tabs_windows_line_ends_and_a_byte_order_mark() -> None:
    with pytest.raises(PuzzleError) as raised:
        read(source_of(b"\xef\xbb\xbflocations box 2x2\r\n\tpiece\tA ?\r\n", "bad.puzzle"), None, Report())
    assert str(raised.value.diagnostics[0].span) == "bad.puzzle:2:10"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pie\u0441e A { xx }\n" + BOX, "PZ102"),  # a Cyrillic es
        ("locations\u00a0box 2x2\n", "PZ101"),  # a no-break space
        (BOX + "piece A { \u0445\u0445/\u0445\u0445 }\n", "PZ303"),  # Cyrillic ha
        ("locations box 2\u00d72\n", "PZ101"),
        ("locations box 4x4 \u2212 box 2x2\n", "PZ101"),
        ("\u200blocations box 2x2\n", "PZ102"),  # a zero-width space
    ],
)
def test_characters_that_look_like_others_are_named(text: str, expected: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read(source_of(text.encode(), "bad.puzzle"), None, Report())
    first = raised.value.diagnostics[0]
    assert first.code == expected
    assert "the character is" in " ".join(first.notes)


def test_a_number_that_is_too_large_names_the_limit() -> None:
    with pytest.raises(PuzzleError, match=r"too large \(limit 2,147,483,647\)"):
        read(source_of(b"99999999999 1 1 1 0", "bad.dpf"), "dpf", Report())


@pytest.mark.parametrize(
    ("text", "format", "expected"),
    [
        ("１ 1 1 1 0", "dpf", ["PZ201"]),
        ("1\u00a01 1 1 0", "dpf", ["PZ201"]),
        ("1 1 1 1 -", "dpf", ["PZ201"]),
        ("1 1 1 1 -0x", "dpf", ["PZ201"]),
        ("99999999999 1 1 1 0", "dpf", ["PZ201"]),
        ("1 2147483647 1 1 0", "dpf", ["PZ202"]),
        ("1 1 2147483647 1 0", "dpf", ["PZ202"]),
        ("1 1 1 2147483647 0", "dpf", ["PZ202"]),
        ("2 0 2147483647 0 0", "compact", ["PZ202"]),
        ("2 0 1 0 0 2147483647 1 1 0 0", "compact", ["PZ202"]),
        ("xx\nxy", "board", ["PZ222"]),
        ("xx xx", "board", ["PZ222"]),
        ("...", "board", ["PZ308"]),
        ("ХХ", "board", ["PZ222"]),
        ("<PIEZAS>", "piezas", ["PZ231"]),
        ("no XML", "piezas", ["PZ231"]),
        ("<PIEZAS><PIEZA Ancho='9999' Alto='9999' Contenido='1'/></PIEZAS>", "piezas", ["PZ233"]),
        ("<PIEZAS><PIEZA Ancho='-1' Alto='1' Contenido='1'/></PIEZAS>", "piezas", ["PZ233"]),
        ("<PIEZAS>&undefined;</PIEZAS>", "piezas", ["PZ231"]),
        ("F = {{1,0}", "offsets", ["PZ101"]),
        ("F = {{1,0}}}", "offsets", ["PZ101"]),
        ("F = {{1.5,0}}", "offsets", ["PZ101"]),
        ("F = {{1,0}} /* open", "offsets", ["PZ101"]),
    ],
)
def test_mistakes_in_other_formats_have_their_codes(text: str, format: str, expected: list[str]) -> None:
    assert codes(text, format, "2x1") == expected


@pytest.mark.parametrize(
    "text",
    [
        "locations cells (99999999999,0) (0,0)\npiece A { x }\n",
        "locations box 2x2 at (99999999999,0)\npiece A { x }\n",
        "locations box 99999999999999999999x1\npiece A { x }\n",
        "lattice none\nlocations 99999999999\npiece A covers { a }\n",
        BOX + "piece A x99999999999..1 { x }\n",
        BOX + "piece A { x }\nempty 99999999999\n",
        BOX + "piece A { x }\nplace A on box 1x1 at (99999999999,0)\n",
        BOX + "piece A { " + "x" * 1_100_000 + " }\n",
    ],
)
def test_huge_numbers_are_refused_at_once(text: str) -> None:
    begun = time.process_time()
    assert codes(text)
    assert time.process_time() - begun < 5


NOISE = {
    "letters": "abcdefghijklmnopqrstuvwxyz  \n",
    "symbols": "+-*/=.,:;[]<>&|!?$%^~ \n",
    "digits": "0123456789 \n",
    "braces": "{}()[] \n",
    "quotes": "\"'` \n",
}


@pytest.fixture(scope="module")
def noise() -> dict[str, str]:
    """Ten megabytes of each kind of noise."""
    source = random.Random(10)
    return {name: "".join(source.choices(signs, k=100_000)) * 100 for name, signs in NOISE.items()}


@pytest.mark.parametrize("format", ["puzzle", "dpf", "compact", "board", "piezas", "offsets"])
@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.long
def test_megabytes_of_noise_are_refused_within_seconds(kind: str, format: str, noise: dict[str, str]) -> None:
    text = noise[kind] if format == "puzzle" else noise[kind][:2_000_000]
    begun = time.process_time()
    assert codes(text, format, "10x6")
    assert time.process_time() - begun < 8


def test_a_large_file_of_noise_needs_little_memory_on_the_command_line(tmp_path: Path, noise: dict[str, str]) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux tells the peak of a process without that of its parent")
    (tmp_path / "noise.puzzle").write_text(noise["letters"])
    code = """
import sys
from puzzlec.cli.app import main
sys.argv = ["puzzlec", "check", "noise.puzzle"]
try:
    main()
except SystemExit as end:
    print(open("/proc/self/status").read())
    raise
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert POSITION.search(done.stderr)
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", done.stdout).group(1)) / 2**10  # type: ignore[union-attr]
    assert peak < 600, "megabytes"


def test_an_endless_line_is_shown_in_part_only() -> None:
    from puzzlec.diagnostics import render

    with pytest.raises(PuzzleError) as raised:
        read(Source("bad.puzzle", BOX + "piece A { xx } " + "x" * 1_000_000), None, Report())
    assert all(len(line) < 300 for line in render(raised.value.diagnostics[0]).split("\n"))


VALID: dict[str, tuple[str, ...]] = {
    "puzzle": (
        'puzzle "Two"\ncolours r b\nlocations { rb?/xx. } + box 2x1 at (0,2)\npiece A x2 one-sided { rb }\n'
        "piece L = trominoes.V\nallow r on b\nempty 0..1\n"
        "place L inside box 3x3 - cells (0,0)\nfix A at cells (0,0) (1,0)\n",
        "lattice cubic\nlocations box 2x2x2\npiece A x0..2 { xx x. } # comment\npieces tricubes except I\n"
        "piece L { xx x. }\nforbid L at { xx x. }\n",
        'lattice none\nlocations names a b "c d" e\noptional locations names f\npiece P covers {a b} {b f}\n'
        'piece Q x* covers (\n  {"c d"}\n  {e}\n)\n',
        "lattice line\nlocations { xxx }\npiece D { xx }\npiece M fixed { x }\n",
    ),
    "dpf": ("6 3\n2  2 0 1  2 2 3\n3  2 0 2  2 2 4  2 4 5\n2  2 1 3  2 3 5\n",),
    "compact": (
        "2 1\n4\n0 0 1\n1 0 2\n0 1 1\n1 1 2\n2\n2 8\n  0 0 1\n  1 0 2\n2 24  0 0 1  1 0 2\n",
        "3 0 1 0 0 0 1 1 24 0 0 0",
    ),
    "board": ("xxx.\nxxxx\n", "xx\n.x\n"),
    "piezas": ('<PIEZAS>\n  <PIEZA Nombre="L" Ancho="2" Alto="2" Contenido="1110"/>\n</PIEZAS>\n',),
    "offsets": ("int[][] L = {{1,0, 0,1}, {1,0, 1,1}};\nI = [[1,0], [0,1]]; // a domino\n",),
}
SIGNS = "{}()[]<>\"'#/?.,:;=*+-&x0159 \n\t\rAaé\u00a0٣²"


@st.composite
def mutated(draw: st.DrawFn, format: str) -> str:
    """Draw a valid text with some tokens deleted, doubled, swapped or replaced, and some characters inserted."""
    tokens = re.findall(r"\w+|\s+|.", draw(st.sampled_from(VALID[format])))
    for _ in range(draw(st.integers(1, 4))):
        if not tokens:
            break
        at, other = (draw(st.integers(0, len(tokens) - 1)) for _ in range(2))
        match draw(st.sampled_from(("delete", "double", "swap", "copy", "sign", "number"))):
            case "delete":
                del tokens[at : at + draw(st.integers(1, 3))]
            case "double":
                tokens[at:at] = tokens[at : at + draw(st.integers(1, 5))]
            case "swap":
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case "copy":
                tokens[at] = tokens[other]
            case "sign":
                tokens.insert(at, draw(st.sampled_from(SIGNS)))
            case _:
                tokens[at] = draw(st.sampled_from(("0", "-1", "7", "300", "2147483648", "9" * 30, "x2..1", "1..0")))
    return "".join(tokens)


@pytest.mark.parametrize("format", VALID)
def test_the_texts_to_be_mutated_are_valid(format: str) -> None:
    for text in VALID[format]:
        read(Source(f"valid.{format}", text), format, Report(), "3x1")


@pytest.mark.parametrize("format", VALID)
@pytest.mark.long
def test_a_mutated_text_loads_or_is_refused_with_a_diagnostic_and_nothing_else_is_raised(format: str) -> None:
    @settings(derandomize=True, deadline=None, max_examples=300, database=None)
    @given(mutated(format))
    def loads_or_is_refused(text: str) -> None:
        report = Report()
        try:
            compiler.check(read(Source(f"mutated.{format}", text), format, report, "3x1"), report=report)
        except PuzzleError as error:
            assert any(diagnostic.severity is Severity.ERROR for diagnostic in error.diagnostics)
            assert all(diagnostic.span or diagnostic.file for diagnostic in error.diagnostics)
            assert str(error)

    loads_or_is_refused()


def test_a_picture_gets_no_advice_to_save_it_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "picture.puzzle").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    _, said = check("picture.puzzle", folder=tmp_path)
    assert "help: give a text file: a picture, a model or a document contains no puzzle" in said
