"""The server's side of a sandbox: start, ask, watch, kill and replace a worker process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from puzzlec.services.sandbox.worker import INTERPRETER_BYTES

#: Seconds between two checks of the memory of a process.
POLLING_SECONDS = 0.1

#: Seconds to wait for the start of a process. After that it gets its task anyway.
STARTING_SECONDS = 60

#: Maximum number of bytes of a message from a worker.
MAX_MESSAGE_BYTES = 2**27


class Child:
    """A worker process. :meth:`ask` yields its messages, with a reason if it did not finish."""

    def __init__(self, process: asyncio.subprocess.Process, memory: int) -> None:
        self.process, self.memory = process, memory
        assert process.stdin is not None and process.stdout is not None  # noqa: PT018 - both are pipes
        self._input, self._output = process.stdin, process.stdout
        self.peak = 0  # greatest memory use so far, in bytes
        self.why = ""  # the reason why it was killed

    @classmethod
    async def start(cls, module: str, folder: Path, memory: int) -> Child:
        """Start a module as a worker in a folder, with this many bytes of memory.

        ``-P`` keeps the folder out of the search path of modules, so no code from there runs.
        """
        paths = [entry for entry in sys.path if entry and Path(entry).resolve() != folder]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", module, str(memory),
            cwd=folder, env=environment, limit=MAX_MESSAGE_BYTES,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("PUZZLEC_DEBUG") else asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        return cls(process, memory)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self.process.returncode is None

    async def ready(self) -> None:
        """Wait until the worker has started or died, so that its start does not count as time of a task."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._line(), STARTING_SECONDS)

    async def ask(self, task: dict[str, Any], seconds: float) -> AsyncIterator[dict[str, Any]]:
        """Yield the messages about a task. The last one is an ``end`` with a reason: ``complete`` or another.

        The process is killed after ``seconds`` (reason ``seconds``), or if it uses too much memory (``memory``). The
        reason ``died`` means that the process ended without being killed.
        """
        watching = asyncio.create_task(self._watch(seconds))
        try:
            with contextlib.suppress(ConnectionError):
                self._input.write(json.dumps(task).encode() + b"\n")
                await self._input.drain()
            while True:
                line = await self._line()
                if line is None:
                    await self.process.wait()
                    yield {"event": "end", "why": self.why or self._death()}
                    return
                message = json.loads(line)
                if message["event"] == "ready":
                    continue
                if message.get("why") == "internal":
                    report(message.get("message", ""))
                yield message
                if message["event"] == "end":
                    return
        finally:
            watching.cancel()

    async def _line(self) -> bytes | None:
        """Return the next message; None at the end, also if the process died within a message."""
        try:
            line = await self._output.readline()
        except ValueError:  # the message is too long
            self.kill("size")
            return None
        return line if line.endswith(b"\n") else None

    async def _watch(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self.is_alive:
            used = resident(self.process.pid)
            self.peak = max(self.peak, used)
            if used > self.memory + INTERPRETER_BYTES:
                self.kill("memory")
            elif loop.time() > end:
                self.kill("seconds")
            await asyncio.sleep(POLLING_SECONDS)

    def _death(self) -> str:
        return "memory" if self.peak > 0.7 * (self.memory + INTERPRETER_BYTES) else "died"

    def stop(self) -> None:
        """Ask the process to stop and to send its results. The caller kills it if it does not stop."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._input.write(b'{"do":"stop"}\n')

    def kill(self, why: str = "cancelled") -> None:
        """End the process at once."""
        if self.is_alive:
            self.why = self.why or why
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def end(self) -> None:
        """End the process, and wait until it is gone."""
        self.kill()
        await self.process.wait()


class Sandbox:
    """A worker process that does one task after the other. It is replaced if it does not finish, or is too large.

    The caller holds :attr:`turn` while it asks. A task is work on the newest text of some ``subject``, such as a page
    or a document. If a newer text arrives, the work on the old one has ``patience`` seconds to end.
    """

    def __init__(self, module: str, folder: Path, memory: int, patience: float) -> None:
        self.module, self.folder, self.memory, self.patience = module, folder, memory, patience
        self.turn = asyncio.Lock()
        self._child: Child | None = None
        self._subject = ""
        self._number = 0  # of the current or the last task

    async def ready(self) -> Child:
        """Return the process; start it if none is running. Raise OSError if that fails."""
        if self._child is None or not self._child.is_alive:
            self._child = await Child.start(self.module, self.folder, self.memory)
            await self._child.ready()
        return self._child

    async def ask(self, task: dict[str, Any], seconds: float, subject: str = "") -> AsyncIterator[dict[str, Any]]:
        """Yield the messages about a task, as :meth:`Child.ask` does; raise OSError if no process can start."""
        self._subject, self._number = subject, self._number + 1
        why = ""
        try:
            child = await self.ready()
            async for message in child.ask(task, seconds):
                why = message.get("why", why)
                yield message
        finally:
            self._subject = ""
        # The next text needs the memory that this text took.
        if why != "complete" or resident(child.process.pid) > self.memory // 2:
            await child.end()

    def overtake(self, subject: str) -> None:
        """End the work on an old text soon, since a newer one has arrived."""
        if self._subject == subject and self._child is not None:
            later = asyncio.get_running_loop().call_later
            later(self.patience, self._end_work, self._child, self._number)

    def _end_work(self, child: Child, number: int) -> None:
        if self._subject and self._child is child and self._number == number:
            child.kill("newer")

    def drop(self, subject: str) -> None:
        """End the work on a subject at once."""
        if self._subject == subject and self._child is not None:
            self._child.kill("newer")

    async def close(self) -> None:
        """End the process."""
        if self._child is not None:
            await self._child.end()


_reported: set[str] = set()


def report(bug: str) -> None:
    """Print a bug of puzzlec in the terminal, once. The page also shows it, but not its position in the code."""
    if bug not in _reported:
        _reported.add(bug)
        sys.stderr.write(f"bug in puzzlec: {bug}; PUZZLEC_DEBUG=1 shows where\n")
        sys.stderr.flush()


def resident(process: int) -> int:
    """Return the memory of a process in bytes (RSS), 0 if this system does not report it.

    Linux reports it in ``/proc/PID/statm``: proc(5).
    """
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        return 0
