"""Pictures of meshes before they are printed."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="the extra `print` is not installed")

from puzzlec.make.choices import Plate, Sizes
from puzzlec.make.model_files import files
from puzzlec.make.outputs import subject
from puzzlec.make.preview import VIEWS, preview, visible
from puzzlec.show.palette import COLOURS, INK, mixed


def shown(name: str, plate: Plate | None = None, tray: bool = False) -> str:
    made = files(subject(name, 0), "3mf", Sizes(), plate=plate, tray=tray)
    return preview([file.items for file in made], "<b>")


@pytest.mark.long
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
    areas = len(re.findall(r'<path d="M[^"]*Z"', single)) - 2  # without the grounds
    assert 0 < areas < len(made[0].items[0].thing.mesh.triangles)
    assert re.findall(r"([\d.]+) x ([\d.]+) x ([\d.]+) mm", single)


@pytest.mark.long
@pytest.mark.parametrize("name", ["burrs/six-piece-7", "soma"])
def test_each_spot_shows_the_nearest_side(name: str) -> None:
    (made,) = files(subject(name), "3mf", Sizes(), layout="solution", tray=name == "soma")
    meshes = [(mesh, item.at) for item in made.items for _, mesh in item.thing.parts]
    corners = np.concatenate([(mesh.points + np.array(at))[mesh.triangles] for mesh, at in meshes])
    owners = [number for number, (mesh, _) in enumerate(meshes) for _ in mesh.triangles]
    _, eye, axes = VIEWS[1]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = np.nonzero(normals @ eye > 1e-9 * np.linalg.norm(normals, axis=1))[0]
    shown = [
        (set(numbers), [(ring @ axes.T)[:, :2] for ring in rings])
        for numbers, rings in visible(corners, owners, facing.tolist(), eye)
    ]
    flat = corners[facing] @ axes.T
    covered = 0
    for point in np.random.default_rng(1).uniform(flat.min(axis=(0, 1)), flat.max(axis=(0, 1)), (500, 3))[:, :2]:
        at = np.concatenate([flat[:, :, :2] - point, np.ones((len(flat), 3, 1))], 2).transpose(0, 2, 1)
        weights = np.linalg.solve(at, np.broadcast_to(np.array([[0.0], [0.0], [1.0]]), (len(at), 3, 1)))[:, :, 0]
        distances = np.where((weights > -1e-9).all(axis=1), (weights * flat[:, :, 2]).sum(axis=1), -np.inf)
        here = [numbers for numbers, rings in shown if sum(is_around(ring, point) for ring in rings) % 2]
        if distances.max() > -np.inf and len(here) == 1:
            covered += 1
            seen = max(distances[number] for number, triangle in enumerate(facing.tolist()) if triangle in here[0])
            assert seen == pytest.approx(distances.max(), abs=0.01)
    assert covered > 250


def is_around(ring: Any, point: Any) -> bool:
    """Whether a point is inside a ring."""
    (x, y), inside = point, False
    for (a, b), (c, d) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if (b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a):
            inside = not inside
    return inside


def test_many_triangles_are_painted_from_back_to_front(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = shown("soma")
    monkeypatch.setattr("puzzlec.make.preview.MAX_SORTED_TRIANGLES", 0)
    assert shown("soma").count("<path") > exact.count("<path")
