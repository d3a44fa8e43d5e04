"""The grain of wood in pictures: it runs along the piece, ends at its border, and a side across it has rings."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot

import pytest

from puzzlec.compiler import parse
from puzzlec.make.outputs import draw
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.grain import GrainFrame, draw_grain, flat_frame, side_frame
from puzzlec.show.svg.ground import Spot

#: An L of three cells of 40 px, and a square of five cells with a hole of one.
ELL = [[(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (40.0, 40.0), (40.0, 80.0), (0.0, 80.0)]]
RING = [
    [(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)],
    [(80.0, 80.0), (120.0, 80.0), (120.0, 120.0), (80.0, 120.0)],
]


def drawn(rings: list[list[Spot]], frame: GrainFrame, number: int = 0) -> list[list[Spot]]:
    """Return the lines of the grain on an area."""
    figure = Figure()
    draw_grain(figure, rings, "#e9cfa0", frame, number)
    paths = re.findall(r'<path d="([^"]*)" fill="none"', figure.svg("wood", "wood"))
    assert len(paths) == 2
    return [trail for path in paths for trail in trails(path)]


def trails(path: str) -> list[list[Spot]]:
    """Return the corners of the lines of a path with moves, and lines to positions or by steps."""
    found: list[list[Spot]] = []
    x = y = 0.0
    for sign, numbers in re.findall(r"([MmLlHhVvZz])([^MmLlHhVvZz]*)", path):
        values = [float(value) for value in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        assert sign in "MmLlHhVv", path
        size = 1 if sign in "HhVv" else 2
        for at in range(0, len(values), size):
            dx, dy = {"h": (values[at], 0.0), "v": (0.0, values[at])}.get(sign.lower(), tuple(values[at : at + 2]))[:2]
            if sign.islower():
                x, y = x + dx, y + dy
            else:
                x, y = (x if sign == "V" else dx), (y if sign == "H" else dy if sign != "V" else values[at])
            if sign in "Mm" and not at:
                found.append([])
            found[-1].append((x, y))
    return found


def is_inside(rings: list[list[Spot]], x: float, y: float) -> bool:
    edges = [edge for ring in rings for edge in pairwise([*ring, ring[0]])]
    return (
        sum((a[1] > y) != (b[1] > y) and a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > x for a, b in edges) % 2
        == 1
    )


@pytest.mark.parametrize("rings", [ELL, RING])
@pytest.mark.parametrize("steep", [0.0, 1.0])
@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0), (3.0, 4.0)])
def test_the_grain_ends_at_the_border(rings: list[list[Spot]], steep: float, way: Spot) -> None:
    frame = flat_frame(way, 40, (0.0, 0.0))._replace(steep=steep)
    lines = drawn(rings, frame, 3)
    assert len(lines) > 10
    for line in lines:
        for (x0, y0), (x1, y1) in pairwise(line):
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            # Waves, and the chords of arcs, leave an area by less than half of the stroke around it.
            assert any(is_inside(rings, x + dx, y + dy) for dx in (-2, 0, 2) for dy in (-2, 0, 2)), (x, y)


def test_lines_run_along_the_grain_and_rings_around_a_spot_beside_the_piece() -> None:
    square = RING[:1]
    for line in drawn(square, flat_frame((1.0, 0.0), 40, (0.0, 0.0))):
        ys = [y for _, y in line]
        assert max(ys) - min(ys) < 4
        assert line[-1][0] - line[0][0] == pytest.approx(200, abs=0.1)
    frame = flat_frame((1.0, 0.0), 40, (0.0, 0.0))._replace(steep=1.0)
    middle = (-40 * 0.9, -40 * 1.0)
    spread = [[hypot(x - middle[0], y - middle[1]) for x, y in line] for line in drawn(square, frame) if len(line) > 8]
    assert spread
    assert all(max(radii) - min(radii) < 60 for radii in spread)
    assert any(
        len({round(x) for x, _ in line}) > 5 and len({round(y) for _, y in line}) > 5 for line in drawn(square, frame)
    )


def test_a_side_of_a_solid_has_a_frame_in_its_plane() -> None:
    def on_screen(place: tuple[float, ...]) -> Spot:
        return 10 * place[0] - 5 * place[1], -8 * place[2] - 3 * place[1]

    top = side_frame((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), on_screen, 2.0, (7.0, 9.0))
    assert (top.along, top.steep) == ((20.0, 0.0), 0.0)
    assert top.across == pytest.approx((-10.0, -6.0))
    end = side_frame((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), on_screen, 2.0, (7.0, 9.0))
    assert end.steep == 1.0
    assert end.within(end.spot(0.25, -3.0)) == pytest.approx((0.25, -3.0))


@pytest.mark.parametrize(
    "text",
    ["locations box 5x1\npiece I { xxxxx }", "lattice cubic\nlocations box 3x1x1\npiece I { xxx }"],
    ids=["flat", "solid"],
)
def test_only_the_palette_wood_has_grain_and_not_in_black_and_white_or_on_small_cells(text: str) -> None:
    puzzle = parse(text)
    size = len(draw(puzzle, palette="quiet"))
    assert len(draw(puzzle, palette="wood")) > size + 1000
    assert len(draw(puzzle, palette="wood", cell=8)) < size + 100
    assert len(draw(puzzle, palette="wood", plain=True)) < size + 100
