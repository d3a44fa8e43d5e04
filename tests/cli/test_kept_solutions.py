"""``puzzlec solutions`` of a checkpoint and with conditions, as a user calls it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.test_solution_sets import Ask, ask  # noqa: F401  # a fixture
from tests.jobs.kept import GARDEN, searched

#: `ask` is a fixture and an argument.
# ruff: noqa: F811


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A file, and checkpoints of its raw solutions, its distinct solutions, and their number."""
    path = tmp_path / "garden.puzzle"
    path.write_text(GARDEN, encoding="utf-8")
    searched(tmp_path / "raw", GARDEN, "none")
    searched(tmp_path / "distinct", GARDEN)
    searched(tmp_path / "count", GARDEN, task="count")
    return path


def test_kept_solutions_are_counted_and_written(garden: Path, ask: Ask) -> None:
    found = ask("solutions", "raw", cwd=garden.parent)
    assert (found.returncode, found.stdout) == (0, "142\n")
    assert found.stderr.startswith("142 raw solutions in ")
    assert ask("solutions", "distinct").stdout == "71\n"
    every = ask("solutions", "distinct", "--raw")
    assert every.stdout == "142\n"
    assert every.stderr.startswith("142 raw solutions, of 71 distinct solutions in ")
    assert ask("solutions", "raw", "--symmetry", "all").stdout == "71\n"
    solved = ask("solve", "garden.puzzle", "--all", "--raw", "--to", "jsonl").stdout
    assert ask("solutions", "raw", "--to", "jsonl").stdout == solved
    drawn = ask("solve", "garden.puzzle", "--raw", "--limit", "2").stdout
    assert ask("solutions", "raw", "--limit", "2").stdout == drawn
    assert ask("solutions", "raw", "-o", "all.jsonl.gz").returncode == 0
    assert gzip.decompress((garden.parent / "all.jsonl.gz").read_bytes()).decode() == solved
    there = ask("solutions", "raw", "-o", "all.jsonl.gz", "--limit", "1")
    assert there.returncode == 1
    assert "the file `all.jsonl.gz` already exists" in there.stderr
    assert ask("solutions", "raw", "-o", "all.jsonl.gz", "--limit", "1", "--force").returncode == 0
    assert gzip.decompress((garden.parent / "all.jsonl.gz").read_bytes()).decode() == solved[: solved.index("\n") + 1]


def test_checkpoints_and_the_diagram_give_the_same_answers_to_conditions(garden: Path, ask: Ask) -> None:
    for condition in ("L on corner and not I on 0,3", "I inside box 3x3 or not 1,3 covered", "0,3 2,3 not empty"):
        kept = ask("solutions", "raw", "--where", condition, cwd=garden.parent)
        asked = ask("solutions", "garden.puzzle", "--where", condition)
        assert kept.stdout == asked.stdout == ask("solutions", "distinct", "--raw", "--where", condition).stdout
        assert 0 < int(kept.stdout) < 142
        assert kept.stderr.splitlines()[0] == asked.stderr.splitlines()[0]
        assert kept.stderr.startswith("where ")
        assert f"{kept.stdout.strip()} of 142 raw solutions in " in kept.stderr
        both = ask("solutions", "raw", "--symmetry", "all", "--where", condition)
        assert both.stdout == ask("solutions", "distinct", "--where", condition).stdout
    both = ask("solutions", "garden.puzzle", "--where", "L on 0,0", "--where", "1,3 empty", "--where", "I used")
    assert both.stdout == ask("solutions", "raw", "--where", "L on 0,0 and 1,3 empty and I used").stdout
    none = ask("solutions", "raw", "--where", "L used and not L used")
    assert (none.returncode, none.stdout) == (3, "0\n")


def test_samples_of_a_checkpoint_are_random_and_the_same_for_a_seed(garden: Path, ask: Ask) -> None:
    one, same, other = (
        ask("solutions", "raw", "--sample", "3", "--seed", seed, "--to", "jsonl", cwd=garden.parent)
        for seed in ("1", "1", "2")
    )
    assert one.stdout == same.stdout != other.stdout
    told = [json.loads(line) for line in one.stdout.splitlines()]
    assert [solution.pop("solution") for solution in told] == [1, 2, 3]
    known = [json.loads(line) for line in ask("solutions", "raw", "--to", "jsonl").stdout.splitlines()]
    for solution in known:
        del solution["solution"]
    assert all(solution in known for solution in told)
    assert told[0] != told[1] != told[2]


