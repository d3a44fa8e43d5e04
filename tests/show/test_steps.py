"""Pictures of the moves of a plan, compared with the plan."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from puzzlec import PuzzleError, disassemble, draw, parse
from puzzlec.ir import Puzzle, Solution
from puzzlec.make.outputs import subject
from puzzlec.motion.shown import OPEN_REMARK, STUCK_REMARK, PicturePlan, Planner, shifted
from puzzlec.motion.straight import assembly
from puzzlec.show.page.data import page_data
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.moving import FRAMES, movie
from puzzlec.show.svg.steps import step_figures
from tests.commands import command
from tests.tools.site.burr_picture import PICTURE, burr

#: A ring around the middle of a dumbbell: they never come apart.
RINGS = """
lattice cubic
locations box 3x3x3
piece ring x1 fixed cells (0,0,1) (1,0,1) (2,0,1) (0,1,1) (2,1,1) (0,2,1) (1,2,1) (2,2,1)
piece dumbbell x1 fixed cells BELOW (1,1,1) ABOVE
"""
for word, z in (("BELOW", 0), ("ABOVE", 2)):
    RINGS = RINGS.replace(word, " ".join(f"({x},{y},{z})" for x in range(3) for y in range(3)))
CASES = (
    "interlocking/cube-4-four-level-4",
    "boxes/lid-3x3x3-level-6",
    "boxes/tray-4x4-level-5",
    "burrs/six-boards-level-5",
)


def first(name: str) -> tuple[Puzzle, Solution]:
    """Return a puzzle and its first solution that comes apart."""
    for taken in disassemble(name):
        if taken.disassembly.apart:
            assert taken.solution.fitting.puzzle is not None
            return taken.solution.fitting.puzzle, taken.solution
    raise AssertionError(name)


@pytest.mark.parametrize("name", CASES)
def test_each_move_of_the_plan_is_a_picture(name: str) -> None:
    puzzle, solution = first(name)
    (taken,) = disassemble([solution])
    figures = step_figures(solution, Choices(), None, Planner(puzzle, sliding=True).plan(solution))
    assert len(figures) == taken.disassembly.moves
    last, caption = taken.disassembly.steps[0], figures[-1][0]
    names = [taken.labels[piece] for piece in last.pieces]
    others = [piece for piece in taken.labels if piece not in names]
    number, _, text = caption.partition(". ")
    assert int(number) == len(figures)
    assert text in (", ".join(names), f"{len(names)} pieces", ", ".join(others))


@pytest.mark.parametrize("name", CASES)
def test_pieces_never_overlap_on_the_stage(name: str) -> None:
    puzzle, solution = first(name)
    assert puzzle.lattice is not None
    at = [location.at for location in puzzle.locations]
    cells = [
        [cell for location in p.locations if not isinstance(cell := at[location], str)] for p in solution.placements
    ]
    moves = Planner(puzzle, sliding=True).plan(solution).moves
    assert moves[0].there == tuple(range(len(cells)))
    for move in moves:
        assert set(move.pieces) < set(move.there) or move.wall
        shown = [set(shifted(puzzle.lattice, cells[piece], move.shifts[piece])) for piece in move.there]
        shown += [set(puzzle.movement.walls)] if move.wall else []
        assert not any(one & two for one, two in combinations(shown, 2))


def test_an_assembly_that_does_not_come_apart_keeps_its_steps_and_a_remark() -> None:
    remarks: list[str] = []
    drawn = draw(parse(RINGS), steps=True, remarks=remarks)
    assert remarks == [STUCK_REMARK]
    assert drawn == draw(parse(RINGS), steps=True)


def test_the_pieces_that_hold_together_have_a_picture() -> None:
    text = """
