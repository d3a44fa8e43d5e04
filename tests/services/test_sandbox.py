"""The worker's side of a sandbox, and the memory of its process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puzzlec.services.sandbox import worker
from puzzlec.services.sandbox.child import resident

#: Its first task replaces an interruption by another error, as some libraries do while they are imported.
WORKER = """
import signal, time
from puzzlec.services.sandbox.worker import run, tell

def interrupt(number, frame):
    raise KeyboardInterrupt

def do(task, tell):
    if task["do"] == "fail":
        raise ImportError("broken")
    try:
        tell("begun")
        while True:
            time.sleep(0.01)
    except KeyboardInterrupt:
        raise ImportError("interrupted")

signal.signal(signal.SIGTERM, interrupt)
run(lambda: do)
"""


def test_a_stopped_task_is_cancelled_even_if_a_library_replaces_the_interruption() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(2**30)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None

        def send(what: str) -> None:
            print(json.dumps({"do": what}), file=worker.stdin, flush=True)

        def receive() -> dict[str, str]:
            assert worker.stdout is not None
            return dict(json.loads(worker.stdout.readline()))

        assert receive() == {"event": "ready"}
        send("wait")
        assert receive() == {"event": "begun"}
        send("stop")
        assert receive() == {"event": "end", "why": "cancelled"}
        send("fail")
        assert receive()["why"] == "internal"
        worker.stdin.close()
        assert worker.wait(10) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux enforces a limit of memory")
def test_a_task_has_its_memory_in_addition_to_that_of_the_libraries_and_leaves_no_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    limits: dict[int, Any] = {}
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    worker.bound_memory(2**20)
    both = 2**20 + worker.INTERPRETER_BYTES
    assert limits == {resource.RLIMIT_DATA: (both, both), resource.RLIMIT_CORE: (0, 0)}
    assert worker.INTERPRETER_BYTES > 2**27


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux reports it there")
def test_the_memory_of_a_process_is_in_bytes() -> None:
    assert 2**20 < resident(os.getpid()) < 2**45
    assert resident(-1) == 0
