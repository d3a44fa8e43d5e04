"""Options and items without names: every output and Python count them from 0, as the rows of a matrix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlec
from puzzlec.engine import ExactCover, solve
from tests.commands import run

#: The example of Knuth's "Dancing Links": rows 3, 0 and 4 are the only cover.
MATRIX = ["0010110", "1001001", "0110010", "1001000", "0100001", "0001101"]

COVER = {"0", "3", "4"}

#: The same cover in each format that can leave out the names of options.
TEXTS = {
    "rows": "\n".join(MATRIX) + "\n",
    "numeric": "".join(",".join(str(at) for at, sign in enumerate(row) if sign == "1") + "\n" for row in MATRIX),
    "dlx": "0 1 2 3 4 5 6\n"
    + "".join(" ".join(str(at) for at, sign in enumerate(row) if sign == "1") + "\n" for row in MATRIX),
    "json": json.dumps(
        {
            "puzzlec": 1,
            "stage": "cover",
            "items": 7,
            "options": [[at for at, sign in enumerate(row) if sign == "1"] for row in MATRIX],
        }
    ),
}


@pytest.fixture(params=TEXTS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the name of a file with the matrix."""
    path = tmp_path / f"matrix.{request.param}"
    path.write_text(TEXTS[request.param], encoding="utf-8")
    return str(path)


def output(*arguments: str, given: str = "") -> str:
    """Return the standard output of a command."""
    return run(*arguments, stdin=given).stdout


def test_python_numbers_options_and_items_from_0(file: str) -> None:
    cover = puzzlec.load(file)
    assert isinstance(cover, ExactCover)
    (found,) = solve(cover)
    assert {str(option) for option in found} == COVER
    assert set(cover.names(range(len(cover)))) == set("012345")
    assert [cover.item_name(item) for item in cover.row(0)] == ["2", "4", "5"]


@pytest.mark.parametrize("to", [(), ("--to", "list")])
def test_printed_solutions_number_options_from_0(file: str, to: tuple[str, ...]) -> None:
    lines = output("solve", file, "--all", *to).splitlines()
    assert {line.partition(":")[0] for line in lines if ":" in line} == COVER
    assert "0: 2 4 5" in lines


def test_lines_of_json_number_options_from_0(file: str) -> None:
    (line,) = output("solve", file, "--all", "--to", "jsonl").splitlines()
    assert {placement["piece"] for placement in json.loads(line)["placements"]} == COVER


def test_solutions_by_location_number_options_from_0(file: str) -> None:
    assert output("solve", file, "--all", "--to", "locations").split() == list("3403004")


def test_lifted_answers_number_options_from_0(file: str) -> None:
    lifted = output("check", file, "-", "--solutions-from", "options", "--to", "list", given="3 0 4\n")
    assert lifted.splitlines()[:3] == ["0: 2 4 5", "3: 0 3", "4: 1 6"]


def test_explain_and_show_number_options_from_0(file: str) -> None:
    assert "  0: 2 4 5\n" in output("explain", file)
    assert "  3: 0 3: nothing else covers item `3`\n" in output("explain", file)
    forced = json.loads(output("explain", file, "--json").splitlines()[-1])["forced"]
    assert {option["option"] for option in forced["chosen"]} == COVER
    assert {option["option"] for option in forced["impossible"]} == {"1", "2", "5"}


def test_pieces_made_of_options_number_them_from_0(file: str) -> None:
    assert "piece 0 x0..1\n" in output("explain", file, "--stage", "fitting")
    assert "piece 5 x0..1" in output("convert", file, "--to", "puzzle")
