"""The language server's side of the worker process: check the newest text of each document, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.services.sandbox.child import Sandbox


@dataclass(frozen=True)
class Limits:
    """Limits of one check: ``seconds``, and ``memory`` in bytes.

    - ``pause``: seconds between the last change and the check.
    - ``patience``: seconds that the check of an old text may still take.
    - ``early``: seconds after which the errors found so far are published.
    - ``asking``: seconds to wait for an answer about a word.
    """

    seconds: float = 10.0
    memory: int = 2**30
    pause: float = 0.04
    patience: float = 0.5
    early: float = 0.5
    asking: float = 2.0


#: The module that runs as a worker process.
WORKER = "puzzlec.services.lsp.worker"

#: Receives the results of a document: its address, the task, the message of the worker, and why the check ended.
Told = Callable[[str, dict[str, Any], dict[str, Any], str], None]


class Checking:
    """Checks texts as they are typed, in a separate process, which is killed if it takes too long."""

    def __init__(self, told: Told, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._told = told
        self._sandbox = Sandbox(WORKER, Path.cwd(), self.limits.memory, self.limits.patience)
        self._waiting: dict[str, dict[str, Any]] = {}
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._start(self._run())

    def changed(self, uri: str, task: dict[str, Any]) -> None:
        """Schedule a check of the newest text of a document. Older texts are dropped."""
        self._waiting.pop(uri, None)
        self._waiting[uri] = task
        self._wake.set()
        self._sandbox.overtake(uri)

    def forget(self, uri: str) -> None:
        """Stop checking a document."""
        self._waiting.pop(uri, None)
        self._sandbox.drop(uri)

    async def ask(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return the worker's answer to a question; an empty one if it is busy or takes too long."""
        asked = self._start(self._asked(task, asyncio.get_running_loop().time() + self.limits.asking))
        done, _ = await asyncio.wait({asked}, timeout=self.limits.asking)
        return asked.result() if done else {}

    async def close(self) -> None:
        """End the process."""
        for task in self._tasks:
            task.cancel()
        await self._sandbox.close()

    def _start(self, what: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self) -> None:
        """Check the waiting texts, in an endless loop."""
        with suppress(OSError):
            async with self._sandbox.turn:
                await self._sandbox.ready()
        while True:
            await self._wake.wait()
            while True:  # until there is a pause in the typing
                self._wake.clear()
                await asyncio.sleep(self.limits.pause)
                if not self._wake.is_set():
                    break
            while self._waiting:
                uri = next(reversed(self._waiting))
                await self._check(uri, self._waiting.pop(uri))

    async def _check(self, uri: str, task: dict[str, Any]) -> None:
        async with self._sandbox.turn:
            found: dict[str, Any] = {"diagnostics": []}
            loop = asyncio.get_running_loop()
            early = None
            why = "died"
            try:
                async for message in self._sandbox.ask(task, self.limits.seconds, uri):
                    if message["event"] == "read":
                        found = message
                        early = loop.call_later(self.limits.early, self._told, uri, task, message, "running")
                    else:
                        why = message["why"]
                        found = message if why == "complete" else found
            except OSError:  # no process can start: the next change tries again
                pass
            finally:
                if early is not None:
                    early.cancel()
        if why != "newer":
            self._told(uri, task, found, why)

    async def _asked(self, task: dict[str, Any], end: float) -> dict[str, Any]:
        async with self._sandbox.turn:
            if asyncio.get_running_loop().time() >= end:  # too late: the editor no longer waits
                return {}
            found: dict[str, Any] = {}
            with suppress(OSError):
                async for message in self._sandbox.ask(task, self.limits.asking):
                    found = message
            return found if found.get("why") == "complete" else {}
