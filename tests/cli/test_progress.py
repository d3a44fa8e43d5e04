"""The progress bar and Ctrl-C as a user at a terminal sees them; pipes get no bar."""

from __future__ import annotations

import io
import logging
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.cli import terminal
from puzzlec.cli.texts import progress
from puzzlec.cli.texts.estimates import profile_lines
from puzzlec.cli.texts.progress import ERASE, Bar, line
from puzzlec.diagnostics.figures import duration, percentage, short
from puzzlec.engine.progress import Progress
from tests.cli.test_commands import UNSOLVABLE
from tests.commands import ENVIRONMENT, run

pty = pytest.importorskip("pty")

LONG, LONGER = "polycubes/bedlam-cube", "polysticks/tetrasticks-5x5-fifteen"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_a_terminal(*arguments: str, until: str, both: bool = False) -> tuple[int, str, str]:
    """Run a command with standard error (or both streams) on a terminal, press Ctrl-C as soon as a pattern shows there.

    Returns the exit status, standard output and the text on the terminal.
    """
    own, theirs = pty.openpty()
    # A pipe without a reader would fill up, and the command would wait forever.
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "puzzlec", *arguments],
            stdout=theirs if both else printed, stderr=theirs, env={**ENVIRONMENT, "TERM": "xterm"},
        )  # fmt: skip
        os.close(theirs)
        seen, pressed, end = "", False, time.monotonic() + 100
        while time.monotonic() < end:
            if not select.select([own], [], [], 1)[0]:
                continue
            try:
                more = os.read(own, 65536)
            except OSError:  # the other side is closed
                more = b""
            if not more:
                break
            seen += more.decode(errors="replace")
            if not pressed and re.search(until, seen):
                process.send_signal(signal.SIGINT)
                pressed, end = True, time.monotonic() + 10
        os.close(own)
        try:
            process.wait(timeout=10)
        finally:
            process.kill()
        printed.seek(0)
        output = printed.read().decode()
    assert pressed, seen[-500:]
    return process.returncode, output, seen


@pytest.mark.long
@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupted_count_reports_its_progress_and_prints_no_number(threads: str) -> None:
    status, output, seen = at_a_terminal("count", LONGER, "--threads", threads, until="%.*nodes/s")
    assert (status, output) == (130, "")
    bar, _, said = seen.rpartition(ERASE)
    assert re.search(r"%.*solutions?, .*nodes/s, (0:\d\d|about)", bar)
    assert re.fullmatch(
        r"interrupted after [0-9.]+ s: at least [\d,]+ distinct solutions?, "
        r"(about|under) [0-9.e-]+% of the search done\r\n",
        said,
    )


@pytest.mark.long
def test_an_interrupted_solve_reports_the_number_of_solutions() -> None:
    status, output, seen = at_a_terminal("solve", LONG, "--all", "--to", "list", "--threads", "2", until="%.*nodes/s")
    assert status == 130
    said = re.search(r" s with ([\d,]+) distinct solutions? found, about ", seen.rpartition(ERASE)[2])
    assert said
    # The solution printed at that moment may be in either number.
    assert abs(int(said[1].replace(",", "")) - output.count("\n\n")) <= 1


@pytest.mark.long
def test_solutions_and_the_bar_share_a_terminal_without_mixing() -> None:
    status, _, seen = at_a_terminal(
        "solve",
        LONG,
        "--all",
        "--raw",  # without it, a fast machine is done before the interruption
        "--to",
        "orientations",
        "--threads",
        "2",
        until=r"(?s)nodes/s.*\d\r\n.*nodes/s",
        both=True,
    )
    assert status == 130
    # A user sees the text of a line after its last erasure.
    lines = [row.rpartition("\033[K")[2] for row in seen.replace("\r\n", "\n").split("\n")]
    solutions = [row for row in lines if re.fullmatch(r"(\d+ ){12}\d+", row)]
    assert len(solutions) == len(set(solutions)) > 0
    assert len(lines) == len(solutions) + 2  # the interruption, and the text after the last line break
    said = re.match(r"interrupted after .* with ([\d,]+) raw", lines[-2])
    assert said, lines[-2:]
    # The solution that is being printed may be in either number.
    assert abs(int(said[1].replace(",", "")) - len(solutions)) <= 1


class Pieces(io.StringIO):
    """A terminal that records what each call writes: a signal may come between two calls."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return len(text)


def test_each_line_is_written_in_one_piece_with_its_line_break(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python without buffers (PYTHONUNBUFFERED) prints a text and its line break in two calls."""
    stream = Pieces()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    terminal.begin()
    terminal.out("1 2 3")
    terminal.out_json({"solutions": 1})
    terminal.out_table(["a  b", "1  2"])
    terminal.say("interrupted")
    terminal.complain("no such option: -f", ["`puzzlec draw -h`"])
    terminal.LogRemarks().emit(logging.LogRecord("puzzlec", logging.INFO, "", 0, "ready", None, None))
    assert len(stream.pieces) == 7
    assert all(piece.endswith("\n") for piece in stream.pieces)


