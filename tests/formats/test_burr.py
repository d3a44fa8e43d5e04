"""Six-piece burrs: their sticks by numbers and as drawings, and their errors."""

from __future__ import annotations

import json

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.geometry import Freedom, find_lattice, find_library
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Puzzle

#: A burr with 24 assemblies, and one with 144 and two equal sticks; both were confirmed by another program.
NUMBERS, DRAWN = (
    "103 511 893 960 992 1024",
    (
        "xxxxxx/xxxxxx/xx..xx/xx..xx",
        "xx.xxx/xxxxxx/xx...x/x....x",
        "xx..xx/xxxxxx/xxx..x/x...xx",
        "xx..xx/xxxxxx/x....x/x..x.x",
        "xx..xx/xxxxxx/x....x/x.x..x",
        "xx..xx/xxxxxx/x....x/x....x",
    ),
)
COPIES = "480, 480, 670\n704 # a remark 5\n768 992"


def burr(text: str, problem: str | None = None) -> Puzzle:
    found = read(Source("a.burr", text), "burr", Report(), problem=problem)
    assert isinstance(found, Puzzle)
    return found


def test_there_are_2225_numbers_of_837_sticks() -> None:
    sticks = find_library("burr-sticks")
    assert (len(sticks.shapes), len(sticks.shapes) + len(sticks.others)) == (837, 2225)
    assert [len(sticks.shape(name).cells) for name in ("1", "103", "256", "1024")] == [24, 20, 16, 14]
    assert not sticks.shapes.keys() & sticks.others.keys()


def test_numbers_of_one_stick_are_rotations_of_it() -> None:
    sticks, turns = find_library("burr-sticks"), find_lattice("cubic").turns(Freedom.ONE_SIDED)

    def images(name: str) -> set[frozenset[tuple[int, ...]]]:
        found = set()
        for turn in turns:
            cells = [turned(turn, cell) for cell in sticks.shape(name).cells]
            low = [min(at) for at in zip(*cells, strict=True)]
            found.add(frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells))
        return found

    for name in list(sticks.others)[::100]:
        least = sticks.name_of(sticks.shape(name).cells)
        assert least is not None
        assert int(least) < int(name)
        assert images(least) == images(name)


@pytest.mark.parametrize(("text", "assemblies"), [(NUMBERS, 24), ("\n".join(DRAWN), 24), (COPIES, 144)])
def test_a_burr_has_the_assemblies_that_another_program_finds(text: str, assemblies: int) -> None:
    assert puzzlec.count(burr(text)) == assemblies


def test_drawn_sticks_are_those_of_their_numbers_however_they_lie() -> None:
    assert {piece.name for piece in burr("\n".join(DRAWN)).pieces} == set(NUMBERS.split())
    turned_over = "\n".join("/".join(reversed(stick.split("/"))) for stick in DRAWN)
    assert {piece.name for piece in burr(turned_over).pieces} == set(NUMBERS.split())


def test_numbers_of_the_same_stick_are_copies_under_the_least_one() -> None:
    sticks = find_library("burr-sticks")
    other = next(name for name, shape in sticks.others.items() if sticks.name_of(shape.cells) == "3")
    found = burr(f"3 {other} 1 1 1 1")
    assert [(piece.name, piece.low, piece.high) for piece in found.pieces] == [("3", 2, 2), ("1", 4, 4)]


def test_a_text_may_contain_several_burrs() -> None:
    text = f"{NUMBERS}\n# the next one\n{COPIES}\n"
    assert [len(burr(text, problem).pieces) for problem in ("1", "2")] == [6, 5]
    report = Report()
    read(Source("a.burr", text), "burr", report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ298"]


def test_json_of_sticks_is_recognised_and_other_members_get_a_warning() -> None:
    text = json.dumps([{"shapes": DRAWN, "assemblies": ["A1a"]}])
    assert guess_format(Source("puzzles.json", text)) == guess_format(Source("<stdin>", text)) == "burr"
    report = Report()
    found = read(Source("puzzles.json", text), None, report)
    assert isinstance(found, Puzzle)
    assert [(diagnostic.code, "`assemblies`" in diagnostic.message) for diagnostic in report.diagnostics] == [
        ("PZ230", True)
    ]
    assert guess_format(Source("a.json", '{"stage": "puzzle"}')) == "json"


def test_drawn_sticks_are_recognised_without_an_extension_but_not_a_puzzle_with_drawings() -> None:
    assert guess_format(Source("<stdin>", "# six\n" + "\n".join(DRAWN))) == "burr"
    assert guess_format(Source("<stdin>", f"piece A {{ {DRAWN[0]} }}")) == "puzzle"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3 4 5\n", "expected 6 sticks in a six-piece burr, found 5"),
        ("1 2 3 4 5 6 7\n", "expected 6 sticks in a six-piece burr, found 1"),
        ("# nothing\n", "missing burr sticks"),
        ("1 2 3 4 0 6\n", "a stick number from 1 to 4096"),
        ("1 2 3 4 99999999999999999999 6\n", "a stick number from 1 to 4096"),
        ("1 2 3 4 4096 6\n", "stick 4096 is not connected"),
        ("1 2 3 4 xxxxxx/xxxxxx/xxxxxx/xxxxx. 6\n", "invalid burr stick"),
        ("1 2 3 4 xxxxxx/xx..xx/x...x/x....x 6\n", "row 3 of a burr stick has 5 cells, expected 6"),
        ("1 2 3 4 xxxxxx/xxxxxx/xxxxxx 6\n", "burr stick has 3 rows, expected 4"),
        ("1 2 3 4 A 6\n", "invalid burr stick"),
        ("[]\n", "missing burr sticks"),
    ],
)
def test_an_invalid_burr_is_refused_with_a_position(text: str, words: str) -> None:
    with pytest.raises(PuzzleError, match="PZ228") as caught:
        burr(text)
    assert words in str(caught.value)
    assert all(diagnostic.span is not None for diagnostic in caught.value.diagnostics)


def test_a_wrong_row_of_a_drawn_stick_is_named() -> None:
    with pytest.raises(PuzzleError) as caught:
        burr("1 2 3 4 xxxxxx/xxxxxx/xxxxxx/xxxxx. 6\n")
    assert caught.value.diagnostics[0].notes == ("row 4 is `xxxxx.`: each row begins and ends with `x`",)
