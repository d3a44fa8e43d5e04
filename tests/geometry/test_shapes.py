from __future__ import annotations

import pytest

from puzzlec.geometry import Cell, Freedom, Lattice, Matrix, find_lattice, find_library, library_names
from puzzlec.geometry.lattice import turned

#: Numbers of polyominoes (OEIS A000105, one-sided A000988) and polycubes (A038119 free, A000162 up to rotation).
COMPLETE = {
    "monominoes": (1, 1), "dominoes": (2, 1), "trominoes": (3, 2), "tetrominoes": (4, 5), "pentominoes": (5, 12),
    "hexominoes": (6, 35), "one-sided-tetrominoes": (4, 7), "one-sided-pentominoes": (5, 18),
    "one-sided-hexominoes": (6, 60), "monocubes": (1, 1), "dicubes": (2, 1), "tricubes": (3, 2),
    "tetracubes": (4, 8), "pentacubes": (5, 29), "free-tetracubes": (4, 7), "free-pentacubes": (5, 23),
}  # fmt: skip
PARTS = {"soma": 7, "solid-pentominoes": 12}
#: Counted in test_sticks.py.
POLYSTICKS = {"monosticks", "disticks", "tristicks", "tetrasticks"}


def normal(cells: list[Cell], turns: tuple[Matrix, ...]) -> frozenset[Cell]:
    """The same set of cells for all pieces that some turn and some translation make equal."""
    images = []
    for turn in turns:
        image = [turned(turn, cell) for cell in cells]
        low = [min(axis) for axis in zip(*image, strict=True)]
        images.append(sorted(tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in image))
    return frozenset(min(images))


def grown(lattice: Lattice, size: int, turns: tuple[Matrix, ...]) -> set[frozenset[Cell]]:
    """All polyforms of a size, grown cell by cell from the smaller ones."""
    found = {frozenset([(0,) * lattice.dimension])}
    for _ in range(size - 1):
        larger = set()
        for form in found:
            for cell in form:
                for step in lattice.kinds[0].neighbours:
                    new = tuple(a + b for a, b in zip(cell, step, strict=True))
                    if new not in form:
                        larger.add(normal([*form, new], turns))
        found = larger
    return found


def test_every_library_is_known_here() -> None:
    assert set(library_names()) == {*COMPLETE, *PARTS, *POLYSTICKS}


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_library_holds_every_polyform_of_its_size_once(name: str) -> None:
    library = find_library(name)
    size, number = COMPLETE[name]
    turns = library.lattice.turns(library.freedom)
    forms = {normal(list(shape.cells), turns) for shape in library.shapes.values()}
    assert len(forms) == len(library.shapes) == number
    assert forms == grown(library.lattice, size, turns)


@pytest.mark.parametrize("name", [name for name in library_names() if name.startswith("one-sided-")])
def test_lower_case_names_are_the_mirror_images_of_upper_case_ones(name: str) -> None:
    shapes = find_library(name).shapes
    free = find_lattice("square").turns(Freedom.FREE)
    for lower in (each for each in shapes if each[0].islower()):
        upper = lower[0].upper() + lower[1:]
        assert normal(list(shapes[lower].cells), free) == normal(list(shapes[upper].cells), free)


def test_solid_pentominoes_are_the_pentominoes_of_the_same_letter() -> None:
    flat, solid = find_library("pentominoes").shapes, find_library("solid-pentominoes").shapes
    turns = find_lattice("cubic").turns(Freedom.FREE)
    assert list(flat) == list(solid)
    for letter, shape in flat.items():
        lifted = [(*cell, 0) for cell in shape.cells]
        assert normal(lifted, turns) == normal(list(solid[letter].cells), turns)


def test_soma_is_every_crooked_piece_of_at_most_four_cubes() -> None:
    # Piet Hein's definition: the irregular shapes of three or four cubes.
    turns = find_lattice("cubic").rotations
    soma = {normal(list(shape.cells), turns) for shape in find_library("soma").shapes.values()}
    expected = set()
    for size in (3, 4):
        for form in grown(find_lattice("cubic"), size, turns):
            extents = [len(set(axis)) for axis in zip(*form, strict=True)]
            if len(form) != extents[0] * extents[1] * extents[2]:  # not a box
                expected.add(form)
    assert soma == expected
