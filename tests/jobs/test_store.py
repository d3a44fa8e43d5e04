"""Checkpoints: reading returns exactly the saved data, and only one process writes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.diagnostics import PuzzleError, render
from puzzlec.jobs import beginning, blocks, records
from puzzlec.jobs.locking import read_mark
from puzzlec.jobs.store import Store
from puzzlec.jobs.work_unit import UnitState, WorkUnit
from tests.jobs.checkpoints import code, content, covers, fill, header, key, planned, read, split, time_slice

FLOATS = st.floats(0, 2**63)
SIZES = st.floats(0)
NUMBERS = st.integers(0, 2**80)
PAIRS = st.tuples(st.integers(0, 2**31), st.integers(-1, 2**31)).map(tuple)
PLACES = st.tuples(st.integers(0, 2**31), st.integers(0, 2**31)).map(tuple)
PORTIONS = st.builds(
    WorkUnit,
    key=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4).map(lambda names: key(*names)),
    stage=st.integers(0, 9),
    paths=st.lists(st.lists(PAIRS, max_size=5).map(tuple), max_size=5).map(tuple),
    position=st.lists(PLACES, max_size=5).map(tuple),
    state=st.sampled_from(UnitState), size=SIZES, spread=SIZES, nodes=NUMBERS, number=NUMBERS, raw=NUMBERS,
    kept=NUMBERS, seconds=FLOATS, children=st.integers(0, 99),
)  # fmt: skip

#: A work unit that was split, and its two parts.
SPLIT = [replace(split(planned(3)[2], 2)[0], children=2), *split(planned(3)[2], 2)[2]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "job"


@given(PORTIONS)
def test_a_work_unit_is_the_same_after_storing(unit: WorkUnit) -> None:
    assert records.read_unit(unit.key, int(unit.state), records.unit_bytes(unit)) == unit


def test_the_header_is_the_same_after_storing(folder: Path) -> None:
    for shard in (None, (3, 100)):
        place = folder / str(shard)
        head = replace(header(3, puzzle="ä" * 9999), shard=shard, limit=10**30)
        with Store.create(place, head, planned(3)) as store:
            assert store.header == head
        assert read(place).header == head


def test_every_reader_sees_the_saved_data(folder: Path) -> None:
    with Store.create(folder, header(12), planned(12)) as store:
        assert list(store.units()) == planned(12)
        fill(store)
        there = content(store)
        assert read(folder) == there  # while it is being written
    assert read(folder, write=True) == there == read(folder)
    assert {state: there.totals.states[state] for state in UnitState} == {
        state: sum(unit.state == state for unit in there.units) for state in UnitState
    }
    for name in ("number", "raw", "kept", "nodes", "seconds"):
        assert getattr(there.totals, name) == sum(getattr(unit, name) for unit in there.units)
    assert there.totals.bytes == sum(len(block.data) for block in there.blocks)
    assert there.totals.blocks == len(there.blocks)


def test_work_units_and_blocks_come_in_the_order_of_the_search(folder: Path) -> None:
    with Store.create(folder, header(300), planned(300)) as store:
        first, second, last = (next(unit for unit in store.units() if unit.key == key(at)) for at in (1, 2, 256))
        store.save([time_slice(last, 5), time_slice(second, 2), time_slice(first, 3)])
        store.save([time_slice(time_slice(first, 3)[0], 4)])
        other, _, parts = split(time_slice(time_slice(first, 3)[0], 4)[0], 2)
        store.save([(other, b"", parts), time_slice(parts[1], 6)])
        assert [(block.key, block.number, block.solutions) for block in store.blocks()] == [
            (key(1), 0, 3), (key(1), 1, 4), (key(1, 1), 0, 6), (key(2), 0, 2), (key(256), 0, 5)
        ]  # fmt: skip
        assert [unit.name for unit in store.units()][:5] == ["0", "1", "1.0", "1.1", "2"]
        assert [unit.name for unit in store.units(UnitState.SPLIT)] == ["1"]
        assert len(list(store.units(UnitState.OPEN))) == 301
        assert blocks.unpack(next(store.blocks()).data) == covers(3, 0)


@pytest.mark.parametrize("write", [True, False])
def test_blocks_can_be_read_from_one_place_to_another(folder: Path, write: bool) -> None:
    with Store.create(folder, header(30), planned(30)) as store:
        fill(store)
    with Store.open(folder, write) as store:
        every = list(store.blocks())
        for place, block in enumerate(every):
            assert list(store.blocks(after=(block.key, block.number))) == every[place + 1 :]
            assert list(store.blocks(before=block.key)) == [other for other in every if other.key <= block.key]
        middle = every[len(every) // 2]
        assert list(store.blocks((key(3), 7), middle.key)) == [
            other for other in every if (key(3), 7) < (other.key, other.number) and other.key <= middle.key
        ]


def test_all_work_units_are_read_even_if_they_need_several_reads(folder: Path) -> None:
    with Store.create(folder, header(2500), planned(2500)) as store:
        for number, unit in enumerate(store.units()):
            assert unit.key == key(number)
            if number % 100 == 0:
                store.save([time_slice(unit, 1, done=True)])  # later changes have no effect
        assert number == 2499
        assert len(list(store.units(UnitState.DONE))) == 25
    assert len(read(folder).units) == 2500


def test_a_reader_sees_the_state_at_its_opening(folder: Path) -> None:
    with Store.create(folder, header(3), planned(3)) as store, Store.open(folder, write=False) as reader:
        before = content(reader)
        fill(store)
        assert content(reader) == before
        assert content(store) != before
        assert read(folder) == content(store)


def test_runs_add_up(folder: Path) -> None:
    with Store.create(folder, header(1), planned(1)) as store:
        store.note_run(2.0, "2 threads")
        store.note_run(0.5, "2 threads")
        store.note_run(1.0, "1 thread")
        assert store.elapsed == 3.5
        assert store.runs() == [(2.5, "2 threads"), (1.0, "1 thread")]
    with Store.open(folder) as store:
        store.note_run(4.0, "1 thread")
        assert store.elapsed == 7.5
        assert store.runs() == [(2.5, "2 threads"), (1.0, "1 thread"), (4.0, "1 thread")]


@pytest.mark.parametrize(
    "saved",
    [
        lambda unit: (replace(unit, key=key(99)), b"", []),
        lambda unit: (replace(unit, kept=1), b"", []),
        lambda unit: (unit, blocks.pack([(1, 2)]), []),
        lambda unit: (unit, b"", split(unit, 2)[2]),
        lambda unit: (replace(unit, state=UnitState.SPLIT), b"", []),
        lambda unit: (split(unit, 2)[0], b"", split(unit, 3)[2][1:]),
        lambda unit: (split(unit, 2)[0], b"", [replace(part, kept=1) for part in split(unit, 2)[2]]),
        lambda unit: (unit, b"no block", []),
    ],
)
def test_a_save_with_a_wrong_part_is_refused_as_a_whole(
    folder: Path, saved: Callable[[WorkUnit], tuple[WorkUnit, bytes, list[WorkUnit]]]
) -> None:
    with Store.create(folder, header(3), planned(3)) as store:
        store.save([time_slice(planned(3)[0], 4)])
        before = content(store)
        with pytest.raises(ValueError, match=r"work unit|block|split off"):
            store.save([time_slice(planned(3)[1], 4), saved(planned(3)[2])])
        assert content(store) == before
        store.save([time_slice(planned(3)[1], 4)])
        assert store.totals().kept == 8
    assert read(folder, write=True).totals.kept == 8


@pytest.mark.parametrize(
    "units",
    [
        planned(2), planned(4), planned(4)[1:], planned(3)[::-1], [*planned(2), planned(2)[1]],
        [*planned(2), replace(planned(3)[2], kept=1)], [*planned(2), split(planned(3)[2], 2)[0]],
        [*planned(2), *split(planned(3)[2], 1)[2]], [*planned(2), WorkUnit(b"", 0, ())],
        [*planned(2), WorkUnit(b"abc", 0, ())],
        [*planned(2), SPLIT[0], WorkUnit(key(2, 1), 0, ()), WorkUnit(key(2, 2), 0, ())],
        [*planned(2), *SPLIT, WorkUnit(key(2, 2), 0, ())],
        [*planned(2), SPLIT[0], WorkUnit(key(3, 0), 0, ()), WorkUnit(key(3, 1), 0, ())],
    ],
)  # fmt: skip
def test_an_invalid_plan_makes_no_checkpoint(folder: Path, units: list[WorkUnit]) -> None:
    with pytest.raises(ValueError, match="work unit"):
        Store.create(folder / "deep" / "down", header(3), units)
    assert not folder.exists()


def test_a_shard_has_only_some_work_units(folder: Path) -> None:
    with Store.create(folder, replace(header(9), shard=(1, 3)), planned(9)[::3]) as store:
        assert [unit.name for unit in store.units()] == ["0", "3", "6"]
    assert len(read(folder, write=True).units) == 3


def test_a_job_can_have_no_work_units(folder: Path) -> None:
    Store.create(folder, header(0), []).close()
    assert read(folder, write=True).units == read(folder).units == []


def test_split_work_units_can_start_a_new_checkpoint(folder: Path) -> None:
    with Store.create(folder / "a", header(8), planned(8)) as store:
        fill(store)
    there = read(folder / "a")
    with Store.create(folder / "b", there.header, (replace(unit, kept=0) for unit in there.units)) as store:
        kept = dict.fromkeys((unit.key for unit in there.units), 0)
        known = {unit.key: unit for unit in there.units}
        for block in there.blocks:
            kept[block.key] += block.solutions
            store.save([(replace(known[block.key], kept=kept[block.key]), block.data, [])])
    again = read(folder / "b", write=True)
    assert (again.units, again.blocks) == (there.units, there.blocks)


def test_a_reader_cannot_write(folder: Path) -> None:
    Store.create(folder, header(1), planned(1)).close()
    with Store.open(folder, write=False) as store, pytest.raises(ValueError, match="open for reading"):
        store.save([time_slice(planned(1)[0], 1)])


# Processes that work on a checkpoint


def test_two_processes_cannot_work_on_a_checkpoint(folder: Path) -> None:
    with Store.create(folder, header(1), planned(1)) as store:
        for _ in range(2):
            with pytest.raises(PuzzleError) as error:
                Store.open(folder)
            assert code(error.value) == "PZ621"
            assert "this process already has" in error.value.diagnostics[0].message
        store.save([time_slice(planned(1)[0], 1)])
        store.close()
        Store.open(folder).close()


WORK = """
import os, sys, time
from pathlib import Path
from puzzlec.jobs.store import Store
from tests.jobs.checkpoints import time_slice
with Store.open(Path(sys.argv[1])) as store:
    print("begun", flush=True)
    units = list(store.units())
    for number in range(10**6):
        at = number % len(units)
        saved = time_slice(units[at], 50)
        store.save([saved])
        units[at] = saved[0]
        print(number + 1, flush=True)
