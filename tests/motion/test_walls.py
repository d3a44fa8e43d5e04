"""Walls and immovable pieces: stated in the language and in JSON, kept by symmetries, never moved."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from puzzlec import Puzzle, PuzzleError, Solutions, compile, convert, count, parse
from puzzlec.disassembling import disassemble
from puzzlec.formats.writing import left_out
from puzzlec.geometry import Cell
from puzzlec.ir.rules import MovementRules
from puzzlec.lower import symmetry
from puzzlec.motion.bodies import WALL
from tests.commands import run

TRAY = 'puzzle "Tray"\nlocations box 2x2\npiece D x2 { xx }\nwall {\n  xxxx\n  x..x\n  x...\n  xxxx\n} at (-1,-1)\n'
#: A half turn of the board swaps the first two pieces.
MIRROR = "locations box 4x2\npiece L fixed { xx/x. }\npiece J fixed { .x/xx }\npiece dot x2 { x }\n"


def test_walls_and_immovable_pieces_are_stated_in_the_language_and_in_json() -> None:
    puzzle = parse(TRAY + "wall cells (9,9)\nimmovable D")
    assert len(puzzle.movement.walls) == 12
    assert puzzle.movement.walls[-1] == (9, 9)
    assert puzzle.movement.immovable == ("D",)
    for format in ("puzzle", "json"):
        read = parse(convert(puzzle, format), format=format)
        assert isinstance(read, Puzzle)
        assert (read.movement.walls, read.movement.immovable) == (puzzle.movement.walls, ("D",))


def test_a_solution_and_its_image_are_different_if_the_wall_is_not_its_own_image() -> None:
    assert count(parse(TRAY)) == 2
    assert count(parse(TRAY.partition("wall")[0])) == 1
    levels = [taken.disassembly.text for taken in disassemble(parse(TRAY))]
    assert levels == ["1.2", None]


def test_symmetries_keep_immovable_pieces_and_groups() -> None:
    plain = count(parse(MIRROR), symmetry="none"), count(parse(MIRROR))
    assert plain[1] < plain[0]
    for more in ("immovable L", "together L dot"):
        assert count(parse(MIRROR + more)) == plain[0]
    for more in ("immovable L J", "immovable dot", "together L J", "together dot"):
        assert count(parse(MIRROR + more)) == plain[1], more


def test_a_flat_board_in_space_keeps_the_reflections_that_keep_its_wall() -> None:
    def order(wall: str) -> int:
        encoding = compile(parse(f"lattice cubic\nlocations box 2x2x1\npiece D x2 {{ xx }}\n{wall}"))
        return len(symmetry(encoding))

    assert order("") == order("wall cells (0,0,1) (1,0,1) (0,1,1) (1,1,1)") == 8
    assert order("wall cells (0,0,1) (0,0,-1)") == order("wall cells (0,0,1)") == 2
    assert order("wall cells (0,0,1) (1,0,-1)") == 2  # a half turn about an axis in the plane


def test_parts_of_a_board_with_a_wall_move_as_a_whole() -> None:
    text = "locations { xx.xx/xx.xx }\npiece D x4 { xx }\n"
    assert count(parse(text), symmetry="parts") < count(parse(text)) == count(parse(text + "wall cells (2,0) (2,1)"))
    with_wall = parse(text + "wall cells (2,0) (2,1)")
    assert count(with_wall, symmetry="parts") == count(with_wall)


@pytest.mark.parametrize("seed", range(6))
def test_solutions_that_count_as_equal_come_apart_in_the_same_way(seed: int) -> None:
    random = Random(seed)
    around = [(x, y) for x in range(-1, 5) for y in range(-1, 4) if not (0 <= x < 4 and 0 <= y < 3)]
    walls: tuple[Cell, ...] = tuple(random.sample(around, 9))
    puzzle = parse("locations box 4x3\npiece I x2 { xxx }\npiece V x2 { xx/x. }\n")
    puzzle = replace(puzzle, movement=MovementRules(walls=walls))
    encoding = compile(puzzle)
    group = symmetry(encoding)
    levels: dict[frozenset[tuple[int, ...]], set[str | None]] = {}
    for taken in disassemble(Solutions(encoding, symmetry="none")):
        own = [(placement.number, placement.index) for placement in taken.solution.placements]
        options = [o for o, pair in enumerate(zip(encoding.piece, encoding.index, strict=True)) if pair in own]
        orbit = frozenset(tuple(sorted(moved[o] for o in options)) for moved in group.options)
        levels.setdefault(orbit, set()).add(taken.disassembly.text)
        taken.check()
    assert all(len(texts) == 1 for texts in levels.values())
    distinct = Counter(taken.disassembly.text for taken in disassemble(puzzle))
    assert distinct == Counter(text for texts in levels.values() for text in texts)


def test_walls_and_immovable_pieces_are_one_body_that_never_moves() -> None:
    puzzle = parse("locations box 3x1\npiece P { x }\npiece Q { x }\npiece R { x }\nwall cells (0,1)\nimmovable P")
    for taken in disassemble(puzzle):
        assert taken.disassembly.bodies[0].name == WALL
        assert len(taken.disassembly.bodies) == 3
        assert all(0 not in step.pieces for step in taken.disassembly.steps)
    more = disassemble(parse("locations box 2x1\npiece P { x }\npiece Q { x }"), walls=[(2, 0)], immovable=["Q"])
    assert [taken.labels for taken in more] == [("wall", "P")] * 2


def test_two_immovable_pieces_hold_a_third() -> None:
    text = "lattice cubic\nlocations box 3x3x1\npiece U x2 { xxx }\npiece key { xxx }\n"
    between = text + "fix key at box 3x1x1 at (0,1,0)\nwall box 5x3x3 at (-1,0,-1) - box 3x3x1\n"
    (loose,) = disassemble(parse(between))
    (held,) = disassemble(parse(between + "immovable U"))
    assert loose.disassembly.apart
    assert not held.disassembly.apart


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("locations box 2x1\npiece D { xx }\nwall box 3x1", ["PZ704"]),
        ("locations box 2x1\npiece D { xx }\nwall box 1x1 - box 1x1", ["PZ706"]),
        ("lattice none\nlocations names 0..1\npiece D covers {0 1}\nwall names 5", ["PZ705"]),
        ("locations box 4x1\nwrap x\npiece D x2 { xx }\nwall cells (0,1)", ["PZ705"]),
        ("colours a\nlocations box 2x1\npiece D { xx }\nwall { a } at (3,0)", ["PZ315"]),
        ("locations box 2x1\npiece D { xx }\nwall cells (0,0,0)", ["PZ312"]),
        ("locations box 2x1\npiece D { xx }\nimmovable E D", ["PZ306"]),
        ("locations box 2x1\npiece D { xx }\nimmovable", ["PZ101"]),
        ("locations box 2x1\npiece D { xx }\nwall", ["PZ101"]),
    ],
)
def test_a_meaningless_wall_or_immovable_piece_is_refused(text: str, codes: list[str]) -> None:
    with pytest.raises(PuzzleError) as refused:
        parse(text)
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == codes
    assert all(diagnostic.span is not None for diagnostic in refused.value.diagnostics)


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("[-1, -1]", "[0, 0]", "PZ704"),
        ("[-1, -1]", "[0, -1]", "PZ310"),
        ("[-1, -1]", "[0]", "PZ312"),
        ('"immovable": ["D"]', '"immovable": ["E"]', "PZ306"),
        ('"locations"', '"wraps": [{"vector": [9, 0]}],\n  "locations"', "PZ705"),
    ],
)
def test_a_meaningless_wall_in_json_is_refused(before: str, after: str, code: str) -> None:
    text = convert(parse(TRAY + "immovable D"), "json")
    assert before in text
    with pytest.raises(PuzzleError) as refused:
        parse(text.replace(before, after, 1), format="json")
    assert code in [diagnostic.code for diagnostic in refused.value.diagnostics]


def test_symmetries_that_change_how_a_puzzle_comes_apart_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tray.puzzle").write_text(TRAY)
    for which in ("parts", "automorphisms"):
        refused = run("disassemble", str(tmp_path / "tray.puzzle"), "--symmetry", which)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "error[PZ708]" in refused.stderr
        with pytest.raises(PuzzleError, match="PZ708"):
            next(disassemble(Solutions(parse(TRAY), symmetry=which)))
    with pytest.raises(ValueError, match="which solutions are the same"):
        next(disassemble(Solutions(parse(TRAY)), walls=[(5, 5)]))


def test_convert_warns_if_a_format_cannot_store_walls(tmp_path: Path) -> None:
    path = tmp_path / "tray.puzzle"
    path.write_text("locations box 2x1\npiece D { xx }\nwall cells (2,0)\ntogether D\nimmovable D")
    for format, lost in {
        "compact": "walls and immovable pieces and groups of pieces",
        "json": "",
        "puzzle": "",
        "dlx": "",
    }.items():
        made = run("convert", str(path), "--to", format)
        assert made.returncode == 0, made.stderr
        assert ("warning[PZ707]" in made.stderr) is bool(lost)
        assert lost in made.stderr


@pytest.mark.parametrize(
    ("statements", "place"),
    [
        ("wall box 1x1 at (3,0) # right\nimmovable A", "wall box 1x1 at (3,0)"),
        ("# wall\n  immovable A\ntogether A B", "immovable A"),
        ("together A B", "together A B"),
    ],
)
def test_the_statement_that_a_format_cannot_store_is_marked(statements: str, place: str) -> None:
    puzzle = parse(f"locations box 3x1\npiece A {{ x }}\npiece B {{ xx }}\n{statements}\n")
    assert isinstance(puzzle, Puzzle)
    warning = left_out(puzzle, "compact")
    assert warning is not None
    assert warning.span is not None
    assert warning.span.text == place
