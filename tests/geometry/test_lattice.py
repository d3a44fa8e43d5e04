from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from puzzlec.geometry import Freedom, find_lattice, lattice_names
from puzzlec.geometry.lattice import Lattice, closure, determinant, multiply, turned
from puzzlec.geometry.proving import faults

#: Orders of the point groups: rotations, and rotations with reflections. Sources: in the plane and in space, the
#: International Tables for Crystallography (volume A). p4m has 4mm, p6m has 6mm. Simple and face-centred cubic lattices
#: and the honeycombs on them have m-3m, triangular prisms 6/mmm. In 4D, Coxeter, Regular Polytopes, table I: the group
#: of the tesseract has order 384.
ORDERS = {
    "line": (1, 2),
    "square": (4, 8),
    "sticks": (4, 8),
    "tetrakis": (4, 8),
    "hex": (6, 12),
    "triangle": (6, 12),
    "trigs": (6, 12),
    "twigs": (6, 12),
    "drafter": (6, 12),
    "prism": (12, 24),
    "cubic": (24, 48),
    "fcc": (24, 48),
    "rhombic": (24, 48),
    "tetoct": (24, 48),
    "octants": (24, 48),
    "hypercubic": (192, 384),
}

#: Neighbours of the cells of each kind, from their solids. An octahedron has 8 sides. A ball touches 12 others (the
#: kissing number). An edge of the honeycomb meets 2 at each end.
NEIGHBOURS = {
    "line": {2},
    "square": {4},
    "sticks": {6},
    "tetrakis": {3},
    "hex": {6},
    "triangle": {3},
    "trigs": {10},
    "twigs": {4},
    "drafter": {3},
    "prism": {5},
    "cubic": {6},
    "fcc": {12},
    "rhombic": {4},
    "tetoct": {4, 8},
    "octants": {4},
    "hypercubic": {8},
}


@pytest.fixture(params=lattice_names())
def lattice(request: pytest.FixtureRequest) -> Lattice:
    return find_lattice(request.param)


def test_every_lattice_is_proved(lattice: Lattice) -> None:
    assert faults(lattice) == []


def test_the_group_of_every_lattice_has_the_order_of_the_literature(lattice: Lattice) -> None:
    assert (len(lattice.rotations), len(lattice.isometries)) == ORDERS[lattice.name]


def test_a_cell_has_a_neighbour_at_each_side(lattice: Lattice) -> None:
    assert {len(kind.neighbours) for kind in lattice.kinds} == NEIGHBOURS[lattice.name]


def test_the_matrices_of_a_lattice_are_a_group(lattice: Lattice) -> None:
    group = set(lattice.isometries)
    generators = (*lattice.rotation_generators, *lattice.reflection_generators)
    assert all(multiply(a, b) in group for a in group for b in generators)
    assert lattice.isometries[0] == tuple(
        tuple(int(i == j) for j in range(lattice.dimension)) for i in range(lattice.dimension)
    )
    assert all(determinant(matrix) == 1 for matrix in lattice.rotations)
    assert all(determinant(matrix) == -1 for matrix in lattice.isometries[len(lattice.rotations) :])


def test_every_isometry_maps_cells_to_cells(lattice: Lattice) -> None:
    for matrix in lattice.isometries:
        for kind in lattice.kinds:
            assert lattice.cell(turned(matrix, kind.at)) is not None
        for vector in lattice.translations:
            moved = turned(matrix, vector)
            assert lattice.cell(tuple(a + b for a, b in zip(moved, lattice.kinds[0].at, strict=True))) is not None


def test_a_cell_and_its_point_are_each_others_inverse(lattice: Lattice) -> None:
    for kind in range(len(lattice.kinds)):
        cell = tuple(range(-1, lattice.dimension - 1)) + ((kind,) if len(lattice.kinds) > 1 else ())
        assert lattice.cell(lattice.point(cell)) == cell


def test_the_rotations_of_a_freedom_are_recognised(lattice: Lattice) -> None:
    for freedom in Freedom:
        named = lattice.freedom_of(lattice.turns(freedom))
        assert named is not None
        assert set(lattice.turns(named)) == set(lattice.turns(freedom))
    if len(lattice.rotations) > 2:
        assert lattice.freedom_of(lattice.rotations[:2]) is None


def test_kinds_of_cell_have_different_names(lattice: Lattice) -> None:
    assert len({kind.name for kind in lattice.kinds}) == len(lattice.kinds)