def test_remarks_name_the_shown_solutions_and_how_many_fulfil_a_condition(garden: Path, ask: Ask) -> None:
    every = ask("solutions", "raw", "--where", "I on corner", cwd=garden.parent).stdout.strip()
    for what in ("raw", "garden.puzzle"):
        drawn = ask("solutions", what, "--where", "I on corner", "--limit", "1").stderr.splitlines()[-1]
        assert drawn.startswith(f"{every} of 142 raw solutions in ")
        assert drawn.endswith(" s, the first 1 of them printed")
        written = ask("solutions", what, "-o", "x.jsonl", "--sample", "5000", "--force").stderr
        assert written.startswith("142 raw solutions in ")
        assert written.endswith(" s, all of them written\n")
        assert ask("solutions", what, "--sample", "3", "--to", "list").stderr.endswith(" s, 3 of them printed\n")
    turned = ask("solutions", "distinct", "--where", "not I on corner")
    assert "as kept, rotated or reflected; `--raw` tests each image separately" in turned.stderr
    assert "as kept" not in ask("solutions", "distinct", "--raw", "--where", "not I on corner").stderr


def test_a_checkpoint_in_place_of_a_puzzle_is_recognised(garden: Path, ask: Ask) -> None:
    for name in ("raw", "raw/job.sqlite3"):
        found = ask("explain", name, cwd=garden.parent)
        assert found.returncode == 1
        assert "use a command for checkpoints: `puzzlec job resume raw`" in " ".join(found.stderr.split())
    assert "checkpoint" not in ask("explain", ".").stderr


def test_questions_that_a_checkpoint_cannot_answer_are_refused(garden: Path, ask: Ask) -> None:
    counted = ask("solutions", "count", cwd=garden.parent)
    assert (counted.returncode, counted.stdout) == (1, "")
    assert "error[PZ631]: `count` contains no solutions: they were only counted" in counted.stderr
    (garden.parent / "empty").mkdir()
    assert "PZ620" in ask("solutions", "empty").stderr
    for arguments, fault in {
        ("raw", "--frequency"): "it needs a puzzle",
        ("raw", "-o", "x.parquet", "--to", "jsonl"): "the name says parquet, and --to jsonl",
        ("raw", "-o", "x.jsonl.gz", "--to", "list"): "the name says jsonl, and --to list",
        ("raw", "-o", "-"): "leave `-o` out to print them",
        ("raw", "--seed", "3"): "it needs --sample",
        ("raw", "--time-limit", "1"): "it needs no limit",
        ("raw", "--board", "x"): "contains the puzzle",
        ("raw", "--to", "svg"): "svg",
        ("raw", "--to", "parquet"): "it needs -o",
        ("raw", "-o", "x.txt"): "give `--to`",
        ("raw", "-o", "x.jsonl", "--frequency"): "not available with --frequency",
        ("raw", "-o", "x.parquet.gz"): "compresses its data itself",
        ("garden.puzzle", "--symmetry", "all"): "distinct solutions need a checkpoint",
    }.items():
        found = ask("solutions", *arguments)
        assert found.returncode == 2, arguments
        assert fault in " ".join(found.stderr.split()).replace("│ ", ""), found.stderr
    wrong = ask("solutions", "garden.puzzle", "--where", "K on corner")
    assert wrong.returncode == 1
    assert "error[PZ630]: unknown piece `K`" in wrong.stderr
    assert sorted(path.name for path in garden.parent.glob("*.*")) == ["garden.puzzle"]


@pytest.mark.long
def test_all_solutions_of_a_puzzle_are_written_to_a_file(garden: Path, ask: Ask) -> None:
    assert ask("solutions", "garden.puzzle", "-o", "all.jsonl", cwd=garden.parent).stdout == ""
    lines = (garden.parent / "all.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 142
    printed = ask("solutions", "garden.puzzle", "--to", "jsonl").stdout
    assert printed.splitlines() == lines
    pytest.importorskip("pyarrow")
    assert ask("solutions", "garden.puzzle", "-o", "some.parquet", "--where", "I on corner").returncode == 0
    assert (garden.parent / "some.parquet").read_bytes()[:4] == b"PAR1"
