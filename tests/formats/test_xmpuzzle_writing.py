"""XMPuzzle texts, written and read again: the placements and the text stay the same, or the puzzle is refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats import catalogue
from puzzlec.formats.burrtools.document import Document
from puzzlec.formats.burrtools.grids import Voxel, origin
from puzzlec.formats.burrtools.writing import TARGETS, voxels, write_xmpuzzle
from puzzlec.formats.burrtools.xmpuzzle import read_xmpuzzle
from puzzlec.formats.record import WriterChoices
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.geometry.regions import box
from puzzlec.ir import ANY, Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.language.given import Given
from puzzlec.lower import place
from tests.strategies import puzzles

Placements = frozenset[frozenset[frozenset[Voxel]]]


def written(puzzle: Puzzle) -> str:
    return "".join(write_xmpuzzle(puzzle, WriterChoices()))


def read_again(text: str) -> Puzzle:
    report = Report()
    puzzle = read_xmpuzzle(Source("a.xmpuzzle", text), report, Given())
    assert not report.diagnostics
    return puzzle


def in_voxels(puzzle: Puzzle) -> tuple[list[tuple[str, int, int, Placements]], frozenset[frozenset[Voxel]]]:
    """Return the pieces, each with its name, copies and placements, and the optional locations, in voxels."""
    assert puzzle.lattice is not None
    name = puzzle.lattice.name
    boxes = [voxels(name, location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    x, y, z = origin(TARGETS[name].grid, [voxel for block in boxes for voxel in block])
    locations = [frozenset((a - x, b - y, c - z) for a, b, c in block) for block in boxes]
    pieces = [
        (
            piece.name,
            piece.low,
            piece.high,
            frozenset(frozenset(locations[at] for at in placement) for placement in piece.placements),
        )
        for piece in place(replace(puzzle, rules=replace(puzzle.rules, pieces=()))).pieces
    ]
    return pieces, frozenset(locations[at] for at, location in enumerate(puzzle.locations) if location.optional)


def assert_round_trip(puzzle: Puzzle) -> None:
    """Write a puzzle, read it again, write it again: the same placements, and the same text."""
    text = written(puzzle)
    again = read_again(text)
    assert written(again) == text
    pieces, optional = in_voxels(puzzle)
    pieces_again, optional_again = in_voxels(again)
    assert optional == optional_again
    room = len(puzzle.locations)
    wanted = [(name, low, min(high, max(low, room)), lie) for name, low, high, lie in pieces if high]
    found = [(name, low, min(high, max(low, room)), lie) for name, low, high, lie in pieces_again]
    if len(wanted) == len(found):
        for (name, low, high, lie), (name_again, low_again, high_again, lie_again) in zip(wanted, found, strict=True):
            assert (name, low, lie) == (name_again, low_again, lie_again)
            assert high == high_again or high_again >= room // len(puzzle.piece_named[name].cells)
        return
    # A solid of which any number may be used has its mirror image beside it, with other placements.
    for name, low, _, lie in wanted:
        forms = [form for form in found if form[0] == name or form[0].startswith(f"{name}-S")]
        assert frozenset().union(*(form[3] for form in forms)) == lie
        assert sum(len(form[3]) for form in forms) == len(lie)
        assert len(forms) == 1 or low == 0


def entries(lattices: set[str]) -> list[ParameterSet]:
    """Return the names of puzzles of the catalogue; puzzles that take seconds are marked."""
    found = []
    for entry in catalogue.entries():
        text = entry.path.read_text(encoding="utf-8")
        if any(f"\nlattice {name}\n" in f"\n{text}" for name in lattices):
            slow = entry.slow or entry.name in ("rhombic/hexsticks", "balls/kanoodle-pyramid")
            found.append(pytest.param(entry.name, marks=[pytest.mark.slow] if slow else []))
    return found


SOLID = {"prism", "fcc", "rhombic", "octants", "tetoct"}


@pytest.mark.parametrize("name", entries(SOLID))
def test_a_solid_of_the_catalogue_is_the_same_in_burrtools(name: str) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    assert_round_trip(puzzle)


#: Puzzles with colours, copies, optional locations, rotations of all kinds on flat boards, and their distinct
#: solutions.
COUNTED = [
    "soma/soma", "polycubes/diabolical-cube", "polycubes/slothouber-graatsma", "polycubes/mouse-and-cheese",
    "prisms/prisgon-markus", "prisms/bermuda", "balls/ball-room-pyramid", "balls/ball-room-cube",
    "rhombic/diagonal-cube", "rhombic/twelve-piece-separation", "rhombic/pieces-of-eight-6", "rhombic/broken-sticks",
    "octants/four-piece-tetrahedron", "tetoct/two-wings-tetrahedron", "pentominoes/3x20", "line/fibonacci-20",
]  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_a_text_read_again_has_the_same_number_of_distinct_solutions(name: str) -> None:
    entry = next(known for known in catalogue.entries() if known.name == name)
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    assert puzzlec.count(read_again(written(puzzle))) == entry.distinct


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize("name", TARGETS)
def test_a_random_puzzle_is_refused_or_the_same_in_burrtools(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles((name,), most=0 if name in ("line", "square", "cubic") else 10))
    with suppress(PuzzleError):
        text = written(puzzle)
        assert not puzzle.rules.pieces
        assert_round_trip(puzzle)
        again = read_again(text)
        assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none")


@given(puzzles(("line", "square", "cubic"), most=0))
def test_a_puzzle_without_rules_is_refused_only_for_its_rotations_or_its_holes(puzzle: Puzzle) -> None:
    try:
        written(replace(puzzle, rules=replace(puzzle.rules, pieces=(), empty=None)))
    except PuzzleError as error:
        assert all(
            "reflections" in diagnostic.message or "more orientations" in diagnostic.message
            for diagnostic in error.diagnostics
        )
        assert all(diagnostic.code == "PZ501" for diagnostic in error.diagnostics)


L_TETRACUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1))  # a chiral piece


def cubic(pieces: tuple[Piece, ...], size: tuple[int, ...] = (2, 2, 4), **others: object) -> Puzzle:
    locations = tuple(Location(cell) for cell in box(size))
    return replace(Puzzle("p", find_lattice("cubic"), locations, pieces), **others)  # type: ignore[arg-type]


def solid(freedom: Freedom, low: int = 1, high: int = 1) -> Piece:
    return Piece("S", L_TETRACUBE, (None,) * 4, find_lattice("cubic").turns(freedom), low=low, high=high)


def refusals(puzzle: Puzzle) -> list[str]:
    with pytest.raises(PuzzleError) as error:
        written(puzzle)
    assert {diagnostic.code for diagnostic in error.value.diagnostics} == {"PZ501"}
    return [diagnostic.message for diagnostic in error.value.diagnostics]


@pytest.mark.parametrize(("low", "high"), [(1, 1), (0, 1), (1, ANY), (0, 3)])
def test_a_solid_that_may_be_reflected_is_refused(low: int, high: int) -> None:
    assert refusals(cubic((solid(Freedom.FREE, low, high),))) == ["BurrTools does not support reflections of piece `S`"]


@pytest.mark.parametrize("high", [4, 9, ANY])
def test_a_solid_of_which_any_number_may_be_used_is_written_with_its_mirror_image(high: int) -> None:
    puzzle = cubic((solid(Freedom.FREE, 0, high),))
    again = read_again(written(puzzle))
    assert [(piece.name, piece.low) for piece in again.pieces] == [("S", 0), ("S-S2", 0)]
    assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none") > 0
    assert_round_trip(puzzle)


def test_a_fixed_piece_is_refused_unless_it_looks_the_same_from_all_sides() -> None:
    assert refusals(cubic((solid(Freedom.FIXED),))) == ["BurrTools gives piece `S` more orientations than this puzzle"]
    assert_round_trip(cubic((Piece("o", ((0, 0, 0),), (None,), find_lattice("cubic").turns(Freedom.FIXED)),)))


def test_the_colours_of_a_piece_that_is_never_used_are_not_written() -> None:
    """Otherwise the text that is read and written again is another one."""
    puzzle = puzzlec.parse(
        'puzzle "p"\nlattice triangle\ncolours 2 0\noptional locations { ..?.?/.? }\npiece 2 x0 { 2 }\npiece 0 x* { 0 }'
    )
    text = written(puzzle)
    assert text.count("<color ") == 1
    assert written(read_again(text)) == text


def test_flat_pieces_are_turned_over() -> None:
    square = find_lattice("square")
    locations = tuple(Location(cell) for cell in box((4, 3)))
    cells = ((0, 0), (1, 0), (2, 0), (2, 1))
    for freedom, count in ((Freedom.FREE, 28), (Freedom.ONE_SIDED, 14)):
        piece = Piece("L", cells, (None,) * 4, square.turns(freedom))
        puzzle = Puzzle("p", square, locations, (piece,))
        assert len(place(puzzle).pieces[0].placements) == count
        if freedom is Freedom.FREE:
            assert_round_trip(puzzle)
        else:
            assert "gives piece `L` more" in refusals(puzzle)[0]
    # If a piece is its own mirror image, one-sided means the same as free.
    straight = Piece("I", cells[:3], (None,) * 3, square.turns(Freedom.ONE_SIDED))
    assert_round_trip(Puzzle("p", square, locations, (straight,)))


def test_all_missing_features_are_named() -> None:
    text = """lattice square
    locations box 4x2
    wrap (4,0)
    piece A { xx }
    piece B covers {(0,0) (1,1)}
    fix A at cells (0,0) (1,0)
    """
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    assert refusals(puzzle) == [
        "BurrTools does not support wrap-around boards",
        "BurrTools does not support the listed placements of piece `B`",
        "BurrTools does not support rules such as `fix`",
    ]


@pytest.mark.parametrize("lattice", ["tetrakis", "sticks", "hypercubic"])
def test_a_lattice_that_burrtools_lacks_is_refused(lattice: str) -> None:
    found = find_lattice(lattice)
    cell = found.cell(found.kinds[0].at)
    assert cell is not None
    piece = Piece("o", (cell,), (None,), found.rotations)
    assert lattice in refusals(Puzzle("p", found, (Location(cell),), (piece,)))[0]


@pytest.mark.parametrize(
    ("empty", "low", "high", "said"),
    [
        ((0, 0), 0, 8, 'maxHoles="0"'),
        ((0, 3), 0, 8, 'maxHoles="3"'),
        ((0, 8), 0, 8, None),
        (None, 0, 8, None),
        ((2, 2), 3, 3, None),
        ((0, 2), 3, 3, None),
        ((2, 8), 0, 3, None),
    ],
)
def test_holes_are_bounded_if_the_pieces_do_not_determine_them(
    empty: tuple[int, int] | None, low: int, high: int, said: str | None
) -> None:
    puzzle = holey(empty, low, high)
    text = written(puzzle)
    assert ("maxHoles" in text) == (said is not None)
    assert said is None or said in text
    assert_round_trip(puzzle)
    assert puzzlec.count(read_again(text), symmetry="none") == puzzlec.count(puzzle, symmetry="none")


@pytest.mark.parametrize(("empty", "low", "high"), [((1, 3), 0, 8), ((0, 1), 3, 3), ((3, 8), 3, 3)])
def test_bounds_of_holes_that_burrtools_lacks_are_refused(empty: tuple[int, int], low: int, high: int) -> None:
    assert "BurrTools" in refusals(holey(empty, low, high))[0]


def holey(empty: tuple[int, int] | None, low: int, high: int) -> Puzzle:
    lattice = find_lattice("square")
    locations = tuple(Location(cell, optional=True) for cell in box((4, 2)))
    piece = Piece("I", ((0, 0), (1, 0)), (None, None), lattice.isometries, low=low, high=high)
    return Puzzle("p", lattice, locations, (piece,), rules=PuzzleRules(empty=empty))


def test_colours_are_numbered_and_their_pairs_listed() -> None:
    text = """colours a b c
    allow a on b
    lattice square
    locations { xab/bcx }
    piece D { ax }
    piece E { ab/x. }
    piece o { c }
    """
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    said = written(puzzle)
    assert [line.strip() for line in said.split("\n") if "<pair" in line] == [
        '<pair piece="0" result="0"/>',
        '<pair piece="0" result="1"/>',
        '<pair piece="1" result="1"/>',
        '<pair piece="2" result="2"/>',
    ]
    assert_round_trip(puzzle)


def test_more_colours_than_burrtools_has_are_refused() -> None:
    square = find_lattice("square")
    for number in (63, 64):
        colours = tuple(f"c{colour}" for colour in range(number))
        locations = tuple(Location((x, 0), colour) for x, colour in enumerate(colours))
        piece = Piece("o", ((0, 0),), (None,), square.isometries, low=0, high=ANY)
        puzzle = Puzzle("p", square, locations, (piece,), PuzzleColours(colours))
        if number == 63:
            assert_round_trip(puzzle)
        else:
            assert refusals(puzzle) == ["too many colours for BurrTools (limit 63)"]


@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_names_and_titles_of_any_kind_return_unchanged(title: str, one: str, other: str) -> None:
    pieces = tuple(replace(solid(Freedom.ONE_SIDED), name=name) for name in dict.fromkeys((one, other)))
    text = written(replace(cubic(pieces), title=title))
    text.encode()
    again = read_again(text)
    assert written(again) == text
    if all(name.isprintable() and name == " ".join(name.split()) and name for name in (title, one, other)):
        assert (again.title, [piece.name for piece in again.pieces]) == (title, [piece.name for piece in pieces])


def test_cells_that_are_very_far_apart_are_refused() -> None:
    line = find_lattice("line")
    locations = (Location((0,)), Location((5_000_000,)))
    piece = Piece("o", ((0,),), (None,), line.isometries, low=2, high=2)
    assert "too many voxels" in refusals(Puzzle("p", line, locations, (piece,)))[0]


def test_a_shape_of_balls_has_its_hot_spot_on_a_ball() -> None:
    puzzle = puzzlec.load("balls/ball-room-pyramid")
    assert isinstance(puzzle, Puzzle)
    found = Document(Source("a", written(puzzle)), Report()).shapes
    assert all(shape.hotspot in shape.colours for shape in found)
    assert any(any(shape.hotspot) for shape in found)


def test_a_text_is_written_in_parts() -> None:
    puzzle = puzzlec.load("soma/soma")
    assert isinstance(puzzle, Puzzle)
    parts = list(write_xmpuzzle(puzzle, WriterChoices()))
    assert len(parts) > len(puzzle.pieces)
    assert parts == list(write_xmpuzzle(puzzle, WriterChoices()))


def test_costs_groups_and_immovable_pieces_do_not_hinder_a_piece_with_few_orientations() -> None:
    text = "locations box 3x3\npiece A free { xxx/x.. }\npiece B fixed { xx/xx }\npiece C { x }\n"
    puzzle = puzzlec.parse(f"{text}together A B\nimmovable C\ncost A = 3\n")
    read = puzzlec.parse(puzzlec.convert(puzzle, "xmpuzzle"), format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert {piece.name for piece in read.pieces} == {"A", "B", "C"}
