"""Damaged checkpoints and disks: damage is found, and saved data stays."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from puzzlec.diagnostics import PuzzleError
from puzzlec.jobs.store import Store
from tests.jobs.checkpoints import Content, code, fill, header, planned, read, time_slice

ROOT = Path(__file__).parents[2]
PAGE = 4096


@dataclass
class Sample:
    """A closed checkpoint, one after a kill (with a journal), and the data of both."""

    closed: Path
    killed: Path
    content: Content


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder = tmp_path_factory.mktemp("sample")
    with Store.create(folder / "closed", header(30, puzzle="puzzle " * 900), planned(30)) as store:
        fill(store)
        shutil.copytree(folder / "closed", folder / "killed")
    for file in (folder / "closed").glob("*-*"):
        file.unlink()
    there = read(shutil.copytree(folder / "closed", folder / "a"))
    assert read(shutil.copytree(folder / "killed", folder / "b"), write=True) == there
    return Sample(folder / "closed", folder / "killed", there)


def met(folder: Path, write: bool, content: Content) -> str:
    """Read a checkpoint that may be damaged; return "same" or the code of the error. Other results are bugs."""
    try:
        found = read(folder, write)
    except PuzzleError as error:
        assert all(sign.isprintable() for sign in error.diagnostics[0].message)
        return code(error)
    assert found == content, "the read data differ from the written data"
    return "same"


def tried(sample: Path, name: str, changes: list[Callable[[bytearray], object]], content: Content) -> list[str]:
    """Change a file of a checkpoint in many ways, one at a time, and read it after each."""
    found = []
    folder = sample.with_name("tried")
    for number, change in enumerate(changes):
        shutil.copytree(sample, folder)
        data = bytearray((folder / name).read_bytes())
        change(data)
        (folder / name).write_bytes(data)
        found.append(met(folder, number % 3 == 0, content))
        shutil.rmtree(folder)
    return found


def flip(place: int, bits: int) -> Callable[[bytearray], object]:
    def change(data: bytearray) -> None:
        data[place % len(data)] ^= bits

    return change


def cut(length: int) -> Callable[[bytearray], object]:
    def change(data: bytearray) -> None:
        del data[length:]

    return change


def exchange(one: int, other: int) -> Callable[[bytearray], object]:
    def change(data: bytearray) -> None:
        a, b = (slice(page * PAGE, (page + 1) * PAGE) for page in (one, other))
        data[a], data[b] = data[b], data[a]

    return change


def flips(pages: int, times: int) -> list[Callable[[bytearray], object]]:
    chance = random.Random(8)
    places = [page * PAGE + chance.randrange(PAGE) for page in range(pages) for _ in range(times)]
    return [flip(place, chance.randrange(1, 256)) for place in places]


@pytest.mark.long
def test_bytes_that_change_on_any_page_are_found_or_unused(sample: Sample) -> None:
    pages = (sample.closed / "job.sqlite3").stat().st_size // PAGE
    found = tried(sample.closed, "job.sqlite3", flips(pages, 14), sample.content)
    assert set(found) == {"same", "PZ622"}
    assert found.count("PZ622") > len(found) / 3  # the others are unused bytes


@pytest.mark.slow
def test_thousands_of_bytes_that_change_are_found_or_unused(sample: Sample) -> None:
    pages = (sample.closed / "job.sqlite3").stat().st_size // PAGE
    heads = [flip(place, 1 << bit) for place in range(112) for bit in range(8)]
    found = tried(sample.closed, "job.sqlite3", [*flips(pages, 200), *heads], sample.content)
    assert set(found) == {"same", "PZ622"}


def test_pages_that_are_lost_or_exchanged_are_found(sample: Sample) -> None:
    pages = (sample.closed / "job.sqlite3").stat().st_size // PAGE
    chance = random.Random(9)
    changes = [cut(chance.randrange(pages * PAGE - PAGE)) for _ in range(12)] + [cut(0), cut(1), cut(100), cut(PAGE)]
    changes += [exchange(*chance.sample(range(pages), 2)) for _ in range(12)]
    assert set(tried(sample.closed, "job.sqlite3", changes, sample.content)) <= {"PZ622", "same"}
    assert set(tried(sample.closed, "job.sqlite3", changes[12:16], sample.content)) == {"PZ622"}


@pytest.mark.long
def test_a_journal_that_is_damaged_or_lost_is_missed(sample: Sample) -> None:
    size = (sample.killed / "job.sqlite3-wal").stat().st_size
    chance = random.Random(10)
    changes = [flip(chance.randrange(size), chance.randrange(1, 256)) for _ in range(40)]
    changes += [cut(chance.randrange(size)) for _ in range(10)] + [cut(0)]
    assert set(tried(sample.killed, "job.sqlite3-wal", changes, sample.content)) == {"PZ622"}
    assert set(tried(sample.killed, "job.sqlite3-shm", changes[:20], sample.content)) == {"same"}
    assert set(tried(sample.closed, "saved", changes[:20], sample.content)) == {"same"}


def test_a_checkpoint_whose_journal_is_lost_can_be_used_as_it_was_before(sample: Sample, tmp_path: Path) -> None:
    folder = shutil.copytree(sample.closed, tmp_path / "job")
    older = shutil.copytree(folder, tmp_path / "older")
    with Store.open(folder) as store:
        store.save([time_slice(next(unit for unit in store.units() if unit.name == "1"), 8)])
    shutil.copy(older / "job.sqlite3", folder)
    for write in (False, True):
        with pytest.raises(PuzzleError, match=r"last saves are missing \(1 of") as error:
            Store.open(folder, write)
        assert code(error.value) == "PZ622"
        assert f"delete `{folder / 'saved'}`" in error.value.diagnostics[0].helps[0]
    (folder / "saved").unlink()
    assert read(folder, write=True) == sample.content


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM portions WHERE key = (SELECT max(key) FROM portions)",
        "DELETE FROM portions WHERE key = (SELECT min(key) FROM portions)",
        "DELETE FROM portions WHERE key = x'0000000000000001'",
        "DELETE FROM portions WHERE key >= x'0000000500000000' AND key < x'00000006'",
        "DELETE FROM portions WHERE length(key) > 4",
        "DELETE FROM portions",
        "DELETE FROM blocks WHERE key = (SELECT max(key) FROM blocks)",
        "DELETE FROM blocks WHERE key = x'00000003' AND number = 0",
        "DELETE FROM blocks",
        "INSERT INTO blocks SELECT key, number + 7, solutions, data, digest FROM blocks LIMIT 1",
        "INSERT INTO blocks SELECT x'00009999', number, solutions, data, digest FROM blocks LIMIT 1",
        "INSERT INTO portions SELECT x'00009999', state, data FROM portions LIMIT 1",
        "UPDATE portions SET key = x'00000fff' WHERE key = x'00000002'",
        "UPDATE portions SET key = 2 WHERE key = x'00000002'",
        "UPDATE portions SET state = 1 WHERE key = x'00000002'",
        "UPDATE portions SET state = 'text' WHERE key = x'00000002'",
        "UPDATE portions SET data = (SELECT data FROM portions WHERE key = x'00000004') WHERE key = x'00000002'",
        "UPDATE portions SET data = NULL WHERE key = x'00000002'",
        "UPDATE portions SET data = 'text' WHERE key = x'00000002'",
        "UPDATE blocks SET solutions = solutions + 1 WHERE key = x'00000003'",
        "UPDATE blocks SET data = x'01' WHERE key = x'00000003'",
        "UPDATE facts SET data = (SELECT data FROM facts WHERE name = CAST('plan' AS BLOB))",
        "DELETE FROM facts WHERE name = CAST('totals' AS BLOB)",
        "DELETE FROM facts WHERE name = CAST('plan' AS BLOB)",
        "DELETE FROM facts",
        "UPDATE runs SET data = x'00'",
        "UPDATE runs SET number = 5",
        "DROP TABLE runs",
        "DROP TABLE portions",
        "CREATE TABLE more (x)",
        "CREATE TRIGGER t AFTER UPDATE ON portions BEGIN DELETE FROM blocks; END",
    ],
)
def test_changed_rows_are_found(sample: Sample, tmp_path: Path, statement: str) -> None:
    for write in (False, True):
        folder = shutil.copytree(sample.closed, tmp_path / f"job{write}")
        with closing(sqlite3.connect(folder / "job.sqlite3")) as connection:
            assert connection.execute(statement).rowcount != 0
            connection.commit()
        assert met(folder, write, sample.content) == "PZ622"


def test_a_lost_run_is_found_when_the_work_continues(sample: Sample, tmp_path: Path) -> None:
    folder = shutil.copytree(sample.closed, tmp_path / "job")
    with closing(sqlite3.connect(folder / "job.sqlite3")) as connection:
        connection.execute("DELETE FROM runs")
        connection.commit()
    assert met(folder, True, sample.content) == "PZ622"


def test_rows_of_another_checkpoint_do_not_fit(tmp_path: Path) -> None:
    for name, puzzle in (("a", "one"), ("b", "two")):
        with Store.create(tmp_path / name, header(9, puzzle=puzzle), planned(9)) as store:
            fill(store)
    with closing(sqlite3.connect(tmp_path / "a" / "job.sqlite3")) as connection:
        connection.execute("ATTACH ? AS other", (str(tmp_path / "b" / "job.sqlite3"),))
        connection.execute("DELETE FROM portions")
        connection.execute("INSERT INTO portions SELECT * FROM other.portions")
        connection.commit()
    for write in (False, True):
        with pytest.raises(PuzzleError) as error:
            read(tmp_path / "a", write)
        assert code(error.value) == "PZ622"


def test_damage_leaves_the_files_as_they_are(sample: Sample, tmp_path: Path) -> None:
    folder = shutil.copytree(sample.killed, tmp_path / "job")
    journal = folder / "job.sqlite3-wal"
    journal.write_bytes(journal.read_bytes()[:-5000])
    before = [(name, (folder / name).read_bytes()) for name in ("job.sqlite3", "job.sqlite3-wal")]
    for write in (True, False):
        assert met(folder, write, sample.content) == "PZ622"
    assert [(name, (folder / name).read_bytes()) for name in ("job.sqlite3", "job.sqlite3-wal")] == before


# The system


def test_a_folder_that_is_removed_or_replaced_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    for replaced in (False, True):
        with Store.create(folder, header(3), planned(3)) as store:
            store.save([time_slice(planned(3)[0], 9)])
            folder.rename(tmp_path / f"away{replaced}")
            if replaced:
                Store.create(folder, header(1), planned(1)).close()
            with pytest.raises(PuzzleError, match="removed or replaced") as error:
                store.save([time_slice(planned(3)[1], 9)])
            assert code(error.value) == "PZ005"
        assert read(tmp_path / f"away{replaced}", write=True).totals.kept == 9
    assert read(folder).totals.kept == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the root user may do everything")
@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_a_read_only_folder_is_reported(sample: Sample, tmp_path: Path, mode: int) -> None:
    folder = shutil.copytree(sample.killed, tmp_path / "job")
    folder.chmod(mode)
    try:
        with pytest.raises(PuzzleError) as error:
            Store.open(folder)
        assert code(error.value) in ("PZ001", "PZ005")
        if mode:
            assert read(folder) == sample.content
    finally:
        folder.chmod(0o700)
    assert read(folder, write=True) == sample.content


COMMON = """
import os, resource, shutil, sys
from pathlib import Path
from puzzlec.diagnostics import PuzzleError
from puzzlec.jobs.store import Store
from tests.jobs.checkpoints import code, content, fill, header, planned, read, time_slice

