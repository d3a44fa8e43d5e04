from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace

import pytest

from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import identity, multiply, turned
from puzzlec.geometry.wording import formula, told_apart, words


def test_the_isometries_of_the_square_have_everyday_names() -> None:
    lattice = find_lattice("square")
    # The image of the corner right of and above the origin under each isometry (y runs downwards).
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
    assert Counter((phrase.kind.format("_"), bool(phrase.diagonal)) for phrase in named) == {
        ("identity", False): 1,
        ("quarter turn about _", False): 6,
        ("half turn about _", False): 3,
        ("half turn about _", True): 6,
        ("third turn about _", True): 8,
        ("mirrored through the centre", False): 1,
        ("mirrored along _", False): 3,
        ("mirrored along _", True): 6,
        ("quarter turn about _, mirrored along it", False): 6,
        ("sixth turn about _, mirrored along it", True): 8,
    }


@pytest.mark.parametrize("name", lattice_names())
def test_every_isometry_of_every_lattice_has_different_words_and_a_formula(name: str) -> None:
    lattice = find_lattice(name)
    assert all(str(words(matrix, lattice)) for matrix in lattice.isometries)
    assert len({formula(matrix) for matrix in lattice.isometries}) == len(lattice.isometries)
    assert [str(words(m, lattice)) for m in lattice.isometries].count("identity") == 1


@pytest.mark.parametrize("name", ["cubic", "fcc", "prism", "tetoct", "rhombic"])
def test_isometries_of_space_that_are_listed_together_have_different_words(name: str) -> None:
    lattice = find_lattice(name)
    named = {
        str(phrase): m for phrase, m in zip(told_apart(lattice.isometries, lattice), lattice.isometries, strict=True)
    }
    assert len(named) == len(lattice.isometries)
    for text, matrix in named.items():
        if "clockwise" in text:  # the inverse of a rotation goes the other way
            way, other = ("counterclockwise", "clockwise") if "counter" in text else ("clockwise", "counterclockwise")
            back = named[text.replace(way, other)]
            assert multiply(matrix, back) == identity(3)


def test_rotations_are_clockwise_as_seen_along_their_axis() -> None:
    # x to the right, y downwards, z away: the quarter turn from x to y is clockwise, also from y to z and from z to x
    cubic = find_lattice("cubic")
    named = {str(phrase): m for phrase, m in zip(told_apart(cubic.isometries, cubic), cubic.isometries, strict=True)}
    assert turned(named["quarter turn clockwise about z"], (1, 0, 0)) == (0, 1, 0)
    assert turned(named["quarter turn clockwise about x"], (0, 1, 0)) == (0, 0, 1)
    assert turned(named["quarter turn clockwise about y"], (0, 0, 1)) == (1, 0, 0)
    assert turned(named["third turn clockwise about (1,1,1)"], (1, 0, 0)) == (0, 1, 0)
    # the words name the rotation itself, not the rotation before the reflection through the centre
    assert turned(named["quarter turn clockwise about z, mirrored along it"], (1, 0, 1)) == (0, 1, -1)
    fcc = find_lattice("fcc")
    about_z = [str(phrase) for phrase in told_apart(fcc.rotations, fcc) if str(phrase).endswith("about z")]
    assert sorted(about_z) == [
        "half turn about z",
        "quarter turn clockwise about z",
        "quarter turn counterclockwise about z",
    ]


@pytest.mark.parametrize("name", ["hex", "triangle"])
def test_the_isometries_of_hexagons_and_triangles_are_described_as_they_look(name: str) -> None:
    lattice = find_lattice(name)
    named = {str(words(matrix, lattice)): matrix for matrix in lattice.isometries}
    assert len(named) == 12
    # The image of a step to the right, by the hour on the face of a clock.
    hours = {text: hour(lattice, turned(matrix, lattice.translations[0])) for text, matrix in named.items()}
    assert hours == {
        "identity": 3,
        "sixth turn clockwise": 5,
        "third turn clockwise": 7,
        "half turn": 9,
        "third turn counterclockwise": 11,
        "sixth turn counterclockwise": 1,
        "mirrored left to right": 9,
        "mirrored top to bottom": 3,
        "mirrored in the line from 1 to 7 o'clock": 11,
        "mirrored in the line from 2 to 8 o'clock": 1,
        "mirrored in the line from 10 to 4 o'clock": 5,
        "mirrored in the line from 11 to 5 o'clock": 7,
    }


