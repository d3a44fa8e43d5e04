"""Files that a command writes, in spite of signals, readers that go away, and other files of the same name."""

from __future__ import annotations

import errno
import io
import os
import runpy
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from puzzlec.certificates import writing
from puzzlec.cli import output
from puzzlec.cli.output import PrintingError, new_file
from puzzlec.diagnostics import PuzzleError
from tests.commands import command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has other signals and pipes")
ENDING = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list with the seconds of the clock, which the test sets."""
    seconds = [0.0]
    monkeypatch.setattr(output, "monotonic", lambda: seconds[0])
    return seconds


@pytest.mark.usefixtures("clock")
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
                signal.raise_signal(number)  # as `timeout` does: the second signal changes nothing

    with pytest.raises(SystemExit) as ended:
        write()
    assert ended.value.code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == ({"made": "mine"} if existed else {})


def test_a_signal_ends_a_command_even_if_python_lost_an_earlier_exception(clock: list[float], tmp_path: Path) -> None:
    survived = []

    def write() -> None:
        with new_file(str(tmp_path / "made")):
            with suppress(SystemExit):  # as Python does if it is raised in `__del__`
                signal.raise_signal(signal.SIGTERM)
            for clock[0] in (0.5, 1.5):
                signal.raise_signal(signal.SIGTERM)
                survived.append(clock[0])

    with pytest.raises(SystemExit):
        write()
    assert survived == [0.5]  # which counts as the same signal
    assert not list(tmp_path.iterdir())


def test_ctrl_break_ends_a_command_if_the_system_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(output.ENDING_SIGNALS) == set(ENDING)
    monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)  # as on Windows
    assert set(runpy.run_path(output.__file__)["ENDING_SIGNALS"]) == {*ENDING, 21}


def test_a_signal_that_is_ignored_stays_so_while_a_file_is_written(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as with nohup
    try:
        with new_file(str(tmp_path / "made")) as path:
            signal.raise_signal(signal.SIGHUP)
            path.write_text("whole")
        assert (tmp_path / "made").read_text() == "whole"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_killed_command_does_not_block_the_next_one(tmp_path: Path) -> None:
    target = tmp_path / "made"
    with new_file(str(target)) as path:
        assert not list(tmp_path.iterdir())  # so that a killed process leaves no empty file of that name
        path.write_text("whole")
        assert not target.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["made"]


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appeared_meanwhile_is_kept_without_force(
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

    with pytest.raises(PuzzleError, match="already exists"):
        write()
    assert [file.read_text() for file in tmp_path.iterdir()] == ["another's"]
    target.unlink()
    write(force=True)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["ours"]
    with new_file(str(tmp_path / "second")) as path:
        path.write_text("ours")
    assert (tmp_path / "second").read_text() == "ours"


@pytest.mark.parametrize(
    ("target", "why"),
    [("", "is a directory"), ("none/made", "no such file"), ("file/made", "not a directory"), ("x" * 300, "too long")],
)
def test_a_file_that_cannot_be_written_is_reported_before_the_work(
    target: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(PuzzleError, match=why), new_file(target):
        raise AssertionError("the work has begun")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_every_possible_file_name_can_be_written(tmp_path: Path) -> None:
    with new_file(str(tmp_path / ("x" * 255))) as path:
        path.write_text("whole")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("x" * 255, "whole")]


@pytest.mark.parametrize("whole", [True, False])
def test_a_link_that_leads_nowhere_leads_to_the_complete_file(whole: bool, tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "made"
    link.symlink_to("made")
    with pytest.raises(PuzzleError, match="already exists"), new_file(str(link)):
        raise AssertionError("the work has begun")
    with suppress(KeyboardInterrupt), new_file(str(link), force=True) as path:
        path.write_text("whole")
        if not whole:
            raise KeyboardInterrupt
    assert link.is_symlink()
    assert (target.read_text() == "whole") if whole else not os.path.lexists(target)
    assert len(list(tmp_path.iterdir())) == 1 + whole


@pytest.mark.parametrize(("make", "why"), [(os.mkfifo, "not a regular file"), (os.mkdir, "is a folder")])
def test_only_a_regular_file_is_opened(
    make: Callable[[Path], None], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(*_: object) -> None:
        raise AssertionError("opening a pipe waits for a reader")

    make(tmp_path / "made")
    monkeypatch.setattr(Path, "open", wait)
    with pytest.raises(PuzzleError, match=why), new_file(str(tmp_path / "made"), force=True):
        raise AssertionError("the work has begun")


def unread(stack: ExitStack, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Connect streams of these names to pipes without a reader."""
    for name in names:
        reading, writing = os.pipe()
        os.close(reading)
        buffering = 1 if name == "stderr" else -1  # line by line, as in Python
        monkeypatch.setattr(sys, name, stack.enter_context(os.fdopen(writing, "w", buffering)))


