"""The command that starts the server, and the process that checks."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from puzzlec.services.lsp.server import CheckLimits, TextChecker
from tests.commands import command

HEAVY = "lattice cubic\nlocations box 12x12x12\npieces polycubes 8 x0..9\n"


def test_without_its_extra_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    status, shown, complaint = command(capsys, monkeypatch, "lsp")
    assert (status, shown) == (1, "")
    assert "error[PZ505]: the language server needs the package `pygls`" in complaint
    assert "pip install 'puzzlec[lsp]'" in complaint


def test_a_port_in_use_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, _, complaint = command(capsys, monkeypatch, "lsp", "--tcp", str(taken.getsockname()[1]))
    assert status == 1
    assert "error[PZ645]" in complaint


@pytest.mark.slow
@pytest.mark.parametrize(("said", "status"), [(("shutdown", "exit"), 0), (("exit",), 1), ((), 1)])
def test_a_server_without_a_shutdown_request_ends_with_status_1(said: tuple[str, ...], status: int) -> None:
    numbers = {"shutdown": {"id": 1}}
    bodies = [json.dumps({"jsonrpc": "2.0", "method": method, **numbers.get(method, {})}).encode() for method in said]
    told = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    done = subprocess.run([sys.executable, "-m", "puzzlec", "lsp"], input=told, capture_output=True, timeout=60)
    assert done.returncode == status


@pytest.mark.slow
def test_an_editor_can_connect_to_a_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "puzzlec", "lsp", "--tcp", str(port)], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    assert f"port {port}" in server.stderr.readline()
    end = time.monotonic() + 60
    while True:
        try:
            editor = socket.create_connection(("127.0.0.1", port), timeout=60)
            break
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.1)
    with editor, editor.makefile("rwb") as stream:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()
        length = int(stream.readline().split(b":")[1])
        while stream.readline().strip():
            pass
        assert json.loads(stream.read(length))["result"]["serverInfo"]["name"] == "puzzlec"
    assert server.wait(60) in (0, 1)
    server.stderr.close()


def test_a_late_question_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def run() -> None:
        checking = TextChecker(lambda *_: None, CheckLimits(asking=0.01))

        async def answers(task: dict[str, Any], *_: object) -> AsyncIterator[dict[str, Any]]:
            asked.append(task["number"])
            yield {"event": "end", "why": "complete"}

        async def ready() -> None:
            pass

        monkeypatch.setattr(checking._sandbox, "ask", answers)
        monkeypatch.setattr(checking._sandbox, "ready", ready)
        async with checking._sandbox.turn:  # a long check is running
            assert await asyncio.gather(*(checking.ask({"number": number}) for number in range(3))) == [{}, {}, {}]
        checking.limits = CheckLimits(asking=100)
        assert await checking.ask({"number": 3}) != {}
        await checking.close()

    asyncio.run(run())
    assert asked == [3]


def checked(text: str, limits: CheckLimits) -> tuple[dict[str, Any], str]:
    """Return the diagnostics of a text within limits, and why the check ended."""

    async def run() -> tuple[dict[str, Any], str]:
        told: asyncio.Queue[tuple[dict[str, Any], str]] = asyncio.Queue()
        checking = TextChecker(lambda uri, task, found, why: told.put_nowait((found, why)), limits)
        task = {"name": "x.puzzle", "language": "puzzle", "text": text, "encoding": "utf-16"}
        checking.changed("file:///x.puzzle", {"do": "check", **task})
        found = await asyncio.wait_for(told.get(), 100)
        after = await checking.ask({"do": "hover", **task, "text": "locations box 2x2\n", "place": [0, 12]})
        assert "4 cells here" in after.get("markdown", ""), "a new process serves the next one"
        await checking.close()
        return found

    return asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "limits", "why"),
    [
        (HEAVY, CheckLimits(seconds=0.1, asking=100), "seconds"),
        ("lattice cubic\nlocations box 100x100x100\n", CheckLimits(memory=2**20, seconds=100, asking=100), "memory"),
    ],
)
def test_a_check_beyond_its_limits_ends_and_the_next_one_runs(text: str, limits: CheckLimits, why: str) -> None:
    assert checked(text, limits)[1] == why


def test_a_bug_in_one_check_does_not_end_the_checks(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []

    def told(uri: str, _task: object, _found: object, _why: str) -> None:
        seen.append(uri)
        if len(seen) == 1:
            raise RuntimeError("one check fails")

    async def run() -> None:
        checking = TextChecker(told)
        about = {"do": "check", "name": "a.puzzle", "language": "puzzle", "encoding": "utf-16", "version": 1}
        for uri in ("one", "two"):
            checking.changed(uri, {**about, "text": "locations box 1x1\npiece A { x }\n"})
            while uri not in seen:
                await asyncio.sleep(0.01)
        await checking.close()

    asyncio.run(asyncio.wait_for(run(), 60))
    assert seen == ["one", "two"]
    assert "bug in puzzlec: RuntimeError: one check fails" in capsys.readouterr().err
