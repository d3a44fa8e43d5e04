"""Limits of commands: time, workers, streams, names and memory."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import puzzlec
from puzzlec.cli import picturing
from puzzlec.cli.app import main
from puzzlec.cli.commands import COMMANDS, made_command
from puzzlec.cli.deadline import STAGES, OutOfTime, bounded, each_bounded, stage_of
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.search import tree_search
from puzzlec.jobs.workers import threads as workers
from puzzlec.jobs.workers.threads import started
from puzzlec.make import outputs
from tests import commands

PUZZLEC = [sys.executable, "-m", "puzzlec"]
DOMINOES = "locations box 4x4\npiece D x8 { xx }\n"


def run(*arguments: str, stdin: str | None = "", **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PUZZLEC, *arguments], input=stdin, capture_output=True, text=True, timeout=100, env={**os.environ, **more}
    )


def shell(command: str) -> subprocess.CompletedProcess[str]:
    words = command.replace("puzzlec", f"{sys.executable} -m puzzlec", 1)
    return subprocess.run(["sh", "-c", words], capture_output=True, text=True, timeout=100)


@pytest.mark.long
@pytest.mark.parametrize("command", ["count", "solve", "estimate", "solutions"])
def test_a_limit_of_time_ends_the_work_before_the_search(command: str) -> None:
    done = run(command, "-", "--time-limit", "3", stdin="locations box 1000x1000\npiece D x* { xx }\n")
    assert (done.returncode, done.stdout) == (4, "")
    assert re.fullmatch(
        r"stopped at the limit of time after [0-9.]+ s, before the search began( \(.*\))?\n", done.stderr
    )


@pytest.mark.parametrize("command", ["draw -o -", "view -o -", "model --to stl -o -"])
def test_a_limit_of_time_ends_the_writing_of_a_file(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, *options = command.split()
    monkeypatch.setattr("sys.argv", ["puzzlec", name, "-", *options, "--time-limit", "0.2"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"locations box 1000x1000\npiece D x* { xx }\n")))
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 4


#: For each command with a limit of time, forms of it that do not end at once without the limit.
LIMITED = {
    "count": ["soma", "soma --cost 0.. --symmetry none"],
    "solve": ["soma --all", "soma --min-cost", "soma --certificate soma.cert"],
    "check": ["soma", "soma --count", "soma soma.list"],
    "sets": ["sets.puzzle"],
    "clues": ["soma"],
    "solutions": ["soma", "soma --frequency", "soma --where level=1"],
    "disassemble": ["soma", "soma --all --steps"],
    "generate": ["packing --seed 1"],
    "estimate": ["soma", "soma --comes-apart"],
    "draw": ["soma -o a.svg", "soma -o a.svg --steps", "soma -o a.webp", "soma -o a.pdf --worksheet"],
    "view": ["soma -o a.html"],
    "play": ["soma -o a.html"],
    "model": ["soma -o a.stl", "soma -o a.stl --layout solution"],
    "convert": ["soma --to dlx", "soma soma.zdd"],
    "job resume": ["job"],
}


def test_each_command_with_a_limit_of_time_is_tried() -> None:
    limited = {name for name in COMMANDS for each in made_command(name).params if "--time-limit" in each.opts}
    assert limited == {*LIMITED, "serve"}  # its limit is for each search of the page


@pytest.mark.parametrize("line", [f"{name} {words}" for name in LIMITED for words in LIMITED[name]])
def test_the_limit_of_time_of_each_command_counts_from_the_start_of_python(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sets.puzzle").write_text("locations box 5x4\npieces tetrominoes x0..5\n")
    Path("soma.list").write_text("V: 0,0,0 1,0,0 0,1,0\n")
    if line == "job resume job":
        assert commands.run("solve", "soma", "--checkpoint", "job", "--limit", "1").returncode == 4
    monkeypatch.setattr("sys.argv", ["puzzlec", *line.split(), "--time-limit", "500"])
    with pytest.raises(SystemExit) as left:
        main(time.monotonic() - 1000)
    assert (left.value.code, capsys.readouterr().out) == (4, ""), line


@pytest.mark.parametrize(("seconds", "left"), [(1000.0, 995.0), (8.0, 6.0)])
def test_a_search_for_a_picture_leaves_time_to_write_it(
    seconds: float, left: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    subject = outputs.subject

    def noted(what: Any, limit: int | None, time: float, *more: Any) -> Any:
        given.append(time)
        return subject(what, limit, time, *more)

    monkeypatch.setattr(picturing, "subject", noted)
    output = str(tmp_path / "a.svg")
    assert commands.run("draw", "soma", "-o", output, "--time-limit", f"{seconds:g}").returncode == 0
    assert given[0] <= left


def test_a_limit_of_time_interrupts_and_leaves_no_timer() -> None:
    before = signal.getsignal(signal.SIGALRM), sys.unraisablehook
    for _ in range(20):  # a limit that is over may interrupt before the block begins
        with pytest.raises(OutOfTime), bounded(1, time.monotonic() - 2):
            time.sleep(1)
        assert (signal.getsignal(signal.SIGALRM), sys.unraisablehook) == before
    with pytest.raises(OutOfTime), bounded(0.01):
        time.sleep(10)
    with bounded(0.01), bounded(None):
        pass
    time.sleep(0.02)
    slept = []

    def items() -> Iterator[int]:
        yield 1
        time.sleep(10)

    def take() -> None:
        for item in each_bounded(items(), 0.01, time.monotonic()):
            time.sleep(0.4)  # the work on an item may take longer
            slept.append(item)

    with pytest.raises(OutOfTime):
        take()
    assert slept == [1]


@pytest.mark.parametrize("seconds", [1.0, 100.0])
def test_a_block_that_checks_the_clock_gets_more_time_and_no_other_block_does(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers: list[float] = []

    def set_timer(_which: int, left: float, _interval: float = 0.0) -> tuple[float, float]:
        timers.append(left)
        return 0.0, 0.0

    monkeypatch.setattr(signal, "getitimer", lambda _which: (0.0, 0.0))
    monkeypatch.setattr(signal, "setitimer", set_timer)
    for grace in (False, True):
        with bounded(seconds, grace=grace):
            pass
    strict, _, late, _ = timers
    assert strict <= seconds < late
    with bounded(seconds, time.monotonic() - seconds / 2):  # half of it is over
        pass
    assert timers[4] <= seconds / 2


def test_the_remark_names_the_stage_that_a_limit_of_time_interrupts() -> None:
    def frame(*modules: str) -> FrameType:
        """Return the frame of a function of the last module, which the functions of the others have called."""
        found: list[FrameType] = []
        scope: dict[str, Any] = {}
        call = "found.append(sys._getframe())"
        for number, name in enumerate(reversed(modules)):
            scope = {"__name__": name, "sys": sys, "found": found, "inner": scope["call"] if number else None}
            exec(f"def call():\n    {'inner()' if number else call}\n", scope)
        scope["call"]()
        return found[0]

    for modules, stage in (
        (["puzzlec.cli.count", "puzzlec.compiler", "puzzlec.language.parsing", "lark.parser"], "reading the puzzle"),
        (["puzzlec.compiler", "puzzlec.lower.placing", "numpy"], "listing placements"),
        (["puzzlec.solving.solutions", "puzzlec.lower.symmetries_numpy"], "looking for symmetries"),
        (["puzzlec.solving.solutions", "puzzlec.engine.reduction.forcing"], "reducing the problem"),
        (["puzzlec.solving.solutions", "puzzlec.engine.kernels.lists"], "beginning the search"),
        (["puzzlec.make.outputs", "puzzlec.show.svg.ground"], "drawing"),
        (["puzzlec.cli.app"], ""),
    ):
        assert stage_of(frame(*modules)) == stage


@pytest.mark.parametrize("name", STAGES)
def test_each_stage_is_the_work_of_a_module(name: str) -> None:
    path = Path(puzzlec.__file__).parents[1] / name.replace(".", "/")
    assert path.is_dir() or path.with_suffix(".py").is_file()


def test_an_interruption_that_python_drops_is_repeated_silently(capfd: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def __del__(self) -> None:
            time.sleep(0.05)  # the limit ends here, and Python drops exceptions of finalizers

    def work() -> None:
        Slow()
        time.sleep(10)

    with pytest.raises(OutOfTime), bounded(0.01):
        work()
    assert capfd.readouterr().err == ""


def test_too_many_processes_are_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "MAX_WORKERS_PER_CORE", 1)
    done = commands.run("count", "-", "--processes", "1000000", stdin="locations box 2x1\npiece D { xx }\n")
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert f"searching in {tree_search.most_workers()} processes" in done.stderr


def test_workers_that_cannot_begin_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlec.jobs.job import Job

    begun: list[threading.Thread] = []

    def refuse(*arguments: object) -> object:
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(started(*arguments))  # type: ignore[arg-type]
        return begun[0]

    monkeypatch.setattr(workers, "started", refuse)
    with Job.begin(None, "soma") as job, pytest.raises(PuzzleError, match="PZ638"):
        job.run(threads=2)
    begun[0].join(5)
    assert not begun[0].is_alive()


@pytest.mark.parametrize(
    "command", ["count", "check", "check soma", "explain", "fmt", "solutions", "list formats", "list shapes"]
)
def test_a_name_that_is_too_long_names_no_file(command: str) -> None:
    done = run(*command.split(), "x" * 300)
    assert done.returncode == 1
    assert re.search(r"(?m)^error\[PZ(00[16]|304)\]", done.stderr)


def test_the_error_for_a_long_puzzle_name_does_not_blame_the_file_to_write(tmp_path: Path) -> None:
    done = run("draw", "x" * 300, "-o", str(tmp_path / "o.svg"))
    assert (done.returncode, "PZ006" in done.stderr) == (1, True)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="the shell closes streams")
def test_closed_streams_are_errors() -> None:
    for command in ("count -", "check --to text soma -", "check soma -"):
        done = shell(f"puzzlec {command} <&-")
        assert done.returncode == 1
        assert done.stderr.startswith("error[PZ001]: cannot read `-`: standard input is closed\n")
    done = shell("puzzlec count soma/castle >&-")
    assert (done.returncode, done.stderr) == (1, "error: cannot write: bad file descriptor\n")
    assert shell("puzzlec count soma/castle 2>&-").stdout == "5\n"


def test_a_limit_of_twenty_digits_is_no_limit() -> None:
    done = run("solutions", "-", "--limit", "9" * 20, "--to", "jsonl", stdin=DOMINOES)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 36)


def test_lack_of_memory_is_not_a_bug_of_puzzlec(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import builtins\nusual = builtins.__import__\n"
        "def refuse(name, *more, **named):\n"
        "    if name == 'puzzlec.solving.solutions': raise MemoryError\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = refuse\n"
    )
    done = run("count", "soma", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: out of memory")
    assert "fault" not in done.stderr


@pytest.mark.long
def test_without_numba_a_kernel_names_the_missing_package(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text('import sys\nsys.modules["numba"] = None\n')
    for words in (
        ["count", "--kernel", "frontier"],
        ["solve", "--kernel", "bits", "--checkpoint", str(tmp_path / "job")],
    ):
        done = run(words[0], "-", *words[1:], stdin=DOMINOES, PYTHONPATH=str(tmp_path))
        assert (done.returncode, done.stdout) == (1, "")
        assert "error[PZ637]" in done.stderr
    assert not (tmp_path / "job").exists()
    assert run("count", "-", "--verbose", stdin=DOMINOES, PYTHONPATH=str(tmp_path)).stdout == "9\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")
def test_ctrl_c_while_a_command_is_imported_is_silent() -> None:
    code = (
        "import os, signal, sys, builtins\nusual = builtins.__import__\n"
        "def interrupt(name, *more):\n"
        "    if name == 'puzzlec.cli.app': os.kill(os.getpid(), signal.SIGINT)\n"
        "    return usual(name, *more)\n"
        "from puzzlec.__main__ import main\nbuiltins.__import__ = interrupt\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-2, "", "")


#: The first code of `python -m puzzlec`: it sends Ctrl-C at one moment of the process.
INTERRUPTED_AT = {
    "in the exec of a text": (
        "import builtins\nusual = builtins.__import__\n"
        "def load(name, *more, **named):\n"
        "    if name == 'puzzlec.engine.search.counting': exec('interrupt()')\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = load\n"
    ),
    "while the interruption is reported": (
        "import builtins\nusual = builtins.__import__\n"
        "class Twice:\n"
        "    def __init__(self, stream): self.stream = stream\n"
        "    def __getattr__(self, name): return getattr(self.stream, name)\n"
        "    def write(self, text): interrupt()\n"
        "def load(name, *more, **named):\n"
        "    if name == 'puzzlec.engine.search.counting': sys.stderr = Twice(sys.stderr); interrupt()\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = load\n"
    ),
    "in a callback of Python, which drops exceptions": (
        "import builtins, weakref\nusual = builtins.__import__\n"
        "class Thing: pass\n"
        "def load(name, *more, **named):\n"
        "    if name == 'puzzlec.solving.solutions' and builtins.__import__ is load:\n"
        "        builtins.__import__ = usual\n"
        "        thing = Thing()\n"
        "        watch = weakref.ref(thing, lambda _: interrupt())\n"
        "        del thing\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = load\n"
    ),
    "while the command leaves": "import gc\ngc.freeze = interrupt\n",
    "while Python leaves": "import atexit\natexit.register(interrupt)\n",
}


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")
@pytest.mark.parametrize("moment", INTERRUPTED_AT)
@pytest.mark.long
def test_ctrl_c_ends_with_130_and_no_traceback_at_any_moment(moment: str, tmp_path: Path) -> None:
    interrupt = "def interrupt():\n    os.kill(os.getpid(), signal.SIGINT)\n    for _ in range(9): pass\n"
    (tmp_path / "sitecustomize.py").write_text(f"import os, signal, sys\n{interrupt}{INTERRUPTED_AT[moment]}")
    done = run("count", "-", "--quiet", stdin=DOMINOES, PYTHONPATH=str(tmp_path))
    is_complete = "leaves" in moment
    assert done.stdout == "9\n" * is_complete
    assert done.stderr in ("", "puzzlec: interrupted\n")
    # All work is done when Python runs the functions of `atexit`, so the status is that of the result.
    assert done.returncode == (0 if moment == "while Python leaves" else 130)
