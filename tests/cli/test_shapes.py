"""``puzzlec list shapes`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlec.geometry import library_names
from puzzlec.geometry.families import family_names, find_shapes, sized_names
from tests.commands import run


def test_without_a_name_all_libraries_and_families_are_listed() -> None:
    done = run("list", "shapes")
    assert (done.returncode, done.stderr) == (0, "")
    named = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert {*library_names(), *family_names(), *sized_names()} <= named
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize("name", ["pentominoes", "tetrahexes", "tritrigs", "tetrasticks", "soma"])
def test_a_library_is_drawn_with_the_names_of_its_pieces(name: str) -> None:
    done = run("list", "shapes", name)
    assert (done.returncode, done.stderr) == (0, "")
    words = [word for line in done.stdout.splitlines() if line[:1].isalnum() for word in line.split()]
    assert set(find_shapes(name).shapes) <= set(words)


def test_the_pieces_of_a_family_are_drawn_in_their_order() -> None:
    done = run("list", "shapes", "polyominoes", "4", "fixed")
    assert done.stdout.startswith(
        "polyominoes 4: the 19 fixed polyominoes of size 4\n19 pieces, fixed, lattice square\n"
    )
    assert done.stdout.splitlines()[4].split()[:4] == ["4-1", "4-2", "4-3", "4-4"]
    assert done.stdout.splitlines()[5].split()[:3] == ["xxxx", "xxx", "xxx"]


def test_a_family_without_a_size_is_reported_by_its_numbers() -> None:
    done = run("list", "shapes", "polycubes")
    assert done.returncode == 0
    assert ["5", "23", "29", "534"] in [line.split() for line in done.stdout.splitlines()]
    assert "https://oeis.org/A000162" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["nothing"], "PZ304"), (["soma", "3"], "PZ352"), (["polycubes", "0"], "PZ351"), (["polycubes", "30"], "PZ351")],
)
def test_an_unknown_name_is_an_error_with_a_code(arguments: list[str], code: str) -> None:
    done = run("list", "shapes", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error[{code}]" in done.stderr


@pytest.mark.parametrize("name", ["castle", "nest.puzzle"])
def test_a_puzzle_instead_of_a_library_gets_the_command_that_draws_its_pieces(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nest.puzzle").write_text("locations box 2x1\npiece A { xx }\n")
    done = run("list", "shapes", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"`puzzlec explain {name}` draws its pieces" in done.stderr


def test_a_freedom_of_the_wrong_kind_is_wrong_usage() -> None:
    assert run("list", "shapes", "polycubes", "4", "loose").returncode == 2


def test_a_name_instead_of_a_size_draws_one_piece() -> None:
    assert "\nF\n" in run("list", "shapes", "pentominoes", "F").stdout
    assert run("list", "shapes", "pentominoes", "F", "--json").stdout.count("\n") == 1
    assert "missing size for `polycubes`" in run("list", "shapes", "polycubes", "four").stderr
    assert "unknown piece `Q` in library `soma`" in run("list", "shapes", "soma", "Q").stderr
