"""Puzzles that are built from plain cells, and their solutions as plain data."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

import puzzlec
import puzzlec.engine

BOX = list(product(range(3), range(2)))


def test_a_built_puzzle_equals_the_same_text() -> None:
    built = puzzlec.Builder("Three").locations(BOX).piece("D", [(0, 0), (1, 0)], copies=3).puzzle()
    text = puzzlec.parse('puzzle "Three"\nlocations box 3x2\npiece D x3 { xx }')
    assert puzzlec.count(built) == puzzlec.count(text) == 2
    assert set(built.locations) == set(text.locations)
    assert built.pieces == text.pieces
    assert puzzlec.parse(puzzlec.convert(built, "puzzle")) == built


def test_all_statements_of_a_builder_are_in_the_puzzle() -> None:
    builder = puzzlec.Builder("All", lattice="square").locations(BOX).locations([(3, 0)], colour="r", optional=True)
    builder.piece("A", [(0, 0), (1, 0)], colours=["r", None], freedom="one-sided", copies=(0, 2))
    builder.covers("B", [[(0, 0)], [(0, 1)]]).rule("inside", "A", BOX).rule("forbid", "B", [(0, 1)])
    builder.sum(BOX, 0, 9).colours("different", BOX[:2]).cost(3, "A", "on", [(0, 0)]).match("r", "b")
    builder.empty(0, 1).wall([(9, 9)]).immovable("B").together({"A": 2})
    puzzle = builder.puzzle()
    assert [rule.kind.value for rule in puzzle.rules.pieces] == ["place inside", "forbid"]
    assert [rule.words for rule in puzzle.rules.regions] == ["sum <= 9", "all different"]
    assert (puzzle.costs[0].value, puzzle.rules.empty, puzzle.movement.walls) == (3, (0, 1), ((9, 9),))
    assert (puzzle.movement.immovable, puzzle.movement.together) == (("B",), ((("A", 2),),))
    assert puzzlec.parse(puzzlec.convert(puzzle, "json"), format="json") == puzzle


def test_rules_about_how_pieces_meet_are_those_of_the_text() -> None:
    head = "locations box 4x4\npieces tetrominoes only I, L, O\npiece T { xxx / .x. }\n"
    plain = puzzlec.parse(head)
    builders: dict[str, Callable[[puzzlec.Builder], object]] = {
        "no crossroads": lambda builder: builder.no_crossroads(),
        "at most 2 at a point": lambda builder: builder.no_crossroads(high=2),
        "no crossroads on corner": lambda builder: builder.no_crossroads("on", [(0, 0), (3, 0), (0, 3), (3, 3)]),
        "no faults across x": lambda builder: builder.no_faults("x"),
        "apart I L with corners": lambda builder: builder.apart("I", "L", corners=True),
        "touching I O": lambda builder: builder.touching("I", "O"),
        "symmetric half-turn": lambda builder: builder.symmetric("half-turn"),
        "cost crossroads on box 1x1 = 2": lambda builder: builder.crossroads_cost(2, "on", [(0, 0)]),
        "cost faults across x = 3": lambda builder: builder.faults_cost(3, "x"),
    }
    for words, add in builders.items():
        builder = puzzlec.Builder().locations([(x, y) for x in range(4) for y in range(4)])
        for piece in plain.pieces:
            builder.piece(piece.name, piece.cells)
        add(builder)
        built, text = builder.puzzle(), puzzlec.parse(head + words)
        assert [rule.words for rule in built.rules.meetings] == [rule.words for rule in text.rules.meetings]
        assert puzzlec.count(built) == puzzlec.count(text)
    with pytest.raises(puzzlec.PuzzleError, match="unknown piece"):
        builder.apart("Q").puzzle()


def test_sides_of_tiles_and_their_frame_are_in_the_puzzle() -> None:
    builder = puzzlec.Builder("Tiles").locations([(0, 0), (1, 0)]).frame(["g"]).mates("r", "b")
    puzzle = builder.piece("A", [(0, 0)], sides=iter("ggrg")).piece("B", [(0, 0)], sides="gbgg").puzzle()
    assert puzzle.colours.frame == ("g",)
    assert set(puzzle.colours.mates) == {("r", "b"), ("b", "r")}
    assert [piece.sides for piece in puzzle.pieces] == [tuple("ggrg"), tuple("gbgg")]
    assert puzzlec.count(puzzle) == 1, "r and b meet, and g is around them"


def test_a_built_puzzle_is_solved_drawn_taken_apart_and_saved(tmp_path: Path) -> None:
    ring = [cell for cell in product(range(3), range(3)) if cell != (1, 1)]
    puzzle = (
        puzzlec.Builder("Ring").locations(product(range(3), range(3))).piece("O", ring).piece("x", [(0, 0)]).puzzle()
    )
    (solution,) = puzzlec.solve(puzzle)
    assert solution.grid() == [["O", "O", "O"], ["O", "x", "O"], ["O", "O", "O"]]
    assert puzzlec.draw(solution).startswith("<svg")
    assert puzzlec.count(puzzle, comes_apart=True) == 0
    path = tmp_path / "ring.puzzle"
    path.write_text(puzzlec.convert(puzzle, "puzzle"))
    assert puzzlec.count(path) == 1


def test_mistakes_of_a_builder_are_diagnostics_with_the_statement() -> None:
    builder = puzzlec.Builder("Wrong").locations([(0, 0), (0, 0)]).piece("A", [(0, 0, 0)]).rule("on", "B", [(0, 0)])
    with pytest.raises(puzzlec.PuzzleError) as caught:
        builder.puzzle()
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PZ310", "PZ312", "PZ306"]
    assert caught.value.diagnostics[2].span is not None
    with pytest.raises(TypeError, match=r"^expected a cell such as \(0, 1\)"):
        puzzlec.Builder().locations([1, 2])  # type: ignore[list-item]
    with pytest.raises(puzzlec.PuzzleError, match="unknown lattice"):
        puzzlec.Builder(lattice="squares").locations(BOX).puzzle()


def test_names_without_a_lattice_and_cubes_are_inferred() -> None:
    named = puzzlec.Builder().locations("ab").covers("M", [["a"], ["b"]], copies=2).puzzle()
    assert (named.lattice, puzzlec.count(named)) == (None, 1)
    cubes = puzzlec.Builder().locations(product(range(2), repeat=3)).piece("c", [(0, 0, 0)], copies=8).puzzle()
    (solution,) = puzzlec.solve(cubes)
    assert solution.grid() == [[["c", "c"], ["c", "c"]]] * 2
    assert solution.placements[0].piece.name == "c"
    assert len(solution.placements[0].points) == 1


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_records_become_a_frame_with_a_column_for_each_member(library: str) -> None:
    frames = pytest.importorskip(library)
    solutions = list(puzzlec.solve("pentominoes/3x20"))
    rows = [{"solution": n, **record} for n, solution in enumerate(solutions) for record in solution.records()]
    frame = frames.DataFrame(rows)
    assert frame.shape == (120, 6)
    assert list(frame.columns) == ["solution", "placement", "piece", "location", "x", "y"]
    assert list(frame["piece"]) == [
        placed.piece.name for each in solutions for placed in each.placements for _ in "xxxxx"
    ]
    assert sorted(zip(frame["x"], frame["y"], strict=True)) == sorted(
        (x, y) for _ in solutions for x in range(3) for y in range(20)
    )


def test_records_without_cells_have_the_names_of_locations() -> None:
    (solution,) = puzzlec.solve(puzzlec.ExactCover.from_sets({"a": "xy", "b": "z"}))
    assert [tuple(record.values()) for record in solution.records()] == [(0, "a", "x"), (0, "a", "y"), (1, "b", "z")]
    triangles = puzzlec.parse("lattice triangle\nlocations cells (0,0,0) (0,0,1)\npiece A cells (0,0,0) (0,0,1)")
    (solution,) = puzzlec.solve(triangles)
    assert solution.records()[1] == {"placement": 0, "piece": "A", "location": "0,0,1", "x": 0, "y": 0, "kind": 1}


def test_a_placement_has_its_piece_with_and_without_geometry() -> None:
    soma = next(puzzlec.solve("soma"))
    assert isinstance(soma.fitting.puzzle, puzzlec.Puzzle)
    assert {placed.piece for placed in soma.placements} == set(soma.fitting.puzzle.pieces)
    (solution,) = puzzlec.solve(puzzlec.parse("a b\na\nb\n", format="dlx"))
    assert [placed.piece.name for placed in solution.placements] == ["0", "1"]


def test_a_grid_is_laid_out_as_the_picture() -> None:
    solution = next(puzzlec.solve("pentominoes/6x10"))
    text = str(solution).split("\n")
    assert ["".join(name or "." for name in row) for row in solution.grid()] == text
    names = {cell: placement.piece.name for placement in solution.placements for cell in placement.cells}
    assert all(names[x, y] == solution.grid()[y][x] for x, y in names)
    with pytest.raises(ValueError, match=r"^a grid needs the lattice square or cubic, not hex"):
        next(puzzlec.solve(puzzlec.parse("lattice hex\nlocations cells (0,0)\npiece M cells (0,0)"))).grid()


def objects() -> list[object]:
    """Return objects of the public classes."""
    castle = puzzlec.load("soma/castle")
    encoding, solutions = puzzlec.compile(castle), puzzlec.solve("soma/castle")
    solution = next(solutions)
    taken = next(puzzlec.disassemble("soma/castle"))
    cover = encoding.cover
    try:
        puzzlec.parse("locations bx 2x1\npiece M x2 { x }")
    except puzzlec.PuzzleError as error:
        wrong = error
    return [
        castle, encoding, encoding.fitting, solutions, solution, solution.placements[0], taken, taken.disassembly,
        puzzlec.state_graph(taken), puzzlec.grade(castle), puzzlec.own_symmetry(solution), solutions.group,
        puzzlec.entries()[0], puzzlec.Choices(), puzzlec.Cutting(), puzzlec.Sizes(), puzzlec.SearchSettings(),
        puzzlec.Builder("x" * 200), puzzlec.formats()[0], puzzlec.lattices()[0], puzzlec.shapes("pentominoes")[0],
        puzzlec.estimate(castle), solutions.subject(), solutions.progress(), wrong, wrong.diagnostics[0],
        next(puzzlec.verify("soma/castle")), cover, puzzlec.engine.Search(cover), puzzlec.engine.reduce(cover),
        puzzlec.engine.count_covers(cover), puzzlec.engine.first_cover(cover), puzzlec.Limits(seconds=3),
        puzzlec.generate("dominosa", seed=1, size=3), *getattr(castle, "pieces", ()),
    ]  # fmt: skip


def test_the_repr_of_each_public_object_is_one_short_line() -> None:
    for thing in objects():
        line = repr(thing)
        assert "\n" not in line, type(thing)
        assert len(line) < 100, line


def test_puzzles_and_solutions_can_be_copied_and_pickled() -> None:
    castle = puzzlec.load("soma/castle")
    solution = next(puzzlec.solve("soma/castle"))
    for thing in (castle, solution, puzzlec.compile("soma/castle"), puzzlec.Limits(solutions=3)):
        assert pickle.loads(pickle.dumps(thing)) == copy.copy(thing) == copy.deepcopy(thing) == thing
    error = pickle.loads(pickle.dumps(puzzlec.UnfinishedError(puzzlec.Stop.NODES, "why")))
    assert (error.reason, str(error)) == (puzzlec.Stop.NODES, "why")


def test_shapes_lattices_and_formats_are_lists_of_their_commands() -> None:
    assert {shape.name for shape in puzzlec.shapes("pentominoes")} == set("FILNPTUVWXYZ")
    assert len(puzzlec.shapes("polyominoes", 6)) == 35
    assert "hex" in {lattice.name for lattice in puzzlec.lattices()}
    assert "dlx" in {format.name for format in puzzlec.formats()}
    import_module("puzzlec.formats.dpf")

    assert puzzlec.formats() == puzzlec.formats(), "also after a module of the package was imported"
    with pytest.raises(ValueError, match="hexominos"):
        puzzlec.shapes("hexominos")


def test_only_solutions_that_come_apart_count_in_each_function() -> None:
    text = "locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }"
    puzzle = puzzlec.parse(text)
    assert (puzzlec.count(puzzle), puzzlec.count(puzzle, comes_apart=True)) == (1, 0)
    assert list(puzzlec.solve(puzzle, comes_apart=True)) == []
    assert puzzlec.clues(puzzle, comes_apart=True) == []
    assert puzzlec.estimate(puzzle).solutions == 1
    assert puzzlec.estimate(puzzle, comes_apart=True).solutions == 0
    assert puzzlec.sets(puzzlec.parse(text + "\npiece spare x0..1 { x }"), comes_apart=True) == []


def test_another_package_adds_a_format(tmp_path: Path) -> None:
    (tmp_path / "shouting.py").write_text(
        "from puzzlec.formats.record import Format\n"
        "def write(what, choices):\n    yield what.title.upper() + '\\n'\n"
        "FORMAT = Format('shout', ('.shout',), 'the title in capitals', write=write)\n"
    )
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[puzzlec.formats]\nshout = shouting:FORMAT\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import puzzlec; "
        "print(puzzlec.convert('soma', 'shout'), 'shout' in {format.name for format in puzzlec.formats()})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "SOMA CUBE\n True\n"


@pytest.mark.parametrize("text", ["locations box 4x3\npiece D x6 { xx }", "locations box 4x3"])
def test_a_text_in_place_of_a_name_suggests_parse(text: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="expected the name of a puzzle, found the text of one") as caught:
        puzzlec.count(text)
    assert "puzzlec.parse(text)" in caught.value.diagnostics[0].helps[0]
