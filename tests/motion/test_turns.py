"""Turns as moves: prototypes, plans that a separate checker accepts, and turns compared with dense samples."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.faces import scale_of
from puzzlec.geometry.lattice import TURN_ORDERS, neighbours, turned
from puzzlec.geometry.solids import plus
from puzzlec.jobs.disassemblies import KeptDisassemblies
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.obstacles import why_not
from puzzlec.motion.planes import planes
from puzzlec.motion.replay import ReplayError, replay
from puzzlec.motion.replay_turn import fault_of_turn
from puzzlec.motion.rotation import Corner, Rotation, corners_only, pose_at, rotation_about, turn_words
from puzzlec.motion.search import Bounds
from puzzlec.motion.shown import Plans, moves_of
from puzzlec.motion.turn_obstacles import turn_blocks
from puzzlec.motion.turn_search import TurnSearch
from puzzlec.motion.turning import DEFAULT_CLEARANCE, Turning
from puzzlec.motion.turns import Turns
from puzzlec.recount import compare
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.isometric import FINENESS, spin_of
from puzzlec.show.svg.steps import step_figures
from tests.commands import command

SQUARE, CUBIC = find_lattice("square"), find_lattice("cubic")


def cells(rows: str, sign: str) -> tuple[Cell, ...]:
    """Return the cells of a sign in a drawing of rows."""
    return tuple((x, y) for y, row in enumerate(rows.split("/")) for x, c in enumerate(row) if c == sign)


def drawn(rows: str) -> list[Body]:
    """Return a frame `#` that never moves, and a piece for each letter."""
    letters = sorted(set(rows) - set("#./"))
    return [Body("frame", cells(rows, "#"), True), *(Body(letter, cells(rows, letter)) for letter in letters)]


def taken(bodies: list[Body], turning: Turning | None, lattice: Lattice = SQUARE) -> Disassembly:
    return Disassembler(lattice, turning=turning).take_apart(bodies)


def turns_of(rows: str, clearance: float = DEFAULT_CLEARANCE) -> int:
    """Return the number of turns of a piece `o` in a frame that is at rest."""
    gaps = Gaps(SQUARE)
    (frame, at), (piece, place) = gaps.shape_of(cells(rows, "#")), gaps.shape_of(cells(rows, "o"))
    return len(list(Turns(gaps, clearance).moves((frame, piece), (0, place - at))))


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        ("####/#oo#/#..#/####", 0),  # a domino in a box of 2 x 2
        ("#####/#.o.#/#.o.#/#.o.#/#####", 2),  # a bar of three about the middle of a box of 3 x 3, both ways
        ("#####/#.o.#/#ooo#/#.o.#/#####", 2),
        ("#####/#o..#/#o..#/#o..#/#####", 0),
        ("###/#o#/###", 0),
        ("####/#o.#/#..#/####", 8),  # with a shift; each of the four cells is reached in two ways
        ("####/#oo#/#o.#/####", 0),
        ("#####/#oo.#/#o..#/#...#/#####", 8),
    ],
)
def test_a_piece_in_a_box_turns_if_it_has_room(rows: str, number: int) -> None:
    assert turns_of(rows) == number


def test_sharp_cells_that_touch_cannot_turn() -> None:
    assert turns_of("#####/#ooo#/#...#/#...#/#####") == 0
    assert turns_of("#####/#.o.#/#ooo#/#.o.#/#####", clearance=0.0) == 0


ROOM = "#####/#.o.#/#.o../#.o.#/#####"


def test_a_bar_turns_and_then_leaves_through_the_door() -> None:
    assert not taken(drawn(ROOM), None).apart
    result = taken(drawn(ROOM), Turning())
    assert (result.text, result.moves, result.turns) == ("2", 2, 1)
    turn, slide = result.steps
    assert turn.turn is not None
    assert turn_words(SQUARE, turn.turn) == "a quarter turn about (2,2), clockwise"
    assert turn.turn.path == ((0.0, (0.0, 0.0)), (pi / 2, (0.0, 0.0)))
    assert (slide.direction, slide.separates) == ((1, 0), True)
    assert replay(SQUARE, result.bodies, result.steps, DEFAULT_CLEARANCE).level == (2,)


def in_space(rows: str, axis: int) -> list[Body]:
    """Return a drawing as a layer of cubes across an axis, with a floor and a ceiling."""
    bodies = drawn(rows)

    def lifted(cell: Cell, height: int) -> Cell:
        return (*cell[:axis], height, *cell[axis:])

    size = range(len(rows.split("/")))
    plates = tuple(lifted(cell, height) for height in (-1, 1) for cell in product(size, size))
    frame = tuple(lifted(cell, 0) for cell in bodies[0].cells)
    return [
        Body("frame", plates + frame, True),
        *(Body(b.name, tuple(lifted(c, 0) for c in b.cells)) for b in bodies[1:]),
    ]


WORDS = {
    0: "a quarter turn about the axis from left to right at y = 2, z = 2, clockwise seen from the right",
    1: "a quarter turn about the axis from front to back at x = 2, z = 2, clockwise seen from behind",
    2: "a quarter turn about the vertical axis at x = 2, y = 2, clockwise seen from above",
}


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_bar_turns_about_each_axis_of_a_cube(axis: int) -> None:
    bodies = in_space(ROOM, axis)
    assert not taken(bodies, None, CUBIC).apart
    result = taken(bodies, Turning(), CUBIC)
    assert (result.text, result.turns) == ("2", 1)
    assert replay(CUBIC, result.bodies, result.steps, DEFAULT_CLEARANCE).level == (2,)
    turn = result.steps[0].turn
    assert turn is not None
    assert turn_words(CUBIC, turn) == WORDS[axis]


@pytest.mark.long
def test_a_turn_and_that_of_all_others_the_other_way_are_one_state() -> None:
    """The order of pieces decides which of them rests in the search, and changes nothing."""
    bodies = drawn(ROOM)
    loose = [body._replace(fixed=False) for body in bodies]
    for some in (bodies, bodies[::-1], loose, loose[::-1]):
        result = taken(some, Turning())
        assert (result.level, result.turns) == ((2,), 1)
        assert replay(SQUARE, result.bodies, result.steps, DEFAULT_CLEARANCE).level == (2,)
        moving = result.steps[0].pieces
        assert [result.bodies[n].name for n in moving] == ["o"], "the larger side rests"


def window(lattice: Lattice, side: int) -> list[Cell]:
    height = 2 if len(lattice.kinds) > 1 else side
    at = product(range(side), range(side), *[range(height)] * (lattice.dimension - 2))
    several = range(len(lattice.kinds))
    return [(*cell, kind) for cell in at for kind in several] if len(several) > 1 else list(at)


def random_bodies(seed: int, lattice: Lattice, side: int, pieces: int) -> list[Body]:
    """Return pieces in a room with a wall that has gaps."""
    source = random.Random(seed)
    everything = window(lattice, side)
    flat = 2 if len(lattice.kinds) > 1 or lattice.dimension == 2 else 3
    room = {cell for cell in everything if all(0 < value < side - 1 for value in cell[:flat])}
    free, bodies = set(room), list[Body]()
    for number in range(pieces):
        cell = source.choice(sorted(free))
        piece = [cell]
        for _ in range(source.randint(1, 3 * len(lattice.kinds))):
            near = sorted({n for c in piece for n in neighbours(c, lattice) if n in free and n not in piece})
            piece += [source.choice(near)] if near else []
        free -= set(piece)
        bodies.append(Body("ABC"[number], tuple(sorted(piece))))
    wall = [cell for cell in everything if cell not in room and source.random() < 0.85]
    wall += [cell for cell in sorted(free) if source.random() < 0.1]
    return [Body("wall", tuple(wall), True), *bodies]


#: Seeds of random puzzles: some that need turns, some that slides take apart, and some that do not come apart.
SEEDS = {"square": (0, 1, 10, 16), "hex": (0, 1, 14), "triangle": (0, 1, 15, 59), "prism": (0, 1), "cubic": (0, 1, 18)}


@pytest.mark.long
@pytest.mark.parametrize("name", TURN_ORDERS)
def test_each_plan_is_accepted_by_the_checker_and_turns_never_make_it_worse(name: str) -> None:
    lattice, turning_plans = find_lattice(name), 0
    for seed in SEEDS[name]:
        bodies = random_bodies(seed, lattice, 5 if len(lattice.kinds) == 1 and lattice.dimension == 2 else 4, 1)
        slides, with_turns = (
            Disassembler(lattice, turning=turning).take_apart(bodies, Bounds(memory=1 << 20))
            for turning in (None, Turning())
        )
        if slides.apart:
            assert with_turns.level is not None
            assert slides.level is not None
            assert with_turns.level[0] <= slides.level[0]
        if with_turns.apart:
            turning_plans += with_turns.turns > 0
            replayed = replay(lattice, with_turns.bodies, with_turns.steps, DEFAULT_CLEARANCE)
            assert (replayed.level, replayed.parts) == (with_turns.level, with_turns.parts)
            fewest = Disassembler(lattice, turning=Turning(fewest=True)).take_apart(bodies, Bounds(memory=1 << 20))
            assert fewest.turns <= with_turns.turns
            replay(lattice, fewest.bodies, fewest.steps, DEFAULT_CLEARANCE)
    assert turning_plans or name == "prism", "no puzzle of this test needs a turn"


def sampled(rows: str, pivot: tuple[float, float], clearance: float) -> bool:
    """Return whether a turn has a path at 46 angles and shifts of 1/32 cell, by a plain flood of the free shifts."""
    half, steps = 0.5 - clearance, 32
    shifts = np.array([(x, y) for x in range(-steps, steps + 1) for y in range(-steps, steps + 1)]) / steps
    inside = (shifts**2).sum(axis=1) <= 1
    reached = np.zeros((2 * steps + 1, 2 * steps + 1), bool)
    reached[steps, steps] = True
    movers, others = (np.array(cells(rows, sign), float) - pivot for sign in "o#")
    for angle in np.linspace(0, pi / 2, 46):
        c, s = np.cos(angle), np.sin(angle)
        centres = movers @ np.array([[c, s], [-s, c]])
        free = inside.copy()
        for centre, other in product(centres, others):
            d = other - centre - shifts
            far = np.maximum(np.abs(d).max(axis=1), np.abs(d @ np.array([[c, -s], [s, c]])).max(axis=1))
            free &= far > half * (1 + c + s)
        free = free.reshape(reached.shape)
        reached &= free
        while True:
            grown = reached.copy()
            grown[1:] |= reached[:-1]
            grown[:-1] |= reached[1:]
            grown[:, 1:] |= reached[:, :-1]
            grown[:, :-1] |= reached[:, 1:]
            grown &= free
            if (grown == reached).all():
                break
            reached = grown
        if not reached.any():
            return False
    return bool(reached[steps, steps])


def found_pivots(rows: str) -> set[tuple[float, float]]:
    """Return the pivots of the turns forth that the search finds."""
    gaps = Gaps(SQUARE)
    (frame, at), (piece, place) = gaps.shape_of(cells(rows, "#")), gaps.shape_of(cells(rows, "o"))
    first = min(cells(rows, "o"))
    moves = Turns(gaps).moves((frame, piece), (0, place - at))
    return {(first[0] + t.pivot[0] / 2, first[1] + t.pivot[1] / 2) for t, _ in moves if t.sense > 0}


@pytest.mark.long
@pytest.mark.parametrize(
    "rows",
    [
        "####/#o.#/#..#/####",
        pytest.param("#####/#oo.#/#o..#/#...#/#####", marks=pytest.mark.slow),
        pytest.param("#####/#oo.#/#oo.#/#...#/#####", marks=pytest.mark.slow),
        pytest.param("######/#.oo.#/#.oo.#/#....#/######", marks=pytest.mark.slow),
        pytest.param("#####/#.o.#/#oo.#/#...#/#####", marks=pytest.mark.slow),
        pytest.param("######/#.o..#/#.oo.#/#..o.#/#....#/######", marks=pytest.mark.slow),
    ],
)
def test_turns_are_those_of_a_dense_sample(rows: str) -> None:
    """A turn that the search finds is there in samples; one of slightly larger cells is found by the search."""
    found = found_pivots(rows)
    size = len(rows.split("/"))
    for x, y in product(range(2 * size), range(2 * size)):
        if (x + y) % 2 == 0:
            pivot = x / 2, y / 2
            if pivot in found:
                assert sampled(rows, pivot, DEFAULT_CLEARANCE), pivot
            elif sampled(rows, pivot, DEFAULT_CLEARANCE - 0.015):
                pytest.fail(f"the search misses the turn about {pivot}")


@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.long
def test_first_separations_are_those_after_the_fewest_moves(fewest: bool) -> None:
    gaps = Gaps(SQUARE)
    shapes, places = zip(*[gaps.shape_of(b.cells) for b in drawn("#####/#o..#/#...../#p..#/#####")], strict=True)
    first = TurnSearch(gaps, Turning(fewest=fewest)).first_separations(shapes, places, Bounds())
    assert [len(goal.path) for goal in first.goals] == [1] * (2 if fewest else 8)
    assert first.moves == 2


def bar() -> tuple[Disassembly, Rotation]:
    result = taken(drawn(ROOM), Turning())
    turn = result.steps[0].turn
    assert turn is not None
    return result, turn


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"path": ((0.0, (0.0, 0.0)), (1.0, (0.0, 0.0)))}, "whole angle"),
        ({"path": ((0.0, (0.0, 0.0)), (1.0, (0.0, 0.0)), (0.5, (0.0, 0.0)), (pi / 2, (0.0, 0.0)))}, "turns back"),
        ({"path": ((0.0, (0.0, 0.0)), (0.0, (2.0, 0.0)), (pi / 2, (0.0, 0.0)))}, "larger than a cell"),
        ({"path": ((0.0, (0.1, 0.0)), (pi / 2, (0.0, 0.0)))}, "begins or ends with a shift"),
        ({"path": ((0.0, (0.0, 0.0)), (0.0, (0.5, 0.0)), (pi / 2, (0.0, 0.0)))}, "cells overlap"),
        ({"translation": (5, 0)}, "not the rotation about the pivot"),
        ({"degrees": -90}, "not the rotation about the pivot"),
    ],
)
@pytest.mark.long
def test_an_edited_turn_is_refused(change: dict[str, object], reason: str) -> None:
    result, turn = bar()
    steps = [result.steps[0]._replace(turn=turn._replace(**change)), *result.steps[1:]]  # type: ignore[arg-type]
    with pytest.raises(ReplayError, match=reason):
        replay(SQUARE, result.bodies, steps, DEFAULT_CLEARANCE)


def test_a_turn_through_another_piece_is_refused() -> None:
    result, turn = bar()
    assert fault_of_turn(SQUARE, turn, result.bodies[1].cells, result.bodies[0].cells, DEFAULT_CLEARANCE) == ""
    blocked = (*result.bodies[0].cells, (3, 1))
    assert "overlap" in fault_of_turn(SQUARE, turn, result.bodies[1].cells, blocked, DEFAULT_CLEARANCE)


@pytest.mark.parametrize(("other", "meets"), [((14, 14), True), ((16, 15), False)])
def test_a_long_arm_meets_a_cell_half_way_and_none_beyond_its_end(other: Cell, meets: bool) -> None:
    (plane,), still = planes(SQUARE), (0.0, 0.0)
    faults = []
    for sense in (-1, 1):  # one way the other cell is not passed
        turn = rotation_about(plane, sense, (Fraction(0), Fraction(0)), ((0.0, still), (plane.angle, still)))
        faults.append("overlap" in fault_of_turn(SQUARE, turn, [(20, 0)], [other], 0.0))
    assert sorted(faults) == [False, meets]


def test_cells_may_touch_while_they_turn() -> None:
    (plane,), still = planes(SQUARE), (0.0, 0.0)
    faults = []
    for sense in (-1, 1):  # away from the other cell, as a door about an end of their common side, and into it
        hinge = rotation_about(plane, sense, (Fraction(-1, 2), Fraction(1, 2)), ((0.0, still), (plane.angle, still)))
        faults.append(fault_of_turn(SQUARE, hinge, [(0, 0)], [(0, 1)], 0.0))
    assert faults[0] == ""
    assert "overlap" in faults[1]


def test_a_path_has_only_its_corners() -> None:
    aside, angles = (0.0, 0.5, 1.0), (0.5, 1.0)
    path: list[Corner] = [*((0.0, (x, 0.0)) for x in aside), *((angle, (1.0, 0.0)) for angle in angles)]
    path.append((1.0, (0.0, 0.0)))
    assert corners_only(path) == ((0.0, (0.0, 0.0)), (0.0, (1.0, 0.0)), (1.0, (1.0, 0.0)), (1.0, (0.0, 0.0)))


TEXT = """puzzle "Bar in a room"
lattice square
locations { x / x / x }
wall { xxxxx / x...x / x.... / x...x / xxxxx } at (-2,-1)
piece A { x / x / x }
"""


def test_disassemble_turns_pieces_and_its_result_has_a_check() -> None:
    (slides,) = puzzlec.disassemble(puzzlec.parse(TEXT))
    assert not slides.disassembly.apart
    (result,) = puzzlec.disassemble(puzzlec.parse(TEXT), turns=True)
    assert (result.disassembly.text, result.disassembly.turns) == ("2", 1)
    result.check()
    data = result.as_dict()
    assert data["turns"] == 1
    turn = result.disassembly.steps[0].turn
    assert turn is not None
    broken = replace(
        result.disassembly,
        steps=(result.disassembly.steps[0]._replace(turn=turn._replace(degrees=-90)), result.disassembly.steps[1]),
    )
    with pytest.raises(ValueError, match="pivot"):
        result._replace(disassembly=broken).check()


def test_a_graph_of_states_is_refused_if_pieces_turn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slides, turns = (next(puzzlec.disassemble(puzzlec.parse(TEXT), turns=turns)) for turns in (False, True))
    assert len(puzzlec.state_graph(slides).places) == 3
    with pytest.raises(ValueError, match="slides only"):
        puzzlec.state_graph(turns)
    (tmp_path / "bar.puzzle").write_text(TURNING)
    monkeypatch.chdir(tmp_path)
    for more in ((), ("--fewest-turns",)):
        status, _, said = command(capsys, monkeypatch, "disassemble", "bar.puzzle", "--graph", "g.json", *more)
        assert status == 2
        assert "--graph: it has slides only, and pieces turn" in said
        assert "also give `--no-turns`" in said
        assert not Path("g.json").exists()
    assert command(capsys, monkeypatch, "disassemble", "bar.puzzle", "--graph", "g.json", "--no-turns")[0] == 3
    assert len(json.loads(Path("g.json").read_text())["states"]) == 3


@pytest.mark.long
def test_pieces_that_hold_together_do_so_with_turns_also() -> None:
    """Slides alone do not free the piece A of the box, a turn does; together with B it stays inside."""
    bodies = drawn("#####/#BBA#/#.BA./#..A./.####")
    holds = []
    for turning in (None, Turning()):
        hold = why_not(taken(bodies, turning))
        assert hold is not None
        holds.append((hold.pieces, hold.smallest))
    assert holds == [((0, 1), True), ((0, 1, 2), True)]
    assert taken(bodies[:2], Turning()).apart
    stopped = why_not(taken(bodies, Turning()), Bounds(deadline=0.0))
    assert stopped is not None
    assert (stopped.pieces, stopped.smallest) == ((0, 1, 2), False)


def first_overlap(lattice: Lattice, mover: Body, other: Body, turn: Rotation) -> float:
    """Return the least of many angles in degrees at which two bodies overlap; the whole angle if they never do."""
    affinity, geometry = pytest.importorskip("shapely.affinity"), pytest.importorskip("shapely.geometry")

    def outlines(body: Body) -> list[Any]:
        points = [lattice.point(cell) for cell in body.cells]
        corners = [[lattice.on_paper(plus(p, c)) for c in lattice.kinds[lattice.class_of(p)].outline] for p in points]
        return [
            geometry.MultiPoint(each).convex_hull.buffer(-DEFAULT_CLEARANCE, join_style="mitre") for each in corners
        ]

    pivot = lattice.on_paper([float(value) for value in turn.pivot])
    for angle in np.arange(0, abs(turn.degrees), 0.25):
        sign = 1 if turn.degrees > 0 else -1
        moved = [affinity.rotate(each, sign * angle, origin=pivot) for each in outlines(mover)]
        if any(a.intersection(b).area > 1e-6 for a, b in product(moved, outlines(other))):
            return float(angle)
    return abs(turn.degrees)


@pytest.mark.parametrize(("name", "seed"), [("square", 2), ("square", 5), ("hex", 3), ("triangle", 4)])
@pytest.mark.long
def test_each_blocked_turn_ends_where_polygons_overlap(name: str, seed: int) -> None:
    """The piece meets the pieces that are named first, and no later than a degree after the angle that is named."""
    lattice = find_lattice(name)
    bodies = random_bodies(seed, lattice, 5 if name != "triangle" else 4, 2)
    blocks = list(turn_blocks(taken(bodies, Turning(), lattice), range(len(bodies)), Turning()))
    assert [block.piece for block in blocks] == [1, 1, 2, 2]
    assert any(block.met for block in blocks)
    for block in blocks:
        overlaps = {
            number: first_overlap(lattice, bodies[block.piece], other, block.turn)
            for number, other in enumerate(bodies)
            if number != block.piece
        }
        first = min(overlaps.values())
        if block.met:
            assert block.degrees <= first <= block.degrees + 1.25
            assert {number for number, angle in overlaps.items() if angle == first} <= set(block.met)
            assert max(overlaps[number] for number in block.met) < first + 1
        else:
            assert block.degrees == abs(block.turn.degrees)


def test_what_blocks_a_turn_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    room = "wall { xxxxx / x...x / x...x / x..xx / xxxxx } at (-2,-1)"
    Path("bar.puzzle").write_text(f"lattice square\nlocations {{ x/x/x }}\n{room}\npiece A {{ x/x/x }}\nturns\n")
    status, printed, _ = command(capsys, monkeypatch, "disassemble", "bar.puzzle", "--all", "--steps")
    assert status == 3
    assert printed.splitlines()[-2:] == [
        "  A meets nothing: a quarter turn about (0,1), clockwise",
        "  A meets wall after 11 degrees: a quarter turn about (0,2), counterclockwise",
    ]


def test_lattices_without_turns_and_wrong_clearances_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot turn on the lattice `line`"):
        Turns(Gaps(find_lattice("line")))
    with pytest.raises(ValueError, match=r"clearance must be between 0 and 0\.25, not 0\.3"):
        Turns(Gaps(find_lattice("square")), 0.3)
    text = 'puzzle "Line"\nlattice line\nlocations box 2\npiece A { xx }\n'
    with pytest.raises(PuzzleError) as error:
        list(puzzlec.disassemble(puzzlec.parse(text), turns=True))
    assert [d.code for d in error.value.diagnostics] == ["PZ720"]
    assert error.value.diagnostics[0].helps == ("leave out `--turns`",)
    for clearance in (-0.01, 0.26, float("nan")):
        with pytest.raises(ValueError, match=r"clearance must be from 0 to 0\.25"):
            list(puzzlec.disassemble(puzzlec.parse(TEXT), turns=True, clearance=clearance))
    with pytest.raises(ValueError, match="need `turns=True`"):
        list(puzzlec.disassemble(puzzlec.parse(TEXT), fewest_turns=True))


def test_a_search_with_turns_ends_at_its_limits() -> None:
    (result,) = puzzlec.disassemble(puzzlec.parse(TEXT), turns=True, limits=puzzlec.Limits(memory=1))
    assert result.disassembly.stopped == "memory"


@pytest.mark.parametrize("name", TURN_ORDERS)
def test_each_lattice_turns_about_as_many_axes_as_it_has(name: str) -> None:
    lattice = find_lattice(name)
    assert len(planes(lattice)) == (3 if name == "cubic" else 1)
    assert {plane.parts for plane in planes(lattice)} == {TURN_ORDERS[name]}


def test_a_prism_turns_by_a_sixth() -> None:
    """Three prisms around a corner, between a floor and a ceiling, leave through a door on the other side."""
    lattice = find_lattice("prism")
    plane = planes(lattice)[0]
    hexagon = [(0, 0, 0, 1)]
    while len(hexagon) < 6:
        image, added = plane.forth.kinds[hexagon[-1][3]]
        x, y, z = (a + b for a, b in zip(turned(plane.forth.matrix, hexagon[-1][:3]), added, strict=True))
        hexagon.append((x, y, z, image))
    assert len(set(hexagon)) == 6
    gaps = Gaps(lattice)
    (still, at), (piece, place) = gaps.shape_of(hexagon[:1]), gaps.shape_of(hexagon[2:4])
    ends = {after[1] for _, after in Turns(gaps).moves((still, piece), (0, place - at))}
    assert ends, "a piece of two prisms turns about the corner"


@pytest.mark.long
def test_two_triangles_turn_by_a_sixth_and_then_leave() -> None:
    lattice = find_lattice("triangle")
    frame = ((-1, -1, 1), (-1, 0, 1), (0, -1, 1), (0, 2, 1), (1, 1, 1), (1, 2, 1))
    bodies = [Body("frame", frame, True), Body("piece", ((0, 0, 1), (0, -1, 0)))]
    assert not taken(bodies, None, lattice).apart
    result = taken(bodies, Turning(), lattice)
    turn = result.steps[0].turn
    assert turn is not None
    assert (result.text, turn.degrees, *map(int, turn.pivot)) == ("2", 60, -6, -3)
    assert replay(lattice, result.bodies, result.steps, DEFAULT_CLEARANCE).level == (2,)


TURNING = TEXT + "turns\nexpect level 2\nexpect turns 1\n"


def test_turns_allowed_survives_each_format_that_has_it() -> None:
    puzzle = puzzlec.parse(TURNING)
    assert puzzle.movement.turns_allowed
    for name in ("json", "puzzle"):
        text = puzzlec.convert(puzzle, name)
        assert "turns" in text
        again = puzzlec.parse(text, format=name)
        assert again == puzzle
    assert puzzlec.Builder().locations([(0, 0)]).piece("A", [(0, 0)]).turn().puzzle().movement.turns_allowed


def test_a_puzzle_says_whether_its_pieces_turn_unless_the_call_does() -> None:
    puzzle = puzzlec.parse(TURNING)
    turns = [next(puzzlec.disassemble(puzzle, turns=turns)).disassembly.apart for turns in (None, True, False)]
    assert turns == [True, True, False]
    assert [(found.counted, found.outcome.value) for found in compare(puzzlec.compile(puzzle), puzzle.expected)] == [
        ("2", "agrees"),
        (1, "agrees"),
    ]
    with pytest.raises(ValueError, match="need `turns=True`"):
        list(puzzlec.disassemble(puzzle, turns=False, clearance=0.1))


@pytest.mark.parametrize(
    "text",
    [
        "lattice line\nlocations box 2\npiece A { xx }\nturns",
        "locations box 2x2\npiece A { xx }\nwrap x\nturns",
    ],
)
def test_turns_allowed_is_refused_where_nothing_turns(text: str) -> None:
    with pytest.raises(PuzzleError) as error:
        puzzlec.parse(text)
    assert [d.code for d in error.value.diagnostics] == ["PZ720"]
    puzzle = puzzlec.parse(text.replace("turns", ""))
    data = puzzlec.convert(puzzle, "json").rstrip().removesuffix("}") + ', "turns_allowed": true}'
    with pytest.raises(PuzzleError) as error:
        puzzlec.parse(data, format="json")
    assert [d.code for d in error.value.diagnostics] == ["PZ720"]


def test_the_least_sum_and_kept_results_know_turns(tmp_path: Path) -> None:
    puzzle = puzzlec.parse(TURNING)
    (found,) = puzzlec.disassemble(puzzle, least_sum=True)
    assert (found.disassembly.moves, found.disassembly.turns) == (2, 1)
    found.check()
    with KeptDisassemblies(tmp_path, {}, turning=Turning()) as kept:
        kept.keep(found.disassembly)
    with KeptDisassemblies(tmp_path, {}, turning=Turning()) as kept:
        again = kept.find(SQUARE, found.disassembly.bodies)
    assert again is not None
    assert again.steps == found.disassembly.steps
    assert found._replace(disassembly=again).check() is None
    with pytest.raises(PuzzleError) as error:
        KeptDisassemblies(tmp_path, {})
    assert [d.code for d in error.value.diagnostics] == ["PZ710"]


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_shown_turn_ends_where_the_next_move_begins(axis: int) -> None:
    """The exact rotation of a picture takes the corners of cells to those of the cells after the turn."""
    bodies = in_space(ROOM, axis)
    result = taken(bodies, Turning(), CUBIC)
    turn, slide = moves_of(result, [(0,), (1,)])
    assert turn.turn is not None
    cells = bodies[1].cells
    for part, after in ((0.0, cells), (1.0, slide.cells(CUBIC, 1, cells))):
        spin = spin_of(CUBIC, turn.turn, part, frozenset((1,)))
        unit = FINENESS * scale_of(CUBIC)
        images = {plus(turned(spin.matrix, tuple(unit * v for v in CUBIC.point(cell))), spin.shift) for cell in cells}
        assert images == {tuple(spin.over * unit * v for v in CUBIC.point(cell)) for cell in after}
    middle = spin_of(CUBIC, turn.turn, 0.5, frozenset((1,)))
    assert abs(abs(middle.angle) - pi / 4) < 0.03
    angle, shift = pose_at(turn.turn, 0.5)
    assert angle == pytest.approx(pi / 4)
    assert shift == (0.0, 0.0, 0.0)
    for corners in range(2, 20):  # lengths of parts that add up to a little less than the whole
        path = tuple([(0.1 * number, (0.3 * number, 0.0, 0.0)) for number in range(corners)])
        angle, shift = pose_at(turn.turn._replace(path=path), 1)
        assert abs(angle) == pytest.approx(path[-1][0])
        assert shift == pytest.approx(path[-1][1])


def test_pictures_of_steps_and_animations_show_turns() -> None:
    puzzle = puzzlec.parse(TURNING)
    (solution,) = puzzlec.solve(puzzle)
    captions = [caption for caption, _ in step_figures(solution, Choices())]
    assert captions == ["1. A", "2. A turns"]
    page = Plans(puzzle).of([solution])[0]
    assert isinstance(page, list)
    assert page[0][6]["ways"] == [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
