"""Numbers beyond all bounds: each is refused with its position, or keeps its value; none is cut to 32 bits.

Numbers of a text go into arrays of 32 bits (locations, items, colours, bounds, positions of options); these tests cover
every way in.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from puzzlec.compiler import compile, convert, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import count
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.selection import KernelName
from puzzlec.formats.registry import FORMATS
from puzzlec.geometry import find_lattice
from puzzlec.ir import ANY, Fitting, Location, Piece, Placements, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import encode, place, placing
from tests.covers import brute_covers

#: The last number of 32 bits, the first ones beyond 31, 32 and 64 bits, one with more digits than Python converts, ...
LAST = 2**31 - 1
BEYOND = ("2147483648", "4294967297", "9223372036854775808", "1" + "0" * 30, "7" * 5000)
ODD = ("1e300", "-2147483648", "-2147483649", "0x7fffffff", "1_000", "\uff11", "\u0663", "\u00b2", "1.0", "nan", "-0")

_JSON = '{"puzzlec": 1, "stage": "%s", %s}'
_ON_SQUARES = '"lattice": "square", "locations": [%s], "pieces": [{"name": "a", "cells": [%s], "turns": "free"%s}]%s'

#: Texts of each format with a number @ in each possible position.
TEXTS = {
    "dpf": ["@ 1 1 1 0", "1 @ 1 1 0", "1 1 @ 1 0", "1 1 1 @ 0", "1 1 1 1 @"],
    "compact": [
        "@ 0 1 0 1 1 1 0", "2 @ 1 0 0 1 1 4 0 0", "2 0 @ 0 0 1 1 4 0 0", "2 0 1 @ 0 1 1 4 0 0", "2 0 1 0 0 @ 1 4 0 0",
        "3 0 2 0 0 0 @ @ @ 1 1 24 0 0 0", "2 0 1 0 0 1 @ 4 0 0", "2 0 1 0 0 1 1 @ 0 0", "2 1 1 0 0 @ 1 1 4 0 0 @",
    ],
    "numeric": ["0,@", "@\n0", "@ a\n0 b"],
    "rows": ["@", "1 @"],
    "universe": ["(@,0)\n(0,0)", "(0,0)\n(@,@)"],
    "burr": ["@ 1 1 1 1 1", "1 1 1 1 1 @"],
    "miniexact": [
        "p xc @ 1\n1 0\n", "p xc 1 @\n1 0\n", "p xcc 2 1\n1 @ 0\n2 3 -@ $@ 0\n", "< a:@;@ b > [ s ]\na s:@;\nb $@;\n",
    ],
    "sudoku": ["@ 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 @\n", "@\n12..34..21..43..\n", "1,2,3,@\n3,4,1,2\n2,1,4,3\n4,3,2,1\n"],
    "puzzlecad": ["burr_piece(@);", "burr_plate([1, @]);", 'burr_plate(["xx"], num_copies = @);',
                  'burr_plate(["xx"], @);', "burr_piece(burr_stick(@));", "burr_piece(burr_stick(1, @));"],
    "tiles": ["@ 0 1 2", "1 1\n0 0 0 @", "@ 1\n0 0 0 0", "@\n0 0 0 0", "1\n1\n@\n0 0 0 0\n0 0 0 0", "@ 0 0 0 0"],
    "dlx": ["a | b\na b:@", "@:2|a b\na b", "@:@|a b\na b", "0:@|a b\na b", "@|a b\na b", "a b\na b | @ $@", "@\n@"],
    "polycube": ["[0-@]0\nA 00", "[@][@]\nA 00", "00 10\n@*A 00", "00 10\nA*@ 00", "00 10\nA @"],
    "iqpuzzler": ["@ 2 1\nDEFAULT\nAA\n", "1 @ 1\nDEFAULT\nAA\n", "1 2 @\nDEFAULT\nAA\n", "@ @ 1\nPYRAMID\nA\n"],
    "offsets": ["A = {{@,0},{1,0}}", "A = [[@,0]]", "A = {{0,0},{@,@}}"],
    "cells": ["A: (@,0) (1,0)", "A: (@,@,@)", "@: (0,0)", "A: @", "A x@: (0,0)"],
    "polyform": ["piece_data = {'V': (((@,0),), {})}", "solution @:\n0,0 1,0 A", "solution 1:\n@,0 1,0 A"],
    "soma": ["/SOMA@\n/1234567", "/SOMA1\n/@"],
    "piezas": ['<PIEZAS><PIEZA Nombre="I" Ancho="@" Alto="1" Contenido="1"/></PIEZAS>',
               '<PIEZAS><PIEZA Nombre="I" Ancho="1" Alto="@" Contenido="1"/></PIEZAS>'],
    "xmpuzzle": [
        '<puzzle version="2"><gridType type="@"/></puzzle>',
        '<puzzle version="@"><gridType type="0"/><shapes><voxel x="1" y="1" z="1" type="0">#</voxel></shapes></puzzle>',
        '<puzzle version="2"><gridType type="0"/><colors/><shapes><voxel x="@" y="1" z="1" type="0">#</voxel></shapes>'
        '<problems><problem state="0"><shapes><shape id="0" count="1"/></shapes><result id="0"/></problem></problems>'
        "</puzzle>",
        '<puzzle version="2"><gridType type="0"/><colors/><shapes><voxel x="1" y="1" z="1" type="0">#</voxel></shapes>'
        '<problems><problem state="0"><shapes><shape id="0" min="0" max="@"/></shapes><result id="@"/></problem>'
        "</problems></puzzle>",
    ],
    "json": [
        _JSON % ("puzzle", _ON_SQUARES % fill)
        for fill in (("[@, 0]", "[0, 0]", "", ""), ("[0, 0]", "[@, @]", "", ""), ("[0, 0]", "[0, 0]", ', "low": @', ""),
                     ("[0, 0]", "[0, 0]", ', "low": 0, "high": @', ""), ("[0, 0]", "[0, 0]", "", ', "empty": [0, @]'))
    ] + [
        _JSON % ("fitting", '"locations": @, "pieces": []'),
        _JSON % ("fitting", '"locations": 2, "pieces": [{"name": "a", "placements": [[@]]}]'),
        _JSON % ("fitting", '"locations": 2, "empty": [@, @], "pieces": [{"name": "a", "placements": [[0]]}]'),
        _JSON % ("cover", '"items": ["a", "b"], "options": [[@]]'),
        _JSON % ("cover", '"items": [["a", 0, @]], "options": [["a"]]'),
        '{"puzzlec": @}',
    ],
    "pips": [
        '{"dominoes": [[@, 0]], "regions": [{"indices": [[0, 0], [0, 1]], "type": "empty"}]}',
        '{"dominoes": [[0, 0]], "regions": [{"indices": [[@, 0], [0, @]], "type": "empty"}]}',
        '{"dominoes": [[0, 0]], "regions": [{"indices": [[0, 0], [0, 1]], "type": "sum", "target": @}]}',
        '{"dominoes": [[0, 0]], "regions": [{"indices": [[0, 0], [0, 1]], "type": "less", "target": @}]}',
    ],
    "puzzle": [
        "locations box @x2\npiece A { x }", "locations box 2x2 at (@,@)\npiece A x4 { x }",
        "locations cells (@,0) (0,@)\npiece A x2 { x }", "locations box 2x2\npiece A x@ { x }",
        "locations box 2x2\npiece A x0..@ { x }", "optional locations box 2x2\nempty 0..@\npiece A { x }",
        "lattice none\nlocations @\npiece A covers {1}", "lattice none\nlocations names a[@]\npiece A covers {a[@]}",
        "locations box 2x2\nfor i in 0..@ { }\npiece A x4 { x }", "locations box 2x2\nwrap (@,0)\npiece A x4 { x }",
        "param n = @*@\nlocations box 2x2\npiece A x4 { x }", "param n = @+@\nlocations box 2x2\npiece A x4 { x }",
        "locations box 4x1\npieces polyominoes @", "locations box 2x2\npiece A x4 {x{@}}",
        "param n = @\nlocations box {n}x1",
    ],
}  # fmt: skip


def meant(text: str, format: str) -> str:
    """Return the code with which a text is refused, or its meaning in the form of DPF."""
    board = "2x2" if FORMATS[format].pieces_only else None
    try:
        found = compile(parse(text, format=format, board=board))
    except PuzzleError as error:
        # An unsuitable board was given separately from the text.
        assert all(
            diagnostic.span or diagnostic.file or diagnostic.code == "PZ252" for diagnostic in error.diagnostics
        ), "no place"
        return error.diagnostics[0].code
    cover = found.cover
    assert all(0 <= low <= high <= LAST for low, high in zip(cover.low, cover.high, strict=True))
    assert all(0 <= item < cover.primary + cover.secondary for item in cover.items)
    cover.verify()
    return str(found)


@pytest.mark.parametrize("format", TEXTS)
def test_a_number_of_more_than_32_bits_is_refused_or_means_itself(format: str) -> None:
    assert set(TEXTS) == set(FORMATS) - {"board", "drawn", "kanoodle"}, "a format has no numbers here"
    begun = time.process_time()
    for text in TEXTS[format]:
        for number in (str(LAST), *BEYOND, *ODD):
            said = meant(text.replace("@", number), format)
            # Cut to 32 or 64 bits, the number would mean another puzzle.
            if not said.startswith("PZ") and number in BEYOND[1:4]:
                wrapped = str(int(number) % 2**32)
                assert format in KEPT or meant(text.replace("@", wrapped), format) != said, text
    assert time.process_time() - begun < 20


#: Formats in which every number is valid: it is a name or a colour, or each of its digits is a cell.
KEPT = ("rows", "dlx", "polycube", "cells", "soma", "polyform")


def test_the_last_number_of_32_bits_means_itself() -> None:
    cover = compile(parse(f"0:{LAST}|a b | c\na b c:{LAST}\n", format="dlx")).cover
    assert (cover.high[0], cover.colours[2] > 0) == (LAST, True)
    puzzle = parse(f"locations box 2x1\npiece A x0..{LAST} {{ x }}\n")
    assert puzzle.pieces[0].high == ANY == LAST
    away = 2**30
    far = parse(f"2 0 2 {away} 0 {-away} 0 1 2 4 0 0 {away} 0", format="compact")
    assert isinstance(far, Puzzle)
    assert [location.at for location in far.locations] == [(away, 0), (-away, 0)]
    assert [len(piece.placements) for piece in place(far).pieces] == [0], (
        "their distance differs from that of the cells"
    )
    assert convert(far, "compact").split()[3:7] == [str(away), "0", str(-away), "0"]
    assert parse(convert(far, "json"), format="json") == far
    for number in (away + 1, -away - 1, LAST):
        assert meant(f"2 0 1 0 {number} 1 1 4 0 0", "compact") == "PZ321"


def _fitting(**changes: Any) -> Fitting:
    piece = {"low": 1, "high": 1} | {key: changes.pop(key) for key in ("low", "high") if key in changes}
    return encode(Fitting(2, (FittingPiece(Placements([[0], [1]]), **piece),), frozenset({1}), **changes)).fitting


def _puzzle(**changes: Any) -> Puzzle:
    square = find_lattice("square")
    return Puzzle(
        "t", square, (Location((0, 0)),), (Piece("a", ((0, 0),), (None,), square.isometries, **changes),)
    )  # fmt: skip


ONE: list[list[Any]] = [[0]]

#: Every way to store a number in an array of 32 bits from Python.
WAYS: dict[str, Callable[[int], object]] = {
    "an item": lambda n: ExactCover.from_rows([[n]], 1),
    "a colour": lambda n: ExactCover.from_rows([[0, (1, n)]], 1, 1),
    "bounds": lambda n: ExactCover.from_rows(ONE, 1, 0, [(0, n)]),
    "bounds by item": lambda n: ExactCover.from_rows(ONE, 1, 0, {0: n}),
    "bounds of another item": lambda n: ExactCover.from_rows(ONE, 1, 0, {n: 1}),
    "a number of items": lambda n: ExactCover.from_rows(ONE, n),
    "a number of secondary items": lambda n: ExactCover.from_rows(ONE, 1, n),
    "items as an array": lambda n: ExactCover.from_arrays(np.array([0, 1]), np.array([n]), None, primary=1),
    "items as unsigned ones": lambda n: ExactCover.from_arrays(
        np.array([0, 1]), np.array([n % 2**64], np.uint64), None, primary=1
    ),
    "starts as an array": lambda n: ExactCover.from_arrays(np.array([0, n]), np.array([0]), None, primary=1),
    "colours as an array": lambda n: ExactCover.from_arrays(
        np.array([0, 2]), np.array([0, 1]), np.array([0, n]), primary=1, secondary=1
    ),
    "a location": lambda n: Fitting(2, (FittingPiece(Placements([[n]])),)),
    "the most copies of a fitting": lambda n: _fitting(low=0, high=n),
    "the copies of a fitting": lambda n: _fitting(low=n, high=n),
    "the empty locations of a fitting": lambda n: _fitting(empty=(0, n)),
    "the most copies of a puzzle": lambda n: encode(place(_puzzle(low=0, high=n))),
    "the copies of a puzzle": lambda n: encode(place(_puzzle(low=n, high=n))),
}


@pytest.mark.parametrize("number", [2**31, 2**32 + 0, 2**32 + 1, 2**63 - 1, -(2**31) - 1, -1])
@pytest.mark.parametrize("way", WAYS)
def test_no_array_of_32_bits_takes_a_number_that_is_too_large(way: str, number: int) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        WAYS[way](number)


@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.int8, np.uint64, np.int32])
def test_arrays_of_other_types_are_copied_and_not_reinterpreted(dtype: type[Any]) -> None:
    found = ExactCover.from_arrays(np.array([0, 1, 3], dtype), np.array([1, 0, 2], dtype), None, primary=3)
    assert [found.row(option) for option in range(2)] == [(1,), (0, 2)]


@pytest.mark.parametrize("kernel", ["python", "lists", "bits"])
def test_bounds_at_the_limit_of_32_bits_are_counted_correctly(kernel: KernelName) -> None:
    source = random.Random(5)
    for _ in range(12):
        rows = [source.sample(range(3), source.randint(1, 2)) for _ in range(6)]
        bounds = [
            source.choice([(0, ANY), (1, ANY), (1, 1), (2, ANY), (ANY, ANY), (0, ANY - 1), (2**30, ANY)]) for _ in "abc"
        ]
        cover = ExactCover.from_rows(rows, 3, 0, bounds)
        assert count(cover, kernel=kernel) == len(brute_covers(cover))


def test_placements_that_would_need_more_than_32_bits_in_all_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse("locations box 9x9\npiece A { xx }\npiece B { xxxxx/xxxxx/xxxxx/xxxxx }\n")
    assert isinstance(puzzle, Puzzle)
    assert place(puzzle)
    monkeypatch.setattr(placing, "MOST_ENTRIES", 1_000)
    with pytest.raises(PuzzleError, match=r"PZ325.*`B` have up to 324, which cover up to 3564 locations"):
        place(puzzle)
