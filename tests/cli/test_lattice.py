"""The command ``lattice`` as a user calls it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.language.lattice_file import open_lattice
from tests.commands import command, run
from tests.language.test_lattice_file import GOOD, PUZZLE


def test_without_a_name_all_lattices_are_listed() -> None:
    done = run("list", "lattices")
    assert (done.returncode, done.stderr) == (0, "")
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["name", "dimension", "kinds", "rotations", "with", "reflections", "summary"]
    assert tuple(row.split()[0] for row in rows) == lattice_names()
    for row in rows:
        name, *numbers = row.split()[:5]
        lattice = find_lattice(name)
        sizes = (lattice.dimension, len(lattice.kinds), len(lattice.rotations), len(lattice.isometries))
        assert tuple(map(int, numbers)) == sizes
        assert row.endswith(lattice.summary)


def test_a_lattice_is_reported_and_proved() -> None:
    done = run("list", "lattices", "sticks")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "sticks: unit edges of the square grid, for polysticks\n"
        "\n"
        "  dimension  2\n"
        "  kinds      2\n"
        "             0: edge to the right, 6 neighbours\n"
        "             1: edge downwards, 6 neighbours\n"
        "  a cell     (x,y,kind)\n"
        "  rotations  4, 8 with the reflections\n"
        "  freedom    free: rotated and reflected, unless a puzzle says otherwise\n"
        "  drawings   sticks: `-` and `|` are edges, `+` the points between them\n"
        "  edges of   the cells of the lattice square\n"
        "  crossings  1 point with 2 ways through: only one may be used, unless a puzzle allows crossing\n"
        "\n"
        "proved: the symmetries form a finite group and keep cells, outlines and neighbours; "
        "the cells meet\n"
        "    at their ends only\n"
    )


def test_a_file_is_reported_like_the_lattices_of_puzzlec(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(GOOD, encoding="utf-8")
    done = run("list", "lattices", "my.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("my.yaml: bricks of a wall, each row shifted by half a brick\n")
    assert "  rotations  2, 4 with the reflections\n" in done.stdout
    assert "proved: " in done.stdout


@pytest.mark.parametrize("name", ["hex", "cubic", "fcc"])
def test_a_copy_of_a_lattice_is_reported_in_the_same_words(name: str, tmp_path: Path) -> None:
    from puzzlec import resources

    (tmp_path / "my.yaml").write_bytes((resources.folder("lattices") / f"{name}.yaml").read_bytes())
    own, shipped = run("list", "lattices", "my.yaml", cwd=tmp_path), run("list", "lattices", name)
    assert own.stdout.removeprefix("my.yaml") == shipped.stdout.removeprefix(name)


@pytest.mark.parametrize("name", lattice_names())
def test_the_file_of_a_lattice_is_printed_and_is_that_lattice(name: str, tmp_path: Path) -> None:
    printed = run("list", "lattices", name, "--yaml")
    assert (printed.returncode, printed.stderr) == (0, "")
    (tmp_path / "my.yaml").write_text(printed.stdout, encoding="utf-8")
    assert replace(open_lattice(str(tmp_path / "my.yaml")), name=name) == find_lattice(name)
    assert run("list", "lattices", "my.yaml", "--yaml", cwd=tmp_path).stdout == printed.stdout


def test_without_a_lattice_no_file_can_be_printed() -> None:
    done = run("list", "lattices", "hax", "--yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert "did you mean `hex`?" in done.stderr
    done = run("list", "lattices", "--yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "it needs NAME|FILE.yaml" in done.stderr


def test_a_broken_file_shows_only_its_errors(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(GOOD.replace("freedom: free", "fredom: free"), encoding="utf-8")
    done = run("list", "lattices", "my.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[PZ341]: unknown key `fredom` in a lattice\n  --> my.yaml:11:1\n")


def test_a_file_that_does_not_describe_a_lattice_is_refused_with_the_arithmetic(tmp_path: Path) -> None:
    text = GOOD.replace("translations: [[2, 0], [1, 1]]", "translations: [[2, 2], [1, 1]]")
    (tmp_path / "my.yaml").write_text(text, encoding="utf-8")
    done = run("list", "lattices", "my.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[PZ346]: ")
    assert " --> my.yaml:3:15\n" in done.stderr


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("hax", "PZ302", "did you mean `hex`?"),
        ("missing.yaml", "PZ001", "no such file"),
        ("none", "PZ302", "unknown lattice"),
    ],
)
def test_an_unknown_name_is_refused(name: str, code: str, words: str) -> None:
    done = run("list", "lattices", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error[{code}]" in done.stderr
    assert words in done.stderr


def test_every_command_takes_a_puzzle_with_a_custom_lattice_from_any_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "my.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "deep" / "a.puzzle").write_text(PUZZLE, encoding="utf-8")
    for words in (
        ["check"],
        ["explain"],
        ["explain", "--orientations"],
        ["explain"],
        ["solve"],
        ["count", "--raw"],
        ["estimate"],
    ):
        status, _, told = command(capsys, monkeypatch, *words, "deep/a.puzzle")
        assert status == 0, told
    for level in ("puzzle", "fitting", "cover"):
        assert command(capsys, monkeypatch, "convert", "deep/a.puzzle", "--stage", level)[0] == 0
    assert run("check", "-", stdin=PUZZLE, cwd=tmp_path / "deep").returncode == 0
    done = run("check", "-", stdin=PUZZLE, cwd=tmp_path)
    assert done.returncode == 1
    assert "cannot read `my.yaml`" in done.stderr
