"""`--symmetry` and `--show-symmetry`: equal solutions, and how they are reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puzzlec.lower.symmetries import SymmetryKind
from tests.commands import command


@pytest.mark.parametrize(
    ("name", "which", "number", "words"),
    [
        ("soma", "none", 11520, "11,520 raw solutions"),
        ("soma", "rotations", 480, "480 solutions distinct under rotations"),
        ("soma", "all", 240, "240 distinct solutions"),
        ("soma", "parts", 240, "240 solutions distinct under symmetries of each part"),
        ("dominoes/4x4", "rotations", 12, "12 solutions distinct under rotations"),  # a separate recount by brute force
        ("queens/8", "automorphisms", 12, "12 solutions distinct under all automorphisms of the problem"),
        # Without geometry, rotations are unknown.
        ("queens/8", "rotations", 92, "92 raw solutions"),
    ],
)
def test_count_prints_its_symmetry(
    name: str,
    which: SymmetryKind,
    number: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, shown, told = command(capsys, monkeypatch, "count", name, "--symmetry", which)
    assert (status, shown) == (0, f"{number}\n")
    assert told.splitlines()[-1].startswith(words + " in ")


def test_separate_parts_of_a_board_rotate_separately_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "parts.puzzle"
    file.write_text(
        'puzzle "Two rectangles"\nlocations { xxx.xxx / xxx.xxx }\npiece L x4 { xx/x. }\n'.replace(" / ", "/")
    )
    # Each 2x3 is filled in 2 ways, which are mirror images: so there are 4 raw solutions: (++, --) and (+-, -+) up to
    # rotations.
    numbers = {
        which: int(command(capsys, monkeypatch, "count", str(file), "--symmetry", which)[1])
        for which in ("none", "all", "parts", "automorphisms")
    }
    assert numbers == {"none": 4, "all": 2, "parts": 1, "automorphisms": 1}


def test_solve_lists_and_prints_the_requested_solutions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", "dominoes/4x4", "--all", "--symmetry", "rotations", "--to", "jsonl")
    status, shown, told = command(capsys, monkeypatch, *words)
    assert status == 0
    assert told == "12 solutions distinct under rotations (search complete)\n"
    assert {json.loads(line)["convention"] for line in shown.splitlines()} == {"distinct under rotations"}
    assert len(shown.splitlines()) == 12


def test_solve_prints_the_symmetry_of_each_solution_and_counts_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, shown, told = command(capsys, monkeypatch, "solve", "dominoes/4x4", "--all", "--show-symmetry")
    assert status == 0
    lines = [line for line in shown.splitlines() if line == "no symmetry" or line.startswith("this one")]
    assert len(lines) == 9
    assert lines.count("no symmetry") == 2
    assert told.splitlines() == [
        "9 distinct solutions (search complete)",
        "symmetries of the solutions",
        "       3  half turn; mirrored left to right; mirrored top to bottom",
        "       2  mirrored left to right",
        "       2  none",
        "       1  mirrored top to bottom",
        "       1  quarter turn clockwise; half turn; quarter turn counterclockwise",
        "they represent 36 raw solutions",
    ]
    _, shown, _ = command(capsys, monkeypatch, "solve", "dominoes/4x4", "--all", "--show-symmetry", "--to", "jsonl")
    own = [json.loads(line)["symmetries"] for line in shown.splitlines()]
    assert sorted(map(len, own)) == [0, 0, 1, 1, 1, 3, 3, 3, 3]


def test_estimates_are_for_the_requested_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown, _ = command(capsys, monkeypatch, "estimate", "dominoes/4x4", "--symmetry", "rotations", "--json")
    data = json.loads(shown)
    assert (data["search"], data["symmetry"]) == ("distinct", "rotations")
    _, shown, _ = command(capsys, monkeypatch, "estimate", "soma", "--symmetry", "rotations", "--probes", "50")
    assert "search     solutions distinct under rotations, by 50 probes\n" in shown


@pytest.mark.parametrize(
    "words",
    [
        ("count", "soma", "--symmetry", "some"),
        ("count", "soma", "--raw", "--symmetry", "all"),
        ("solve", "soma", "--raw", "--symmetry", "rotations"),
        ("estimate", "soma", "--raw", "--symmetry", "parts"),
        ("solve", "soma", "--show-symmetry", "--to", "list"),
    ],
)
def test_options_that_contradict_each_other_are_wrong_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, shown, _ = command(capsys, monkeypatch, *words)
    assert (status, shown) == (2, "")


def test_raw_is_short_for_no_symmetry(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    one = command(capsys, monkeypatch, "solve", "dominoes/4x4", "--all", "--raw", "--symmetry", "none")
    assert one == command(capsys, monkeypatch, "solve", "dominoes/4x4", "--all", "--raw")
    assert one[2] == "36 raw solutions (search complete)\n"