def filled(store, at=1):
    unit = next(each for each in store.units() if each.name == str(at))
    before = content(store)
    for _ in range(10**5):
        saved = time_slice(unit, 5000)
        try:
            store.save([saved])
        except PuzzleError as error:
            assert code(error) == "PZ005", error
            assert content(store) == before
            assert read(store.folder) == before
            return str(error), saved
        unit, before = saved[0], content(store)
    raise AssertionError("the disk did not get full")
"""

LIMITED = """
folder = Path(sys.argv[1])
with Store.create(folder, header(3), planned(3)) as store:
    fill(store)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, resource.RLIM_INFINITY))
    told, saved = filled(store)
    assert "a limit of the file size" in told or "no space" in told, told
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.save([saved])
    there = content(store)
assert read(folder, write=True) == there
"""

FULL = """
os.mkdir("disk")
assert os.system("mount -t tmpfs -o size=1m none disk") == 0
folder = Path("disk/job")
filler = Path("disk/filler")
with Store.create(folder, header(3), planned(3)) as store:
    fill(store)
    filler.write_bytes(bytes(400_000))
    told, saved = filled(store)
    assert "no space" in told, told
    there = content(store)
assert read(folder) == there
with Store.open(folder) as store:
    assert content(store) == there
    filler.unlink()
    store.save([saved])
    there = content(store)
    told, _ = filled(store)
    there = content(store)
