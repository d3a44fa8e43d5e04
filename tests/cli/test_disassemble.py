"""`puzzlec disassemble`: its output and its exit status."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.commands import command

TWO = "locations box 4x1\npiece A { xx }\npiece B { xx }\n"
HELD = "lattice square\nlocations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }\n"
#: Three loose pieces in a frame.
LOOSE = (
    "lattice square\nlocations { xxxxxxx/x.....x/x.....x/x.....x/x.....x/x.....x/xxxxxxx }\n"
    "optional locations box 5x5 at (1,1)\npiece frame { xxxxxxx/x.....x/x.....x/x.....x/x.....x/x.....x/xxxxxxx }\n"
    "piece dot x3 { x }\nplace dot inside cells (2,2) (4,4) (5,1)\n"
)
#: Four dominoes: the moves of the second and the fourth assembly are the same.
FOUR = "locations box 4x2\npiece A x4 { xx }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("two", TWO), ("held", HELD), ("loose", LOOSE), ("four", FOUR)):
        (tmp_path / f"{name}.puzzle").write_text(text)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, line: str) -> tuple[int, list[str], str]:
    status, printed, said = command(capsys, patch, "disassemble", *line.split())
    return status, printed.splitlines(), said


@pytest.mark.usefixtures("folder")
def test_levels_moves_and_the_sum_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = run(capsys, monkeypatch, "two.puzzle --steps")
    assert (status, printed[0], len(printed)) == (0, "assembly 1: level 1, 1 move", 2)
    assert printed[1].endswith(" away")
    assert said == "the only assembly comes apart, best level 1\n"


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("box 4x2\npiece A x4 { xx }", "all 5 assemblies come apart, best level 1"),
        (
            "box 3x3 + box 3x3 at (4,0)\npiece ring x2 { xxx/x.x/xxx }\npiece A { x }\npiece B { x }",
            "none of 2 assemblies comes apart",
        ),
    ],
)
def test_the_numbers_of_assemblies_are_words(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pieces: str, words: str
) -> None:
    (folder / "some.puzzle").write_text(f"locations {pieces}\n")
    assert run(capsys, monkeypatch, "some.puzzle --raw")[2] == f"{words}\n"


@pytest.mark.usefixtures("folder")
def test_an_assembly_that_does_not_come_apart_is_status_3_and_all_gives_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = run(capsys, monkeypatch, "held.puzzle")
    assert (status, printed, said) == (3, [], "the only assembly does not come apart\n")
    status, printed, _ = run(capsys, monkeypatch, "held.puzzle --all --steps")
    assert (status, printed[:2]) == (3, ["assembly 1: does not come apart", "  ring, dot hold together"])
    assert "  dot meets ring: (1,0) (-1,0) (0,1) (0,-1)" in printed
    status, printed, _ = run(capsys, monkeypatch, "held.puzzle --together ring:1,dot")
    assert (status, printed) == (0, ["assembly 1: level 0, 0 moves"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("limit", "stopped"), [("--memory 100K", "memory"), ("--time-limit 0", "time")])
def test_a_limit_gives_status_4_and_reports_the_progress(
    limit: str, stopped: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlec.cli.arguments.bounded", lambda *_, **__: nullcontext())  # the search stops by itself
    status, printed, said = run(capsys, monkeypatch, f"loose.puzzle {limit} --json")
    assert (status, json.loads(printed[-1])["stopped"]) == (4, stopped)
    assert re.search(rf"stopped at the limit \({stopped}\): (0 of 1 assembly came apart so far|none is done)", said)
    if stopped == "memory":
        assert "was searched for " in said


@pytest.mark.usefixtures("folder")
def test_solutions_of_a_file_are_taken_apart_and_the_best_n_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, found, _ = command(capsys, monkeypatch, "solve", "soma", "--limit", "3", "--to", "jsonl")
    Path("some.jsonl").write_text(found)
    status, printed, _ = run(capsys, monkeypatch, "soma --solutions some.jsonl --best 2 --json")
    lines = list(map(json.loads, printed))
    assert status == 0
    assert [record["level"] for record in lines[:-1]] == ["1", "1"]
    assert lines[-1] == {"assemblies": 3, "apart": 3, "best": "1", "stopped": None}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("puzzle", "more", "words"),
    [
        (TWO, "--solutions wrong.jsonl", "error[PZ608]"),
        (TWO, "--together=A,E", "error[PZ702]: unknown piece `E`"),
        (TWO, "--immovable E", "error[PZ702]: unknown piece `E`"),
        (TWO + "wrap x\n", "", "error[PZ701]: cannot take the puzzle apart: its board wraps around"),
        ("lattice none\nlocations names 0..1\npiece D covers {0 1}\n", "", "it has no geometry"),
        (TWO + "wall cells (0,0)\n", "", "error[PZ704]"),
    ],
)
def test_a_puzzle_that_cannot_be_taken_apart_is_an_error(
    puzzle: str, more: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("wrong.puzzle").write_text(puzzle)
    overlapping = [{"piece": name, "placement": 0, "locations": [0, 1]} for name in "AB"]
    Path("wrong.jsonl").write_text(json.dumps({"solution": 1, "placements": overlapping}))
    status, printed, said = run(capsys, monkeypatch, f"wrong.puzzle {more}")
    assert (status, printed) == (1, [])
    assert words in said


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", ["--together=", "--together=A:0", "--together=A:many", "--memory=no"])
def test_an_option_that_makes_no_sense_is_status_2(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, monkeypatch, f"two.puzzle {words}")[0] == 2


@pytest.mark.usefixtures("folder")
def test_equal_moves_are_printed_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, printed, _ = run(capsys, monkeypatch, "four.puzzle --all --steps")
    assert len(printed) == 4 + 3 * 3
    assert printed[-1] == "assembly 4: level 1, 3 moves, as assembly 2"
    _, brief, _ = run(capsys, monkeypatch, "four.puzzle --all")
    assert brief[-1] == "assembly 4: level 1, 3 moves"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "remarks"),
    [("long.puzzle", [True, True]), ("solid.puzzle", [False, True]), ("long.puzzle --best 101", [False, False])],
)
def test_a_long_list_ends_with_remarks_on_flat_puzzles_and_best(
    line: str, remarks: list[bool], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "long.puzzle").write_text("locations box 11x2\npiece A x11 { xx }\n")
    (folder / "solid.puzzle").write_text("lattice cubic\nlocations box 5x2x2\npiece A x10 { xx }\n")
    status, _, said = run(capsys, monkeypatch, f"{line} --raw")
    assert status == 0
    assert ["this puzzle is flat" in said, "`--best 10`" in said] == remarks
