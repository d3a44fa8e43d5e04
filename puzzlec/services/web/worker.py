"""The process that reads, draws and solves for the page: tasks come in as lines of JSON, what is found goes out so.

The server starts it as ``python -m puzzlec.services.web.worker MEMORY`` and ends it by killing it, at any moment;
before that it may be asked to stop, and has a moment to tell what it knows. It ends by itself when the server is gone:
its standard input is closed then.
"""

from __future__ import annotations

import _thread
import contextlib
import errno
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from puzzlec import resources

#: What the interpreter and the libraries take before a puzzle is read is not counted (bytes).
ROOM = 256 * 2**20

#: Standard output as it was at the start: whatever else prints must not come between the lines.
_output = sys.stdout

_lock = threading.Lock()


def tell(event: str, **more: Any) -> None:
    """Write one message to the server; may be called from any thread."""
    line = json.dumps({"event": event, **more}, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    with _lock:
        _output.write(line + "\n")
        _output.flush()


def main() -> None:
    """Do one task after the other until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's: it ends this process
    signal.signal(signal.SIGTERM, _interrupt)
    sys.stdout = sys.stderr
    memory = int(sys.argv[1])
    bound_memory(memory)
    readable()  # the folder is the one that it was started in
    sys.addaudithook(_lattices_stay_inside)
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    from puzzlec.services.web.tasks import do

    work(tasks, do)


def work(
    tasks: queue.SimpleQueue[dict[str, Any]], do: Callable[[dict[str, Any], Callable[..., None]], None]
) -> NoReturn:
    """Do one task after the other, and tell how those end that do not come to their own end."""
    tell("ready")
    while True:
        try:
            do(tasks.get(), tell)
        except KeyboardInterrupt:
            tell("end", why="cancelled")
        except MemoryError:
            tell("end", why="memory")
        except Exception as error:  # a fault of puzzlec: the server says so, without a traceback
            if os.environ.get("PUZZLEC_DEBUG"):
                import traceback

                traceback.print_exc()
            tell("end", why="internal", message=f"{type(error).__name__}: {error}"[:500])


def _listen(tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in sys.stdin.buffer:
            task = json.loads(line)
            if task["do"] == "stop":
                _thread.interrupt_main(signal.SIGTERM)
            else:
                tasks.put(task)
    os._exit(0)  # the server is gone


def _interrupt(number: int, frame: object) -> None:  # noqa: ARG001
    """Stop what is being done; a solve tells what it has found so far."""
    raise KeyboardInterrupt


def bound_memory(memory: int) -> None:
    """Let this process have ``memory`` bytes of its own, besides what it needs anyway, as far as the system can.

    Linux enforces it (RLIMIT_DATA; getrlimit(2)): an allocation fails then. On other systems that tell how much was
    used a thread looks at it, and the process ends itself. On Windows neither is there.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        if sys.platform.startswith("linux"):
            resource.setrlimit(resource.RLIMIT_DATA, (memory + ROOM, memory + ROOM))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        else:
            threading.Thread(target=_watch, args=(memory + ROOM,), daemon=True).start()


def _watch(most: int) -> None:
    import resource

    while True:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS, kilobytes elsewhere
        if used * (1 if sys.platform == "darwin" else 1024) > most:
            tell("end", why="memory")
            os._exit(1)
        time.sleep(0.2)


@cache
def readable() -> tuple[Path, ...]:
    """Return the folders whose YAML files may be read: the one that is served, and what puzzlec brings itself.

    In a wheel all data of puzzlec lies in the package, in a checkout some of it beside the package.
    """
    found = [Path(os.path.realpath(Path.cwd())), Path(os.path.realpath(Path(resources.__file__).parent))]
    for name in ("grammars", "puzzles", "errors", "lattices", "shapes"):
        with contextlib.suppress(FileNotFoundError):
            found.append(Path(os.path.realpath(resources.folder(name))))
    return tuple(found)


def _lattices_stay_inside(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to open a lattice outside of the folder: a text can name it by any path."""
    if event != "open" or not isinstance(arguments[0], str | os.PathLike):
        return
    name = os.fspath(arguments[0])
    if not isinstance(name, str) or not name.lower().endswith((".yaml", ".yml")):
        return
    path = Path(os.path.realpath(name))
    if not any(path.is_relative_to(folder) for folder in readable()):
        raise PermissionError(errno.EACCES, "it lies outside of the folder", name)


if __name__ == "__main__":
    main()
