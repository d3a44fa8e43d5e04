"""Pictures of meshes before they are printed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("manifold3d", reason="the extra `print` is not installed")

from puzzlec.make import Plate, Sizes, files
from puzzlec.make.outputs import subject
from puzzlec.make.preview import preview
from puzzlec.show.palette import COLOURS, INK, mixed


def shown(name: str, plate: Plate | None = None, tray: bool = False) -> str:
    made = files(subject(name, 0), "3mf", Sizes(), plate=plate, tray=tray)
    return preview([file.items for file in made], "<b>")


def test_each_plate_is_drawn_from_above_and_from_the_front() -> None:
    text = shown("soma", Plate(80, 80))
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    numbers = re.findall(r">plate (\d), from (above|the front), ", text)
    assert len(numbers) == 2 * len(files(subject("soma", 0), "3mf", Sizes(), plate=Plate(80, 80))) > 4
    assert "<b>" not in text


def test_the_highest_side_from_above_has_nearly_the_colour_of_its_piece() -> None:
    fills = set(re.findall(r'fill="(#[0-9a-f]{6})"', shown("pentominoes/6x10")))
    near = {mixed(colour, INK, part / 100) for colour in COLOURS for part in range(6)}
    assert len(fills & near) >= len(COLOURS)


def test_a_picture_shows_what_faces_the_viewer_only() -> None:
    # A cube without bevels has 12 triangles: 2 of them are its top, and 6 are seen from the front and above.
    made = files(subject("soma", 0), "3mf", Sizes(bevel=0))
    single = preview([made[0].items[:1]], "")
    corners = len(re.findall(r'<path d="M[^"]*Z"', single)) - 2  # without the grounds
    triangles = len(made[0].items[0].thing.mesh.triangles)
    assert 0 < corners < 2 * triangles
    assert re.findall(r"([\d.]+) x ([\d.]+) x ([\d.]+) mm", single)
