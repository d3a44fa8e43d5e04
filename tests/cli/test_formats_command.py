"""``puzzlec list formats``: one format, and the formats that can store a puzzle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puzzlec import compiler
from puzzlec.cli.terminal import ExitStatus
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write_chunks
from tests.commands import command

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_the_pages_state_the_number_of_formats() -> None:
    root = Path(__file__).parents[2]
    readme = " ".join((root / "README.md").read_text(encoding="utf-8").split())
    assert "reads or writes [more than 30 formats](docs/formats.md)" in readme
    assert len(FORMATS.keys() | WRITERS.keys()) > 30


@pytest.mark.parametrize("name", ["cnf", "CNF", "board"])
def test_one_format_is_one_line(name: str, capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = command(capsys, monkeypatch, "list", "formats", name)
    assert (status, err) == (0, "")
    head, row = out.splitlines()
    assert head.split()[:3] == ["name", "read", "written"]
    assert row.split()[:3] == [name.lower(), "yes" if name.lower() in FORMATS else "-", "yes"]
    (told,) = map(json.loads, command(capsys, monkeypatch, "list", "formats", name, "--json")[1].splitlines())
    assert told["name"] == name.lower()


def test_a_puzzle_with_the_name_of_a_format_is_mentioned(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = command(capsys, monkeypatch, "list", "formats", "soma")
    assert status == 0
    assert out.splitlines()[1].startswith("soma")
    assert "`puzzlec list formats soma/soma`" in err
    assert command(capsys, monkeypatch, "list", "formats", "soma/soma")[0] == 0


@pytest.mark.parametrize("puzzle", ["soma/soma", "new/hex", "new/tiles", "queens/8", "tetrasticks-4x4", "cutting"])
def test_the_formats_that_can_store_a_puzzle_are_those_that_convert_accepts(
    puzzle: str, capsys: Capture, monkeypatch: Patch
) -> None:
    status, out, err = command(capsys, monkeypatch, "list", "formats", puzzle)
    assert (status, err) == (0, "")
    said = {line.split()[0]: line for line in out.splitlines()[1:] if not line.startswith(" ")}
    assert said.keys() == WRITERS.keys()
    for name, line in said.items():
        try:
            next(iter(write_chunks(compiler.load(puzzle), name)))
        except PuzzleError as error:
            assert line.split()[1] == "no:"
            assert error.diagnostics[0].message in line
            assert all(diagnostic.message in out for diagnostic in error.diagnostics), (
                "every reason has a separate line"
            )
        else:
            assert line.split() == [name, "yes"]


def test_each_reason_has_a_line_and_json_has_them_all(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    path = tmp_path / "coloured.puzzle"
    path.write_text("lattice square\nlocations box 3x2\npiece D x3 { xx }\nplace D inside box 3x2\n")
    status, out, _ = command(capsys, monkeypatch, "list", "formats", str(path))
    assert status == 0
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("offsets"))
    assert "no: " in lines[at]
    assert lines[at + 1].startswith(" " * 14), "a second reason, without the name"
    status, out, _ = command(capsys, monkeypatch, "list", "formats", str(path), "--json")
    found = {row["name"]: row for row in map(json.loads, out.splitlines())}
    assert found.keys() == WRITERS.keys()
    assert len(found["offsets"]["reasons"]) == 2
    assert {reason["code"] for row in found.values() for reason in row["reasons"]} == {"PZ501"}
    assert all(row["says"] == (not row["reasons"]) for row in found.values())


def test_exact_covers_with_colours_can_be_stored_in_formats_of_exact_covers(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    path = tmp_path / "xcc.dlx"
    path.write_text("p q | x\np x:A\nq x:A\n")
    out = command(capsys, monkeypatch, "list", "formats", str(path))[1]
    said = {line.split()[0]: line.split()[1] for line in out.splitlines()[1:] if not line.startswith(" ")}
    assert {name for name, word in said.items() if word == "yes"} == {
        name for name, writer in WRITERS.items() if writer.stage in ("cover", "any")
    } - {"rows", "numeric"}


def test_a_missing_puzzle_is_an_error(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = command(capsys, monkeypatch, "list", "formats", "nothing-such")
    assert (status, out) == (ExitStatus.FAULTY, "")
    assert "PZ006" in err
