"""The worker's side of a sandbox: it reads tasks and writes messages, both as lines of JSON.

The server starts a worker as ``python -m MODULE MEMORY`` and ends it by killing it, at any moment. Before that, the
server can ask it to stop. A worker also ends if the server is gone: its standard input is closed then.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeAlias

#: Bytes for the interpreter and the libraries, which do not count as memory of a puzzle.
INTERPRETER_BYTES = 256 * 2**20

#: The real standard output, for messages. `sys.stdout` becomes standard error, so that nothing mixes with them.
_output = sys.stdout

_lock = threading.Lock()

#: Set when the server has asked to stop the task. A library may replace the interruption by another error, as
#: numpy does while it is imported.
_stopping = threading.Event()


class Tell(Protocol):
    """Sends a message to the server."""

    def __call__(self, event: str, **more: Any) -> None:
        """Send a message with the name ``event`` and these members."""


#: Does one task, and sends its results. The last message is an ``end`` with a reason.
Do: TypeAlias = Callable[[dict[str, Any], Tell], None]


def tell(event: str, **more: Any) -> None:
    """Write one message to the server; may be called from any thread."""
    line = json.dumps({"event": event, **more}, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    with _lock:
        _output.write(line + "\n")
        _output.flush()


def run(load: Callable[[], Do]) -> NoReturn:
    """Do one task after the other until the server closes the pipe.

    Args:
        load: Imports the function that does the tasks. It is called after the memory is bounded.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C and ends this process
    sys.stdout = sys.stderr
    bound_memory(int(sys.argv[1]))
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    do = load()
    tell("ready")
    while True:
        try:
            do(tasks.get(), tell)
        except KeyboardInterrupt:
            tell("end", why="cancelled")
        except MemoryError:
            tell("end", why="memory")
        except Exception as error:  # a bug of puzzlec: the server reports it, without a traceback
            if _stopping.is_set():
                tell("end", why="cancelled")
            else:
                _report(error)
        finally:
            _stopping.clear()


def _report(error: Exception) -> None:
    """Send an error that no code of puzzlec expects. Print its position in the code if this is requested."""
    if os.environ.get("PUZZLEC_DEBUG"):
        import traceback

        traceback.print_exc()
    tell("end", why="internal", message=f"{type(error).__name__}: {error}"[:500])


def _listen(tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in sys.stdin.buffer:
            task = json.loads(line)
            if task["do"] == "stop":
                _stopping.set()
                _thread.interrupt_main(signal.SIGTERM)
            else:
                tasks.put(task)
    os._exit(0)  # the server is gone


def bound_memory(memory: int) -> None:
    """Limit this process to ``memory`` bytes in addition to the memory of the libraries, if the system allows it.

    Linux enforces the limit (RLIMIT_DATA; getrlimit(2)): an allocation fails. On other systems that report the memory,
    a thread watches it and ends the process. Windows supports neither.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        if sys.platform.startswith("linux"):
            resource.setrlimit(resource.RLIMIT_DATA, (memory + INTERPRETER_BYTES, memory + INTERPRETER_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        else:
            threading.Thread(target=_watch, args=(memory + INTERPRETER_BYTES,), daemon=True).start()


def _watch(most: int) -> None:
    import resource

    while True:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS, kilobytes elsewhere
        if used * (1 if sys.platform == "darwin" else 1024) > most:
            tell("end", why="memory")
            os._exit(1)
        time.sleep(0.2)
