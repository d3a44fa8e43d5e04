"""The worker of the page: the files that it may open, and its results when it is stopped."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import pytest

from puzzlec import resources
from puzzlec.formats import catalogue
from puzzlec.geometry.families import family_names, find_family
from puzzlec.geometry.lattice import lattice_names
from puzzlec.geometry.shapes import find_library, library_names
from puzzlec.services.sandbox.child import Child, Sandbox
from puzzlec.services.web.jobs import Solving, WebJob, WebLimits

#: Texts that read each data file of puzzlec, with the code of their error.
TEXTS = (
    ("locations box 4x5\npieces tetrominos\n", "PZ304"),
    ("lattice hexx\nlocations box 4x4\npiece I { xx }\n", "PZ302"),
    ("locations box 4x4\npieces zzzz\n", "PZ304"),
    ("lattice hex\nlocations box 7x4\npieces polyhexes 4\n", None),
    ("lattice cubic\nlocations box 2x2x1\npiece O = tetracubes.O\n", None),
)


class Worker:
    """A worker process in a folder, used like the server uses it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"event": "ready"}

    def send(self, **task: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            yield message
            if message["event"] == "end":
                return

    def check(self, text: str, name: str = "puzzle.puzzle") -> dict[str, Any]:
        """Return the end of a check, which must be complete."""
        self.send(do="check", text=text, name=name)
        (*_, end) = self.messages()
        assert end["why"] == "complete", (text[:80], end)
        return end


@contextmanager
def worker(folder: Path, **environment: str) -> Iterator[Worker]:
    command = [sys.executable, "-P", "-m", "puzzlec.services.web.worker", str(2**29)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, **pipes) as process:
        try:
            yield Worker(process)
        finally:
            process.kill()


@pytest.fixture
def empty_cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")  # each is read from its own file


def test_the_data_of_puzzlec_can_be_read(tmp_path: Path, empty_cache: str) -> None:
    with worker(tmp_path, PUZZLEC_CACHE=empty_cache) as asked:
        for text, code in TEXTS:
            assert [diagnostic["code"] for diagnostic in asked.check(text)["diagnostics"]] == (
                [code] if code else []
            ), text
        secret = tmp_path.parent / "secret.yaml"
        secret.write_text("secret: 12345\n")
        (only,) = asked.check(f'lattice "{secret}"\nlocations box 2x2\npiece I {{ xx }}\n')["diagnostics"]
        assert "outside the folder" in only["message"]


@pytest.mark.slow
def test_every_lattice_library_and_family_can_be_read(tmp_path: Path, empty_cache: str) -> None:
    with worker(tmp_path, PUZZLEC_CACHE=empty_cache) as asked:
        for name in lattice_names():
            asked.check(f"lattice {name}\n")
            (wrong, *_) = asked.check(f"lattice {name}x\nlocations box 2x2\npiece I {{ xx }}\n")["diagnostics"]
            assert wrong["code"] == "PZ302"
        for name in library_names():
            told = asked.check(f"lattice {find_library(name).lattice.name}\npieces {name}\n")
            assert not {"PZ304", "PZ302", "PZ001"} & {diagnostic["code"] for diagnostic in told["diagnostics"]}, name
            (wrong, *_) = asked.check(f"locations box 2x2\npieces {name}y\n")["diagnostics"]
            assert wrong["code"] == "PZ304"
        for name in family_names():
            told = asked.check(f"lattice {find_family(name).lattice.name}\npieces {name} 2\n")
            assert not {"PZ304", "PZ302", "PZ001"} & {diagnostic["code"] for diagnostic in told["diagnostics"]}, name


@pytest.mark.slow
def test_every_puzzle_of_the_catalogue_can_be_read(tmp_path: Path) -> None:
    with worker(tmp_path) as asked:
        for entry in catalogue.entries():
            if entry.slow or entry.path.stat().st_size > 10**6:
                continue
            told = asked.check(entry.path.read_text(encoding="utf-8"), str(entry.path))
            assert not {"PZ001", "PZ302", "PZ304"} & {diagnostic["code"] for diagnostic in told["diagnostics"]}, (
                entry.name
            )


@pytest.mark.slow
def test_the_data_of_puzzlec_can_be_read_from_a_wheel(tmp_path: Path, empty_cache: str) -> None:
    package = Path(resources.__file__).parent
    site, inside = tmp_path / "site", tmp_path / "inside"
    inside.mkdir()
    shutil.copytree(package, site / "puzzlec", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("grammars", "puzzles", "errors"):
        if not (site / "puzzlec" / "data" / name).exists():
            shutil.copytree(resources.folder(name), site / "puzzlec" / "data" / name)
    with worker(inside, PUZZLEC_CACHE=empty_cache, PYTHONPATH=str(site)) as asked:
        for text, code in TEXTS:
            assert [diagnostic["code"] for diagnostic in asked.check(text)["diagnostics"]] == (
                [code] if code else []
            ), text
        soma = site / "puzzlec" / "data" / "puzzles" / "soma" / "soma.puzzle"
        assert asked.check(soma.read_text(encoding="utf-8"), str(soma))["diagnostics"] == []


def test_a_complete_count_is_compared_with_the_promised_number(tmp_path: Path) -> None:
    with worker(tmp_path) as asked:
        for words, codes in (("4", []), ("5", ["PZ382"]), ("raw 9", []), ("at least 3", [])):
            text = f"locations box 4x2\npiece D x4 {{ xx }}\nexpect {words}\n"
            asked.send(do="solve", text=text, name="p.puzzle", goal="count", symmetry="all", seconds=60, memory=2**29)
            *_, last = asked.messages()
            assert last["why"] == "complete"
            assert [diagnostic["code"] for diagnostic in last["diagnostics"]] == codes, words


@pytest.mark.slow
def test_a_stopped_count_sends_its_results(tmp_path: Path) -> None:
    with worker(tmp_path) as asked:
        text = "locations box 8x15\npieces pentominoes x2\n"  # hours of work
        asked.send(do="solve", text=text, name="p.puzzle", goal="count", symmetry="none", seconds=60, memory=2**29)
        before, last = 0, dict[str, Any]()
        for last in asked.messages():
            if not before and int(last.get("solutions", 0)):
                before = int(last["solutions"])
                asked.send(do="stop")
        assert last["why"] == "cancelled"
        assert int(last["found"]) >= before > 0
        assert last["counted"] == f"at least {last['found']} raw solutions"


def test_a_cancelled_search_that_does_not_stop_is_killed_after_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Solving, "MOMENT", 0.0)
    child = Mock()

    async def cancelled() -> None:
        job, solving = WebJob("one", child=child, asked=True), Solving(tmp_path, WebLimits())
        solving.cancel(job)
        solving.cancel(job)
        assert child.mock_calls == [call.stop()]
        while len(child.mock_calls) < 2:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(cancelled(), 20))
    assert child.mock_calls == [call.stop(), call.kill("cancelled")]