def test_balls_of_the_next_layer_lie_in_the_hollows() -> None:
    fcc = find_lattice("fcc")
    ball = fcc.point((0, 0, 1))
    below = {tuple(a + b for a, b in zip(ball, step, strict=True)) for step in fcc.kinds[0].neighbours}
    assert {fcc.point(cell) for cell in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]} <= below
    x, y, z = (fcc.on_paper(fcc.point(cell)) for cell in [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    assert x == pytest.approx((1, 0, 0))
    assert y == pytest.approx((0, 1, 0))
    assert z == pytest.approx((0.5, 0.5, 0.5**0.5))


def test_two_quarters_of_a_square_are_a_half_square_along_either_diagonal() -> None:
    tetrakis = find_lattice("tetrakis")
    corners = []
    for quarters in [(0, 1), (1, 2), (2, 3), (3, 0)]:
        ends = [
            {tuple(a + b for a, b in zip(kind.at, corner, strict=True)) for corner in kind.outline}
            for kind in (tetrakis.kinds[quarter] for quarter in quarters)
        ]
        corners.append((ends[0] | ends[1]) - {(0, 0)})
    assert all(len(cells) == 3 for cells in corners)
    assert set.intersection(*corners) == set()


def test_rhombic_cells_are_where_burrtools_has_voxels() -> None:
    # the used voxels of 5 x 5 x 5 have the distances 0, 1 and 2 from the middle along the three axes
    rhombic = find_lattice("rhombic")
    used = {v for v in product(range(5), repeat=3) if {abs(c - 2) for c in v} == {0, 1, 2}}
    cells = {rhombic.cell((x - 2, y - 2, z - 2)) for x, y, z in used}
    assert cells == {(0, 0, 0, kind) for kind in range(24)}


def test_prisms_that_share_a_side_are_neighbouring_voxels_in_burrtools() -> None:
    # x counts half sides; if x + y is even, the side across the rows faces the row before
    prism = find_lattice("prism")

    def cell(x: int, y: int, z: int) -> tuple[int, ...]:
        return ((x + y) // 2, y, z, 1) if (x + y) % 2 == 0 else ((x + y + 1) // 2, y, z, 0)

    for x, y, z in product(range(-2, 4), repeat=3):
        across = (x, y - 1, z) if (x + y) % 2 == 0 else (x, y + 1, z)
        beside = {cell(*voxel) for voxel in [(x - 1, y, z), (x + 1, y, z), across, (x, y, z - 1), (x, y, z + 1)]}
        assert beside == neighbours(prism, cell(x, y, z))


def test_tetrahedra_are_in_the_middle_of_cubes_in_burrtools_and_octahedra_at_their_corners() -> None:
    # the used voxels of 3 x 3 x 3 are the middle and four corners, the other four if the cube's numbers have an odd sum
    tetoct = find_lattice("tetoct")
    corners = [{(2, 0, 0), (0, 2, 0), (2, 2, 2), (0, 0, 2)}, {(0, 0, 0), (2, 2, 0), (0, 2, 2), (2, 0, 2)}]
    eighths: Counter[tuple[int, ...]] = Counter()
    for cube in product(range(-2, 3), repeat=3):
        middle = tetoct.cell((2 * cube[0] + 1, 2 * cube[1] + 1, 2 * cube[2] + 1))
        assert middle is not None
        assert middle[-1] == sum(cube) % 2
        for corner in corners[sum(cube) % 2]:
            voxel = [3 * a + b for a, b in zip(cube, corner, strict=True)]
            octahedron = tetoct.cell(tuple(2 * ((number + 1) // 3) for number in voxel))
            assert octahedron is not None
            assert octahedron in neighbours(tetoct, middle)
            eighths[octahedron] += 1
    assert max(eighths.values()) == 8


def test_tetrahedra_and_eighths_of_octahedra_are_where_burrtools_has_voxels() -> None:
    # The used voxels of 3 x 3 x 3 are those of tetoct. The middle one touches the four in the corners, and these touch
    # those of the next cubes.
    octants = find_lattice("octants")
    corners = [{(2, 0, 0), (0, 2, 0), (2, 2, 2), (0, 0, 2)}, {(0, 0, 0), (2, 2, 0), (0, 2, 2), (2, 0, 2)}]
    cells = {}
    for cube in product(range(-3, 4), repeat=3):
        for voxel in [(1, 1, 1), *corners[sum(cube) % 2]]:
            x, y, z = (3 * a + b for a, b in zip(cube, voxel, strict=True))
            cells[x, y, z] = octants.cell((2 * x + 1, 2 * y + 1, 2 * z + 1))
    assert None not in cells.values()
    assert len(set(cells.values())) == len(cells)
    for (x, y, z), cell in cells.items():
        if max(abs(x - 1), abs(y - 1), abs(z - 1)) < 7:
            in_the_middle = x % 3 == y % 3 == z % 3 == 1
            touching = set()
            for a, b, c in product((-1, 0, 1), repeat=3):
                other = (x + a, y + b, z + c)
                diagonal = abs(a * b * c) and (in_the_middle or all(number % 3 == 1 for number in other))
                if other in cells and (diagonal or abs(a) + abs(b) + abs(c) == 1):
                    touching.add(cells[other])
            assert cell is not None
            assert touching == neighbours(octants, cell)


def neighbours(lattice: Lattice, cell: tuple[int, ...]) -> set[tuple[int, ...] | None]:
    point = lattice.point(cell)
    steps = lattice.kinds[lattice.class_of(point)].neighbours
    return {lattice.cell(tuple(a + b for a, b in zip(point, step, strict=True))) for step in steps}


def test_generators_of_an_infinite_group_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        closure([((1, 1), (0, 1))], 2)


def test_an_unknown_lattice_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        find_lattice("sqare")
