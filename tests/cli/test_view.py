"""The command ``view`` as a user calls it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import SMALL
from tests.commands import run


def data_of(text: str) -> dict[str, Any]:
    """The data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_a_page_is_written_and_nothing_is_printed(tmp_path: Path) -> None:
    done = run("view", "soma", "-o", "page.html", "--limit", "4", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    data = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert (data["title"], data["solutions"]["number"]) == ("Soma cube", 4)
    assert data["remark"] == "the first 4; there are more"


def test_all_solutions_are_on_the_page_if_there_are_not_many() -> None:
    done = run("view", "-", "-o", "-", stdin=SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("</html>\n")
    data = data_of(done.stdout)
    assert (data["solutions"]["number"], data["total"], data["remark"]) == (1, 1, "")


def test_with_a_limit_of_none_the_board_is_shown() -> None:
    data = data_of(run("view", "-", "-o", "-", "--limit", "0", stdin=SMALL).stdout)
    assert (data["solutions"]["number"], len(data["points"])) == (0, 8)


def test_solutions_of_a_file_are_shown(tmp_path: Path) -> None:
    (tmp_path / "two.puzzle").write_text(SMALL, encoding="utf-8")
    (tmp_path / "found.txt").write_text("0,2\n", encoding="utf-8")
    done = run("view", "two.puzzle", "-o", "-", "--solutions", "found.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert data_of(done.stdout)["covered"] == [0, 1, 2, 3]


def test_a_puzzle_without_a_solution_is_shown_and_that_is_printed() -> None:
    done = run(
        "view", "-", "-o", "-", stdin='puzzle "Squares"\nlocations box 3x3\npiece O x2 { xx/xx }\npiece M { x }\n'
    )
    assert (done.returncode, done.stderr) == (0, "no solution\n")
    assert data_of(done.stdout)["remark"] == "no solution"


def test_an_existing_file_is_kept_unless_force_is_given(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_text("mine", encoding="utf-8")
    done = run("view", "-", "-o", "page.html", stdin=SMALL, cwd=tmp_path)
    assert done.returncode == 1
    assert "PZ005" in done.stderr
    assert target.read_text(encoding="utf-8") == "mine"
    assert run("view", "-", "-o", "page.html", "--force", stdin=SMALL, cwd=tmp_path).returncode == 0
    assert data_of(target.read_text(encoding="utf-8"))["title"] == "Two"


@pytest.mark.parametrize("text", ["puzzle", "locations box 3x3\npiece O { xx/xx"])
def test_an_error_leaves_no_file(tmp_path: Path, text: str) -> None:
    done = run("view", "-", "-o", "page.html", stdin=text, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error[PZ")
    assert list(tmp_path.iterdir()) == []