class _Speaking:
    """A process that sends some messages about a task, and then none."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages, self.killed, self.process = messages, list[str](), Mock(pid=-1, wait=AsyncMock())
        self.ready, self.end = AsyncMock(), AsyncMock()

    async def ask(self, task: dict[str, Any], seconds: float) -> AsyncIterator[dict[str, Any]]:
        for message in self.messages:
            yield message

    def kill(self, why: str) -> None:
        self.killed.append(why)


@pytest.mark.parametrize(("end", "why"), [([], "closed"), ([{"event": "end", "why": "complete"}], "complete")])
def test_a_search_ends_once_with_the_known_facts_also_if_its_process_sends_no_end(
    end: list[dict[str, Any]], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = _Speaking({"event": "progress", "found": "3"}, *end)
    monkeypatch.setattr(Child, "start", AsyncMock(return_value=child))

    async def solved() -> WebJob:
        job = Solving(tmp_path, WebLimits()).start({"do": "solve"}, 5)
        assert job.task is not None
        await job.task
        return job

    job = asyncio.run(asyncio.wait_for(solved(), 20))
    assert [json.loads(line) for _, kind, line in job.events if kind == "end"] == [
        {"number": 2, "event": "end", "why": why, "found": "3"}
    ]
    assert (job.ended, job.number, child.killed) == (True, 2, ["closed"])


@pytest.mark.parametrize(("why", "memory", "ends"), [("complete", 50, 0), ("complete", 51, 1), ("memory", 10, 1)])
def test_a_process_that_failed_or_takes_half_of_the_memory_is_replaced(
    why: str, memory: int, ends: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = _Speaking({"event": "end", "why": why})
    monkeypatch.setattr(Child, "start", AsyncMock(return_value=child))
    monkeypatch.setattr("puzzlec.services.sandbox.child.resident", lambda _: memory)

    async def asked() -> list[dict[str, Any]]:
        return [message async for message in Sandbox("no_module", tmp_path, 100, 0.5).ask({"do": "check"}, 5)]

    assert asyncio.run(asked()) == list(child.messages)
    assert child.end.await_count == ends


#: A worker that dies within its first message.
DYING = """
import os, sys
sys.stdin.readline()
sys.stdout.write('{"event": "re')
sys.stdout.flush()
os._exit(1)
"""


def test_a_worker_that_dies_within_a_message_has_died_and_the_next_task_gets_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "dying_worker.py").write_text(DYING)
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    sandbox = Sandbox("dying_worker", tmp_path, 2**28, 0.5)

    async def asked() -> list[dict[str, Any]]:
        monkeypatch.setattr("puzzlec.services.sandbox.child.STARTING_SECONDS", 0.01)  # it never says that it is ready
        return [message async for message in sandbox.ask({"do": "check"}, 20)]

    async def twice() -> list[list[dict[str, Any]]]:
        return [await asked(), await asked()]

    assert asyncio.run(asyncio.wait_for(twice(), 60)) == [[{"event": "end", "why": "died"}]] * 2