"""


def killed(folder: Path, lines: int) -> int:
    """Let another process work on a checkpoint, and kill it after this many saves."""
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", WORK, str(folder)], stdout=subprocess.PIPE, cwd=root, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        with pytest.raises(PuzzleError) as error:
            Store.open(folder)
        assert code(error.value) == "PZ621"
        assert f"process {process.pid} on" in error.value.diagnostics[0].notes[0]
        told = 0
        while told < lines:
            told = int(process.stdout.readline())
        process.kill()
        told = max([told, *map(int, process.stdout.read().splitlines()[:-1])])
    assert process.returncode == (-signal.SIGKILL if os.name == "posix" else 1)
    return told


@pytest.mark.long
def test_a_killed_process_loses_its_lock_but_no_saved_data(folder: Path) -> None:
    Store.create(folder, header(5), planned(5)).close()
    there = 0
    for lines in (1, 7):
        told = killed(folder, lines)
        now = read(folder)
        assert there + told <= now.totals.saved
        there = now.totals.saved
        assert now.totals.kept == 50 * there == sum(block.solutions for block in now.blocks)
    assert read(folder, write=True) == now


@pytest.mark.slow
def test_a_process_is_killed_at_any_moment_again_and_again(folder: Path) -> None:
    Store.create(folder, header(5), planned(5)).close()
    there = 0
    for lines in range(1, 40):
        told = killed(folder, lines)
        now = read(folder, write=True)
        assert there + told <= now.totals.saved
        there = now.totals.saved
        assert now.totals.kept == 50 * there


@pytest.mark.long
def test_an_interrupted_start_of_a_checkpoint_leaves_a_usable_folder(folder: Path) -> None:
    text = (
        "import os, sys; from pathlib import Path; from puzzlec.jobs.store import Store\n"
        "from tests.jobs.checkpoints import header, planned\n"
        "def cut():\n    yield from planned(3000)\n    os.kill(os.getpid(), 9)\n"
        "Store.create(Path(sys.argv[1]), header(9999), cut())\n"
    )
    done = subprocess.run([sys.executable, "-c", text, str(folder)], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode != 0
    with pytest.raises(PuzzleError, match="contains no checkpoint") as error:
        Store.open(folder)
    assert "not finished" in error.value.diagnostics[0].notes[0]
    Store.create(folder, header(2), planned(2)).close()
    assert len(read(folder).units) == 2
    assert not list(folder.glob("*part*"))


# Other files and folders


def test_a_folder_with_files_gets_no_checkpoint(folder: Path) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear")
    with pytest.raises(PuzzleError, match="is not empty") as error:
        Store.create(folder, header(1), planned(1))
    assert code(error.value) == "PZ620"
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_a_checkpoint_is_not_overwritten(folder: Path) -> None:
    Store.create(folder, header(1), planned(1)).close()
    there = read(folder)
    with pytest.raises(PuzzleError, match="already contains a checkpoint") as error:
        Store.create(folder, header(2), planned(2))
    assert code(error.value) == "PZ620"
    assert read(folder) == there


def test_a_puzzle_of_the_catalogue_instead_of_a_checkpoint_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PuzzleError, match="there is no folder") as error:
        Store.open(Path("soma"), False)
    told = render(error.value.diagnostics[0])
    assert "`soma` is a puzzle of the catalogue" in told
    assert "`puzzlec solve soma --checkpoint DIR`" in told


def test_the_first_three_checkpoints_inside_are_suggested(folder: Path) -> None:
    folder.mkdir()
    for name in "gcaebdf":
        Store.create(folder / name, header(1), planned(1)).close()
    with pytest.raises(PuzzleError) as error:
        Store.open(folder)
    inside = " or ".join(f"`{folder / name}`" for name in "abc")
    assert f"did you mean {inside} in it?" in render(error.value.diagnostics[0])


@pytest.mark.parametrize("write", [True, False])
def test_other_folders_are_refused_with_a_reason(folder: Path, write: bool) -> None:
    def told(place: Path) -> str:
        with pytest.raises(PuzzleError) as error:
            Store.open(place, write)
        assert code(error.value) == "PZ620"
        return str(error.value)

    assert "there is no folder" in told(folder)
    folder.mkdir()
    assert "contains no checkpoint" in told(folder)
    assert list(folder.iterdir()) == []
    (folder / "file").write_text("x")
    assert "is a file" in told(folder / "file")
    with closing(sqlite3.connect(folder / "job.sqlite3")) as other:
        other.execute("CREATE TABLE birds (name TEXT)")
        other.commit()
    assert "puzzlec did not make its" in told(folder)
    with pytest.raises(PuzzleError) as error:
        Store.create(folder / "file" / "x", header(1), planned(1))
    assert code(error.value) == "PZ005"
    with pytest.raises(PuzzleError) as error:
        Store.create(folder / "file", header(1), planned(1))
    assert code(error.value) == "PZ005"


def test_a_misspelt_name_of_a_checkpoint_gets_a_suggestion(folder: Path) -> None:
    Store.create(folder / "bedlam", header(1), planned(1)).close()
    (folder / "bedlum").mkdir()
    with pytest.raises(PuzzleError) as error:
        Store.open(folder / "beldam")
    assert error.value.diagnostics[0].helps == (f"did you mean `{folder / 'bedlam'}`?",)
    with pytest.raises(PuzzleError) as error:
        Store.open(folder / "bedlam" / "job.sqlite3")
    assert str(folder / "bedlam") in error.value.diagnostics[0].helps[0]


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("other", [-1, 1])
def test_a_checkpoint_of_another_version_is_refused(
    folder: Path, write: bool, other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.create(folder, header(1), planned(1)).close()
    for module, name in ((records, "FORMAT"), (beginning, "TREE_VERSION")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, getattr(module, name) + other)
            with pytest.raises(PuzzleError) as error:
                Store.open(folder, write)
        assert code(error.value) == "PZ623"
        assert str(getattr(module, name) + other) in str(error.value)
        assert "puzzlec 1.0" in str(error.value)
        assert str(getattr(module, name)) in str(error.value)
        assert "resume it with puzzlec 1.0" in error.value.diagnostics[0].helps[0]
    read(folder, write)


def test_a_clock_that_moves_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([4e9, 1e9, 3e9, 0.0] * 1000)
    monkeypatch.setattr("time.time", lambda: next(clock))
    with Store.create(folder, header(9), planned(9)) as store:
        fill(store)
        there = content(store)
    for file in folder.iterdir():
        os.utime(file, (0, 2**33))
    assert read(folder, write=True) == there


def test_the_mark_follows_the_saved_data(folder: Path) -> None:
    with Store.create(folder, header(9), planned(9)) as store:
        fill(store)
        assert read_mark(folder) == store.totals().saved > 9
    mark = folder / "saved"
    text = mark.read_bytes()
    for damaged in (b"", text[:-1], text + b"\n", b"1" + text[1:], text[:-2] + b"x\n"):
        mark.write_bytes(damaged)
        assert read_mark(folder) == 0, damaged
    mark.unlink()
    assert read_mark(folder) == 0
    read(folder, write=True)


def test_a_checkpoint_that_fails_to_begin_removes_its_new_folders_only(folder: Path) -> None:
    folder.mkdir()
    for place in (folder, folder / "new" / "job"):
        with pytest.raises(ValueError, match="planned"):
            Store.create(place, header(3), planned(2))
        assert folder.is_dir()
        assert not any(folder.iterdir())


@settings(max_examples=20, deadline=None)
@given(st.data())
@pytest.mark.long
def test_any_time_slices_give_a_valid_checkpoint(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("checkpoint") / "job"
    number = data.draw(st.integers(1, 5))
    with Store.create(folder, header(number), planned(number)) as store:
        for _ in range(data.draw(st.integers(0, 6))):
            waiting = list(store.units(UnitState.OPEN))
            if not waiting:
                break
            unit = data.draw(st.sampled_from(waiting))
            if data.draw(st.booleans()):
                store.save([time_slice(unit, data.draw(st.integers(0, 30)), done=data.draw(st.booleans()))])
            else:
                store.save([split(unit, data.draw(st.integers(1, 3)))])
        there = content(store)
    assert read(folder, write=True) == there == read(folder)
