from __future__ import annotations

import pytest

from puzzlec.geometry import Freedom, find_lattice, lattice_names
from puzzlec.geometry.lattice import Lattice, closure, multiply, turned

#: Orders of the point groups: rotations, and rotations with reflections (Coxeter, Regular Polytopes).
ORDERS = {"line": (1, 2), "square": (4, 8), "cubic": (24, 48), "sticks": (4, 8), "hex": (6, 12), "triangle": (6, 12)}


@pytest.fixture(params=lattice_names())
def lattice(request: pytest.FixtureRequest) -> Lattice:
    return find_lattice(request.param)


def test_the_group_of_every_lattice_has_the_order_of_the_literature(lattice: Lattice) -> None:
    assert (len(lattice.rotations), len(lattice.isometries)) == ORDERS[lattice.name]


def test_the_matrices_of_a_lattice_are_a_group(lattice: Lattice) -> None:
    group = set(lattice.isometries)
    assert all(multiply(a, b) in group for a in group for b in group)
    assert lattice.isometries[0] == tuple(
        tuple(int(i == j) for j in range(lattice.dimension)) for i in range(lattice.dimension)
    )


def test_every_isometry_takes_cells_to_cells(lattice: Lattice) -> None:
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


def test_neighbours_are_mutual(lattice: Lattice) -> None:
    for kind in lattice.kinds:
        for step in kind.neighbours:
            assert tuple(-s for s in step) in kind.neighbours or len(lattice.kinds) > 1


def test_every_freedom_names_its_turns(lattice: Lattice) -> None:
    for freedom in Freedom:
        named = lattice.freedom_of(lattice.turns(freedom))
        assert named is not None
        assert set(lattice.turns(named)) == set(lattice.turns(freedom))
    if len(lattice.rotations) > 2:
        assert lattice.freedom_of(lattice.rotations[:2]) is None


def test_generators_of_an_infinite_group_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        closure([((1, 1), (0, 1))], 2)


def test_an_unknown_lattice_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        find_lattice("sqare")
