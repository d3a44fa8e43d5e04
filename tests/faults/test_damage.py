"""Changed bytes in a checkpoint: it is refused, or its content is unchanged."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from puzzlec.diagnostics import PuzzleError
from puzzlec.jobs.store import Store
from tests.faults import moments
from tests.faults.processes import WATCHED, run
from tests.faults.tried import Tried, Undisturbed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]

#: Number of damages of each kind.
TIMES = 250


@pytest.fixture(scope="module")
def killed(truth: Undisturbed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a killed job, with the files that SQLite leaves then."""
    with Tried(truth, tmp_path_factory.mktemp("killed") / "tried") as tried:
        child = tried.start(["--threads", "2"])
        assert moments.found(1)(child, tried.job)
        child.strike()
        child.gone()
        return tried.job


def contents(job: Path) -> object:
    """Return the content of a checkpoint."""
    with Store.open(job) as store:
        totals = store.totals()
        return store.header, list(store.units()), [(block.key, block.data) for block in store.blocks()], totals


@pytest.mark.parametrize("kind", ["flipped", "zeroed", "cut", "swapped"])
@pytest.mark.parametrize("settled", [False, True], ids=["with its log", "alone"])
def test_a_damaged_checkpoint_is_refused_or_keeps_its_content(
    kind: str, settled: bool, killed: Path, truth: Undisturbed, tmp_path: Path
) -> None:
    choose = random.Random(kind)
    whole = tmp_path / "whole"
    shutil.copytree(killed, whole)
    if settled:
        contents(whole)  # opening it for writing merges the log
    shutil.copytree(whole, tmp_path / "compared")
    known = contents(tmp_path / "compared")
    refusals = 0
    for number in range(TIMES):
        job = tmp_path / f"damaged-{number}"
        shutil.copytree(whole, job)
        file = choose.choice([path for path in sorted(job.iterdir()) if path.stat().st_size])
        file.write_bytes(damaged(file.read_bytes(), kind, choose))
        try:
            found = contents(job)
        except PuzzleError as error:
            refusals += 1
            assert {diagnostic.code for diagnostic in error.diagnostics} <= {"PZ622", "PZ623"}, str(error)
        else:
            assert found == known, file.name
        shutil.rmtree(job)
    assert refusals


def damaged(data: bytes, kind: str, choose: random.Random) -> bytes:
    """Return the bytes of a file with a damage: a bit, zeros, a missing end, or two exchanged pages."""
    at = choose.randrange(len(data))
    if kind == "flipped":
        return data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :]
    if kind == "zeroed":
        length = min(choose.choice([1, 16, 512, 4096]), len(data) - at)
        return data[:at] + bytes(length) + data[at + length :]
    if kind == "cut":
        return data[:at]
    pages = [data[start : start + 4096] for start in range(0, len(data), 4096)]
    one, other = choose.randrange(len(pages)), choose.randrange(len(pages))
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def test_a_damaged_checkpoint_is_refused_by_the_commands(killed: Path, tmp_path: Path) -> None:
    job = tmp_path / "job"
    shutil.copytree(killed, job)
    for file in job.iterdir():
        if "sqlite" in file.name and file.stat().st_size:
            data = bytearray(file.read_bytes())
            data[100:] = bytes(byte ^ 255 for byte in data[100:])
            file.write_bytes(data)
    for words in (["job", "resume", job], ["job", "status", job], ["solutions", job]):
        status, output, said = run(tmp_path, *words)
        assert (status, output) == (1, b""), said
        assert "PZ622" in said, said
        assert "Traceback" not in said, said
