"""Checkpoints from strangers: reading does not crash, write elsewhere or fill the memory."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.splitting import SearchTree, split
from puzzlec.engine.search.walking import NoSuchPlaceError, Position, TreeWalk
from puzzlec.jobs import blocks, locking, records, tables
from puzzlec.jobs.job import Job
from puzzlec.jobs.merging import merge
from puzzlec.jobs.status import read_status
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import Settled
from tests.jobs.checkpoints import code, header, planned

ROWS = [[0], [0, 1], [1, 3], [2], [2, 3], [1, 2], [0, 3]]


def _header(**changed: Any) -> bytes:
    told = json.loads(zlib.decompress(records.header_bytes(header(3))))
    return zlib.compress(json.dumps({**told, **changed}).encode())


@pytest.mark.parametrize(
    "data",
    [
        zlib.compress(b"[" * 100_000),
        zlib.compress(b'{"format": ' + b"9" * 5000 + b"}"),
        records.header_bytes(header(3))[:-9],
        _header(shard=[1, 10**13]),
        _header(shard=[4, 3]),
        _header(task="x"),
        _header(symmetry="x"),
        _header(puzzle=["x"]),
        _header(limit=-1),
        _header(planned="x"),
    ],
)
def test_an_invalid_header_is_reported(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        records.read_header(data)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b"[[1],[],[]]",
        b"[[0,NaN,0,0,0,0,0,0,0],[],[]]",
        b"[[0,0,0,0,0,0,0,1e400,0],[],[]]",
        b"[[0,0,0,1" + b"0" * 400 + b",0,0,0,0,0],[],[]]",
        b'[[0,"1",0,0,0,0,0,0,0],[],[]]',
        b'[[0,0,0,0,0,0,0,0,0],[["a",3]],[]]',
        b"[[0,0,0,0,0,0,0,0,0],[],[[[-1,0]]]]",
        b" " * (records.MAX_UNIT_BYTES + 1),
    ],
)
def test_an_invalid_work_unit_is_reported(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        records.read_unit(b"\0\0\0\0", 0, zlib.compress(text))


def test_invalid_sums_and_runs_are_reported() -> None:
    sound = json.loads(records.totals_bytes(records.JobTotals()))
    for name, wrong in (("limit", "x"), ("limit", 0), ("elapsed", float("nan")), ("number", -1), ("states", 5)):
        with pytest.raises(ValueError, match=r"."):
            records.read_totals(json.dumps({**sound, name: wrong}).encode())
    for text in (b"5", b"[1]", b"[[], 2]", b"[NaN, 2]", b"[" * 100_000):
        with pytest.raises(ValueError, match=r"."):
            records.read_run(text)


def test_a_block_cannot_ask_for_more_memory_than_a_block_may_fill() -> None:
    wide = blocks._HEAD.pack(1, 1, 1 << 20, 65) + bytes(1 << 17)
    with pytest.raises(ValueError, match="wrong header"):
        blocks.unpack(wide)


@pytest.mark.parametrize(
    "name", [locking.OWNER_FILE, locking.MARK_FILE, locking.LOCK_FILE, "job.sqlite3-wal", "job.sqlite3"]
)
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_file_that_is_a_link_or_a_pipe_is_not_followed(tmp_path: Path, name: str, kind: str) -> None:
    folder, other = tmp_path / "job", tmp_path / "other"
    Store.create(folder, header(3), planned(3)).close()
    if name == "job.sqlite3":
        shutil.copyfile(folder / name, other)
    else:
        other.write_text("mine")
    before = other.read_bytes()
    (folder / name).unlink(missing_ok=True)
    if kind == "link":
        (folder / name).symlink_to(other)
    else:
        os.mkfifo(folder / name)
    for write in (True, False):
        with pytest.raises(PuzzleError) as found:
            Store.open(folder, write)
        assert code(found.value) == ("PZ620" if (name, kind) == ("job.sqlite3", "pipe") else "PZ622")
    assert other.read_bytes() == before


def test_no_checkpoint_is_made_through_a_link(tmp_path: Path) -> None:
    folder, other = tmp_path / "job", tmp_path / "other"
    folder.mkdir()
    other.write_text("mine")
    (folder / locking.OWNER_FILE).symlink_to(other)
    with pytest.raises(PuzzleError) as found:
        Store.create(folder, header(3), planned(3))
    assert code(found.value) == "PZ620"
    assert other.read_text() == "mine"


def test_a_table_that_never_ends_is_not_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "job.sqlite3")
    connection.execute(f"PRAGMA application_id = {tables.APPLICATION_ID}")
    connection.execute(
        "CREATE VIEW facts AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
        " SELECT x'00' AS name, n AS data FROM t"
    )
    connection.commit()
    connection.close()
    with pytest.raises(PuzzleError) as found:
        Store.open(tmp_path, write=False)
    assert code(found.value) == "PZ622"


@pytest.mark.parametrize(
    ("path", "position"),
    [
        (((99, 0),), ()),
        (((0, 99),), ()),
        (((0, -7),), ()),
        (((0, 0), (0, 0)), ()),
        ((), ((-1, 3),)),
        ((), ((4, 3),)),
        ((), ((0, 3), (9, 9))),
        ((), ((0, 99),)),
    ],
)
def test_a_walk_goes_only_where_the_tree_has_branches(path: tuple[tuple[int, int], ...], position: Position) -> None:
    tree = SearchTree(ExactCover.from_rows(ROWS, primary=4))
    assert len(tree.branches(tree.root())) == 3
    with pytest.raises(NoSuchPlaceError):
        TreeWalk(tree, [path], position)
    assert TreeWalk(tree, [part.path for part in split(tree, 2)]).covers(99)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stranger") / "job"
    with Job.begin(folder, "pentominoes/3x20", wanted=4) as job:
        job.run(kernel="python")
        assert job.number == 2
    return folder


def _changed(folder: Path, to: Path, **changed: Any) -> Path:
    """Return a copy of a checkpoint with another first work unit and right digests."""
    shutil.copytree(folder, to)
    with Store.open(to) as store:
        unit = next(iter(store.units()))
        row = tables.unit_row(replace(unit, **changed), store._job)
        store._connection.execute("UPDATE portions SET state = ?, data = ? WHERE key = ?", (*row[1:], row[0]))
        with store._transaction() as totals:
            totals.add(unit, -1)
            totals.add(replace(unit, **changed))
    return to


@pytest.mark.parametrize(
    "wrong", [{"paths": (((9999, 9999),),)}, {"paths": ((),), "position": ((9, 1),)}, {"stage": 9}]
)
def test_a_work_unit_of_another_search_is_damage(begun: Path, tmp_path: Path, wrong: dict[str, Any]) -> None:
    folder = _changed(begun, tmp_path / "job", **{"state": 0, "paths": ((),), **wrong})
    with Job.open(folder) as job, pytest.raises(PuzzleError) as found:
        job.run(kernel="python")
    assert code(found.value) == "PZ622"


def test_a_wrong_solution_is_reported_as_damage_when_it_is_printed(begun: Path, tmp_path: Path) -> None:
    shutil.copytree(begun, tmp_path / "job")
    with Job.open(tmp_path / "job") as job:
        store = job.store
        key = next(iter(store.blocks())).key
        old = next(unit for unit in store.units() if unit.key == key)
        store.save([(replace(old, kept=old.kept + 1), blocks.pack([(0, 10**6)]), ())])
        with pytest.raises(PuzzleError) as found:
            list(Settled(job).more())
    assert code(found.value) == "PZ622"


def test_the_status_has_the_time_of_the_last_save_not_of_the_last_read(begun: Path, tmp_path: Path) -> None:
    shutil.copytree(begun, tmp_path / "job")
    for path in (tmp_path / "job").iterdir():
        os.utime(path, (1e9, 1e9))
    assert [read_status(tmp_path / "job").saved for _ in range(2)] == [1e9, 1e9]


def test_shards_with_the_same_part_are_not_merged(tmp_path: Path) -> None:
    for number in (1, 2):  # both have all work units
        head = replace(header(3), shard=(number, 2))
        Store.create(tmp_path / str(number), head, planned(3)).close()
    with pytest.raises(PuzzleError) as found:
        merge([tmp_path / "1", tmp_path / "2"], into=tmp_path / "whole")
    assert code(found.value) == "PZ628"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2"]
