"""How a competitor's work is measured: CPU seconds of a whole process, or of a call inside a warm one."""

from __future__ import annotations

import json
import os
import resource
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]

#: No process may take more memory than this many bytes.
MEMORY = 20 << 30

#: One thread for each program, even if a library would use more.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def environment() -> dict[str, str]:
    """Return the variables of a measured process.

    ``PYTHONDONTWRITEBYTECODE`` is left out: with it Python compiles each module of a checkout again in each process,
    which no installation does.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | THREADS


@dataclass(frozen=True)
class Measure:
    """The result of a run: CPU seconds and the count; ``fault`` names an error, or ``time`` at the limit."""

    seconds: float = 0.0
    count: int | None = None
    fault: str = ""
    memory: int = 0  # the peak memory of the process in bytes


def run(
    words: Sequence[str],
    standard_input: Path | None = None,
    limit: float = 60.0,
    read: Callable[[str], int] | None = None,
    additions: Mapping[str, str] | None = None,
    reserved: int = MEMORY,
) -> Measure:
    """Run a program to its end, or to its limit of CPU seconds, and return its time and memory.

    ``additions`` are variables of its environment, ``reserved`` the bytes of addresses that it may have.

    Only the end of its output is read, because some programs print all solutions.
    """

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (reserved, reserved))

    with Path(standard_input or os.devnull).open("rb") as given, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            words,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
            preexec_fn=limits,  # there are no threads here
            cwd=ROOT,
            env=environment() | dict(additions or {}),
        )
        assert process.stdout is not None
        tail = b""
        while part := process.stdout.read(1 << 16):
            tail = (tail + part)[-(1 << 16) :]
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - (1 << 16)))
        text = (errors.read() + b"\n" + tail).decode("utf-8", "replace")
    seconds = usage.ru_utime + usage.ru_stime
    memory = usage.ru_maxrss * 1024
    # On a busy machine, the seconds of a process that has reached its limit can be a little less than the limit.
    if process.returncode == -signal.SIGXCPU or (process.returncode == -signal.SIGKILL and seconds >= limit):
        return Measure(seconds, fault="time", memory=memory)
    try:
        return Measure(seconds, read(text) if read is not None else None, memory=memory)
    except ValueError as error:
        return Measure(seconds, fault=f"exit status {process.returncode}: {error}", memory=memory)


class Warm:
    """A process of ``inside.py`` that solves one problem after another; ``missing`` says why there is none."""

    def __init__(self, words: Sequence[str], patience: float = 300.0, root: Path = ROOT) -> None:
        self._words, self._root = list(words), root
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self.missing = ""

    def measure(self, problem: str, limit: float) -> Measure:
        """Return the result of one problem."""
        if self._process is None and not self._start():
            return Measure(fault=self.missing)
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{limit} {problem}\n".encode())
        self._process.stdin.flush()
        answer = self._answer(3 * limit + 20)
        if answer is None:
            self.close()
            return Measure(limit, fault="time")
        if "failed" in answer:
            return Measure(fault=str(answer["failed"]))
        seconds = float(str(answer["seconds"]))
        return Measure(seconds, int(str(answer["count"])), "time" if seconds > limit else "")

    def _start(self) -> bool:
        if self.missing:
            return False
        self._process = subprocess.Popen(
            self._words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._root,
            env=environment(),
        )
        answer = self._answer(self._patience)
        if answer is None or "ready" not in answer:
            self.missing = str((answer or {}).get("missing", "its process does not start"))
            self.close()
        return not self.missing

    def _answer(self, patience: float) -> dict[str, object] | None:
        """Return the next line of the process, None if it died or prints nothing for this many seconds."""
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(patience):
                return None
        line = self._process.stdout.readline()
        answer: dict[str, object] | None = json.loads(line) if line else None
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                assert stream is not None
                with suppress(OSError):  # output that was not read
                    stream.close()
        self._process = None