assert read(folder, write=True) == there
try:
    Store.create(Path("disk/other"), header(9000), planned(9000))
    raise AssertionError("the disk is not full")
except PuzzleError as error:
    assert code(error) == "PZ005", error
assert os.listdir("disk") == ["job"]
"""

READ_ONLY = """
os.mkdir("disk")
assert os.system("mount -t tmpfs none disk") == 0
for source in ("closed", "killed"):
    shutil.copytree(Path(sys.argv[1], source), f"disk/{source}")
shutil.copytree("disk/killed", "disk/copied")
os.unlink("disk/copied/job.sqlite3-shm")
there = read(Path("disk/closed"))
for each in ("job.sqlite3-wal", "job.sqlite3-shm"):
    Path("disk/closed", each).unlink(missing_ok=True)
assert os.system("mount -o remount,ro disk") == 0
for name in ("closed", "killed", "copied"):
    assert read(Path("disk", name)) == there, name
    try:
        Store.open(Path("disk", name))
        raise AssertionError(name)
    except PuzzleError as error:
        assert code(error) == "PZ005", error
try:
    Store.create(Path("disk/new"), header(1), planned(1))
    raise AssertionError("new")
except PuzzleError as error:
    assert code(error) == "PZ005", error
assert os.system("mount -o remount,rw disk") == 0
for name in ("closed", "killed", "copied"):
    assert read(Path("disk", name), write=True) == there, name
"""


def run(text: str, argument: Path, before: tuple[str, ...] = (), folder: Path = ROOT) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*before, sys.executable, "-c", COMMON + text, str(argument)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def own_mounts() -> tuple[str, ...]:
    """A command that runs another one with private mounts."""
    command = ("unshare", "--map-root-user", "--mount")
    try:
        done = subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    except OSError:
        pytest.skip("cannot mount a disk here")
    if done.returncode:
        pytest.skip("cannot mount a disk here")
    return command


@pytest.mark.skipif(os.name != "posix", reason="the system has no such limit")
def test_data_that_cannot_be_saved_is_left_out_and_can_be_saved_later(tmp_path: Path) -> None:
    run(LIMITED, tmp_path / "job")


@pytest.mark.long
def test_a_full_disk_loses_nothing_that_was_saved(tmp_path: Path, own_mounts: tuple[str, ...]) -> None:
    run(FULL, tmp_path, own_mounts, tmp_path)


def test_a_read_only_disk_can_be_read(sample: Sample, tmp_path: Path, own_mounts: tuple[str, ...]) -> None:
    run(READ_ONLY, sample.closed.parent, own_mounts, tmp_path)
