"""Child processes to watch and kill: a job with all the processes that it begins."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

#: Every process that a child starts inherits this variable, so none can hide, not even in a separate group.
MARK = "PUZZLEC_FAULTS_MARK"

#: Whether the machine shows its processes in this way.
WATCHED = Path("/proc/self/environ").exists()

#: Seconds in which a process must end after its parent was killed.
PATIENCE = 15.0

#: Seconds after which a command counts as hanging.
HANGING = 120.0


class OrphanError(AssertionError):
    """Processes still run although their parent has ended."""


def marked(mark: str) -> dict[int, str]:
    """Return the running processes with a mark: their ids and command lines. Zombies do not count."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended meanwhile, or belongs to another user
            continue
    return found


def wait_until(condition: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    """Wait until a condition is true; return whether it became true within a few seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True


class Child:
    """A command in a separate process, with its output in files in ``folder``. Close it after use.

    ``words`` is the whole command line. ``before`` is called in the child before the command begins.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        more: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> None:
        self.words, self.mark = list(words), uuid.uuid4().hex
        folder.mkdir(parents=True, exist_ok=True)
        self.output, self.errors = folder / f"{self.mark}.out", folder / f"{self.mark}.err"
        environment = {**os.environ, MARK: self.mark, "PYTHONFAULTHANDLER": "1", **(more or {})}
        environment.pop("PYTHONUNBUFFERED", None)
        self.begun = time.monotonic()
        with self.output.open("wb") as output, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True,
                env=environment, preexec_fn=before,
            )  # fmt: skip

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs, negative if a signal ended it."""
        return self.process.poll()

    @property
    def said(self) -> str:
        """Its standard error."""
        return self.errors.read_text(errors="replace")

    def strike(self, kind: int = signal.SIGKILL) -> None:
        """Send a signal to the process itself, not to its children."""
        if self.status is None:
            self.process.send_signal(kind)

    def strike_all(self) -> None:
        """Kill the process and all that it began, as in a power failure."""
        self.strike()
        for process in marked(self.mark):
            kill(process)

    def others(self) -> dict[int, str]:
        """Return the running processes that it began: their ids and command lines."""
        return {pid: words for pid, words in marked(self.mark).items() if pid != self.process.pid}

    def strike_other(self, choose: random.Random, like: str = "") -> bool:
        """Kill one process that it began and whose command line contains ``like``; return whether there was one."""
        there = sorted(pid for pid, words in self.others().items() if like in words)
        return bool(there) and kill(choose.choice(there))

    def wait(self, seconds: float = HANGING) -> int:
        """Wait for its end, and return the exit status; if it does not end, report what it was doing."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.strike(signal.SIGABRT)  # the fault handler prints the position of each thread
            time.sleep(1.0)
            self.strike_all()
            raise AssertionError(f"{self.words} hangs\n{self.said}") from None

    def gone(self, seconds: float = PATIENCE) -> None:
        """Make sure that it has ended, and that its child processes soon end without help.

        Raises OrphanError for children that still run, after killing them.
        """
        self.wait()
        if not wait_until(lambda: not marked(self.mark), seconds):
            left = marked(self.mark)
            for process in left:
                kill(process)
            raise OrphanError(f"these live on after {self.words}: {left}\n{self.said}")

    def close(self) -> None:
        """End all remaining processes."""
        self.strike_all()
        self.process.wait()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


def kill(pid: int) -> bool:
    """Kill a process; return whether it was still running."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def puzzlec(*words: object) -> list[str]:
    """Return the command line of a command of puzzlec."""
    return [sys.executable, "-m", "puzzlec", *map(str, words)]


def run(folder: Path, *words: object, more: Mapping[str, str] | None = None) -> tuple[int, bytes, str]:
    """Run a command of puzzlec to its end; return its status, and what it printed on both streams."""
    with Child(puzzlec(*words), folder, more) as child:
        status = child.wait()
        return status, child.output.read_bytes(), child.said
