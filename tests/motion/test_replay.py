"""The checker of plans: it finds each overlap on the way, wherever it is."""

from __future__ import annotations

from random import Random

import pytest

from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.faces import exact_corners, scale_of
from puzzlec.geometry.lattice import lattice_names
from puzzlec.geometry.solids import apart, moved, segments_meet, solid
from puzzlec.motion.gaps import axes, shift
from puzzlec.motion.moves import Body, Step
from puzzlec.motion.replay import PARTS_OF_STEP, ReplayError, replay

SQUARE = find_lattice("square")


def test_an_overlap_in_the_middle_of_a_step_is_found() -> None:
    # The triangle passes over its neighbour. Before the step and after it, they do not overlap.
    lattice = find_lattice("triangle")
    for direction, other in (((1, 0), (0, 0, 1)), ((0, 1), (0, 1, 1))):
        bodies = [Body("a", ((0, 0, 0),)), Body("b", (other,))]
        with pytest.raises(ReplayError, match="pieces 1 and 0 overlap in move 1"):
            replay(lattice, bodies, [Step((0,), direction, 1, False)])
        back = tuple(-value for value in direction)
        assert replay(lattice, bodies, [Step((0,), back, 3, True)]).level == (1,)


@pytest.mark.parametrize("long", [1, 2, 40])
def test_an_overlap_at_the_end_of_a_long_way_is_found(long: int) -> None:
    hook = Body("hook", (*[(x, 1) for x in range(-1, long + 1)], (long, 0)))
    bodies = [Body("dot", ((-1, 0),)), hook]
    with pytest.raises(ReplayError, match="pieces 1 and 0 overlap in move 1"):
        replay(SQUARE, bodies, [Step((0,), (1, 0), long + 1, False)])
    with pytest.raises(ReplayError, match="pieces 1 and 0 overlap in move 1"):
        replay(SQUARE, bodies, [Step((0,), (1, 0), 1000, True)])
    with pytest.raises(ReplayError, match="pieces 0 and 1 overlap in move 1"):
        replay(SQUARE, bodies, [Step((1,), (-1, 0), 1000, True)])
    back = [Step((0,), (1, 0), long, False), Step((0,), (-1, 0), long + 2, True)]
    assert replay(SQUARE, bodies, back).level == (2,)


def test_pieces_that_have_left_no_longer_stop_others() -> None:
    bodies = [Body(name, ((x, 0),)) for x, name in enumerate("abc")]
    steps = [Step((0,), (0, 1), 9, True), Step((1,), (-1, 0), 9, True)]
    assert replay(SQUARE, bodies, steps).parts == ((0,), (1,), (2,))
    with pytest.raises(ReplayError, match="pieces 2 and 1 overlap in move 2"):
        replay(SQUARE, bodies, [steps[0], Step((1,), (1, 0), 9, True)])


def test_a_separation_takes_no_longer_for_a_larger_distance() -> None:
    bodies = [Body("a", ((0, 0, 0),)), Body("b", ((1, 0, 0),))]
    assert replay(find_lattice("cubic"), bodies, [Step((0,), (-1, 0, 0), 10**15, True)]).level == (1,)


@pytest.mark.parametrize(
    ("name", "other", "ahead"), [("hex", (-1, 3), 0.5), ("hex", (0, 2), 1.0), ("square", (0, 1), 0.0)]
)
def test_pieces_have_left_others_behind_after_a_whole_step(name: str, other: Cell, ahead: float) -> None:
    # On hexagons, the third row is one step and a half farther than the first one.
    lattice = find_lattice(name)
    step = lattice.on_paper(lattice.point((1, 0)))[0]
    assert lattice.on_paper(lattice.point(other))[0] == pytest.approx(ahead * step)
    bodies = [Body("a", ((0, 0),)), Body("b", (other,))]
    for distance in range(1, 5):
        plan = [Step((0,), (1, 0), distance, True)]
        if distance - ahead >= 1:
            assert replay(lattice, bodies, plan).level == (1,)
        else:
            with pytest.raises(ReplayError, match="move 1 does not move the pieces past the others"):
                replay(lattice, bodies, plan)


def overlaps(lattice: Lattice, one: list[Cell], two: list[Cell], direction: Cell, distance: int) -> bool:
    """Return whether two pieces overlap while the first one slides: each pair of cells is tried in each small step."""
    scale, way = scale_of(lattice), shift(lattice, direction)
    for small in range(PARTS_OF_STEP * distance + 1):
        gone = tuple(scale * small * value for value in way) + (0,) * (lattice.dimension == 1)
        for cell in one:
            for other in two:
                if lattice.of_balls:
                    a, b = lattice.point(cell), lattice.point(other)
                    size = sum((PARTS_OF_STEP * (y - x) - small * w) ** 2 for x, y, w in zip(a, b, way, strict=True))
                    if size < PARTS_OF_STEP**2 * 2:  # the points of two balls that touch are (1, 1, 0) apart
                        return True
                    continue
                corners = [tuple(PARTS_OF_STEP * value for value in corner) for corner in exact_corners(lattice, cell)]
                there = [tuple(PARTS_OF_STEP * value for value in corner) for corner in exact_corners(lattice, other)]
                if lattice.of_edges:
                    moving = [tuple(a + b for a, b in zip(corner, gone, strict=True)) for corner in corners]
                    if segments_meet(moving, there) == "inside" or set(moving) == set(there):
                        return True
                elif not apart(moved(solid(corners), gone), solid(there)):
                    return True
    return False


@pytest.mark.parametrize("name", lattice_names())
@pytest.mark.long
def test_pieces_overlap_in_a_move_if_their_outlines_overlap_in_a_small_step(name: str) -> None:
    lattice, random = find_lattice(name), Random(name)
    kinds, met = len(lattice.kinds), 0

    def cells() -> list[Cell]:
        return [
            (*(random.randrange(2) for _ in range(lattice.dimension)), *[random.randrange(kinds)] * (kinds > 1))
            for _ in range(2)
        ]

    tried = 0
    while tried < 15 or met < 2:
        one, two = cells(), cells()
        way = random.choice(axes(lattice))
        direction, distance = random.choice((way, tuple(-value for value in way))), random.randrange(1, 4)
        if overlaps(lattice, one, two, direction, 0):
            continue
        tried += 1
        bodies = [Body("one", tuple(one)), Body("two", tuple(two))]
        expected = overlaps(lattice, one, two, direction, distance)
        met += expected
        found = False
        try:
            replay(lattice, bodies, [Step((0,), direction, distance, False)])
        except ReplayError:
            found = True
        assert found == expected, (one, two, direction, distance)
    assert met < tried
