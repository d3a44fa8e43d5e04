"""Edge matching: tiles whose sides must agree with the neighbours' and with the border."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.cli.texts.lists import lattice_text
from puzzlec.formats.writing import write
from puzzlec.geometry import Cell, Matrix, find_lattice, lattice_names
from puzzlec.ir import Fitting, Location, Piece, Puzzle, Solution
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.lower import encode, symmetry
from puzzlec.solving.checker import check

SQUARE = find_lattice("square")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
Sides = tuple[str, ...]
Arrangement = frozenset[tuple[Cell, Sides]]

MACMAHON = """
colours 0 1 2
frame 0
locations box {w}x{h}
param w = 6
param h = 4
for a in 0..2, b in a..2, c in a..2, d in a..2 where (
  27*a + 9*b + 3*c + d <= min(27*b + 9*c + 3*d + a, 27*c + 9*d + 3*a + b, 27*d + 9*a + 3*b + c)
) {
  piece t[a,b,c,d] sides {a} {b} {c} {d}
}
"""


def turns_of(sides: Sides) -> set[Sides]:
    return {sides[k:] + sides[:k] for k in range(4)}


def least(sides: Sides) -> Sides:
    return min(turns_of(sides))


def arrangements(puzzle: Puzzle) -> set[Arrangement]:
    """Every solution, by placing every tile in every rotation on every cell, one cell after the other."""
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    optional = {location.at for location in puzzle.locations if location.optional}
    mate = {**dict(puzzle.colours.mates)}
    found: set[Arrangement] = set()

    def fits(lying: dict[Cell, Sides], cell: Cell, sides: Sides) -> bool:
        for (dx, dy), colour, back in zip(STEPS, sides, (2, 3, 0, 1), strict=True):
            other = (cell[0] + dx, cell[1] + dy)
            if other not in cells:
                if puzzle.colours.frame is not None and colour not in puzzle.colours.frame:
                    return False
            elif other in lying and lying[other][back] != mate.get(colour, colour):
                return False
        return True

    def rest(number: int, lying: dict[Cell, Sides], used: tuple[int, ...]) -> None:
        if number == len(cells):
            if all(piece.low <= count <= piece.high for piece, count in zip(puzzle.pieces, used, strict=True)):
                found.add(frozenset(lying.items()))
            return
        cell = cells[number]
        if cell in optional:
            rest(number + 1, lying, used)
        for index, piece in enumerate(puzzle.pieces):
            if used[index] < piece.high:
                for sides in turns_of(piece.sides):
                    if fits(lying, cell, sides):
                        more = (*used[:index], used[index] + 1, *used[index + 1 :])
                        rest(number + 1, {**lying, cell: sides}, more)

    rest(0, {}, (0,) * len(puzzle.pieces))
    return found


def lying(puzzle: Puzzle, piece: Piece) -> frozenset[tuple[Cell, Sides]]:
    """Every placement of a tile: on each cell, in each rotation that shows the right colours to the border."""
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    return frozenset(
        (cell, sides)
        for cell in cells
        for sides in turns_of(piece.sides)
        if puzzle.colours.frame is None
        or all(
            (cell[0] + dx, cell[1] + dy) in cells or colour in puzzle.colours.frame
            for (dx, dy), colour in zip(STEPS, sides, strict=True)
        )
    )


def images(puzzle: Puzzle, arrangement: Arrangement) -> list[Arrangement]:
    """The images of an arrangement under the isometries of the board that map placements of tiles to others."""
    cells = {location.at: location.optional for location in puzzle.locations if isinstance(location.at, tuple)}
    tiles = Counter((lying(puzzle, piece), piece.low, piece.high) for piece in puzzle.pieces)
    found = []
    for turn in SQUARE.isometries:
        order = [STEPS.index(tuple(turned(turn, step))) for step in STEPS]
        moved = {cell: turned(turn, cell) for cell in cells}
        corner = [min(axis) for axis in zip(*moved.values(), strict=True)]
        before = [min(axis) for axis in zip(*cells, strict=True)]
        shift = [b - c for b, c in zip(before, corner, strict=True)]
        moved = {cell: tuple(a + b for a, b in zip(at, shift, strict=True)) for cell, at in moved.items()}

        def image(ways: Arrangement, moved: dict[Cell, Cell] = moved, order: list[int] = order) -> Arrangement:
            return frozenset(
                (moved[cell], tuple(sides[order.index(side)] for side in range(4))) for cell, sides in ways
            )

        if {at: cells[cell] for cell, at in moved.items()} == cells and tiles == Counter(
            {(image(ways), low, high): number for (ways, low, high), number in tiles.items()}
        ):
            found.append(image(arrangement))
    return found


def turned(turn: Matrix, cell: Cell) -> Cell:
    return tuple(sum(a * b for a, b in zip(row, cell, strict=True)) for row in turn)


@st.composite
def tile_puzzles(draw: st.DrawFn) -> Puzzle:
    """A random board of up to six cells with random tiles, mates, a border, copies and cells that may stay empty.

    Brute force takes seconds for three or more kinds of tiles on more than three cells, so they are on smaller boards.
    """
    width, height = draw(st.sampled_from([(2, 1), (2, 2), (3, 1), (3, 2)]))
    cells = [(x, y) for y in range(height) for x in range(width)]
    left_out = draw(st.sets(st.sampled_from(cells), max_size=1)) if len(cells) > 3 else set()
    locations = tuple(Location(cell, None, draw(st.integers(0, 5)) == 0) for cell in cells if cell not in left_out)
    colours = ("a", "b", "c")[: draw(st.integers(1, 3))]
    mates = draw(st.sampled_from([(), (("a", "b"), ("b", "a"))])) if len(colours) > 1 else ()
    tiles = st.tuples(*[st.sampled_from(colours)] * 4).map(least)
    kinds = draw(st.lists(tiles, min_size=1, max_size=4 if len(cells) < 4 else 2, unique=True))
    turns = SQUARE.rotations
    pieces = []
    for number, sides in enumerate(kinds):
        low = draw(st.integers(0, 2))
        high = low + draw(st.integers(0, 4))
        pieces.append(Piece(f"t{number}", ((0, 0),), (None,), turns, None, low, max(high, 1), sides))
    border = draw(st.sampled_from([None, None, ("a",), colours]))
    return Puzzle("tiles", SQUARE, locations, tuple(pieces), PuzzleColours(colours, mates=mates, frame=border))


@given(tile_puzzles())
def test_counts_of_tiles_agree_with_brute_force(puzzle: Puzzle) -> None:
    found = arrangements(puzzle)
    assert puzzlec.count(puzzle, symmetry="none") == len(found)
    assert puzzlec.Solutions(puzzle, symmetry="none", settings=puzzlec.SearchSettings(False)).count() == len(found)
    orbits = {min(map(sorted, images(puzzle, arrangement)), default=[]).__repr__() for arrangement in found}
    assert puzzlec.count(puzzle) == len(orbits)


@given(tile_puzzles())
def test_solutions_of_tiles_are_those_of_brute_force_and_survive_writing(puzzle: Puzzle) -> None:
    def arranged(solution: Solution) -> Arrangement:
        check(solution)
        return frozenset(
            (puzzle.locations[placement.locations[0]].at, solution.sides(placement))  # type: ignore[misc]
            for placement in solution.placements
        )

    assert {arranged(solution) for solution in puzzlec.solve(puzzle, symmetry="none")} == arrangements(puzzle)
    assert puzzlec.compile(puzzlec.parse(write(puzzle, "puzzle")), stage="fitting") == puzzlec.compile(
        puzzle, stage="fitting"
    )


def test_macmahons_squares_have_no_solution_in_other_rectangles() -> None:
    # The catalogue has the rectangle of 6 x 4, with a count (tests/test_catalogue.py).
    assert len(puzzlec.parse(MACMAHON).pieces) == 24
    # MacMahon's remark: 3 x 8 has a border of 22 sides, which cannot have one colour.
    assert puzzlec.count(puzzlec.parse(MACMAHON, parameters={"w": 8, "h": 3})) == 0
    assert puzzlec.count(puzzlec.parse(MACMAHON, parameters={"w": 12, "h": 2})) == 0


def test_a_tile_is_rotated_and_not_reflected_unless_it_allows_this() -> None:
    board = "colours a b c d\nlocations box 1x1\n"
    for freedom, number in (("fixed", 1), ("one-sided", 4), ("", 4), ("free", 8)):
        assert puzzlec.count(puzzlec.parse(board + f"piece T {freedom} sides a b c d"), symmetry="none") == number


def test_a_reflection_counts_if_it_maps_tiles_to_tiles() -> None:
    board = "colours a b c d\nlocations box 1x1\n"
    assert puzzlec.count(puzzlec.parse(board + "piece T sides a b c d")) == 1
    pair = board.replace("1x1", "2x1") + "piece T sides a b c d\npiece U sides a d c b"
    encoding = encode(puzzlec.compile(puzzlec.parse(pair), stage="fitting"))
    assert len(symmetry(encoding)) == 4
    alone = board.replace("1x1", "2x1") + "piece T x2 sides a b c d"
    assert len(symmetry(encode(puzzlec.compile(puzzlec.parse(alone), stage="fitting")))) == 2


def test_tiles_may_have_pieces_without_edges_beside_them() -> None:
    # The tile lies at one end, in one of two rotations; reflections map both to the other end, or change nothing.
    text = "colours a b\nlocations box 3x1\npiece T sides a b a b\npiece D { xx }"
    assert len(symmetry(encode(puzzlec.compile(puzzlec.parse(text), stage="fitting")))) == 4
    assert (puzzlec.count(puzzlec.parse(text), symmetry="none"), puzzlec.count(puzzlec.parse(text))) == (4, 2)


def test_triangles_of_both_kinds_are_rotated_into_each_other() -> None:
    # Two equal tiles a a b, joined by their sides b, or by a side a each, with their sides b together or opposite.
    text = "lattice triangle\ncolours a b\nlocations cells (0,0,0) (0,0,1)\npiece T x2 sides a a b"
    assert (puzzlec.count(puzzlec.parse(text), symmetry="none"), puzzlec.count(puzzlec.parse(text))) == (5, 3)


@pytest.mark.parametrize(("freedom", "order"), [("free", 2 * 8 * 8), ("one-sided", 2 * 4 * 4), ("fixed", 2)])
def test_a_tile_on_a_part_of_one_cell_is_rotated_there(freedom: str, order: int) -> None:
    text = f"colours a b c d\nlocations cells (0,0) (2,0)\npiece T x2 {freedom} sides a b c d"
    encoding = encode(puzzlec.compile(puzzlec.parse(text), stage="fitting"))
    assert len(symmetry(encoding, "parts")) == order


@pytest.mark.parametrize(
    "rule",
    [
        "fix T at cells (0,0)",
        "fix T sides a b a a at cells (0,0)",
        "fix T sides b a a a at cells (0,0)",
        "forbid T at cells (0,0)",
        "forbid T sides a b a a at cells (0,0)",
    ],
)
def test_a_rule_may_state_the_rotation_of_a_tile(rule: str) -> None:
    text = "colours a b\nlocations box 2x1\npiece T sides a b a a\npiece U sides b a b a\n"
    everything = list(puzzlec.solve(puzzlec.parse(text), symmetry="none"))
    kept = [solution for solution in everything if _kept(solution, rule)]
    assert 0 < len(kept) < len(everything)
    assert puzzlec.count(puzzlec.parse(text + rule), symmetry="none") == len(kept)


def _kept(solution: Solution, rule: str) -> bool:
    (mine,) = [placement for placement in solution.placements if solution.fitting.piece_name(placement.number) == "T"]
    here = mine.locations == (0,)
    sides = tuple(rule.split("sides ")[1].split(" at ")[0].split()) if "sides" in rule else None
    exact = here and sides in (None, solution.sides(mine))
    return exact if rule.startswith("fix") else not exact


def test_an_empty_location_shows_no_colours() -> None:
    text = "colours a b c\nlocations { x?x }\npiece T sides a b a a\npiece V sides a c a c\n"
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 2 * 4 * 2


def test_formats_without_edges_refuse_them() -> None:
    puzzle = puzzlec.parse("colours a b\nlocations box 1x1\npiece T sides a b a b")
    for format in ("dpf", "compact"):
        with pytest.raises(puzzlec.PuzzleError, match=r"does not support .*sides"):
            puzzlec.convert(puzzle, format)


def test_a_picture_shows_the_sides_as_they_lie() -> None:
    text = "colours a b c d\nlocations box 1x1\npiece T fixed sides a b c d"
    (solution,) = puzzlec.solve(puzzlec.parse(text))
    from puzzlec.show.terminal.text import draw_solution

    assert draw_solution(solution).split("\n") == ["┌───────┐", "│   a   │", "│ d T b │", "│   c   │", "└───────┘"]
    assert solution.listing() == "T: 0,0 sides a b c d"
    fitting = solution.fitting
    assert isinstance(fitting, Fitting)


def test_cubes_have_six_faces() -> None:
    # One of MacMahon's cubes, six faces of six colours: 24 rotations, all different.
    text = "lattice cubic\ncolours 1 2 3 4 5 6\nlocations box 1x1x1\npiece C sides 1 2 3 4 5 6"
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 24
    pair = text.replace("1x1x1", "2x1x1").replace("piece C", "piece C x2")
    # Two equal cubes side by side: the left one shows a face to the right in 24 ways; the right one must show the same
    # face to the left, in 4 rotations.
    assert puzzlec.count(puzzlec.parse(pair), symmetry="none") == 24 * 4


def _documented_sides() -> dict[str, list[str]]:
    page = Path("docs/language/puzzles.md").read_text(encoding="utf-8")
    table = page.split("#### Sides\n")[1].split("| lattice | order of the sides |")[1].split("\n\n")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
    return {
        name.strip("`"): re.sub(r"^of [^:]*: |\([^)]*\)", "", order).split(", ") for name, order in rows if "`" in name
    }


#: The direction of a side on paper by the words of the documentation: its axis and its sign.
_WORDS = {
    **dict.fromkeys(("left",), (0, -1)),
    **dict.fromkeys(("right",), (0, 1)),
    **dict.fromkeys(("top", "upper"), (1, -1)),
    **dict.fromkeys(("bottom", "lower"), (1, 1)),
    "front": (2, -1),
    "back": (2, 1),
}


def test_the_documented_order_of_sides_is_that_of_each_lattice() -> None:
    documented = _documented_sides()
    assert {"square", "hex", "triangle", "cubic"} <= documented.keys()
    for name, order in documented.items():
        lattice = find_lattice(name)
        steps = lattice.kinds[0].neighbours
        assert len(order) == len(steps), name
        for words, step in zip(order, steps, strict=True):
            paper = lattice.on_paper(step)
            for axis, sign in map(_WORDS.__getitem__, words.split()):
                assert paper[axis] * sign > 1e-9, (name, words)


@pytest.mark.parametrize("name", [name for name in lattice_names() if not find_lattice(name).of_edges])
def test_a_lattice_prints_the_cells_across_the_sides_of_a_tile(name: str) -> None:
    lattice = find_lattice(name)
    beside = re.sub(r"\s+", " ", lattice_text(lattice).split("sides")[1].split("towards ")[1])
    listed = re.match(r"(?:\([-\d,]+\) ?)+", beside)
    assert listed is not None
    cells = [tuple(map(int, cell.split(","))) for cell in listed[0].strip("() ").split(") (")]
    at = lattice.kinds[0].at
    steps = [tuple(p - q for p, q in zip(lattice.point(cell), at, strict=True)) for cell in cells]
    assert tuple(steps) == lattice.kinds[0].neighbours
