"""Lattices whose pictures are nearly right: the error shows the numbers that differ, and the intended root."""

from __future__ import annotations

from dataclasses import replace

from puzzlec.geometry import find_lattice
from puzzlec.geometry.proving import faults


def test_axes_with_few_digits_are_recognised_and_a_root_is_suggested() -> None:
    hexagons = find_lattice("hex")
    (found,) = faults(replace(hexagons, axes=((1.0, 0.0), (0.5, 0.8660254))))
    assert found.where == ("axes",)
    assert "(1,0) has 1.000000000, its image (0,1) 0.999999997" in found.why
    assert found.help == (
        "write axes with 9 correct digits; did you mean 0.8660254037844386 (half the root of 3) for 0.8660254?"
    )
    (found,) = faults(replace(hexagons, axes=((1.0, 0.0), (0.5, 0.87))))
    assert "(half the root of 3) for 0.87?" in found.help
    # a completely different picture
    (found,) = faults(replace(hexagons, axes=((1.0, 0.0), (0.0, 1.0))))
    assert found.help == ""


def test_other_errors_are_shown_beside_wrong_lengths() -> None:
    hexagons = find_lattice("hex")
    (kind,) = hexagons.kinds
    moved = kind._replace(outline=(*kind.outline[:2], (1, 2), *kind.outline[3:]))
    wrong = replace(hexagons, axes=((1.0, 0.0), (0.5, 0.866)), kinds=(moved,))
    places = {fault.where[0] for fault in faults(wrong)}
    assert places == {"axes", "kinds"}
