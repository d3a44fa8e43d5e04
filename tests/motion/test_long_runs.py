"""Threads, checkpoints, shards and progress of runs that take many assemblies apart."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from puzzlec import Puzzle, Solution, parse, solve
from puzzlec.disassembling import ASSEMBLIES_IN_BATCH, Manner, disassemble, taken_apart
from puzzlec.geometry import find_lattice
from puzzlec.jobs.disassemblies import DISASSEMBLIES_FILE, KeptDisassemblies
from puzzlec.jobs.disassemblies_on_cluster import Batch, BatchDisassembler
from puzzlec.motion.bodies import Bodies, movable
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.search import Bounds
from puzzlec.motion.turning import Turning
from tests.commands import command, run
from tests.motion.test_disassembly import BURRS, burr

#: Nine assemblies; one comes apart.
STICKS = BURRS[0][0]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The file of a burr with nine assemblies."""
    (tmp_path / "burr.puzzle").write_text(burr(STICKS), encoding="utf-8")
    return str(tmp_path / "burr.puzzle")


@pytest.mark.parametrize("least_sum", [False, True])
def test_threads_change_neither_results_nor_their_order(least_sum: bool) -> None:
    puzzle = parse(burr(STICKS))
    one, three = (
        [(result.number, result.disassembly) for result in disassemble(puzzle, threads=threads, least_sum=least_sum)]
        for threads in (1, 3)
    )
    assert one == three
    assert [number for number, _ in one] == list(range(1, 10))


def test_threads_take_more_assemblies_than_they_may_be_ahead() -> None:
    puzzle = parse("locations box 6x4\npiece D x12 { xx }")
    solutions = list(solve(puzzle))
    assert len(solutions) > 8 * ASSEMBLIES_IN_BATCH
    levels = [result.disassembly.level for result in disassemble(solutions, threads=2)]
    assert levels == [result.disassembly.level for result in disassemble(solutions)]


