"""The order of assembly, compared with a simulation that moves pieces by small steps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import dist

import pytest

from puzzlec import load, solve
from puzzlec.geometry import Cell, Lattice, Point, find_lattice
from puzzlec.geometry.faces import exact_outline, place, scale_of
from puzzlec.geometry.lattice import neighbours
from puzzlec.geometry.solids import Solid, apart, moved, solid
from puzzlec.motion.straight import assembly, obstacles, order_of, ways_out

#: Steps along a vector between points.
FINE = 9


def dissected(lattice: Lattice, cells: Sequence[Cell], pieces: int, chance: random.Random) -> list[list[Cell]]:
    """Return cells divided into a number of connected pieces."""
    left = set(cells)
    groups = [[cell] for cell in chance.sample(sorted(left), pieces)]
    left -= {cell for group in groups for cell in group}
    while left:
        growing = [
            (number, other) for number, group in enumerate(groups) for cell in group
            for other in neighbours(cell, lattice) if other in left
        ]  # fmt: skip
        if not growing:
            break
        number, other = chance.choice(sorted(growing))
        groups[number].append(other)
        left.discard(other)
    return groups


def block(lattice: Lattice, size: int) -> list[Cell]:
    """Return a block of cells."""
    kinds = [(kind,) for kind in range(len(lattice.kinds))] if len(lattice.kinds) > 1 else [()]
    return [(*at, *kind) for at in product(range(size), repeat=lattice.dimension) for kind in kinds]


@cache
def _fine(lattice: Lattice, kind: int) -> Solid:
    return solid([tuple(value * FINE for value in corner) for corner in exact_outline(lattice, kind)])


def runs_into(lattice: Lattice, cell: Cell, other: Cell, way: Point, far: int) -> bool:
    """Whether a cell meets another one on its way, at one of many places along it."""
    scale = scale_of(lattice)
    offset = [a - b for a, b in zip(lattice.point(other), lattice.point(cell), strict=True)]
    if lattice.of_balls:
        centre = place(lattice, offset)
        step = place(lattice, way)
        times = [number / FINE for number in range(1, far * FINE)]
        return any(dist([t * value for value in step], centre) < 1 - 1e-9 for t in times)
    mover = _fine(lattice, lattice.class_of(lattice.point(cell)))
    there = moved(_fine(lattice, lattice.class_of(lattice.point(other))), tuple(FINE * scale * a for a in offset))
    return any(
        not apart(moved(mover, tuple(number * scale * value for value in way)), there)
        for number in range(1, far * FINE)
    )  # fmt: skip


def blocked(lattice: Lattice, mover: Sequence[Cell], others: Sequence[Cell], way: Point, far: int) -> bool:
    """Whether a piece cannot be moved out along a way, according to small steps."""
    return any(runs_into(lattice, one, two, way, far) for one in mover for two in others)


@pytest.mark.parametrize(
    ("name", "size", "pieces"), [("cubic", 2, 3), ("fcc", 2, 3), ("prism", 1, 2), ("tetoct", 1, 2)]
)
def test_the_obstacles_are_those_that_small_steps_meet(name: str, size: int, pieces: int) -> None:
    lattice, chance = find_lattice(name), random.Random(7)
    for _ in range(3 if name in ("cubic", "fcc") else 2):
        groups = dissected(lattice, block(lattice, size), pieces, chance)
        for way in chance.sample(ways_out(lattice), 4):
            found = set(obstacles(lattice, groups, way))
            for one, two in product(range(len(groups)), repeat=2):
                if one != two:
                    assert ((one, two) in found) == blocked(lattice, groups[one], groups[two], way, 5), (way, groups)


@pytest.mark.parametrize("name", ["rhombic", "tetoct"])
def test_two_cells_are_in_the_way_of_each_other_as_small_steps_say(name: str) -> None:
    lattice, chance = find_lattice(name), random.Random(1)
    cells = block(lattice, 3)
    for _ in range(40):
        (one, two), way = chance.sample(cells, 2), chance.choice(ways_out(lattice))
        found = set(obstacles(lattice, [[one], [two]], way))
        assert ((0, 1) in found) == runs_into(lattice, one, two, way, 5), (one, two, way)
        assert ((1, 0) in found) == runs_into(lattice, two, one, way, 5), (one, two, way)


def simulated_rest(lattice: Lattice, groups: Sequence[Sequence[Cell]], far: int) -> set[int]:
    """Return the pieces that remain after removing pieces, in some order, as long as possible."""
    there = set(range(len(groups)))
    going = True
    while going:
        going = False
        for number in sorted(there, reverse=True):
            others = [cell for other in there - {number} for cell in groups[other]]
            if any(not blocked(lattice, groups[number], others, way, far) for way in reversed(ways_out(lattice))):
                there.remove(number)
                going = True
    return there


@pytest.mark.parametrize("seed", range(4))
def test_interlocking_pieces_also_interlock_in_a_simulation_with_another_order(seed: int) -> None:
    lattice, chance = find_lattice("cubic"), random.Random(seed)
    groups = dissected(lattice, block(lattice, 3), 3, chance)
    assert set(order_of(lattice, groups).together) == simulated_cubic_rest(groups)


def simulated_cubic_rest(groups: Sequence[Sequence[Cell]]) -> set[int]:
    """The same for cubes, by whole steps, which are enough: no cube is jumped over."""
    there, ways = set(range(len(groups))), ways_out(find_lattice("cubic"))
    while True:
        for number in sorted(there):
            others = {cell for other in there - {number} for cell in groups[other]}
            if any(
                all((x + t * a, y + t * b, z + t * c) not in others for x, y, z in groups[number] for t in range(1, 5))
                for a, b, c in ways
            ):
                there.remove(number)
                break
        else:
            return there


def test_many_random_cubes_come_apart_as_far_as_in_a_simulation() -> None:
    chance, locked = random.Random(3), 0
    lattice = find_lattice("cubic")
    for _ in range(24):
        groups = dissected(lattice, block(lattice, 4), chance.randint(3, 6), chance)
        rest = simulated_cubic_rest(groups)
        locked += bool(rest)
        assert set(order_of(lattice, groups).together) == rest
    assert 0 < locked < 24  # both results occur


def test_balls_come_apart_as_far_as_in_a_simulation() -> None:
    lattice, chance = find_lattice("fcc"), random.Random(5)
    for _ in range(3):
        groups = dissected(lattice, block(lattice, 2), 3, chance)
        assert set(order_of(lattice, groups).together) == simulated_rest(lattice, groups, 4)


@pytest.mark.parametrize(
    "name", ["soma/soma", "tetoct/two-wings-tetrahedron", "prisms/bermuda", "balls/pairs-square-pyramid"]
)
def test_every_step_is_free_when_it_is_made(name: str) -> None:
    solution = next(iter(solve(load(name))))
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    assert puzzle.lattice is not None
    found = assembly(solution)
    at = [location.at for location in puzzle.locations if not isinstance(location.at, str)]
    cells = [[at[location] for location in placement.locations] for placement in solution.placements]
    assert sorted(found.order) == list(range(len(cells)))
    there = [cell for number in found.together for cell in cells[number]]
    for number, way in found.steps:
        back = tuple(-value for value in way)
        near = (
            there if len(there) * len(cells[number]) < 30 else random.Random(number).sample(there, min(5, len(there)))
        )
        assert not blocked(puzzle.lattice, cells[number], near, back, 2)
        there += cells[number]


def test_pieces_move_down_onto_the_table_if_possible() -> None:
    steps = assembly(next(iter(solve(load("soma/soma"))))).steps
    assert steps[0].way == (0, 0, -1)
    assert {step.way for step in steps} <= set(ways_out(find_lattice("cubic")))


def test_a_piece_in_a_closed_box_interlocks_with_it() -> None:
    cubic = find_lattice("cubic")
    inside = [(1, 1, 1)]
    shell = [cell for cell in product(range(3), repeat=3) if cell != (1, 1, 1)]
    assert order_of(cubic, [inside, shell]).together == (0, 1)
    lid = [cell for cell in shell if cell[2] == 2]
    box = [cell for cell in shell if cell[2] < 2]
    found = order_of(cubic, [inside, box, lid])
    assert found.together == ()
    assert [step.placement for step in found.steps] == [1, 0, 2]


def test_steps_that_jump_over_a_piece_are_not_allowed() -> None:
    fcc = find_lattice("fcc")
    # Straight up, the passed balls are two apart: a ball between them is in the way, and the search finds it.
    low, beside = fcc.cell((0, 0, 0)), fcc.cell((1, 0, 1))
    assert low is not None
    assert beside is not None
    assert (0, 1) in set(obstacles(fcc, [[low], [beside]], (0, 0, 1)))


def test_flat_pieces_are_laid_row_by_row() -> None:
    found = order_of(find_lattice("square"), [[(0, 1)], [(1, 0), (1, 1)], [(0, 0)]])
    assert [step.placement for step in found.steps] == [2, 1, 0]
    assert {step.way for step in found.steps} == {()}


def test_four_dimensions_also_have_an_order() -> None:
    found = assembly(next(iter(solve(load("hypercubes/tripods-2x2x2x2")))))
    assert found.together == ()
    assert len(found.steps) == 4
