"""The process that reads puzzles for the language server: tasks come in as lines of JSON, what is found goes out so.

The server starts it as ``python -m puzzlec.services.lsp.worker MEMORY`` and ends it by killing it, at any moment. It
ends by itself when the server is gone: its standard input is closed then.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from typing import Any

from puzzlec.services.web.worker import bound_memory, work


def main() -> None:
    """Do one task after the other until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's: it ends this process
    sys.stdout = sys.stderr  # whatever else prints must not come between the lines
    bound_memory(int(sys.argv[1]))
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    from puzzlec.services.lsp.tasks import do

    work(tasks, do)


def _listen(tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in sys.stdin.buffer:
            tasks.put(json.loads(line))
    os._exit(0)  # the server is gone


if __name__ == "__main__":
    main()