def hour(lattice: Lattice, point: tuple[int, ...]) -> int:
    x, y = lattice.on_paper(point)
    return round(3 + math.degrees(math.atan2(y, x)) / 30 - 1) % 12 + 1


@pytest.mark.parametrize("name", lattice_names())
def test_every_reflection_of_a_flat_lattice_undoes_itself(name: str) -> None:
    lattice = find_lattice(name)
    for matrix in lattice.isometries if lattice.dimension == 2 else ():
        if matrix not in lattice.rotations:
            assert multiply(matrix, matrix) == identity(2)
        # A reflection keeps the line that its words name: in the picture, as hours of a clock.
        if "o'clock" in str(words(matrix, lattice)):
            begin, end = map(int, re.findall(r"\d+", str(words(matrix, lattice))))
            angle = math.radians(30 * (begin - 3))
            along = solved(lattice, (math.cos(angle), math.sin(angle)))
            image = [sum(a * b for a, b in zip(row, along, strict=True)) for row in matrix]
            assert image == pytest.approx(along)
            assert (end - begin) % 12 == 6


def solved(lattice: Lattice, place: tuple[float, float]) -> list[float]:
    """The point at a place of the picture, by Cramer's rule."""
    (a, b), (c, d) = lattice.axes
    scale = a * d - b * c
    return [(place[0] * d - place[1] * c) / scale, (place[1] * a - place[0] * b) / scale]


def test_a_prism_turns_about_its_height_and_about_lines_across_it() -> None:
    lattice = find_lattice("prism")
    kinds = Counter(words(matrix, lattice).kind for matrix in lattice.isometries)
    # The point group 6/mmm, by its classes in the International Tables.
    assert kinds == {
        "identity": 1,
        "sixth turn about {}": 2,
        "third turn about {}": 2,
        "half turn about {}": 7,
        "mirrored through the centre": 1,
        "third turn about {}, mirrored along it": 2,
        "sixth turn about {}, mirrored along it": 2,
        "mirrored along {}": 7,
    }
    axes = {words(matrix, lattice).axis for matrix in lattice.isometries if words(matrix, lattice).kind[0] == "h"}
    lines = {f"the line from {begin} to {end} o'clock" for begin, end in ((1, 7), (2, 8), (10, 4), (11, 5))}
    assert axes == {"x", "y", "z"} | lines


def test_the_isometries_of_balls_are_described_by_their_layers() -> None:
    balls, cubes = find_lattice("fcc"), find_lattice("cubic")
    named = [words(matrix, balls) for matrix in balls.isometries]
    assert Counter(phrase.kind for phrase in named) == Counter(words(m, cubes).kind for m in cubes.isometries)
    assert {phrase.axis for phrase in named if phrase.kind.startswith("quarter")} == {
        "z",
        "the diagonal /",
        "the diagonal \\",
    }
    assert {phrase.axis for phrase in named if phrase.kind.startswith("third")} == {
        f"the slope up to {hour} o'clock" for hour in (3, 6, 9, 12)
    }


def test_isometries_in_four_dimensions_are_described_by_their_axes() -> None:
    lattice = find_lattice("hypercubic")
    named = {matrix: str(words(matrix, lattice)) for matrix in lattice.isometries}
    assert named[(1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 1, 0), (0, 0, 0, -1)] == "half turn in the plane yw"
    assert named[(0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, -1), (0, 0, 1, 0)] == (
        "x and y swapped, quarter turn in the plane zw"
    )
    assert named[(0, 0, 0, -1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)] == "x to y to z to w to -x"
    assert named[(-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1)] == "mirrored through the centre"
    assert named[(-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1)] == (
        "half turn in the plane xy, mirrored along z"
    )
    # Only the two directions of a quarter turn share their words.
    assert len(set(named.values())) > len(named) / 2


def test_rotations_of_an_unknown_form_of_lattice_are_described_by_their_order() -> None:
    sixth, mirror = ((0, -1), (1, 1)), ((0, 1), (1, 0))
    lattice = replace(find_lattice("square"), rotation_generators=(sixth,), reflection_generators=(mirror,))
    assert Counter(str(words(matrix, lattice)) for matrix in lattice.isometries) == {
        "identity": 1,
        "sixth turn": 2,
        "third turn": 2,
        "half turn": 1,
        "mirrored": 6,
    }
