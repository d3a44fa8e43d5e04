"""``puzzlec convert`` to a diagram and ``puzzlec solutions``, called as a user does."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

import puzzlec
from puzzlec.cli.app import main
from puzzlec.cli.output import new_file
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.limits import read_memory
from tests.cli.test_commands import IMPOSSIBLE, UNSOLVABLE
from tests.commands import ENVIRONMENT, run

GARDEN = (
    'puzzle "Garden"\nlocations box 3x2\noptional locations {x} at (3,0)\npiece I x0..2 { xx }\npiece L { xx/x. }\n'
)


class Answer(NamedTuple):
    """The output of a command."""

    returncode: int
    stdout: str
    stderr: str


Ask: TypeAlias = Callable[..., Answer]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    """Call a command in this process, where the kernels are loaded."""

    def call(*arguments: str, stdin: str = "", cwd: Path | None = None) -> Answer:
        monkeypatch.setattr(sys, "argv", ["puzzlec", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        if cwd is not None:
            monkeypatch.chdir(cwd)
        capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capfd.readouterr()
        return Answer(int(end.value.code or 0), shown.out, shown.err)

    return call


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    path = tmp_path / "garden.puzzle"
    path.write_text(GARDEN, encoding="utf-8")
    return path


def test_a_set_is_saved_once_and_read_several_times(tmp_path: Path) -> None:
    done = run("convert", "soma", "soma.zdd", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("11,520 raw solutions, ")
    assert " nodes of the diagram in " in done.stderr
    asked = run("solutions", "soma", "--solutions", "soma.zdd", cwd=tmp_path)
    assert (asked.returncode, asked.stdout) == (0, "11520\n")
    expected = sum(solution.names_on[0] == "V" for solution in puzzlec.solve("soma", symmetry="none"))
    left = run("solutions", "soma", "--solutions", "soma.zdd", "--where", "V on 0,0,0", cwd=tmp_path)
    assert left.stdout == f"{expected}\n"
    assert left.stderr.splitlines()[1].startswith(f"{expected:,} of 11,520 raw solutions in ")


def test_the_first_ones_and_random_ones_are_printed_as_solve_prints_them(garden: Path, ask: Ask) -> None:
    listed = {solution.orientations for solution in puzzlec.solve(str(garden), symmetry="none")}
    first = ask("solutions", str(garden), "--limit", "100", "--to", "jsonl").stdout.splitlines()
    assert [json.loads(line)["solution"] for line in first] == list(range(1, len(listed) + 1))
    printed = ask("solutions", str(garden), "--limit", "100", "--to", "orientations").stdout.split("\n")[:-1]
    assert {
        tuple(tuple(map(int, orientation.split(","))) if orientation != "-" else () for orientation in line.split())
        for line in printed
    } == listed
    sample = ("solutions", str(garden), "--sample", "4", "--to", "locations", "--seed")
    assert ask(*sample, "1").stdout == ask(*sample, "1").stdout != ask(*sample, "3").stdout
    drawn = ask("solutions", str(garden), "--limit", "2", "--ascii").stdout
    solved = ask("solve", str(garden), "--raw", "--all", "--ascii").stdout
    assert drawn.count("\n\n") == 1
    assert all(picture.strip() in solved for picture in drawn.split("\n\n"))


def test_conditions_select_solutions(garden: Path, ask: Ask) -> None:
    solutions = list(puzzlec.solve(str(garden), symmetry="none"))

    def on(place: int, name: str | None) -> int:
        return sum(solution.names_on[place] == name for solution in solutions)

    def left(*conditions: str) -> int:
        options = [word for condition in conditions for word in ("--where", condition)]
        return int(ask("solutions", str(garden), *options).stdout)

    assert 0 < left("L on 0,0") == on(0, "L") < len(solutions)
    assert left("not L on 0,0") == len(solutions) - on(0, "L")
    assert left("L on 0,0", "I on 2,0") == sum(
        solution.names_on[0] == "L" and solution.names_on[2] == "I" for solution in solutions
    )
    assert left("3,0 empty") == left("box 1x1 at (3,0) empty") == on(3 * 2, None)
    assert left("3,0 covered") == len(solutions) - on(6, None)
    assert left("L inside box 2x2") == sum(
        set(one.locations) <= {0, 1, 3, 4} for solution in solutions for one in solution.placements if one.number == 1
    )
    assert left("I used") == sum("I" in solution.names_on for solution in solutions)
    assert left("not I used") == len(solutions) - left("I used")


def test_frequencies_are_drawn_on_the_board_or_printed_exactly(garden: Path, ask: Ask) -> None:
    every = puzzlec.every_solution(str(garden))
    lines = ask("solutions", str(garden), "--frequency", "--to", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"piece": name, "of": every.count, "locations": list(covers), "placements": list(often)}
        for name, covers, often in zip("IL", every.coverage, every.occurrences, strict=True)
    ] + [{"empty": True, "of": every.count, "locations": list(every.empty)}]
    table = ask("solutions", "-", "--frequency", stdin="locations box 4x1\npiece D { xx }\npiece m x2 { x }").stdout
    assert table == "D\n  33 67 67 33\n\nm\n  67 33 33 67\n"
    named = ask("solutions", "new/cutting", "--frequency", "--where", "plank70 on 30cm").stdout
    assert named.startswith("plank60\n  25cm 50   35cm 50   60cm 50\n\nplank70\n  30cm 100   40cm 100\n")
    solid = ask("solutions", "soma", "--frequency").stdout
    assert solid.split("\n\n")[0].splitlines()[0] == "V"
    assert len(solid.split("\n\n")) == 7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--limit", "2", "--frequency"), "not available with --frequency"),
        (("--to", "drawing"), ", found `drawing`"),
        (("--memory", "much"), "not a size such as 512M"),
    ],
)
def test_an_impossible_request_is_refused_with_the_possible_ones(options: tuple[str, ...], said: str, ask: Ask) -> None:
    done = ask("solutions", "soma", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.replace("│", " ").split())


def test_a_file_that_is_missing_damaged_or_of_another_puzzle_is_refused(garden: Path, ask: Ask) -> None:
    folder = garden.parent
    assert ask("convert", "garden.puzzle", "garden.zdd", cwd=folder).returncode == 0
    other = ask("solutions", "soma", "--solutions", "garden.zdd", cwd=folder)
    assert (other.returncode, other.stdout) == (2, "")
    assert "solutions of another puzzle" in " ".join(other.stderr.split())
    wrong = ask("solutions", "soma", "--solutions", "garden.puzzle", cwd=folder)
    assert wrong.returncode == 2
    assert "not a set of solutions" in wrong.stderr
    missing = ask("solutions", "soma", "--solutions", "none.zdd", cwd=folder)
    assert missing.returncode == 1
    assert "error[PZ001]: cannot read `none.zdd`" in missing.stderr


def test_a_file_is_overwritten_only_with_force(garden: Path, ask: Ask) -> None:
    folder = garden.parent
    kept = folder / "kept.zdd"
    kept.write_text("mine")
    done = ask("convert", "garden.puzzle", "kept.zdd", cwd=folder)
    assert done.returncode == 1
    assert "error[PZ005]: the file `kept.zdd` already exists" in done.stderr
    assert kept.read_text() == "mine"
    limited = ask("convert", "pentominoes/6x10", "kept.zdd", "--force", "--memory", "64K", cwd=folder)
    assert limited.returncode == 4
    assert kept.read_text() == "mine"
    assert ask("convert", "garden.puzzle", "kept.zdd", "--force", cwd=folder).returncode == 0
    assert ask("solutions", "garden.puzzle", "--solutions", "kept.zdd", cwd=folder).returncode == 0
    assert ask("convert", "garden.puzzle", "no/such/folder.zdd", cwd=folder).returncode == 1
    assert ask("convert", "garden.puzzle", ".", "--to", "zdd", cwd=folder).returncode == 1
    assert sorted(file.name for file in folder.iterdir()) == ["garden.puzzle", "kept.zdd"]


def test_an_error_during_writing_leaves_no_file(tmp_path: Path) -> None:
    target = tmp_path / "new.zdd"
    with pytest.raises(UnicodeEncodeError), new_file(str(target)) as path:
        path.write_text("half \N{BLACK STAR}", encoding="ascii")
    with pytest.raises(PuzzleError, match="cannot write"), new_file(str(target)):
        pass  # no file was written
    assert not list(tmp_path.iterdir())
    with pytest.raises(PuzzleError, match="not a regular file"), new_file(os.devnull, force=True):
        pass
    with new_file(str(target)) as path:
        path.write_text("whole")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["whole"]


def test_text_levels_are_those_of_explain(garden: Path, tmp_path: Path, ask: Ask) -> None:
    for level in ("puzzle", "fitting", "cover"):
        emitted = ask("explain", str(garden), "--stage", level).stdout
        assert ask("convert", str(garden), "--stage", level).stdout == emitted
    assert ask("convert", str(garden), "out.fitting", "--stage", "fitting", cwd=tmp_path).stdout == ""
    assert (tmp_path / "out.fitting").read_text() == ask("explain", str(garden), "--stage", "fitting").stdout
    again = ask("convert", str(garden), "-o", "out.fitting", "--stage", "fitting", cwd=tmp_path)
    assert again.returncode == 1
    assert "already exists" in again.stderr
    both = ask("convert", str(garden), "one.dlx", "-o", "two.dlx")
    assert (both.returncode, "invalid value for OUT: not available with -o: name one file" in both.stderr) == (2, True)
    assert ask("convert", str(garden), "--stage", "ast").returncode == 2
    assert ask("convert", str(garden), "--stage", "cover", "--memory", "1G").returncode == 2
    assert ask("convert", str(garden), "x.zdd", "--stage", "cover").returncode == 2
    assert "it needs -o or OUT" in ask("convert", str(garden), "--to", "zdd").stderr


def test_a_very_large_sample_is_printed_as_it_is_drawn(garden: Path, ask: Ask) -> None:
    words = ["solutions", str(garden), "--to", "list", "--sample"]
    few = ask(*words, "5").stdout.splitlines(keepends=True)
    command = [sys.executable, "-m", "puzzlec", *words, "9" * 20]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as drawing:
        assert drawing.stdout is not None
        assert [drawing.stdout.readline() for _ in few] == few
        drawing.stdout.close()
    assert drawing.returncode == 0


def test_no_solution_and_limits_have_separate_statuses(tmp_path: Path, ask: Ask) -> None:
    none = ask("solutions", "-", stdin=UNSOLVABLE)
    assert (none.returncode, none.stdout) == (3, "0\n")
    assert ask("solutions", "-", "--sample", "2", stdin=UNSOLVABLE).returncode == 3
    reason = ask("solutions", "-", stdin=IMPOSSIBLE)
    assert (reason.returncode, reason.stdout) == (3, "")
    assert "error[PZ401]" in reason.stderr
    none = ask("solutions", "soma", "--where", "not V used")
    assert (none.returncode, none.stdout) == (3, "0\n")
    for limit in (("--memory", "1M"), ("--time-limit", "0.2")):
        stopped = ask("solutions", "pentominoes/6x10", *limit)
        assert (stopped.returncode, stopped.stdout) == (4, "")
        assert stopped.stderr.startswith("stopped after ")
    empty = ask("convert", "-", "none.zdd", stdin=UNSOLVABLE, cwd=tmp_path)
    assert empty.returncode == 0
    assert empty.stderr.startswith("0 raw solutions, ")


def test_ctrl_c_ends_the_making_of_a_diagram_and_leaves_no_file(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "puzzlec", "convert", "solid-pentominoes/3x4x5", "all.zdd", "--verbose"],
        cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert any("encoded in" in line for line in process.stderr)  # the search comes next
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), said  # a shell reports both as 130
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "size"), [("4096", 4096), ("512M", 1 << 29), ("2g", 2 << 30), ("1.5 GiB", 3 << 29), ("64KB", 1 << 16)]
)
def test_a_size_of_memory_is_a_number_with_a_unit(text: str, size: int) -> None:
    assert read_memory(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1G", "1Q", "0", "1e9", "nan", "0.1"])
def test_an_invalid_size_of_memory_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a size"):
        read_memory(text)