locations { xxxxx/xxxxx/xxxxx }
piece ring { xxx/x.x/xxx }
piece dot { x }
piece bar x2 { xxx }
"""
    solution = subject(parse(text), 1).solutions[0]
    assert solution.fitting.puzzle is not None
    plan = Planner(solution.fitting.puzzle, sliding=True).plan(solution)
    names = [solution.fitting.piece_name(solution.placements[number].number) for number in plan.hold]
    assert sorted(names) == ["dot", "ring"]
    captions = [caption for caption, _ in step_figures(solution, Choices(), None, plan)]
    assert captions[-1] in ("held by ring, dot", "held by dot, ring")
    assert len(captions) == 5


def test_a_limit_that_is_reached_is_a_remark() -> None:
    puzzle, solution = first("interlocking/cube-4-four-level-4")
    planner = Planner(puzzle, seconds=-1000)
    plan = planner.plan(solution)
    assert plan.remark == OPEN_REMARK
    assert not plan.moves


def test_pieces_that_come_out_one_by_one_need_no_plan() -> None:
    found = subject("soma", 1)
    assert found.puzzle is not None
    planner = Planner(found.puzzle)
    assert planner.plan(found.solutions[0]).moves == ()
    assert planner.moves(found.solutions[0]) == ((), "")
    assert "plans" not in page_data(found)


def test_flat_pieces_are_laid_down_unless_they_are_to_slide() -> None:
    found = subject("pentominoes/6x10", 1)
    assert found.puzzle is not None
    assert Planner(found.puzzle).plan(found.solutions[0]).moves == ()
    assert "plans" not in page_data(found)
    puzzle = parse("locations box 2x2\npiece D x2 { xx }\n")
    solution = subject(puzzle, 1).solutions[0]
    assert len(Planner(puzzle, sliding=True).plan(solution).moves) == 1


def test_the_page_gets_the_moves_and_the_walls() -> None:
    found = subject("boxes/lid-3x3x3-level-6", 1)
    assert found.puzzle is not None
    data = page_data(found)
    plans, walls = data["plans"], data["walls"]
    assert isinstance(plans, list)
    assert isinstance(walls, dict)
    assert len(plans[0]) == 12
    assert page_data(subject(parse(RINGS), 1))["plans"] == [{"hold": (0, 1), "walled": False}]


def test_a_picture_of_steps_names_no_walls_if_the_puzzle_has_them() -> None:
    assert "no walls" not in draw("boxes/lid-3x3x3-level-6", steps=True)
    assert "no walls" not in draw("interlocking/cube-4-four-level-4", steps=True)
    assert "no walls" in draw("polycubes/conway", steps=True)


@pytest.mark.parametrize(("name", "moves"), [("interlocking/cube-3-level-4", 5), ("boxes/tray-4x4-level-5", 13)])
def test_an_animation_has_the_frames_of_all_moves_to_and_fro(name: str, moves: int) -> None:
    found = subject(name, 1)
    made = movie(found, Choices(), [])
    assert len(made.figures) == 1 + FRAMES * moves
    assert made.order[: len(made.figures)] == list(range(len(made.figures)))
    assert made.order[len(made.figures) :] == list(range(len(made.figures) - 2, 0, -1))
    assert len({made.still(at, "none") for at in (0, 1, FRAMES)}) == 3
    drawn = draw(found, animate=True)
    assert len(re.findall(r"@keyframes ", drawn)) == len(made.figures)
    assert drawn.count('visibility="hidden"') == len(made.figures) - 1
    assert "prefers-reduced-motion" in drawn


def test_an_animation_of_many_cells_has_fewer_frames_of_each_move(monkeypatch: pytest.MonkeyPatch) -> None:
    found, remarks = subject("interlocking/cube-3-level-4", 1), list[str]()
    whole = movie(found, Choices(), [])
    monkeypatch.setattr("puzzlec.show.svg.moving.MOST_CELLS", 45)  # a third of 5 moves of 27 cells
    made = movie(found, Choices(), remarks)
    assert (len(made.figures), sum(made.times)) == (1 + 2 * 5, sum(whole.times))
    assert remarks == [f"each move has 2 pictures instead of {FRAMES}, because there are many cells"]
    monkeypatch.setattr("puzzlec.show.svg.moving.MOST_CELLS_ONCE", 100)
    with pytest.raises(PuzzleError, match="would be too large"):
        movie(found, Choices(), [])


@pytest.mark.parametrize(
    ("format", "background"), [("webp", "#ffffff"), ("gif", "#ffffff"), ("webp", "none"), ("gif", "none")]
)
def test_webp_and_gif_loop_endlessly(format: str, background: str) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    puzzle = parse("lattice cubic\nlocations box 2x1x1\npiece D x2 { x }\n")
    made = draw(puzzle, format=format, background=background)
    assert made == draw(puzzle, format=format, background=background)
    opened = image.open(BytesIO(bytes(made) if isinstance(made, bytes) else b""))
    assert (opened.format, opened.n_frames, opened.info["loop"]) == (format.upper(), 2 * FRAMES, 0)
    corner = opened.convert("RGBA").getpixel((0, 0))
    assert corner[3] == (0 if background == "none" else 255)


def test_too_many_pixels_are_refused() -> None:
    pytest.importorskip("PIL.Image")
    with pytest.raises(PuzzleError, match="million pixels would be too large"):
        draw("soma", format="webp", scale=40)


def test_an_assembly_that_does_not_come_apart_has_no_animation() -> None:
    for text in (RINGS, "locations box 2x1\npiece D { xx }\n", "lattice cubic\nlocations box 2x1x1\npiece D { xx }\n"):
        with pytest.raises(PuzzleError, match="PZ716"):
            draw(parse(text), animate=True)
    with pytest.raises(PuzzleError, match="PZ504"):
        draw("sudoku", animate=True)
    with pytest.raises(PuzzleError, match="PZ504"):
        draw("hypercubes/dominoes-2x2x2x2", animate=True)
    with pytest.raises(ValueError, match="png has no animation"):
        draw("soma", format="png", animate=True)


def test_the_command_animates(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(capsys, monkeypatch, "draw", "soma", "-o", "soma.svg", "--animate")[0] == 0
    assert "@keyframes" in (tmp_path / "soma.svg").read_text()
    status, _, said = command(capsys, monkeypatch, "draw", "soma", "-o", "soma.png", "--animate")
    assert status == 2
    assert "--animate: not available with -o FILE.png: write .svg, .webp or .gif" in said


@pytest.mark.parametrize("name", ["bar-and-square", "hexagons", "triangles", "maze-two-turns", "cube-3-of-3"])
def test_the_arrow_of_a_turn_hides_no_letter(name: str) -> None:
    _, solution = first(f"turns/{name}")
    turns = [figure for caption, figure in step_figures(solution, Choices()) if "turn" in caption]
    assert turns
    for figure in turns:
        assert figure.texts
        # The arrow is painted last: its white border, its line and its head.
        border, line, head = re.findall(r'<path d="([^"]*)"', figure.svg())[-3:]
        assert border == line
        places = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", line + head)]
        for middle, size in figure.texts:
            assert min(dist(middle, place) for place in places) > size / 2


@pytest.mark.parametrize("name", ["cube-4-of-3", "cube-4-of-4"])
def test_a_piece_that_turns_beside_others_is_animated(name: str) -> None:
    """On the way, cells of full size overlap, and sides of two pieces are in one plane."""
    puzzle, _ = first(f"turns/{name}")
    (taken,) = disassemble(puzzle)
    assert len(movie(subject(puzzle, 1), Choices(), []).figures) == 1 + FRAMES * taken.disassembly.moves


def test_a_single_piece_has_steps() -> None:
    puzzle = parse("locations box 2x1\npiece D { xx }\n")
    (step,) = step_figures(subject(puzzle, 1).solutions[0], Choices(), None, None)
    assert step[0] == "1. D"
    assert draw(puzzle, steps=True)


@pytest.mark.long
def test_the_moving_picture_of_the_docs_is_the_burr_of_the_page() -> None:
    assert PICTURE.stat().st_size < 300_000
    image = pytest.importorskip("PIL.Image")
    assert image.open(BytesIO(PICTURE.read_bytes())).n_frames == 2 * FRAMES * 13
    assert len(movie(subject(parse(burr()), 1), Choices(), []).figures) == 1 + FRAMES * 13


FLAT = """
locations box 2x2
piece D x2 { xx }
wall {
  xxxx
  x..x
  x...
  xxxx
} at (-1,-1)
"""
SOLID = "lattice cubic\nlocations box 1x1x2\npiece D { x x }\nwall box 3x3x3 at (-1,-1,-1) - box 1x1x2"
BALLS = "lattice fcc\nlocations cells (0,0,0)\npiece D cells (0,0,0)\nwall cells (1,0,0) (0,1,0) (0,0,1)"


@pytest.mark.parametrize("show", ["solution", "board"])
@pytest.mark.parametrize("text", [FLAT, SOLID, BALLS])
def test_a_still_picture_has_the_walls_and_room_for_them(text: str, show: str) -> None:
    without = text[: text.index("wall")]
    plain, walled = (draw(parse(source), show=show) for source in (without, text))
    assert len(walled) > len(plain)
    widths = [float(re.findall(r'viewBox="[^"]*"', picture)[0].split()[2]) for picture in (plain, walled)]
    assert widths[1] > widths[0]


def test_an_exploded_picture_has_the_walls_in_place() -> None:
    walls = "wall cells (0,1,0) (0,-1,0)\n"
    for lattice in ("cubic", "fcc"):
        text = f"lattice {lattice}\nlocations cells (0,0,0) (1,0,0)\npiece A cells (0,0,0)\npiece B cells (0,0,0)\n"
        plain, walled = (draw(parse(source), view="isometric", explode=2) for source in (text, text + walls))
        assert len(walled) > len(plain)
        flat = [draw(parse(source), view="layers", explode=2) for source in (text, text + walls)]
        assert flat[0] == flat[1]


def test_walls_of_balls_hide_no_piece() -> None:
    # Seen from above, the balls of the walls are before the piece.
    around = " ".join(f"({x},{y},1)" for x in (-2, -1, 0, 1) for y in (-2, -1, 0, 1))
    text = f"lattice fcc\nlocations cells (0,0,0)\npiece D cells (0,0,0)\nwall cells {around}"
    fills = [
        set(re.findall(r'fill="(#[0-9a-f]{6})"', draw(parse(source), view="isometric")))
        for source in (text[: text.index("wall")], text)
    ]
    assert fills[0] <= fills[1]


#: Two solutions: in one a domino is in the dead end of a tray, in the other both dominoes leave.
TRAY = "locations box 2x2\npiece D x2 { xx }\nwall {\n  xxxx\n  x..x\n  x...\n  xxxx\n} at (-1,-1)\n"


def test_an_animation_shows_the_first_solution_that_comes_apart() -> None:
    taken = sorted(disassemble(parse(TRAY)), key=lambda result: result.disassembly.apart)
    found, remarks = [result.solution for result in taken], list[str]()
    with pytest.raises(PuzzleError, match="PZ716"):
        draw(found[:1], animate=True)
    assert "it comes apart in" in str(draw(found, animate=True, remarks=remarks))
    assert remarks == ["solution 2 is shown: the ones before it do not come apart"]
    puzzle = found[0].fitting.puzzle
    assert puzzle is not None
    assert step_figures(found[0], Choices())[-1][0] == "held by D.1 and the walls"


def test_walls_stay_on_the_stage_when_all_pieces_have_left() -> None:
    puzzle = parse("lattice cubic\nlocations box 1x1x2\npiece A { x / x }\nwall box 3x3x3 at (-1,-1,-1) - box 1x1x2\n")
    made = movie(subject(puzzle, 1), Choices(), [])
    assert not any(figure.is_empty for figure in made.figures)


def test_layers_show_the_walls() -> None:
    text = "lattice cubic\nlocations box 1x1x1\npiece A { x }\n"
    for walls, heights in (("", ["z=0"]), ("wall box 3x3x3 at (-1,-1,-1) - box 1x1x2\n", ["z=-1", "z=0", "z=1"])):
        assert re.findall(r"z=-?\d", str(draw(parse(text + walls), view="layers"))) == heights


def test_pieces_that_all_hold_one_another_have_one_picture() -> None:
    puzzle, solution = first("soma")
    everything = tuple(range(len(solution.placements)))
    order = replace(assembly(solution), together=everything, steps=())
    held = PicturePlan(order, remark=STUCK_REMARK, hold=everything)
    assert [caption for caption, _ in step_figures(solution, Choices(), plan=held)] == ["7 pieces hold together"]
    fewer = PicturePlan(order, remark=STUCK_REMARK, hold=everything[:5])
    captions = [caption for caption, _ in step_figures(solution, Choices(), plan=fewer)]
    assert captions == ["7 pieces that interlock", "held by 5 pieces"]
    assert puzzle.title


@pytest.mark.long
def test_steps_have_a_legend_if_their_captions_have_other_names_than_the_pieces() -> None:
    for name, has in (("burrs/six-piece-2", True), ("soma", False)):
        given, whether = draw(name, steps=True), [draw(name, steps=True, legend=legend) for legend in (False, True)]
        assert whether[0] != whether[1]
        assert given == whether[has]


@pytest.mark.parametrize("text", ["lattice cubic\nlocations box 2x1x1", "lattice fcc\nlocations cells (0,0,0) (1,1,0)"])
def test_each_step_has_the_letter_of_its_piece_also_the_first(text: str) -> None:
    puzzle = parse(f"{text}\npiece Q {{ x }}\npiece W {{ x }}\n")
    figures = step_figures(subject(puzzle, 1).solutions[0], Choices())
    assert len(figures) == 2
    letters = [figure.svg() for _, figure in figures]
    without = [figure.svg() for _, figure in step_figures(subject(puzzle, 1).solutions[0], Choices(labels="none"))]
    assert all(len(one) > len(other) for one, other in zip(letters, without, strict=True))


def test_pieces_that_hold_together_are_seen_from_the_same_side_in_the_same_size() -> None:
    (solution,) = subject("octants/four-piece-tetrahedron", 1).solutions
    (first, whole), (last, held) = step_figures(solution, Choices())
    assert (first, last) == ("4 pieces that interlock", "held by A.1, A.2, B.1")
    assert (held.box.width, held.box.height) == pytest.approx((whole.box.width, whole.box.height), abs=3)