@pytest.fixture
def no_output(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard output is a pipe without a reader."""
    with ExitStack() as stack:
        unread(stack, monkeypatch, "stdout")
        yield


@pytest.mark.usefixtures("no_output")
@pytest.mark.parametrize("words", [("solve", "--all"), ("solve",), ("count",), ("count", "--json")])
def test_a_certificate_is_written_although_standard_output_has_no_reader(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bars.puzzle").write_text("locations box 3x2\npiece A { xxx }\npiece B { xxx }\n", encoding="utf-8")
    certifying = (words[0], "bars.puzzle", *words[1:], "--certificate", "bars.cert")
    status, _, said = command(capsys, monkeypatch, *certifying)
    assert status == 0
    assert "bars.cert: a certificate of" in said
    assert (tmp_path / "bars.cert").read_bytes().startswith(b'{"certificate":1')


@pytest.mark.parametrize("names", [("stderr",), ("stdout", "stderr")])
@pytest.mark.parametrize("words", [("solve",), ("count", "--json")])
def test_a_certificate_is_written_although_standard_error_has_no_reader(
    words: tuple[str, ...],
    names: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:
        unread(stack, monkeypatch, *names)
        mine = sys.stdout, sys.stderr
        status, _, _ = command(capsys, monkeypatch, words[0], "dominoes/4x4", *words[1:], "--certificate", "made.cert")
        assert (sys.stdout, sys.stderr) == mine
    assert status == 0
    assert (tmp_path / "made.cert").read_bytes().startswith(b'{"certificate":1')


def test_a_reader_that_closes_standard_error_still_gets_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        unread(stack, monkeypatch, "stderr")
        output = stack.enter_context((tmp_path / "output").open("w"))
        monkeypatch.setattr(sys, "stdout", output)
        before = os.dup(0)
        os.close(before)
        with new_file(str(tmp_path / "made")) as path:
            print("a remark", file=sys.stderr)  # noqa: T201
            print("a result")  # noqa: T201
            path.write_text("whole")
        after = os.dup(0)
        os.close(after)
    assert (tmp_path / "output").read_text() == "a result\n"
    assert after == before  # no descriptor is left open


class Faulty(io.StringIO):
    """A stream that raises a system error with this number when it is written to.

    The stream in its place has a descriptor.
    """

    def __init__(self, number: int, instead: int) -> None:
        super().__init__()
        self._number, self._instead = number, instead

    def write(self, _: str) -> int:
        """Raise the error of the system."""
        raise OSError(self._number, os.strerror(self._number))

    def fileno(self) -> int:
        """Return the descriptor of another file."""
        return self._instead


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_an_error_of_standard_output_is_not_an_error_of_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, name, Faulty(errno.ENOSPC, -1))
    with pytest.raises(PrintingError) as full, new_file(str(tmp_path / "outer")), new_file(str(tmp_path / "inner")):
        print("a result", file=getattr(sys, name))
    assert full.value.errno == errno.ENOSPC
    with pytest.raises(PuzzleError, match=r"cannot write `.*made`: no space left"), new_file(str(tmp_path / "made")):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")  # noqa: PTH110
def test_a_full_output_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "made.cert")
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        status, _, said = command(capsys, monkeypatch, "count", "dominoes/4x4", "--certificate", target)
    assert (status, said) == (1, "error: cannot write: no space left on device\n")


@pytest.mark.parametrize(("system", "closed"), [("nt", True), ("posix", False)])
def test_windows_reports_a_pipe_without_a_reader_in_another_way(
    system: str, closed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "os", SimpleNamespace(**{**vars(os), "name": system}))
    with (tmp_path / "instead").open("w") as instead:
        monkeypatch.setattr(sys, "stdout", Faulty(errno.EINVAL, instead.fileno()))
        with suppress(PrintingError), new_file(str(tmp_path / "made")) as path:
            print("a result")  # noqa: T201
            path.write_text("whole")
    assert (tmp_path / "made").exists() is closed


@pytest.mark.usefixtures("no_output")
def test_output_too_long_for_a_pipe_is_not_an_error_without_a_reader(tmp_path: Path) -> None:
    with new_file(str(tmp_path / "made")) as path:
        print("x" * 1_000_000)  # noqa: T201 - more than is kept before it is written
        sys.stdout.flush()
        path.write_text("whole")
    assert (tmp_path / "made").read_text() == "whole"


def test_a_certificate_of_an_ended_command_leaves_no_file(
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
