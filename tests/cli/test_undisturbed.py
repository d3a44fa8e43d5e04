"""Files that a command writes, whatever comes meanwhile: signals, readers that go away, another file of that name."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzlec.certificates import writing
from puzzlec.cli.output import new_file
from puzzlec.diagnostics import PuzzleError
from tests.commands import command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and pipes are others there")
ENDING = (signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("existed", [False, True])
def test_a_signal_that_ends_a_command_leaves_nothing_half_written(number: int, existed: bool, tmp_path: Path) -> None:
    target = tmp_path / "made"
    if existed:
        target.write_text("mine")
    assert signal.getsignal(number) is signal.SIG_DFL

    def write() -> None:
        with new_file(str(target), existed) as path, new_file(str(target) + "2"):
            path.write_text("half")
            try:
                signal.raise_signal(number)
            finally:
                signal.raise_signal(number)  # as `timeout` does: the second one changes nothing

    with pytest.raises(SystemExit) as ended:
        write()
    assert ended.value.code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == ({"made": "mine"} if existed else {})


def test_a_signal_that_is_ignored_stays_so_while_a_file_is_written(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    try:
        with new_file(str(tmp_path / "made")) as path:
            signal.raise_signal(signal.SIGHUP)
            path.write_text("whole")
        assert (tmp_path / "made").read_text() == "whole"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_nothing_stands_in_the_way_of_the_next_attempt_before_the_file_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "made"
    with new_file(str(target)) as path:
        assert not list(tmp_path.iterdir())  # so that a process that is killed leaves no empty file of that name
        path.write_text("whole")
        assert not target.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["made"]


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_came_to_be_meanwhile_is_kept_unless_force_is_given(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("this file system has no links")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "made"

    def write(force: bool = False) -> None:
        with new_file(str(target), force) as path:
            path.write_text("ours")
            target.write_text("another's")

    with pytest.raises(PuzzleError, match="exists already"):
        write()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["another's"]
    target.unlink()
    write(force=True)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["ours"]
    with new_file(str(tmp_path / "second")) as path:
        path.write_text("ours")
    assert (tmp_path / "second").read_text() == "ours"


@pytest.mark.parametrize(
    ("target", "why"),
    [("", "is a directory"), ("none/made", "no such file"), ("file/made", "not a directory"), ("x" * 300, "too long")],
)
def test_where_no_file_can_be_written_is_told_before_the_work(
    target: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(PuzzleError, match=why), new_file(target):
        raise AssertionError("the work has begun")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard output goes into a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        yield


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("words", [("solve", "--all"), ("solve",), ("count",), ("count", "--json")])
def test_a_certificate_is_written_though_nobody_reads_what_is_printed(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bars.puzzle").write_text("locations box 3x2\npiece A { xxx }\npiece B { xxx }\n", encoding="utf-8")
    certifying = (words[0], "bars.puzzle", *words[1:], "--certificate", "bars.cert")
    status, _, said = command(capsys, monkeypatch, *certifying)
    assert status == 0
    assert "bars.cert: a certificate of" in said
    assert (tmp_path / "bars.cert").read_bytes().startswith(b'{"certificate":1')


@pytest.mark.usefixtures("unread")
def test_what_is_too_long_for_one_pipe_is_no_fault_where_nobody_reads_it(tmp_path: Path) -> None:
    with new_file(str(tmp_path / "made")) as path:
        print("x" * 1_000_000)  # noqa: T201 - more than is kept before it is written
        sys.stdout.flush()
        path.write_text("whole")
    assert (tmp_path / "made").read_text() == "whole"


def test_a_certificate_that_is_being_made_when_the_command_is_ended_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(_: object, path: Path, *__: object) -> None:
        path.write_text("half")
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(writing, "write_count", ended)
    status, shown, _ = command(capsys, monkeypatch, "count", "dominoes/4x4", "--certificate", "dominoes.cert")
    assert (status, shown) == (143, "9\n")
    assert not list(tmp_path.iterdir())
