from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.wording import formula, words


def test_the_isometries_of_the_square_have_the_names_of_everyday() -> None:
    lattice = find_lattice("square")
    # What each makes of the corner right of and above the origin (y runs downwards).
    corner = {str(words(m, lattice)): tuple(row[0] * 2 - row[1] for row in m) for m in lattice.isometries}
    assert corner == {
        "identity": (2, -1),
        "quarter turn clockwise": (1, 2),
        "half turn": (-2, 1),
        "quarter turn counterclockwise": (-1, -2),
        "mirrored left to right": (-2, -1),
        "mirrored top to bottom": (2, 1),
        "mirrored in the diagonal \\": (-1, 2),
        "mirrored in the diagonal /": (1, -2),
    }


def test_the_isometries_of_the_cube_are_counted_by_kind_as_in_the_textbooks() -> None:
    lattice = find_lattice("cubic")
    named = [words(matrix, lattice) for matrix in lattice.isometries]
    assert Counter((each.kind.format("_"), bool(each.diagonal)) for each in named) == {
        ("identity", False): 1,
        ("quarter turn about _", False): 6,
        ("half turn about _", False): 3,
        ("half turn about _", True): 6,
        ("third turn about _", True): 8,
        ("mirrored through the centre", False): 1,
        ("mirrored along _", False): 3,
        ("mirrored along _", True): 6,
        ("quarter turn about _, mirrored along it", False): 6,
        ("third turn about _, mirrored along it", True): 8,
    }


@pytest.mark.parametrize("name", lattice_names())
def test_every_isometry_of_every_lattice_has_words_and_a_formula_of_its_own(name: str) -> None:
    lattice = find_lattice(name)
    assert all(str(words(matrix, lattice)) for matrix in lattice.isometries)
    assert len({formula(matrix) for matrix in lattice.isometries}) == len(lattice.isometries)
    assert [str(words(m, lattice)) for m in lattice.isometries].count("identity") == 1


def test_a_lattice_of_triangles_or_hexagons_is_told_by_the_order_of_its_turns() -> None:
    sixth, mirror = ((0, -1), (1, 1)), ((0, 1), (1, 0))
    lattice = replace(find_lattice("square"), rotation_generators=(sixth,), reflection_generators=(mirror,))
    assert Counter(str(words(matrix, lattice)) for matrix in lattice.isometries) == {
        "identity": 1,
        "sixth turn": 2,
        "third turn": 2,
        "half turn": 1,
        "mirrored": 6,
    }
