"""Shapes by name: libraries, and families of polyforms in some size."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.compiler import fmt
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.geometry import Freedom, Matrix, find_lattice, library_names
from puzzlec.geometry.families import find_shapes, generate
from puzzlec.ir import Puzzle


def puzzle_of(text: str) -> Puzzle:
    puzzle = puzzlec.parse("locations box 9x9\n" + text if "locations" not in text else text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def turns_of(puzzle: Puzzle) -> set[tuple[Matrix, ...]]:
    return {piece.turns for piece in puzzle.pieces}


def fault(text: str) -> Diagnostic:
    with pytest.raises(PuzzleError) as caught:
        puzzle_of(text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_a_family_in_some_size_is_all_its_polyforms_each_once() -> None:
    puzzle = puzzle_of("pieces polyominoes 7")
    assert [piece.name for piece in puzzle.pieces] == [f"7-{number}" for number in range(1, 109)]
    assert all((piece.low, piece.high) == (1, 1) and len(piece.cells) == 7 for piece in puzzle.pieces)
    assert turns_of(puzzle) == {find_lattice("square").turns(Freedom.FREE)}


@pytest.mark.parametrize(
    ("word", "number", "freedom"),
    [
        ("", 12, Freedom.FREE),
        ("free", 12, Freedom.FREE),
        ("one-sided", 18, Freedom.ONE_SIDED),
        ("fixed", 63, Freedom.FIXED),
    ],
)
def test_the_freedom_chooses_the_set_of_a_family(word: str, number: int, freedom: Freedom) -> None:
    puzzle = puzzle_of(f"pieces polyominoes 5 {word}")
    assert len(puzzle.pieces) == number
    assert turns_of(puzzle) == {find_lattice("square").turns(freedom)}


@pytest.mark.parametrize(
    ("name", "family", "numbers"),
    [
        ("pentominoes", "polyominoes 5", (12, 18, 63)),
        ("heptominoes", "polyominoes 7", (108, 196, 760)),
        ("hexiamonds", "polyiamonds 6", (12, 19, 94)),
        ("tetracubes", "polycubes 4", (7, 8, 86)),
    ],
)
def test_a_library_with_all_polyforms_of_a_size_is_another_word_for_family_and_size(
    name: str, family: str, numbers: tuple[int, int, int]
) -> None:
    lattice = find_shapes(name).lattice
    board = f"lattice {lattice.name}\nlocations box {'x'.join(['2'] * lattice.dimension)}\npieces "
    for freedom, number in zip(Freedom, numbers, strict=True):
        one, other = (puzzlec.parse(f"{board}{words} {freedom.value}\n") for words in (name, family))
        assert isinstance(one, Puzzle)
        assert isinstance(other, Puzzle)
        assert len(one.pieces) == number
        assert [(piece.name, piece.cells, piece.turns) for piece in one.pieces] == [
            (piece.name, piece.cells, piece.turns) for piece in other.pieces
        ]


def test_a_shape_of_the_usual_set_keeps_its_name_with_any_freedom() -> None:
    drawn = puzzle_of(
        "piece A fixed = pentominoes.F\npiece B one-sided = pentominoes.F\npiece f one-sided = pentominoes.f"
    )
    assert drawn.pieces[0].cells == drawn.pieces[1].cells == find_shapes("pentominoes").shapes["F"].cells
    assert drawn.pieces[2].cells != drawn.pieces[1].cells
    assert [piece.name for piece in puzzle_of("pieces pentominoes fixed only F I").pieces] == ["F", "I"]


@pytest.mark.parametrize("name", ["one-sided-pentominoes", "free-tetracubes"])
def test_the_former_name_of_a_set_suggests_its_freedom(name: str) -> None:
    freedom, _, library = name.rpartition("-")
    assert fault(f"pieces {name}").helps == (f"write `{library} {freedom}`",)
    assert name not in library_names()


def test_a_size_with_a_library_has_its_names() -> None:
    assert puzzlec.count(puzzle_of("locations box 5x12\npieces polyominoes 5")) == 1010
    names = [piece.name for piece in puzzle_of("pieces polyominoes 5 one-sided").pieces]
    assert "f" in names
    assert names == [piece.name for piece in puzzle_of("pieces pentominoes one-sided").pieces]


def test_solid_families_are_one_sided_by_default() -> None:
    text = "lattice cubic\nlocations box 4x4x4\npieces polycubes 4"
    assert len(puzzle_of(text).pieces) == 8
    assert len(puzzle_of(text + " free").pieces) == 7


def test_copies_and_exceptions_are_as_with_libraries() -> None:
    puzzle = puzzle_of("pieces polyominoes 7 x0..2 except 7-3, 7-108")
    assert len(puzzle.pieces) == 106
    assert {(piece.low, piece.high) for piece in puzzle.pieces} == {(0, 2)}
    assert not {"7-3", "7-108"} & {piece.name for piece in puzzle.pieces}


def test_one_piece_of_a_family_has_a_separate_name() -> None:
    puzzle = puzzle_of('param n = 6\npiece P x2 = polyominoes n+1 "7-12"\npiece Q one-sided = polyominoes 7 7-196')
    cells = (
        generate("polyominoes", 7).shapes["7-12"].cells,
        generate("polyominoes", 7, Freedom.ONE_SIDED).shapes["7-196"].cells,
    )
    assert tuple(piece.cells for piece in puzzle.pieces) == cells


def test_rules_name_pieces_of_families() -> None:
    text = "locations box 7x1\npiece D x0..7 { x }\npieces polyominoes 7 x0..1\nfix 7-1 at box 7x1"
    assert puzzlec.count(puzzle_of(text)) == 1


def test_flat_pieces_are_used_in_space() -> None:
    cubic = puzzle_of("lattice cubic\nlocations box 5x4x3\npieces polyominoes 5 one-sided")
    assert len(cubic.pieces) == 12  # a piece that is turned over is its mirror image
    assert {cell[2] for piece in cubic.pieces for cell in piece.cells} == {0}
    balls = puzzle_of("lattice fcc\nlocations { xx x/xx . }\npieces polyominoes 3 x0..2")
    assert [piece.cells for piece in balls.pieces] == [
        ((0, 0, 0), (1, 0, 0), (2, 0, 0)),
        ((0, 0, 0), (0, 1, 0), (1, 1, 0)),
    ]
    prisms = puzzle_of("lattice prism\nlocations cells (0,0,0,0) (0,0,0,1)\npieces diamonds")
    assert [set(piece.cells) for piece in prisms.pieces] == [{(0, 0, 0, 0), (0, 0, 0, 1)}]
    assert puzzlec.count(prisms) == 1


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("pieces polyominoes", "PZ350", "polyominoes"),
        ("pieces polyominoes x2", "PZ350", "polyominoes"),
        ("piece A = polyominoes.I", "PZ350", "polyominoes"),
        ("pieces polyominoes 0", "PZ351", "0"),
        ("pieces polyominoes 12", "PZ351", "12"),
        ("pieces polyominoes 3-5", "PZ351", "3-5"),
        ("pieces polyominoes 99999999", "PZ351", "99999999"),
        ("pieces pentominoes 5", "PZ352", "pentominoes"),
        ("piece A = heptominoes 7 7-1", "PZ352", "heptominoes"),
        ("pieces polyominos 5", "PZ304", "polyominos"),
        ("lattice square\npieces polyhexes 5", "PZ318", "polyhexes"),
        ("lattice square\npieces polyhexes", "PZ318", "polyhexes"),
        ("lattice square\npieces hexahexes", "PZ318", "hexahexes"),
        ("pieces polyominoes 7 except 7-109", "PZ305", "7-109"),
        ("piece A = polyominoes 7 F", "PZ305", "F"),
    ],
)
def test_an_error_is_reported_at_its_place(text: str, code: str, at: str) -> None:
    found = fault(text)
    assert found.code == code
    assert found.span is not None
    assert found.span.source.text[found.span.start : found.span.end] == at


def test_help_names_families_and_sizes() -> None:
    assert fault("pieces polyomino 5").helps == ("did you mean `polyominoes`?",)
    assert fault("pieces heptomino").helps == ("did you mean `heptominoes`?",)
    assert fault("pieces polyominoes").helps == ("write `polyominoes 5`",)


def test_the_note_of_many_pieces_is_short() -> None:
    assert fault("piece A = polyominoes 7 F").notes == ("pieces are 7-1 to 7-108",)


def test_the_formatter_lays_a_size_out() -> None:
    text = "locations box 4x4\npieces   polyominoes  n   one-sided   x2 except 7-1,7-2\n"
    text += "piece   A=polyominoes   7   7-3\n"
    assert fmt(text) == (
        'locations box 4x4\npieces polyominoes n x2 one-sided except 7-1 7-2\npiece A = polyominoes 7 "7-3"\n'
    )


def test_a_written_puzzle_with_generated_pieces_reads_back() -> None:
    puzzle = puzzle_of("locations box 7x4\npieces polyominoes 7 x0..1")
    again = puzzle_of(puzzlec.convert(puzzle, "puzzle"))
    assert [piece.name for piece in again.pieces] == [piece.name for piece in puzzle.pieces]
    assert puzzlec.count(again) == puzzlec.count(puzzle)


def test_only_takes_the_pieces_that_it_names() -> None:
    puzzle = puzzlec.parse('locations box 5x3\npieces pentominoes x2 only V, "P", U')
    assert [(piece.name, piece.low) for piece in puzzle.pieces] == [("P", 2), ("U", 2), ("V", 2)]
    assert puzzlec.count(puzzlec.parse("locations box 5x3\npieces polyominoes 5 only P, U, V"), symmetry="none") == 4


@pytest.mark.parametrize("word", ["only", "except"])
def test_a_name_that_is_listed_twice_gets_a_warning(word: str) -> None:
    report = Report()
    read(Source("a", f"locations box 5x3\npieces pentominoes {word} P, U, P"), "puzzle", report)
    assert [(diagnostic.code, str(diagnostic.span)) for diagnostic in report.diagnostics] == [
        ("PZ356", f"a:2:{27 + len(word)}")
    ]


@pytest.mark.parametrize(
    "pieces", ["trominoes one-sided", "pentominoes one-sided", "pentominoes fixed", "meteor one-sided"]
)
def test_pieces_that_are_not_reflected_get_no_warning(pieces: str) -> None:
    report = Report()
    lattice = "hex" if "meteor" in pieces else "square"
    read(Source("a.puzzle", f"lattice {lattice}\nlocations box 4x4\npieces {pieces}"), "puzzle", report)
    assert not report.diagnostics
