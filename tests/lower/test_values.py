"""Grids of values and numbers of pieces: the exact covers of the shortest texts are those of the best encodings."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

import puzzlec
from puzzlec.diagnostics import Report, Source
from puzzlec.engine import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write
from puzzlec.lower import encode, implied, place
from puzzlec.lower.symmetries import symmetry

SUDOKU = """puzzle "Sudoku"
locations box 9x9
values 1..9
rule each row, column, box 3x3 all different
fix {
  .......1./4......../.2.......
  ....5.4.7/..8...3../..1.9....
  3..4..2../.5.1...../...8.6...
}
"""
SUDOKU_BY_NAMES = """lattice none
locations names (
  row[y,v] for y in 0..8, v in 1..9
  column[x,v] for x in 0..8, v in 1..9
  block[b,v] for b in 0..8, v in 1..9
)
for x in 0..8, y in 0..8 {
  piece cell[x,y] covers { row[y,v] column[x,v] block[x//3 + 3*(y//3), v] } for v in 1..9
}
for d at (x,y) in {
  .......1./4......../.2......./....5.4.7/..8...3../..1.9..../3..4..2../.5.1...../...8.6...
} {
  fix cell[x,y] at names row[y,d] column[x,d] block[x//3 + 3*(y//3), d]
}
"""
LATIN = """puzzle "Latin squares"
param n = 4
locations box {n}x{n}
values 1..n
rule each row, column all different
"""
LATIN_BY_NAMES = """lattice none
param n = 4
locations names row[i,v] for i in 1..n, v in 1..n   column[j,v] for j in 1..n, v in 1..n
for i in 1..n, j in 1..n {
  piece cell[i,j] covers { row[i,v] column[j,v] } for v in 1..n
}
"""
QUEENS = """puzzle "Queens"
param n = 8
optional locations box {n}x{n}
piece queen x{n} { x }
rule each row, column, diagonal at most 1 queen
"""
QUEENS_BY_NAMES = """lattice none
param n = 8
locations names file[j] for j in 1..n
optional locations names up[s] for s in 2..2*n   down[d] for d in 1-n..n-1
for i in 1..n {
  piece rank[i] covers { file[j] up[i+j] down[i-j] } for j in 1..n
}
"""
#: The same queens in other words.
QUEENS_EXACTLY = QUEENS.replace("x{n} { x }", "x* { x }").replace(
    "each row, column, diagonal at most 1 queen", "each row, column exactly 1\nrule each diagonal at most 1"
)


def cover_of(text: str, **parameters: int) -> ExactCover:
    return encode(place(puzzlec.parse(text, parameters=parameters))).cover


def shape(cover: ExactCover) -> tuple[Counter[object], Counter[object]]:
    """Return the options and items of a cover up to names and order, by refining their neighbourhoods.

    A secondary item of only one option forbids nothing, so it is left out.
    """
    rows = [set(cover.row(option)) for option in range(len(cover))]
    with_item: dict[int, list[int]] = {}
    for option, row in enumerate(rows):
        for item in row:
            with_item.setdefault(item, []).append(option)
    live = [item for item in with_item if item < cover.primary or len(with_item[item]) > 1]
    look = {item: hash((cover.low[item], cover.high[item]) if item < cover.primary else ()) for item in live}
    options = [0] * len(rows)
    for _ in range(6):
        options = [hash((options[k], *sorted(look[i] for i in row if i in look))) for k, row in enumerate(rows)]
        look = {item: hash((look[item], *sorted(options[k] for k in with_item[item]))) for item in live}
    return Counter(options), Counter(look.values())


@pytest.mark.parametrize(
    ("short", "long", "lines", "parameters"),
    [
        (SUDOKU, SUDOKU_BY_NAMES, 10, {}),
        (LATIN, LATIN_BY_NAMES, 6, {}),
        (LATIN, LATIN_BY_NAMES, 6, {"n": 5}),
        (QUEENS, QUEENS_BY_NAMES, 5, {}),
        (QUEENS, QUEENS_BY_NAMES, 5, {"n": 5}),
        (QUEENS_EXACTLY, QUEENS_BY_NAMES, 6, {}),
    ],
)
def test_a_short_text_has_the_exact_cover_of_the_best_encoding(
    short: str, long: str, lines: int, parameters: dict[str, int]
) -> None:
    assert len(short.splitlines()) <= lines
    assert shape(cover_of(short, **parameters)) == shape(cover_of(long, **parameters))


def test_the_covers_that_are_compared_differ_if_a_rule_differs() -> None:
    assert shape(cover_of(QUEENS)) != shape(cover_of(QUEENS.replace("diagonal", "line (1,1)")))
    assert shape(cover_of(SUDOKU)) != shape(cover_of(SUDOKU.replace("box 3x3", "box 9x1")))


@pytest.mark.parametrize(
    ("text", "raw", "distinct", "automorphic"),
    [
        (QUEENS, 92, 12, 12),
        (QUEENS_EXACTLY, 92, 12, 12),
        (LATIN, 576, 108, 2),
        (SUDOKU, 1, 1, 1),
        ("locations box 4x4\nvalues 1..4\nrule each row, column, box 2x2 all different\n", 288, 39, 2),
    ],
)
@pytest.mark.long
def test_symmetries_keep_values_and_automorphisms_exchange_them(
    text: str, raw: int, distinct: int, automorphic: int
) -> None:
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle, symmetry="none") == raw
    assert puzzlec.count(puzzle) == distinct
    assert puzzlec.count(puzzle, symmetry="automorphisms") == automorphic


@pytest.mark.parametrize(("boxes", "numbers"), [(False, (576, 108)), (True, (288, 39))])
def test_the_distinct_grids_are_the_orbits_under_the_eight_symmetries_of_the_square(
    boxes: bool, numbers: tuple[int, int]
) -> None:
    rows = list(permutations("1234"))
    grids = {
        "".join("".join(row) for row in (a, b, c, d))
        for a in rows
        for b in rows
        if all(x != y for x, y in zip(a, b, strict=True))
        for c in rows
        if all(z not in {x, y} for x, y, z in zip(a, b, c, strict=True))
        for d in rows
        if all(w not in {x, y, z} for x, y, z, w in zip(a, b, c, d, strict=True))
    }
    if boxes:
        corners = [8 * row + 2 * column for row in range(2) for column in range(2)]
        grids = {grid for grid in grids if all(len({grid[k + at] for at in (0, 1, 4, 5)}) == 4 for k in corners)}
    turned = [3 - row + 4 * column for row in range(4) for column in range(4)]
    mirrored = [4 * row + 3 - column for row in range(4) for column in range(4)]
    left, orbits = set(grids), 0
    while left:
        orbit = fresh = {next(iter(left))}
        while fresh:
            fresh = {"".join(grid[k] for k in move) for grid in fresh for move in (turned, mirrored)} - orbit
            orbit = orbit | fresh
        left -= orbit
        orbits += 1
    assert (len(grids), orbits) == numbers


def test_a_torus_has_the_queens_that_do_not_meet_around_it() -> None:
    torus = QUEENS + "wrap x y\n"

    def alone(columns: tuple[int, ...]) -> bool:
        size = len(columns)
        up, down = ({(column + sign * row) % size for row, column in enumerate(columns)} for sign in (1, -1))
        return len(up) == len(down) == size

    for size in (4, 5, 6, 7):
        number = sum(map(alone, permutations(range(size))))
        found = puzzlec.parse(torus, parameters={"n": size})
        assert puzzlec.count(found, symmetry="none") == number


def test_a_region_with_more_values_than_cells_uses_each_at_most_once() -> None:
    text = "locations box 3x2\nvalues 1..4\nrule each row all different\n"
    cover = cover_of(text)
    assert cover.primary == 6
    assert cover.secondary == 8
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 576


@pytest.mark.parametrize("bounds", ["x2", "x1..3", "x3", "x0..1"])
def test_a_number_of_copies_that_the_rules_do_not_imply_is_kept(bounds: str) -> None:
    text = f"optional locations box 3x3\npiece A {bounds} {{ x }}\nrule each row at most 1\n"
    low, high = puzzlec.parse(text).pieces[0].low, puzzlec.parse(text).pieces[0].high
    number = sum((1, 9, 27, 27)[copies] for copies in range(low, high + 1))
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == number


def test_nothing_is_implied_if_the_search_for_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(implied, "MAX_STEPS", 3)
    for text, raw, distinct in ((QUEENS, 92, 12), (LATIN, 576, 108)):
        assert puzzlec.count(puzzlec.parse(text), symmetry="none") == raw
        assert puzzlec.count(puzzlec.parse(text)) == distinct


@pytest.mark.parametrize(
    ("rules", "note"),
    [
        ("rule box 2x2 at least 5", "at most 4 pieces can reach it"),
        ("rule box 3x2 at most 3", "at least 4 pieces must lie on it"),
        ("rule box 1x1 exactly 2 A", "at most 1 piece can reach it"),
    ],
)
def test_an_impossible_number_of_pieces_is_reported(rules: str, note: str) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        place(puzzlec.parse(f"optional locations box 3x2\npiece A x4 {{ x }}\n{rules}\n"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PZ366"
    assert note in diagnostic.notes


@pytest.mark.parametrize("format", ["puzzle", "json", "fitting.json"])
@pytest.mark.parametrize("text", [SUDOKU, QUEENS, QUEENS_EXACTLY, LATIN])
def test_grids_return_unchanged_from_formats(text: str, format: str) -> None:
    puzzle = puzzlec.parse(text)
    level, _, name = format.rpartition(".")
    what = place(puzzle) if level else puzzle
    again = read(Source(f"a.{name}", write(what, name)), name, Report())
    assert isinstance(again, puzzlec.Puzzle) is not bool(level)
    assert (place(again) if isinstance(again, puzzlec.Puzzle) else again) == place(puzzle)


def test_a_reflection_takes_a_rule_about_a_piece_to_its_mirror_image() -> None:
    board = "locations box 4x5\npieces polyominoes 4 one-sided x0..5\n"
    here, there = "box 1x5", "box 1x5 at (3,0)"
    both = puzzlec.parse(f"{board}rule {here} exactly 1 L\nrule {there} exactly 1 l\n")
    one = puzzlec.parse(f"{board}rule {here} exactly 1 L\n")
    for puzzle, order in ((both, 2), (one, 1)):
        assert len(symmetry(encode(place(puzzle))).options) == order
    assert 0 < puzzlec.count(both) < puzzlec.count(both, symmetry="none")
