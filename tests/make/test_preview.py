"""Pictures of meshes before they are printed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="the extra `print` is not installed")

from puzzlec.make import Plate, Sizes, files
from puzzlec.make.occlusion import painting_order
from puzzlec.make.outputs import subject
from puzzlec.make.preview import VIEWS, preview
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


@pytest.mark.parametrize("name", ["burrs/six-piece-7", "soma"])
def test_a_side_is_never_painted_over_one_in_front_of_it(name: str) -> None:
    (made,) = files(subject(name), "3mf", Sizes(), layout="solution", tray=name == "soma")
    meshes = [(mesh, item.at) for item in made.items for _, mesh in item.thing.parts]
    triangles = np.concatenate([(mesh.points + np.array(at))[mesh.triangles] for mesh, at in meshes]) @ VIEWS[1][1].T
    edges = triangles[:, 1:] - triangles[:, :1]
    normals = np.cross(edges[:, 0], edges[:, 1])
    facing = triangles[normals[:, 2] > 1e-9 * np.linalg.norm(normals, axis=1)]
    painted = facing[painting_order(facing)]
    low, high = painted[:, :, :2].min(axis=(0, 1)), painted[:, :, :2].max(axis=(0, 1))
    covered = 0
    for point in np.random.default_rng(1).uniform(low, high, (500, 2)):
        at = np.concatenate([painted[:, :, :2] - point, np.ones((len(painted), 3, 1))], 2).transpose(0, 2, 1)
        weights = np.linalg.solve(at, np.broadcast_to(np.array([[0.0], [0.0], [1.0]]), (len(at), 3, 1)))[:, :, 0]
        distances = (weights * painted[:, :, 2]).sum(axis=1)[(weights > 1e-6).all(axis=1)]
        if len(distances):
            covered += 1
            assert distances[-1] == pytest.approx(distances.max())
    assert covered > 250


def test_triangles_that_hide_each_other_in_a_ring_are_all_painted() -> None:
    turns = [(1.0, 0.0), (-0.5, 0.75**0.5), (-0.5, -(0.75**0.5))]
    bar = [(-4, -1, 0), (4, -1.2, 2), (4, -0.8, 2)]
    ring = [[(x * cos - y * sin, x * sin + y * cos, z) for x, y, z in bar] for cos, sin in turns]
    assert sorted(painting_order(np.array(ring))) == [0, 1, 2]
    layers = [[(0, 0, z), (1, 0, z), (0, 1, z)] for z in (2.0, 1.0, 3.0)]
    assert painting_order(np.array(layers)) == [1, 0, 2]
