"""Exports of the page with their settings; and its starting files."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

import puzzlec
from puzzlec import compiler
from puzzlec.formats.catalogue import kinds, starting_file
from puzzlec.ir.solution import Solution
from puzzlec.make import outputs as pictures
from puzzlec.make.choices import Cutting, Plate, Sizes
from puzzlec.services.web import RefusalError, exporting
from puzzlec.services.web.exporting import (
    KINDS,
    SETTINGS,
    choices_of,
    cutting_of,
    for_page,
    packed,
    settings_of,
    sizes_of,
)
from puzzlec.services.web.jobs import WebLimits
from puzzlec.solving.subject import Subject
from tests.services.web.serving import Running, running

PAIR = 'puzzle "Pair"\nlocations box 3x2\npiece A { xxx }\npiece B { xxx }\n'


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def export(here: Running, to: str, text: str = PAIR, **settings: object) -> Any:
    return here.post("/api/export", {"text": text, "name": "pair.puzzle", "to": to, "settings": settings})


def test_settings_are_checked_and_have_defaults() -> None:
    assert settings_of("stl", {"cell": 10, "gap": "", "separate": False, "plate": "200 × 180.5"}) == {
        "cell": 10,
        "plate": Plate(200.0, 180.5),
    }
    assert settings_of("svg", {"number": 3.0, "show": ""}) == {"number": 3}
    assert [settings_of("svg", {"number": number})["number"] for number in (0, 1000)] == [0, 1000]
    refused: tuple[object, ...] = (
        {"cell": "10"}, {"cell": -1}, {"cell": 1e9}, {"cell": float("nan")}, {"cell": float("inf")}, {"cell": True},
        {"plate": "200"}, {"plate": "0x5"}, {"plate": 7}, {"layout": "heap"}, {"kerf": 1}, {"separate": 1}, [], "x",
    )  # fmt: skip
    for wrong in refused:
        with pytest.raises(RefusalError):
            settings_of("stl", wrong)
    with pytest.raises(RefusalError, match="expected an integer from 0 to 1000"):
        settings_of("svg", {"number": 2.5})
    with pytest.raises(RefusalError, match="such as 200x180"):
        settings_of("dxf", {"plate": "wide"})


def test_settings_mean_what_the_options_of_the_command_line_mean() -> None:
    assert sizes_of({}) == Sizes()
    assert sizes_of({"cell": 10, "gap": 0}) == Sizes(cell=10, gap=0)
    assert cutting_of({}) == Cutting()
    chosen = {"kerf": 0.2, "engrave": "both", "tray": True, "plate": Plate(300, 200), "layout": "solution"}
    assert cutting_of(chosen) == Cutting(
        kerf=0.2, engrave=("labels", "cells"), tray=True, plate=Plate(300, 200), layout="solution"
    )
    assert (choices_of({}).labels, choices_of({}).legend, choices_of({"legend": "no"}).legend) == ("auto", None, False)
    assert set(SETTINGS) == set(KINDS)


def test_every_kind_of_file_is_offered_with_its_settings(here: Running) -> None:
    offered = {offer["name"]: offer for offer in here.get("/api/start").json["exports"]}
    assert [setting["name"] for setting in offered["laser-svg"]["settings"]][:3] == ["cell", "gap", "kerf"]
    assert offered["dlx"]["settings"] == []
    assert {"number", "labels"} <= {setting["name"] for setting in offered["png"]["settings"]}


@pytest.mark.slow
def test_a_picture_follows_its_settings(here: Running) -> None:
    chosen: dict[str, Any] = {"show": "solution", "labels": "none", "cell": 40}
    two = export(here, "svg", number=2, **chosen).body.decode()  # the page has none: the worker finds some
    puzzle = compiler.parse(PAIR, format="puzzle")
    assert two == pictures.draw(puzzle, format="svg", choices=choices_of(chosen), limit=2)
    assert two != pictures.draw(puzzle, format="svg", choices=choices_of({**chosen, "labels": "names"}), limit=2)
    refused = export(here, "svg", cell=0)
    assert (refused.status, refused.json["reason"]) == (400, "setting")


@pytest.mark.slow
def test_outlines_for_a_laser_have_the_chosen_sizes(here: Running) -> None:
    pytest.importorskip("shapely")
    found = export(here, "laser-svg", cell=15, kerf=0.2, tray=True, plate="150x200")
    assert found.headers["content-disposition"] == 'attachment; filename="pair-laser.svg"', found.body
    remarks: list[str] = []
    cutting = Cutting(Sizes(cell=15, gap=0.0), kerf=0.2, plate=Plate(150, 200), tray=True)
    assert found.body.decode() == pictures.cut(
        compiler.parse(PAIR, format="puzzle"), format="svg", cutting=cutting, remarks=remarks
    )
    assert json.loads(found.headers["x-puzzlec-remarks"]) == remarks
    assert remarks


@pytest.mark.slow
def test_meshes_have_the_chosen_sizes_and_several_files_become_one(here: Running) -> None:
    pytest.importorskip("manifold3d")
    puzzle = compiler.parse(PAIR, format="puzzle")
    found = export(here, "stl", cell=10, gap=0, bevel=0, height=5)
    assert found.body == pictures.model(puzzle, format="stl", sizes=Sizes(10, 0, 0, 5)), found.body[:200]
    lying = export(here, "stl", layout="solution", cell=10)  # the worker finds a solution
    assert lying.body == pictures.model(puzzle, format="stl", sizes=Sizes(10), layout="solution")
    apart = export(here, "stl", separate=True)
    assert apart.headers["content-disposition"] == 'attachment; filename="pair.zip"'
    with zipfile.ZipFile(io.BytesIO(apart.body)) as archive:
        assert archive.namelist() == ["01-A.stl", "02-B.stl"]
    plates = export(here, "stl", plate="65x25")
    with zipfile.ZipFile(io.BytesIO(plates.body)) as archive:
        assert archive.namelist() == ["plate-1.stl", "plate-2.stl"]
    small = export(here, "stl", plate="30x30").json["diagnostics"][0]
    assert small["code"] == "PZ506"


def test_zip_files_have_names_for_every_system_and_no_dates() -> None:
    files = {"a/b": b"1", "A/B": b"2", "ü x": b"3"}
    assert packed(files, ".stl") == packed(files, ".stl")
    with zipfile.ZipFile(io.BytesIO(packed(files, ".stl"))) as archive:
        assert archive.namelist() == ["01-a_b.stl", "02-A_B.stl", "03-ü_x.stl"]
        assert archive.read("02-A_B.stl") == b"2"


@pytest.mark.slow
def test_a_refusal_lists_the_formats_of_the_page(here: Running) -> None:
    pytest.importorskip("shapely")
    solid = "lattice cubic\nlocations box 3x2x2\npiece A { xx x./x. .. }\npiece B { xx }\n"
    told = export(here, "laser-svg", solid).json["diagnostics"][0]
    assert told["code"] == "PZ504"
    assert told["helps"] == ["write a model with `stl` or `3mf`"]


def test_a_puzzle_is_exported_as_the_same_text_as_by_the_command() -> None:
    answers: list[Any] = []
    exporting.export(compiler.parse(PAIR), {"to": "dlx"}, lambda event, **more: answers.append(more))
    assert base64.b64decode(answers[-1]["content"]).decode() == compiler.convert(compiler.parse(PAIR), "dlx")
    assert answers[-1]["title"] == compiler.parse(PAIR).title


def test_a_picture_shows_the_solutions_of_the_page_and_others_are_found_only_if_they_are_too_few() -> None:
    puzzle = compiler.parse("locations box 4x1\npiece A { xx }\npiece B { x }\npiece C { x }\n")
    first, second, _ = puzzlec.solve(puzzle)
    numbers = {placement.number: [placement.index] for placement in second.placements}
    rows = [[numbers[piece] for piece in range(3)]]

    def picture(solutions: object, **settings: object) -> str:
        answers: list[Any] = []
        task = {"to": "svg", "solutions": solutions, "settings": settings}
        exporting.export(puzzle, task, lambda event, **more: answers.append(more))
        return base64.b64decode(answers[-1]["content"]).decode()

    def drawn(*solutions: Solution, **settings: object) -> str:
        subject = Subject(second.fitting, solutions)
        return str(pictures.draw(subject, format="svg", choices=choices_of(settings)))

    assert drawn(first, show="solution") != drawn(second, show="solution")
    assert picture(rows, show="solution") == drawn(second, show="solution")
    assert picture(rows, show="solution", number=2) == drawn(first, second, show="solution")
    assert picture([], show="solution") == drawn(first, show="solution")
    assert picture([]) == drawn()
    assert picture([], show="board", number=2) == drawn(show="board")


def test_refusals_do_not_mention_the_command_line() -> None:
    assert for_page("show fewer solutions with `--limit`", "svg") == "show fewer solutions with “Solutions”"
    assert for_page("`--view layers` draws the layers, and `puzzlec view` writes a page", "svg") == (
        "“Solids: as layers” draws the layers, and `html` writes a page"
    )
    assert for_page("remove `--layout solution`: then each is cut alone", "dxf") == (
        "remove “Arrangement: as in the solution”: then each is cut alone"
    )
    assert for_page("`puzzlec explain --stage cover` gives them all", "svg") == ""


@pytest.mark.parametrize("kind", [kind.name for kind in kinds()])
def test_an_example_is_the_starting_file_without_the_lines_about_commands(here: Running, kind: str) -> None:
    text = here.get(f"/api/examples/{kind}").json["text"]
    left = [line for line in starting_file(kind).splitlines() if line not in text.splitlines()]
    assert all(re.match(r"#(?:$|\s+puzzlec | Edit )", line) for line in left), left
    assert "puzzlec solve" not in text
    if 'lattice "' not in text:
        one, two = (
            compiler.convert(compiler.parse(each, format="puzzle"), "json") for each in (text, starting_file(kind))
        )
        assert one == two


def test_a_worksheet_is_exported_with_a_solution_that_the_page_does_not_have(here: Running) -> None:
    found = export(here, "worksheet-html", paper="a5")
    assert found.headers["content-disposition"].endswith('pair-worksheet.html"')
    text = found.body.decode()
    assert "Pair: solution" in text
    assert "148mm" in text
    assert "solution" not in export(here, "worksheet-html", number=0).body.decode().partition("</style>")[2]
    pytest.importorskip("typst")
    assert export(here, "worksheet-pdf").body.startswith(b"%PDF")