def test_a_run_that_is_left_ends_its_searches() -> None:
    puzzle = parse(burr(STICKS))
    assert isinstance(puzzle, Puzzle)
    solutions = list(solve(puzzle))
    bounds = Bounds()

    def endless() -> Iterator[Solution]:
        while True:
            yield from solutions

    found = taken_apart(puzzle, endless(), [], bounds, Manner(2))
    assert next(found).number == 1
    assert isinstance(found, Generator)
    found.close()
    assert bounds.deadline == 0


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count in a list how many assemblies are searched."""
    number, original = [0], Disassembler.take_apart

    def counting(self: Disassembler, *given: object) -> object:
        number[0] += 1
        return original(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Disassembler, "take_apart", counting)
    return number


def test_an_interrupted_run_continues_and_shards_merge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: str, tmp_path: Path
) -> None:
    plain = command(capsys, monkeypatch, "disassemble", path, "--all", "--steps")
    number = counted(monkeypatch)
    kept = str(tmp_path / "kept")
    for shard, expected in (("1/2", 5), ("2/2", 4), ("2/2", 0)):
        number[0] = 0
        command(capsys, monkeypatch, "disassemble", path, "--checkpoint", kept, "--shard", shard)
        assert number[0] == expected
    number[0] = 0
    assert command(capsys, monkeypatch, "disassemble", path, "--all", "--steps", "--checkpoint", kept) == plain
    assert number[0] == 0


#: A bar in a room: six raw assemblies, of which three come apart only by a turn, two of these with level 3.
ROOM = """
lattice square
optional locations box 3x3 at (1,1)
wall { xxxxx / x...x / x.... / x...x / xxxxx } at (0,0)
piece A { xxx }
turns
"""


@pytest.fixture
def room(tmp_path: Path) -> str:
    (tmp_path / "room.puzzle").write_text(ROOM, encoding="utf-8")
    return str(tmp_path / "room.puzzle")


def test_a_run_with_turns_continues_and_its_shards_merge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: str, tmp_path: Path
) -> None:
    wanted = ("disassemble", room, "--raw", "--all", "--steps")
    plain = command(capsys, monkeypatch, *wanted)
    assert plain[1].count("a quarter turn about") == 3
    assert "all 6 assemblies come apart, best level 3" in plain[2]
    number = counted(monkeypatch)
    kept = ("--checkpoint", str(tmp_path / "kept"))
    for shard, expected in (("1/2", 3), ("2/2", 3), ("2/2", 0)):
        number[0] = 0
        command(capsys, monkeypatch, *wanted[:3], *kept, "--shard", shard)
        assert number[0] == expected
    number[0] = 0
    assert command(capsys, monkeypatch, *wanted, *kept) == plain
    assert command(capsys, monkeypatch, *wanted, *kept, "--threads", "2") == plain
    assert number[0] == 0
    for other in (("--no-turns",), ("--clearance", "0.1"), ("--fewest-turns",)):
        status, _, err = command(capsys, monkeypatch, *wanted, *kept, *other)
        assert (status, "`turning` differ" in err) == (1, True), err


def test_a_run_with_turns_that_is_killed_keeps_its_plans(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: str, tmp_path: Path
) -> None:
    puzzle = parse(ROOM)
    assert isinstance(puzzle, Puzzle)
    with KeptDisassemblies(tmp_path / "kept", {"together": [], "least_sum": False}, None, Turning()) as kept:
        taken = taken_apart(puzzle, list(solve(puzzle, symmetry="none")), [], Bounds(), kept=kept)
        first = [next(taken).disassembly for _ in range(4)]
        copy = shutil.copytree(tmp_path / "kept", tmp_path / "copy")  # what a kill leaves: a journal
    (copy / "all" / "lock.sqlite3").unlink()
    assert any(found.turns for found in first)
    with KeptDisassemblies(copy, {"together": [], "least_sum": False}, None, Turning()) as kept:
        assert [kept.find(found.lattice, found.bodies) for found in first] == first
    plain = command(capsys, monkeypatch, "disassemble", room, "--raw", "--json")
    number = counted(monkeypatch)
    assert command(capsys, monkeypatch, "disassemble", room, "--raw", "--json", "--checkpoint", str(copy)) == plain
    assert number[0] == 2


def test_the_status_of_kept_results_counts_assemblies(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: str, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    command(capsys, monkeypatch, "disassemble", room, "--raw", "--checkpoint", "kept", "--shard", "1/3")
    command(capsys, monkeypatch, "disassemble", room, "--raw", "--checkpoint", "kept", "--shard", "2/3")
    status, printed, _ = command(capsys, monkeypatch, "job", "status", "kept")
    lines = dict(line.split(maxsplit=1) for line in printed.splitlines())
    assert status == 0
    assert lines["search"] == "assemblies are taken apart by slides and turns"
    assert lines["shards"] == "shard-1-of-3: 2, shard-2-of-3: 2"
    assert lines["assemblies"] == "4 done, 4 come apart, best level 3"
    assert lines["worker"] == "none"
    with KeptDisassemblies(tmp_path / "kept", {"together": [], "least_sum": False}, (3, 3), Turning()):
        _, printed, _ = command(capsys, monkeypatch, "job", "status", "kept")
        assert "(shard-3-of-3)" in printed
    for line in (("resume", "kept"), ("merge", "kept", "--into", "merged")):
        status, _, err = command(capsys, monkeypatch, "job", *line)
        assert (status, "give the same `puzzlec disassemble` command again" in err) == (1, True), err


def test_a_changed_row_is_damage_and_an_earlier_format_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: str, tmp_path: Path
) -> None:
    arguments = ("disassemble", path, "--checkpoint", str(tmp_path / "kept"))
    command(capsys, monkeypatch, *arguments)
    with closing(sqlite3.connect(tmp_path / "kept" / "all" / DISASSEMBLIES_FILE)) as connection, connection:
        rows = "UPDATE disassemblies SET data = CAST(replace(data, '[', '{') AS BLOB) WHERE key != x''"
        assert connection.execute(rows).rowcount == 9
    status, _, err = command(capsys, monkeypatch, *arguments)
    assert (status, "PZ622" in err, "wrong digest" in err) == (1, True, True), err
    status, _, err = command(capsys, monkeypatch, "job", "status", str(tmp_path / "kept"))
    assert (status, "PZ622" in err, "wrong digest" in err) == (1, True, True), err
    (tmp_path / "kept" / "all" / "disassemblies.jsonl").write_text("{}\n", encoding="utf-8")
    status, _, err = command(capsys, monkeypatch, *arguments)
    assert (status, "PZ623" in err, "give another folder" in err) == (1, True, True), err


def test_a_run_that_is_killed_keeps_its_results(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: str, tmp_path: Path
) -> None:
    puzzle = parse(burr(STICKS))
    assert isinstance(puzzle, Puzzle)
    with KeptDisassemblies(tmp_path / "kept", {"together": [], "least_sum": False}) as kept:
        taken = taken_apart(puzzle, list(solve(puzzle)), [], Bounds(), kept=kept)
        assert [next(taken).number for _ in range(4)] == [1, 2, 3, 4]
        copy = shutil.copytree(tmp_path / "kept", tmp_path / "copy")  # what a kill leaves: a journal
    (copy / "all" / "lock.sqlite3").unlink()
    number = counted(monkeypatch)
    command(capsys, monkeypatch, "disassemble", path, "--checkpoint", str(copy))
    assert number[0] == 5


def test_a_result_fits_no_other_assembly(tmp_path: Path) -> None:
    one = next(disassemble(parse("locations box 2x1\npiece A { x }\npiece B { x }"))).disassembly
    other = next(disassemble(parse("locations box 3x1\npiece A { x }\npiece B { xx }"))).disassembly
    with KeptDisassemblies(tmp_path, {}) as kept:
        kept.keep(one)
    with KeptDisassemblies(tmp_path, {}) as kept:
        assert kept.find(one.lattice, one.bodies) == one
        assert kept.find(other.lattice, other.bodies) is None


def test_a_limit_keeps_no_result(tmp_path: Path) -> None:
    puzzle = parse(burr(STICKS))
    assert isinstance(puzzle, Puzzle)
    solutions = list(solve(puzzle))
    for deadline, number in ((0.0, 0), (None, 9)):
        with KeptDisassemblies(tmp_path, {}) as kept:
            found = list(taken_apart(puzzle, solutions, [], Bounds(deadline), kept=kept))
        assert [bool(result.disassembly.stopped) for result in found] == [not number] * 9
        with KeptDisassemblies(tmp_path, {}) as kept:
            assert len(kept) == number


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--shard", "1/2"], 2, "invalid value for --shard: it needs --checkpoint"),
        (["--shard", "3/2", "--checkpoint", "kept"], 1, "PZ629"),
        (["--checkpoint", "burr.puzzle"], 1, "PZ005"),
    ],
)
def test_meaningless_options_are_refused(
    words: list[str], status: int, message: str,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: str, tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    found, _, err = command(capsys, monkeypatch, "disassemble", path, *words)
    assert (found, message in err) == (status, True), err


def test_progress_counts_assemblies_and_states(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    _, _, err = command(capsys, monkeypatch, "disassemble", path, "--progress", "json")
    last = json.loads([line for line in err.splitlines() if line.startswith("{")][-1])
    assert (last["assemblies"], last["apart"], last["solutions"]) == (9, 1, 9)
    assert last["states"] >= 1
    assert last["moves"] >= 0


@pytest.mark.long
def test_a_cluster_changes_neither_results_nor_their_order(path: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    alone = run("disassemble", path, "--all", "--json")
    kept = ["--checkpoint", str(tmp_path / "kept"), "--shard", "1/2"]
    assert run("disassemble", path, *kept).returncode in (0, 3)
    there = run("disassemble", path, "--all", "--json", "--cluster", "local", *kept[:2])
    assert (there.returncode, there.stdout) == (alone.returncode, alone.stdout)
    assert len(alone.stdout.splitlines()) == 10


def test_a_time_limit_and_the_end_of_a_run_end_tasks_on_their_worker() -> None:
    lattice = find_lattice("cubic")
    solution = next(iter(solve(parse(burr(STICKS)))))
    bodies = Bodies(movable(solution.fitting)).of(solution)
    workers = [BatchDisassembler(Puzzle("", lattice, (), ()), [], Manner()) for _ in range(2)]

    def stopped(worker: BatchDisassembler, until: float | None) -> str | None:
        (found,) = worker.take(Batch([list(bodies)], until, 1 << 30))
        return found.stopped

    assert stopped(workers[0], time.time() - 1) == "time"
    workers[0].stop()
    assert stopped(workers[0], None) == "time"
    assert stopped(workers[1], time.time() + 100) is None
