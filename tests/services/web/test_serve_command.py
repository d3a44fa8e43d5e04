"""``puzzlec serve``: its output before it serves, and what it refuses to serve."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.services.web import server
from puzzlec.services.web.server import Served, prepare
from tests.commands import command

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def served(monkeypatch: pytest.MonkeyPatch) -> list[Served]:
    """The server that would have run."""
    found: list[Served] = []

    def run(self: Served, began: object = None) -> None:
        found.append(self)
        self.listening.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Served, "run", run)
    return found


def test_the_address_and_the_way_to_end_are_printed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, served: list[Served]
) -> None:
    status, shown, told = command(capsys, monkeypatch, "serve", str(tmp_path), "--time-limit", "5", "--memory", "64M")
    assert status == 0
    (one,) = served
    assert shown == f"http://127.0.0.1:{one.port}/?token={one.token}\n"
    assert (one.limits.seconds, one.limits.memory) == (5, 64 * 2**20)
    assert len(one.token) >= 20
    assert "warning" not in told
    assert told.endswith("stopped\n")


def test_two_servers_have_two_ports_and_two_tokens(tmp_path: Path) -> None:
    one, two = prepare(str(tmp_path)), prepare(str(tmp_path))
    try:
        assert one.port != two.port
        assert one.token != two.token
        assert {one.port, two.port} <= set(server.PORTS)
    finally:
        one.listening.close()
        two.listening.close()


def test_a_port_that_is_taken_is_refused(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        status, shown, told = command(capsys, monkeypatch, "serve", str(tmp_path), "--port", port)
    assert (status, shown) == (1, "")
    assert f"error[PZ508]: cannot serve on port {port}: " in told


@pytest.mark.parametrize(
    "words", [["nowhere"], ["file.puzzle"], [".", "--host", "no.such.host.invalid"], [".", "--host", "192.0.2.1"]]
)
def test_a_folder_or_host_that_cannot_be_served_is_reported(
    words: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file.puzzle").write_text("x")
    monkeypatch.chdir(tmp_path)
    status, shown, told = command(capsys, monkeypatch, "serve", *words)
    assert (status, shown) == (1, "")
    assert "error[PZ508]" in told


def test_a_puzzle_of_the_catalogue_instead_of_a_folder_is_recognised(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    told = [command(capsys, monkeypatch, "serve", name)[2] for name in ("soma/castle", "soma", "pentominoes", "no")]
    assert ["of the catalogue" in text for text in told[:2]] == [True, True]
    assert "a family of puzzles in the catalogue" in told[2]
    assert "catalogue" not in told[3]


def test_a_host_that_others_can_reach_gets_a_warning(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    status, shown, told = command(capsys, monkeypatch, "serve", str(tmp_path), "--host", "0.0.0.0")
    assert (status, shown.startswith("http://127.0.0.1:")) == (0, True)
    assert "warning: other machines can reach" in told


def test_without_the_packages_their_extra_is_named(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    status, _, told = command(capsys, monkeypatch, "serve", str(tmp_path))
    assert status == 1
    assert "error[PZ505]" in told
    assert "puzzlec[web]" in told