def test_no_bar_in_a_pipe_nor_on_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, term in ((io.StringIO(), "xterm"), (Terminal(), "dumb")):
        monkeypatch.setenv("TERM", term)
        with Bar(Progress, stream=stream, delay=0.0):
            time.sleep(0.05)
        assert stream.getvalue() == ""


def test_the_bar_is_drawn_again_and_again_and_erased_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", 0.001)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    states = iter(range(10**9))
    with Bar(lambda: Progress(0.5, 1, next(states), 1.0, 1.0), stream=stream, delay=0.0):
        while stream.getvalue().count(ERASE) < 5:
            time.sleep(0.001)
    drawn = stream.getvalue().split(ERASE)
    assert drawn[-1] == ""
    assert [text.split("] ")[1].split()[0] for text in drawn[1:5]] == ["0", "1", "2", "3"]


def test_other_output_is_on_separate_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL", 0.0001)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    with Bar(lambda: Progress(0.5, 1, 1, 1.0, 1.0), stream=stream, delay=0.0) as bar:
        for number in range(200):
            with bar.hidden():
                stream.write(f"solution {number}\n")
            time.sleep(0.0002)
    lines = [row.rpartition("\033[K")[2] for row in stream.getvalue().split("\n")]
    assert lines == [*(f"solution {number}" for number in range(200)), ""]


@given(
    st.floats(0, 1), st.integers(0, 10**15), st.floats(0, 1e9), st.floats(0, 1e10), st.none() | st.floats(0, 1e18),
    st.integers(0, 200), st.booleans(),
)  # fmt: skip
def test_the_line_fits_the_terminal_whatever_it_says(
    fraction: float, solutions: int, seconds: float, rate: float, left: float | None, width: int, unicode: bool
) -> None:
    text = line(Progress(fraction, 0, solutions, seconds, rate, left), "distinct solution", width, unicode)
    assert len(text) <= width
    assert "\n" not in text


def test_numbers_are_written_in_readable_form() -> None:
    assert [percentage(share) for share in (0, 0.0000012, 0.05, 0.999, 1)] == [
        "0%",
        "under 0.01%",
        "5.0%",
        "99%",
        "100%",
    ]
    assert [duration(seconds) for seconds in (0, 59.9, 60, 7322, 1e6, 1e20)] == [
        "0:00", "0:59", "1:00", "2:02:02", "11.6 days", "3e+12 years",
    ]  # fmt: skip
    assert [short(number) for number in (0, 999, 1e3, 1.5e6, 2e12)] == ["0", "999", "1 k", "1.5 M", "2000 G"]


def test_a_profile_has_a_bar_for_every_level() -> None:
    assert profile_lines([]) == []
    assert profile_lines([4, 400, 0]) == [
        "depth  nodes", "    1      4  #", f"    2    400  {'#' * 40}", "    3      0"
    ]  # fmt: skip


def test_statistics_go_to_standard_error_and_add_up() -> None:
    done = run("count", "soma", "--verbose", "--kernel", "bits")
    assert (done.returncode, done.stdout) == (0, "240\n")
    said = dict(row.split(None, 1) for row in done.stderr.splitlines() if " " in row)
    assert said["kernel"] == "bits: it was asked for"
    assert (said["symmetries"], said["searched"]) == ("48", "100%")
    assert said["held"].endswith("2 of its 72 options kept")
    profile = [int(row.split()[1]) for row in done.stderr.splitlines() if re.match(r" +\d+ +\d+ +#", row)]
    assert len(profile) == 7  # one level for each piece at most
    assert int(said["nodes"].split(",")[0]) == sum(profile)


def test_threads_print_the_same_solutions_in_the_same_order() -> None:
    alone = run("solve", "soma", "--all", "--to", "orientations", "--kernel", "bits")
    shared = run("solve", "soma", "--all", "--to", "orientations", "--kernel", "bits", "--threads", "3")
    assert (alone.stdout, alone.stderr) == (shared.stdout, shared.stderr)
    assert run("count", "soma", "--raw", "--threads", "0", "--kernel", "lists").stdout == "11520\n"


def test_a_limit_of_nodes_has_the_status_of_limits() -> None:
    done = run("count", "soma", "--nodes", "1000")
    assert done.returncode == 4
    assert "stopped at the limit of nodes" in done.stderr
    done = run("solve", "soma", "--all", "--nodes", "1000", "--to", "orientations")
    assert done.returncode == 4
    assert "stopped after 1000 nodes with " in done.stderr


def test_a_seed_always_chooses_the_same_solution() -> None:
    first = [run("solve", "soma", "--seed", seed, "--to", "locations").stdout for seed in ("1", "1", "2")]
    assert first[0] == first[1] != first[2]
    assert run("solve", "-", "--seed", "1", stdin=UNSOLVABLE).returncode == 3
    assert run("solve", "soma", "--seed", "1", "--all").returncode == 2
