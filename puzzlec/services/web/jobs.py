"""The running work for pages: checks of texts as they are typed, and solves, each in a separate process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from puzzlec.services.sandbox.child import Child, Sandbox
from puzzlec.services.web import RefusalError

#: The module that runs as a worker process.
WORKER = "puzzlec.services.web.worker"


@dataclass(frozen=True)
class WebLimits:
    """Limits of one solve: ``seconds``, and ``memory`` in bytes. ``at_once`` is the number of solves side by side.

    ``checking``: seconds for a text that is being typed. ``absent``: seconds after which a solve ends if no page
    listens. ``kept``: the number of ended solves that are remembered.
    """

    seconds: float = 60.0
    memory: int = 2**30
    at_once: int = 2
    checking: float = 10.0
    absent: float = 30.0
    kept: int = 6


class Checking:
    """Checks texts as they are typed, one at a time in one process. The newest text of a page replaces its older ones.

    If a newer text of the same page arrives, the current check has :attr:`PATIENCE` seconds more.
    """

    PATIENCE = 0.5

    def __init__(self, folder: Path, limits: WebLimits) -> None:
        self.limits = limits
        self._sandbox = Sandbox(WORKER, folder, limits.memory, self.PATIENCE)
        self._newest: dict[str, int] = {}

    async def check(self, page: str, task: dict[str, Any], fresh: bool = False) -> dict[str, Any]:
        """Return the results about a text; ``why`` is ``complete``, or the reason why results are missing.

        ``newer`` means that a newer text of this page has arrived. Other reasons are those of a sandbox. If the text
        is another puzzle (``fresh``), the work on the old one ends at once.
        """
        number = self._newest.pop(page, 0) + 1
        self._newest[page] = number
        while len(self._newest) > 100:  # pages that closed long ago
            del self._newest[next(iter(self._newest))]
        if fresh:
            self._sandbox.drop(page)
        else:
            self._sandbox.overtake(page)
        async with self._sandbox.turn:
            if self._newest.get(page) != number:
                return {"why": "newer"}
            answer = await self._asked(page, {**task, "do": "check"})
        return answer if self._newest.get(page) == number else {**answer, "why": "newer"}

    async def ask(self, page: str, task: dict[str, Any], overtakes: bool = True) -> dict[str, Any]:
        """Return the results of another task about a text. If it ``overtakes``, the check of its page is not wanted."""
        if overtakes:
            self._sandbox.overtake(page)
        async with self._sandbox.turn:
            return await self._asked(page, task)

    async def _asked(self, page: str, task: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        try:
            async for message in self._sandbox.ask(task, self.limits.checking, page):
                answer.update(message)
        except OSError:  # no more processes, or the folder is gone
            raise RefusalError(503, "cannot start a process for the check", "system") from None
        return answer

    async def close(self) -> None:
        """End the process."""
        await self._sandbox.close()


@dataclass
class WebJob:
    """A solve: its messages so far, each with its number, and whether it has ended."""

    name: str
    events: list[tuple[int, str, bytes]] = field(default_factory=list)
    number: int = 0
    ended: bool = False
    listeners: int = 0
    left: float = 0.0  # the time when the last listener left
    child: Child | None = None
    why: str = ""
    known: dict[str, Any] = field(default_factory=dict)  # the known facts, in case the process sends no end
    asked: bool = False  # whether the process has the task
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def tell(self, message: dict[str, Any]) -> None:
        """Add a message. Only the latest message of each kind is kept. An end includes all facts known before."""
        self.number += 1
        kind = message["event"]
        if kind == "progress":
            self.known = {key: message[key] for key in ("found", "counted", "seconds") if key in message}
        elif kind == "end" and message["why"] != "faulty":
            message = {**self.known, **message}
        line = json.dumps({"number": self.number, **message}, separators=(",", ":")).encode() + b"\n"
        self.events = [event for event in self.events if event[1] != kind] + [(self.number, kind, line)]
        self.ended = self.ended or kind == "end"
        news, self.news = self.news, asyncio.Event()
        news.set()


class Solving:
    """The running solves, and those that ended recently. A cancelled one ends within :attr:`MOMENT` seconds."""

    MOMENT = 0.7

    def __init__(self, folder: Path, limits: WebLimits) -> None:
        self.folder, self.limits = folder, limits
        self.jobs: dict[str, WebJob] = {}
        self._closed = False
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def running(self) -> list[WebJob]:
        """The jobs that have not ended."""
        return [job for job in self.jobs.values() if not job.ended]

    def start(self, task: dict[str, Any], seconds: float) -> WebJob:
        """Start a task in a separate process; raise RefusalError if too many run."""
        if self._closed:
            raise RefusalError(503, "the server is about to stop", "closed")
        if sum(not job.why for job in self.running) >= self.limits.at_once:
            many = self.limits.at_once
            raise RefusalError(429, f"{many} solves are already running: wait for one, or cancel it", "busy")
        job = WebJob(secrets.token_hex(8), left=asyncio.get_running_loop().time())
        self.jobs[job.name] = job
        ended = [job for job in self.jobs.values() if job.ended]
        for old in ended[: max(0, len(ended) - self.limits.kept)]:
            del self.jobs[old.name]
        job.task = asyncio.create_task(self._run(job, task, min(seconds, self.limits.seconds)))
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._sweep())
        return job

    def named(self, name: str) -> WebJob:
        """Return a job; raise RefusalError if it is unknown or forgotten."""
        if name not in self.jobs:
            raise RefusalError(404, "this search is no longer known", "job")
        return self.jobs[name]

    async def _run(self, job: WebJob, task: dict[str, Any], seconds: float) -> None:
        try:
            job.child = await Child.start(WORKER, self.folder, self.limits.memory)
            if job.why:
                job.child.kill(job.why)
            await job.child.ready()
            job.asked = True
            # The search ends in time, with its results so far. Otherwise the process is killed.
            async for message in job.child.ask({**task, "seconds": seconds, "memory": self.limits.memory}, seconds + 2):
                job.tell(message)
        except OSError:
            job.tell({"event": "end", "why": "died"})
        finally:
            if job.child is not None:
                job.child.kill("closed")
                await asyncio.shield(job.child.process.wait())
            if not job.ended:
                job.tell({"event": "end", "why": job.why or "closed"})

    def cancel(self, job: WebJob, why: str = "cancelled") -> None:
        """End a job if it still runs. A job that the user cancels has a moment to send its results."""
        asked, job.why = bool(job.why), job.why or why
        if job.child is None or asked:
            return
        if why == "cancelled" and job.asked:
            job.child.stop()
            asyncio.get_running_loop().call_later(self.MOMENT, job.child.kill, why)
        else:
            job.child.kill(job.why)

    async def listen(self, job: WebJob, after: int) -> AsyncIterator[bytes]:
        """Yield the messages of a job, as lines of JSON, from the one after ``after`` until its end."""
        job.listeners += 1
        try:
            while True:
                news = job.news
                for number, _, line in list(job.events):
                    if number > after:
                        yield line
                        after = number
                if job.ended:
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), 10)
                if not news.is_set():
                    yield b"\n"  # writing shows whether the page is still there
        finally:
            job.listeners -= 1
            job.left = asyncio.get_running_loop().time()

    async def _sweep(self) -> None:
        """End jobs that have had no listener for a long time."""
        while not self._closed:
            now = asyncio.get_running_loop().time()
            for job in self.running:
                if not job.listeners and now - job.left > self.limits.absent:
                    self.cancel(job, "absent")
            await asyncio.sleep(min(1.0, self.limits.absent / 4))

    async def close(self) -> None:
        """End all jobs, and wait for the end of their processes."""
        self._closed = True
        for job in self.running:
            self.cancel(job, "closed")
        waiting = [job.task for job in self.jobs.values() if job.task is not None]
        if waiting:
            await asyncio.wait(waiting)
        if self._sweeping is not None:
            self._sweeping.cancel()
