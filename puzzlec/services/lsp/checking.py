"""The worker process as the language server sees it: of each document the newest text is checked, one at a time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.services.web.child import LARGEST_MESSAGE, Child, resident


@dataclass(frozen=True)
class Limits:
    """What one check may take: ``seconds``, and ``memory`` in bytes.

    ``pause``: seconds after the last change before a text is checked. ``patience``: what a check of an old text still
    gets when there is a newer one. ``early``: seconds after which the faults found so far are told. ``asking``: seconds
    that somebody waits for an answer about a word.
    """

    seconds: float = 10.0
    memory: int = 2**30
    pause: float = 0.04
    patience: float = 0.5
    early: float = 0.5
    asking: float = 2.0


#: What is told of a document: its address, the task, what was found, and why there is no more (``complete`` or else).
Told = Callable[[str, dict[str, Any], dict[str, Any], str], None]


class Checking:
    """Checks texts as they are typed in a process of its own, which is killed where it takes too long."""

    def __init__(self, told: Told, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._told = told
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self._waiting: dict[str, dict[str, Any]] = {}
        self._now = ""  # the document that is being checked
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._start(self._run())

    def changed(self, uri: str, task: dict[str, Any]) -> None:
        """Note the newest text of a document; it is checked soon, and older ones no more."""
        self._waiting.pop(uri, None)
        self._waiting[uri] = task
        self._wake.set()
        if self._now == uri and self._child is not None:
            asyncio.get_running_loop().call_later(self.limits.patience, self._overtake, self._child, uri)

    def forget(self, uri: str) -> None:
        """Check a document no more."""
        self._waiting.pop(uri, None)
        if self._now == uri and self._child is not None:
            self._child.kill("newer")

    async def ask(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return the worker's answer to a question; nothing where it is busy, or takes too long."""
        asked = self._start(self._asked(task, asyncio.get_running_loop().time() + self.limits.asking))
        done, _ = await asyncio.wait({asked}, timeout=self.limits.asking)
        return asked.result() if done else {}

    async def close(self) -> None:
        """End the process."""
        for each in self._tasks:
            each.cancel()
        if self._child is not None:
            await self._child.end()

    def _start(self, what: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _overtake(self, child: Child, uri: str) -> None:
        """End the work on an old text, if it still goes on and a newer one waits."""
        if self._now == uri and self._child is child and uri in self._waiting:
            child.kill("newer")

    async def _run(self) -> None:
        """Check what waits, for ever."""
        with suppress(OSError):
            async with self._turn:
                await self._ready()
        while True:
            await self._wake.wait()
            while True:  # until nobody has typed for a moment
                self._wake.clear()
                await asyncio.sleep(self.limits.pause)
                if not self._wake.is_set():
                    break
            while self._waiting:
                uri = next(reversed(self._waiting))
                await self._check(uri, self._waiting.pop(uri))

    async def _check(self, uri: str, task: dict[str, Any]) -> None:
        async with self._turn:
            self._now = uri
            found: dict[str, Any] = {"diagnostics": []}
            loop = asyncio.get_running_loop()
            early = None
            why = "died"
            try:
                async for message in self._answers(task, self.limits.seconds):
                    if message["event"] == "read":
                        found = message
                        early = loop.call_later(self.limits.early, self._told, uri, task, message, "going on")
                    else:
                        why = message["why"]
                        found = message if why == "complete" else found
            except OSError:  # no process can be started: the next change tries again
                pass
            finally:
                self._now = ""
                if early is not None:
                    early.cancel()
        if why != "newer":
            self._told(uri, task, found, why)

    async def _asked(self, task: dict[str, Any], end: float) -> dict[str, Any]:
        async with self._turn:
            if asyncio.get_running_loop().time() >= end:  # nobody waits any more: others are due
                return {}
            found: dict[str, Any] = {}
            with suppress(OSError):
                async for message in self._answers(task, self.limits.asking):
                    found = message
            return found if found.get("why") == "complete" else {}

    async def _answers(self, task: dict[str, Any], seconds: float) -> AsyncIterator[dict[str, Any]]:
        """Give the messages about a task. A worker that came to no end, or has grown, is replaced at once."""
        await self._ready()
        assert self._child is not None
        child = self._child
        async for message in child.ask(task, seconds):
            yield message
            if message["event"] == "end":
                break
        if not child.is_alive or resident(child.process.pid) > self.limits.memory // 2:
            await child.end()

    async def _ready(self) -> None:
        """Start the process, where it does not run."""
        if self._child is None or not self._child.is_alive:
            self._child = await _started(self.limits.memory)
            await self._child.ready()


async def _started(memory: int) -> Child:
    """Return a worker that may use so many bytes of memory.

    ``-P`` keeps the folder that the editor has started us in out of the places that modules are taken from.
    """
    here = Path.cwd()
    paths = [each for each in sys.path if each and Path(each).resolve() != here]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "puzzlec.services.lsp.worker", str(memory),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, limit=LARGEST_MESSAGE,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("PUZZLEC_DEBUG") else asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    return Child(process, memory)
