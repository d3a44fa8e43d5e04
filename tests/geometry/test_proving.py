"""Broken lattices: each mutation of a valid one is found, at the right place, with the arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec import resources
from puzzlec.geometry import lattice_names
from puzzlec.geometry.faces import exactly
from puzzlec.geometry.lattice import from_document
from puzzlec.geometry.proving import LatticeFault, faults

Document = dict[str, Any]


def document(name: str) -> Document:
    """Return the content of the file of a lattice."""
    return deepcopy(resources.yaml_document(resources.folder("lattices") / f"{name}.yaml"))


def found(name: str, **changes: Any) -> list[LatticeFault]:
    """Return the errors of a lattice with a few changed values; ``kinds__1__at=...`` is a value of a kind."""
    whole = document(name)
    for key, value in changes.items():
        put(whole, [int(step) if step.isdigit() else step for step in key.split("__")], value)
    return faults(from_document(name, whole))


def put(whole: Any, path: list[str | int], value: Any) -> None:
    for step in path[:-1]:
        whole = whole[step]
    whole[path[-1]] = value


THIRD = 0.3333333333333333
QUARTER, MIRROR = [[0, -1], [1, 0]], [[-1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("name", "changes", "where", "why"),
    [
        # the basis
        (
            "square",
            {"translations": [[1, 2], [2, 4]]},
            "translations",
            r"\(1,2\) and \(2,4\) do not span the plane: .* 0",
        ),
        ("cubic", {"translations": [[1, 0, 0], [0, 1, 0], [1, 1, 0]]}, "translations", "do not span space"),
        # generators one by one
        ("square", {"rotations": [[[0, -2], [1, 0]]]}, "rotations 0", "rotation 1 has determinant 2"),
        ("square", {"rotations": [QUARTER, MIRROR]}, "rotations 1", "rotation 2 has determinant -1: expected 1"),
        ("square", {"reflections": [MIRROR, QUARTER]}, "reflections 1", "reflection 2 has determinant 1: expected -1"),
        ("square", {"reflections": [[[1, 0], [0, 0]]]}, "reflections 0", "determinant 0"),
        # the group
        ("square", {"rotations": [QUARTER, [[1, 1], [0, 1]]]}, "rotations 1", "rotation 2 makes an infinite group"),
        (
            "hex",
            {"rotations": [[[0, -1], [1, 1]], QUARTER]},
            "rotations 1",
            "rotation 2 and rotation 1 .*limit 4,000",
        ),
        ("hex", {"reflections": [[[-1, 0], [0, 1]]]}, "reflections 0", "reflection 1 and rotation 1 together"),
        (
            "square",
            {"rotations": [], "reflections": [MIRROR, [[0, 1], [1, 0]]]},
            "rotations",
            "rotations generate 1, but reflections generate 4",
        ),
        # cells
        (
            "triangle",
            {"translations": [[3, 0], [0, 6]]},
            "rotations 0",
            r"takes the translation \(0,6\) to \(-6,0\)|\(3,0\) to \(3,3\)",
        ),
        (
            "triangle",
            {"kinds__0__at": [0, 1]},
            "rotations 0",
            r"takes the cell `triangle pointing up` at \(0,1\) to \(-1,0\), which has no cell",
        ),
        (
            "triangle",
            {"kinds__1__at": [1, 5]},
            "kinds 1 at",
            r"`triangle pointing down` has the same place as `triangle pointing up`",
        ),
        ("triangle", {"kinds__1__at": [1, 2]}, "kinds 1 at", r"\(1,2\) is \(1,2\)$"),
        # neighbours
        ("square", {"kinds__0__neighbours__3": [0, 0]}, "kinds 0 neighbours 3", "leads from `square` to itself"),
        ("square", {"kinds__0__neighbours__3": [1, 0]}, "kinds 0 neighbours 3", r"duplicate step \(1,0\)"),
        (
            "triangle",
            {"kinds__1__neighbours__2": [-1, 0]},
            "kinds 1 neighbours 2",
            r"from \(2,1\) to \(1,1\), which has no cell",
        ),
        ("square", {"kinds__0__neighbours__3": [-2, 0]}, "kinds 0 neighbours 3", r"lacks the step \(2,0\) back"),
        (
            "square",
            {"kinds__0__neighbours": [[1, 0], [-1, 0]]},
            "kinds 0 neighbours",
            r"rotation 1 takes the neighbour at step \(1,0\)",
        ),
        (
            "square",
            {"kinds__0__neighbours": []},
            "kinds 0 neighbours",
            r"shares a side with the cell at step \(-1,0\)",
        ),
        (
            "square",
            {"kinds__0__neighbours": [[0, -1], [1, 0], [0, 1], [-1, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]]},
            "kinds 0 neighbours 4",
            r"the cell at step \(1,1\) do not share a side",
        ),
        (
            "square",
            {"kinds__0__neighbours": [[1, 0], [0, 1], [-1, 0], [0, -1]]},
            "kinds 0 neighbours 0",
            "not in the order",
        ),
        (
            "sticks",
            {"kinds__0__neighbours": [[-2, 0], [2, 0]], "kinds__1__neighbours": [[0, 2], [0, -2]]},
            "kinds 0 neighbours",
            "shares a corner with the cell",
        ),
        # outlines
        (
            "square",
            {"kinds__0__outline__0": [-0.5, -0.25]},
            "kinds 0 outline",
            r"rotation 1 takes the outline of `square`",
        ),
        (
            "square",
            {"kinds__0__outline": [[-1, -1], [1, -1], [1, 1], [-1, 1]]},
            "kinds 0 outline",
            "an area of 4, but translations repeat 1",
        ),
        (
            "square",
            {"kinds__0__outline": [[-0.5, -0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, 0.5]]},
            "kinds 0 outline",
            "sides 1 and 3 cross",
        ),
        ("square", {"kinds__0__outline": [[0, 0], [1, 0], [2, 0]]}, "kinds 0 outline", "its corners are all"),
        ("cubic", {"kinds__0__outline": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}, "kinds 0 outline", "are all"),
        ("cubic", {"kinds__0__outline__7": [0, 0, 0]}, "kinds 0 outline", "corner 8 is inside the solid"),
        ("line", {"kinds__0__outline": [[-1], [1]]}, "kinds 0 outline", "a length of 2, but translations repeat 1"),
        (
            "fcc",
            {"kinds__0__outline": [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]},
            "kinds 0 outline",
            "a volume of 8, but translations repeat 2",
        ),
        ("triangle", {"kinds__0__outline": [[-1, -2], [2, 1]]}, "kinds 0 outline", "is an edge \\(two corners\\)"),
        ("sticks", {"kinds__0__outline": [[1, 0], [1, 0]]}, "kinds 0 outline", "has no length"),
        (
            "sticks",
            {"kinds__0__outline": [[-2, 0], [2, 0]], "kinds__1__outline": [[0, -2], [0, 2]]},
            "kinds 0 outline",
            "overlap or meet inside",
        ),
        # pictures
        (
            "hex",
            {"axes": [[1, 0], [0, 1]]},
            "axes",
            r"rotation 1 changes lengths: \(0,1\) has 1, its image \(-1,1\) 1.41421",
        ),
        ("hex", {"axes": [[1, 0], [2, 0]]}, "axes", "do not span the picture"),
        ("square", {"axes": [[1, 0], [0.6, 0.8]]}, "axes", "changes the angle"),
        # ways through a point
        ("sticks", {"crossings": [[[[-1, 0], [0, 1]], [[0, -1], [1, 0]]]]}, "crossings 0 1", "do not cross"),
        ("sticks", {"crossings": [[[[-1, 0], [1, 0]], [[0, -1], [0, 3]]]]}, "crossings 0 1", "not a way through"),
        ("sticks", {"crossings": [[[[-1, 0], [1, 0]]]]}, "crossings 0", "rotation 1 takes it to .* not listed"),
        (
            "trigs",
            {"crossings": [[[[-1, 0], [1, 0]], [[0, -1], [0, 1]]]]},
            "crossings 0",
            "rotation 1 takes it to .* not listed",
        ),
        (
            "trigs",
            {"crossings": [[[[-1, 0], [1, 0]], [[-1, -1], [1, 1]], [[0, -1], [0, 1]]]]},
            "crossings 0",
            "ways from .* cross there, but no crossing lists both",
        ),
        ("square", {"crossings": [[[[-1, 0], [1, 0]], [[0, -1], [0, 1]]]]}, "crossings", "cells that are edges"),
        # words
        ("triangle", {"drawing": "rows"}, "drawing", "the lattice has 2 kinds of cell"),
        ("hypercubic", {"drawing": "rows"}, "drawing", "the lattice has 4 dimensions"),
        ("square", {"reflections": []}, "freedom", "`free` needs reflections"),
        ("line", {"freedom": "one-sided"}, "freedom", "`one-sided` needs rotations"),
    ],
)  # fmt: skip
def test_an_error_is_found_at_its_place(name: str, changes: Document, where: str, why: str) -> None:
    said = {" ".join(map(str, fault.where)): fault.why for fault in found(name, **changes)}
    assert re.search(why, said[where]), said
    assert all(reason[0] != reason[0].upper() or reason[0] in "`(" for reason in said.values())
    assert not any(reason.endswith(".") for reason in said.values())


def test_a_generator_that_does_not_keep_lengths_asks_for_axes() -> None:
    whole = document("hex")
    del whole["axes"]
    (fault,) = faults(from_document("hex", whole))
    assert fault.where == ("rotations", 0)
    assert "without `axes`" in fault.why


def test_overlapping_outlines_of_the_right_area_are_found() -> None:
    # a rhombus and its neighbour: areas add up, but the cells overlap, and leave gaps elsewhere
    whole = document("square")
    whole |= {"rotations": [], "reflections": [], "freedom": "fixed", "drawing": "cells"}
    whole["translations"] = [[2, 0], [0, 1]]
    whole["kinds"] = [
        {"name": f"number {number}", "at": [number, 0], "outline": outline, "neighbours": []}
        for number, outline in enumerate(
            ([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], [[-1, -0.5], [0, -0.5], [0, 0.5], [-1, 0.5]])
        )
    ]
    (fault,) = faults(from_document("overlapping", whole))
    assert fault.where == ("kinds", 1, "outline")
    assert "`number 0` at (0,0) and `number 1` at (1,0) overlap" in fault.why


def test_polygons_that_are_not_convex_can_tile() -> None:
    # an L of three squares and a square fill a 2 x 2 block
    whole = document("square") | {"rotations": [], "reflections": [], "freedom": "fixed", "drawing": "cells"}
    whole["translations"] = [[2, 0], [0, 2]]
    whole["kinds"] = [
        {
            "name": "ell",
            "at": [0, 0],
            "outline": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]],
            "neighbours": [[1, 1], [1, -1], [-1, 1], [2, 0], [-2, 0], [0, 2], [0, -2]],
        },
        {
            "name": "square",
            "at": [1, 1],
            "outline": [[0, 0], [1, 0], [1, 1], [0, 1]],
            "neighbours": [[-1, -1], [-1, 1], [1, -1]],
        },
    ]
    assert faults(from_document("blocks", whole)) == []
    whole["kinds"][1]["outline"] = [[-1, 0], [0, 0], [0, 1], [-1, 1]]
    (fault,) = faults(from_document("blocks", whole))
    assert "overlap" in fault.why


def test_bricks_are_neighbours_along_a_piece_of_a_side() -> None:
    whole = document("square") | {"rotations": [], "reflections": [], "freedom": "fixed", "drawing": "cells"}
    whole["translations"] = [[2, 0], [1, 1]]
    whole["kinds"][0] |= {
        "outline": [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]],
        "neighbours": [[2, 0], [-2, 0], [1, 1], [-1, -1], [1, -1], [-1, 1]],
    }
    assert faults(from_document("bricks", whole)) == []


def test_an_outline_that_reaches_too_far_is_not_examined_forever() -> None:
    whole = document("square") | {"rotations": [], "reflections": [], "freedom": "fixed"}
    whole["kinds"][0] |= {"outline": [[0, 0], [10**6, 1], [2 * 10**6 + 1, 2], [10**6 + 1, 1]]}
    (fault,) = faults(from_document("needle", whole))
    assert fault.where == ("kinds", 0, "outline")
    assert "too many cells are near it" in fault.why


def test_decimals_are_read_as_the_fractions_they_mean() -> None:
    whole = document("square")
    whole["translations"] = [[1, 0], [0, 1]]
    assert exactly(THIRD) * 3 == 1
    assert exactly(-0.1) * 10 == -1
    assert exactly(0.123456789) * 10**9 == 123456789


MUTATIONS: list[Callable[[int], int]] = [lambda value: value + 1, lambda value: value - 1, lambda value: -value]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_number_changed_in_a_neighbour_or_generator_is_noticed_or_changes_nothing(data: st.DataObject) -> None:
    name = data.draw(
        st.sampled_from([lattice for lattice in lattice_names() if lattice not in ("rhombic", "hypercubic")])
    )
    whole = document(name)
    before = from_document(name, whole)
    places: list[tuple[Any, int]] = [
        (vector, axis)
        for kind in whole["kinds"]
        for vector in (*kind["neighbours"], kind["at"])
        for axis in range(before.dimension)
    ]
    places += [(row, axis) for rotation in whole["rotations"] for row in rotation for axis in range(before.dimension)]
    row, axis = data.draw(st.sampled_from(places))
    row[axis] = data.draw(st.sampled_from(MUTATIONS))(row[axis])
    after = from_document(name, whole)
    if not faults(after):
        assert set(after.isometries) == set(before.isometries)
        assert [set(kind.neighbours) for kind in after.kinds] == [set(kind.neighbours) for kind in before.kinds]


@pytest.mark.parametrize("name", lattice_names())
def test_every_error_has_its_place_in_the_document(name: str) -> None:
    whole = document(name)
    whole["kinds"][-1]["neighbours"] = whole["kinds"][-1]["neighbours"][1:]
    for fault in faults(from_document(name, whole)):
        at: Any = whole
        for step in fault.where:
            at = at[step]
