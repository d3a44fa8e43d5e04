"""Time slices in processes of this machine. A lost process loses only its time slice.

A thread here serves each process. The thread sends a task, waits for the result, and begins a new process if the
connection breaks. The connection is a pipe whose other end is open in that process only. A pool of
:mod:`concurrent.futures` does not fit. One killed process breaks the whole pool. A process killed while it writes
leaves its reader waiting, since the pool also holds the other end of the pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.engine.search.tree_search import cores
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import Work
from puzzlec.jobs.workers.importing import MAIN_GUARD, lost_program, no_interrupts
from puzzlec.jobs.workers.protocol import Returned
from puzzlec.jobs.workers.threads import LocalWorkers

#: Seconds for a process to end without a signal.
EXIT_SECONDS = 5.0

#: How a process ends after an exception.
_EXCEPTION_END = "ended with status 1"


class Processes(LocalWorkers):
    """Workers that are processes, ``count`` of them. Each gets the problem once, when it begins."""

    def __init__(self, problem: JobProblem, count: int) -> None:
        if (lost := lost_program()) is not None:
            raise fail(
                "PZ626",
                f"cannot start a process: the file `{lost}` of this program does not exist",
                note="each process imports the program that started it",
                help=f"write it to a file, or search with threads; {MAIN_GUARD}",
            )
        super().__init__(count, f"{count} process{'es' * (count != 1)}")
        self._is_fit, self._unfit = False, ""  # whether a process was ready; if none was, how the first one ended
        # A byte that all processes see. An Event has a lock, and a process that is killed while it holds the lock would
        # stop all others.
        self._stopped = multiprocessing.get_context("spawn").RawValue("b", 0)
        self._slots = [_Slot(f"process {number}", problem, self._stopped) for number in range(1, count + 1)]
        # At most one process per processor may start at a time: then the first of hundreds can have time slices soon.
        self._beginnings = threading.Semaphore(cores())
        self._lock = threading.Lock()
        self._begin_threads(self._slots)

    def collect(self, wait: float) -> list[Returned]:
        """Return the finished time slices, as other workers do.

        Raises PuzzleError (PZ626) if the first process ended before its first time slice.
        """
        over = super().collect(wait)
        if self._unfit and not self._is_fit:
            raise _unfit(self._unfit)
        return over

    def stop(self) -> None:
        """Ask the running time slices to end at once, and cancel the waiting ones."""
        self._stopped.value = 1

    def close(self) -> None:
        """End the processes after their current step, and kill those that do not end."""
        self.stop()
        self._works.end()
        until = time.monotonic() + EXIT_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        for slot in self._slots:
            slot.kill()
        super().close()

    def _serve(self, slot: _Slot) -> None:
        """Serve one process until there is no more work, and begin it again whenever it is lost."""
        try:
            if self._begin(slot):
                while (work := self._works.take(slot.name)) is not None:
                    self._over.put(self._time_slice(slot, work))
        finally:
            slot.end()

    def _begin(self, slot: _Slot) -> bool:
        """Begin a process; return whether its place may have time slices. A lost one is begun again.

        If the system has no room for another process, there are fewer processes. The last place tries again, and the
        collector gets the error. If the first process of all could not import the program, the others cannot either and
        are not begun.
        """
        with self._beginnings:
            if self._stopped.value or self._unfit:
                return True
            try:
                slot.begin()
                self._is_fit = True
            except _UnfitError as unfit:
                self._unfit = self._unfit or str(unfit)
            except (_LostError, AssertionError, RuntimeError):
                pass  # the first time slice tries again, and reports the error
            except OSError:
                with self._lock:
                    if self._count > 1:
                        self._count -= 1
                        return False
            return True

    def _time_slice(self, slot: _Slot, work: Work) -> Returned:
        if self._stopped.value or (self._unfit and not self._is_fit):
            return Returned(work.key, None)
        try:
            returned = slot.time_slice(work)
        except _UnfitError as unfit:
            return Returned(work.key, None, _unfit(str(unfit)))
        except _LostError as lost:
            # A process may be killed after a stop; that is not an error of the work unit.
            return Returned(work.key, None) if self._stopped.value else self._losses.lost(work.key, str(lost))
        except OSError as fault:
            return self._losses.lost(work.key, f"cannot start a process: {fault.strerror or fault}")
        except Exception as fault:  # such as no room for a process: the collector must know
            return Returned(work.key, None, fault)
        if returned.outcome is not None:
            self._losses.met(work.key)
        return returned


class _LostError(Exception):
    """The process of a slot has ended; the text describes how."""


class _UnfitError(_LostError):
    """The process of a slot has raised an exception before its first time slice. The next one would also."""


class _Slot:
    """The place of one process: the current process and the connection to it."""

    def __init__(self, name: str, problem: JobProblem, stopped: Any) -> None:
        self.name, self._problem, self._stopped = name, problem, stopped
        self._process: BaseProcess | None = None
        self._here: Connection[Any, Returned] | None = None  # gives the problem, then works

    def begin(self) -> Connection[Any, Returned]:
        """Begin the process, wait until it is ready, which takes about a second, and return the connection to it.

        Raises :class:`_LostError` if it ends before that, OSError if the system has no room for it.
        """
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(
            target=_work, args=(there, self.name, self._stopped), name=f"puzzlec {self.name}", daemon=True
        )
        try:
            with no_interrupts():
                process.start()
        except BrokenPipeError:  # it ended before it had read its task
            here.close()
            raise _LostError("it ended before it started") from None
        except BaseException:
            here.close()
            raise
        finally:
            there.close()  # so that the connection breaks when the process ends
        self._process, self._here = process, here
        # Not among its arguments: multiprocessing writes those to a pipe of which it holds both ends. If they are more
        # than a pipe holds and the process is killed before it has read them, it waits forever.
        try:
            here.send(self._problem)
            here.recv()
        except (EOFError, OSError):
            how = self.end()
            raise (_UnfitError if how == _EXCEPTION_END else _LostError)(how) from None
        return here

    def time_slice(self, work: Work) -> Returned:
        """Have a time slice in the process; raises :class:`_LostError` if the process ends."""
        if self._here is not None and self._here.poll():  # it sends nothing before: it ended while it was idle
            self.end()
        here = self._here or self.begin()
        try:
            here.send(work)
            return here.recv()
        except (EOFError, OSError):
            raise _LostError(self.end()) from None

    def end(self) -> str:
        """End the process, and return how it ended."""
        process, self._process = self._process, None
        if self._here is not None:
            self._here.close()
            self._here = None
        if process is None:
            return ""
        process.join(EXIT_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        code = process.exitcode or 0  # not closed here: Python may also be waiting for it at its exit
        return f"killed by signal {-code} ({_signal(-code)})" if code < 0 else f"ended with status {code}"

    def kill(self) -> None:
        """Kill the process, from another thread than the one that serves it."""
        if (process := self._process) is not None:
            process.kill()


def _unfit(how: str) -> PuzzleError:
    return fail(
        "PZ626",
        f"cannot start a process: it {how} before its first time slice; {MAIN_GUARD}",
        note="each process imports the program that started it; its output, if any, is above",
        help="indent your program from `Job.begin` on below that line",
    )


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _work(there: Connection[Returned, Any], name: str, stopped: Any) -> None:
    """Be a worker: get the problem, and take time slices until the connection or the process at its other end ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        time_slices = TimeSlices(there.recv(), name)
        there.send(Returned(b"", None))  # ready
        while True:
            work: Work = there.recv()
            try:
                returned = Returned(work.key, time_slices.take(work, lambda: bool(stopped.value)))
            except BaseException as fault:
                returned = Returned(work.key, None, _sendable(fault))
            there.send(returned)


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, even during a time slice."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _sendable(fault: BaseException) -> BaseException:
    """Return an exception that can be pickled and has its traceback as a note."""
    from multiprocessing.reduction import ForkingPickler

    fault.add_note("".join(traceback.format_exception(fault)))
    try:
        ForkingPickler.loads(ForkingPickler.dumps(fault))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(fault)))
    return fault
