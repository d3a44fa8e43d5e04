"""The shape libraries: each is complete or agrees with its source, and all are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puzzlec import resources
from puzzlec.geometry import Freedom, find_lattice, find_library, library_names
from puzzlec.geometry.families import family_names, find_family
from puzzlec.geometry.shapes import is_variant
from tests.geometry.slow_polyforms import classes, fixed_forms, images

#: The sets with all polyforms of a family in some size, by name: family, size and freedom.
COMPLETE = {
    name: (family, size, freedom)
    for family in family_names()
    for freedom, names in find_family(family).sets.items()
    for size, name in enumerate(names, 1)
    if name
}

#: The complete sets that are not listed, because their words say the same: `pentominoes one-sided`.
ONE_SIDED = [name for name in COMPLETE if is_variant(name, Freedom.ONE_SIDED)]

#: The sets with some polyforms, and their numbers.
PARTS = {
    "soma": 7,
    "solid-pentominoes": 12,
    "bedlam": 13,
    "meteor": 10,
    "lonpos": 12,
    "burr-sticks": 837,
    "double-six": 28,
}


def test_every_library_is_known_here() -> None:
    listed = [name for name in COMPLETE if not any(is_variant(name, freedom) for freedom in Freedom)]
    assert sorted(library_names()) == sorted([*listed, *PARTS])


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_library_holds_every_polyform_of_its_size_once(name: str) -> None:
    library = find_library(name)
    family, size, freedom = COMPLETE[name]
    lattice = find_family(family).lattice
    assert (library.lattice, library.freedom) == (lattice, freedom)
    held = [images(shape.cells, lattice, freedom) for shape in library.shapes.values()]
    assert len(set(held)) == len(held) == find_family(family).published[freedom].counts[size - 1]
    if freedom is not Freedom.FREE or len(lattice.kinds) * size < 16:  # others are compared in test_families.py
        assert set(held) == classes(fixed_forms(lattice, size), lattice, freedom)


@pytest.mark.parametrize("name", PARTS)
def test_a_set_of_some_polyforms_has_none_twice(name: str) -> None:
    library = find_library(name)
    held = {
        (images(shape.cells, library.lattice, library.freedom), tuple(sorted(shape.colours)))
        for shape in library.shapes.values()
    }
    assert len(held) == len(library.shapes) == PARTS[name]


@pytest.mark.parametrize("name", library_names())
def test_a_library_has_a_summary_and_a_source(name: str) -> None:
    library = find_library(name)
    assert library.summary
    assert library.source.startswith("http") or "(19" in library.source
    assert [shape.name for shape in library.shapes.values()] == list(library.shapes)


@pytest.mark.parametrize("name", ONE_SIDED)
def test_lower_case_names_are_the_mirror_images_of_upper_case_ones(name: str) -> None:
    library = find_library(name)
    lower = [letter for letter in library.shapes if letter[0].islower()]
    assert lower
    for letter in lower:
        other = letter[0].upper() + letter[1:]
        cells = [library.shapes[which].cells for which in (letter, other)]
        free = [images(those, library.lattice, Freedom.FREE) for those in cells]
        turned = [images(those, library.lattice, Freedom.ONE_SIDED) for those in cells]
        assert free[0] == free[1]
        assert not turned[0] & turned[1]


@pytest.mark.parametrize("name", ONE_SIDED)
def test_upper_case_names_of_a_one_sided_set_are_the_free_set(name: str) -> None:
    ones, free = find_library(name).shapes, find_library(name.removeprefix("one-sided-")).shapes
    assert [letter for letter in ones if letter[0].isupper()] == list(free)
    assert all(set(ones[letter].cells) == set(free[letter].cells) for letter in free)


def test_solid_pentominoes_are_the_pentominoes_of_the_same_letter() -> None:
    flat, solid = find_library("pentominoes").shapes, find_library("solid-pentominoes").shapes
    cubic = find_lattice("cubic")
    assert list(flat) == list(solid)
    for letter, shape in flat.items():
        lifted = [(*cell, 0) for cell in shape.cells]
        assert images(lifted, cubic, Freedom.FREE) == images(solid[letter].cells, cubic, Freedom.FREE)


def test_soma_is_every_crooked_piece_of_at_most_four_cubes() -> None:
    # Piet Hein's definition: the irregular shapes of three or four cubes.
    cubic = find_lattice("cubic")
    soma = {images(shape.cells, cubic, Freedom.ONE_SIDED) for shape in find_library("soma").shapes.values()}
    expected = set()
    for size in (3, 4):
        for form in fixed_forms(cubic, size):
            extents = [len(set(axis)) for axis in zip(*form, strict=True)]
            if len(form) != extents[0] * extents[1] * extents[2]:  # not a box
                expected.add(images(form, cubic, Freedom.ONE_SIDED))
    assert soma == expected


def test_bedlam_has_twelve_pieces_of_five_cubes_and_one_of_four() -> None:
    sizes = [len(shape.cells) for shape in find_library("bedlam").shapes.values()]
    assert sorted(sizes) == [4] + [5] * 12


def test_meteor_has_pentahexes_under_their_letters() -> None:
    every, hexagons = find_library("pentahexes"), find_lattice("hex")
    for name, shape in find_library("meteor").shapes.items():
        known = images(every.shapes[name].cells, hexagons, Freedom.FREE)
        assert images(shape.cells, hexagons, Freedom.FREE) == known


def test_an_unknown_library_raises_key_error() -> None:
    with pytest.raises(KeyError):
        find_library("pentominos")


def test_a_library_is_found_without_reading_the_files_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = resources.yaml_document
    find_library.cache_clear()

    def noted(path: Path) -> Any:
        read.append(path.name)
        return original(path)

    monkeypatch.setattr(resources, "yaml_document", noted)
    assert len(find_library("tetrasticks").shapes) == 16
    assert [name for name in read if name.startswith("poly")] == ["polysticks.yaml"]
