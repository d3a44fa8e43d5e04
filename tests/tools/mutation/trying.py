"""Run the tests with a bug in the code: each bug in a separate process, copied from one that has all tests.

First each test runs under coverage. For each bug, the tests that run its lines follow until one fails: the quickest
first, and a case of each test function before second cases. Limits are processor time, so that a busy machine changes
nothing.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import coverage
import pytest

import puzzlec
from tests.tools.mutation.putting import Alive, put
from tests.tools.mutation.sample import CODE, PARTS, Fault

#: The tests of each part: from other stages, those that use the code thoroughly.
TESTS = {
    "lowering": [
        "tests/lower",
        "tests/solving",
        "tests/ir",
        "tests/differential/test_findings.py",
        "tests/differential/test_differential.py::test_all_ways_to_count_agree_with_brute_force[0]",
        "tests/differential/test_differential.py::test_all_ways_to_count_agree_with_brute_force[100]",
        *PARTS["lowering"],
    ],
    "searching": [
        *(f"tests/{name}" for name in ("solving", "jobs", "motion", "engine", "services")),
        *(
            f"tests/cli/{name}.py"
            for name in ("test_jobs", "test_limits_kept", "test_disassemble", "test_check_solutions")
        ),
        *("tests/test_solutions.py", "tests/lower/test_meeting_costs.py"),
        *PARTS["searching"],
    ],
}

#: As in pyproject.toml, but quiet.
OPTIONS = [
    *("-o", "addopts=", "-m", "not slow and not nightly", "--doctest-modules", "--import-mode=importlib"),
    *("-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler", "-o", "timeout=0"),
]

#: Slower tests without a bug do not run; in seconds of processor time, with coverage.
LONGEST = 6.0

#: With a bug, a test may take this many seconds, and this many times as long as without it.
SECONDS, TIMES = 5, 5

#: With a bug, a test may also wait for ever: after this many seconds of the clock, its process ends.
LONGEST_WAIT = 600.0

#: The exit status of a process in which this program failed, not a test.
OURS = 70

#: Found by no test: the process with the bug ended silently.
ENDED = "its end"

#: It may use this many additional bytes.
BYTES = 3 << 30


def tried(faults: Sequence[Fault], tests: Sequence[str], log: Path, most: float) -> int:
    """Try bugs, each with tests that take ``most`` seconds in all; append the outcomes to a log.

    Returns the exit status of pytest.
    """
    assert Path(puzzlec.__file__).is_relative_to(Path.cwd()), "run it in the checkout"
    return int(pytest.main([*OPTIONS, *tests], plugins=[_Trying(faults, log, most)]))


class _Trying:
    """A pytest plugin that runs the tests for each bug."""

    def __init__(self, faults: Sequence[Fault], log: Path, most: float) -> None:
        self.most = most
        self.faults = faults
        self.log = log

    def pytest_configure(self, config: pytest.Config) -> None:
        # A failure in a copied process may have a place without a line, and other styles ask for the line.
        config.option.tbstyle = "native"

    def pytest_collection(self) -> None:
        from hypothesis import Phase, settings  # not before its plugin of pytest

        # A failed test is enough: no smaller example is needed.
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("seen", parent=settings.get_profile("short"), phases=phases)
        settings.load_profile("seen")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise pytest.UsageError("a file of tests cannot be imported")
        seconds, runs = _learned(session, self.log.with_suffix(".tests"))
        sys.stdout.flush()
        alive = Alive(CODE)
        names, sound = [item.nodeid for item in session.items], {ENDED}
        gc.freeze()  # a copy that collects garbage would copy all pages
        for number, fault in enumerate(self.faults):
            order = _planned(_nearness(fault, names, runs), names, seconds, self.most)
            by, used = _outcome(session, fault, alive, order, seconds) if order else ("", 0.0)
            while by and by not in sound:
                # A test that fails without a bug, perhaps since the code changed, finds none.
                kept = [test for test in order if session.items[test].nodeid == by]
                if not _outcome(session, None, alive, kept, seconds)[0]:
                    sound.add(by)
                    break
                order = [test for test in order if test not in kept]
                by, used = _outcome(session, fault, alive, order, seconds)
            told = {"fault": fault.name, "file": fault.file, "line": fault.lines[0], "tests": len(order), "by": by}
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**told, "seconds": round(used, 2)}, ensure_ascii=False) + "\n")
            if not by:
                sys.stdout.write(f"{number + 1:5}  line {fault.lines[0]}  {fault.name}\n")
            sys.stdout.flush()
        return True


def _nearness(fault: Fault, names: Sequence[str], runs: Mapping[tuple[str, int], Sequence[int]]) -> dict[int, int]:
    """Return the tests of a bug with their ranks: 0 for its lines, 1 for its file, 2 for the folder of its package.

    Lines are not enough: a result that is kept is credited to the first test that asks for it.
    """
    folder = next(path for path in Path("tests", *Path(fault.file).parts[1:]).parents if path.is_dir())
    ranks: dict[int, int] = {}
    for (file, line), those in runs.items():
        is_here = fault.within.isupper() or fault.lines[0] <= line <= fault.lines[1]
        for test in those:
            if file == fault.file or Path(names[test]).is_relative_to(folder):
                rank = 2 - (file == fault.file) * (1 + is_here)
                ranks[test] = min(rank, ranks.get(test, rank))
    return ranks


def _planned(ranks: Mapping[int, int], names: Sequence[str], seconds: Sequence[float], most: float) -> list[int]:
    """Return tests that take at most the limit together, the nearest first.

    Among equally near ones, the quickest come first, and a case of each test function comes before second cases.
    Otherwise, fifty cases of one function would leave no time for other tests.
    """
    cases: Counter[tuple[str, int]] = Counter()
    keys: dict[int, tuple[int, int, float]] = {}
    for test in sorted(ranks, key=seconds.__getitem__):
        function = names[test].partition("[")[0], ranks[test]
        keys[test] = ranks[test], cases[function], seconds[test]
        cases[function] += 1
    order: list[int] = []
    for test in sorted(keys, key=keys.__getitem__):
        if seconds[test] <= most:
            order.append(test)
            most -= seconds[test]
    return order


def _learned(session: pytest.Session, known: Path) -> tuple[list[float], dict[tuple[str, int], list[int]]]:
    """Return the time of each test, and the tests that run each line; results in the file ``known`` are reused.

    Tests that take too long, or fail, are left out: they run no line.
    """
    _copied(lambda tell: _learn(session, known))
    told = [json.loads(line) for line in known.read_text(encoding="utf-8").splitlines()]
    found = {record["test"]: record for record in told}
    runs: dict[tuple[str, int], list[int]] = {}
    for number, item in enumerate(session.items):
        for file, lines in found[item.nodeid]["lines"].items():
            for line in lines:
                runs.setdefault((file, line), []).append(number)
    return [found[item.nodeid]["seconds"] for item in session.items], runs


def _learn(session: pytest.Session, known: Path) -> None:
    """Run each unknown test, and append its cost to a file."""
    before = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    asked = {json.loads(line)["test"] for line in before}
    files = {str(Path(file).resolve()): file for file in CODE}
    measured = coverage.Coverage(data_file=None, include=list(files))
    measured.set_option("run:disable_warnings", ["no-data-collected"])
    signal.signal(signal.SIGPROF, _too_long)
    for item in session.items:
        if item.nodeid in asked:
            continue
        measured.erase()
        begun, failed = time.process_time(), session.testsfailed
        measured.start()
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        _run(session, item)
        signal.setitimer(signal.ITIMER_PROF, 0)
        measured.stop()
        seconds = round(time.process_time() - begun, 3)
        data = measured.get_data()
        lines = {files[file]: sorted(data.lines(file) or ()) for file in data.measured_files()}
        told = {"test": item.nodeid, "seconds": seconds, "lines": {} if session.testsfailed > failed else lines}
        with known.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError


def _outcome(
    session: pytest.Session, fault: Fault | None, alive: Alive, order: Sequence[int], seconds: Sequence[float]
) -> tuple[str, float]:
    """Return the test that finds a bug ("" for none), or the first that fails without one, and the processor time."""

    def attempt(tell: Callable[[object], None]) -> None:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        if fault is not None:
            put(fault, alive)
        for test in order:
            # A limit for each test: an endless loop in a quick one is found soon.
            end = time.process_time() + SECONDS + TIMES * seconds[test]
            resource.setrlimit(resource.RLIMIT_CPU, (int(end), resource.RLIM_INFINITY))
            _run(session, session.items[test])
            if session.testsfailed:
                tell(session.items[test].nodeid)
                return
        tell("")

    told, used = _copied(attempt, LONGEST_WAIT)
    # A process that ended silently had too little time or memory: the bug was found.
    return (json.loads(told.splitlines()[0]) if told else ENDED), used


def _run(session: pytest.Session, item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _copied(task: Callable[[Callable[[object], None]], None], wait: float | None = None) -> tuple[str, float]:
    """Run a task in a copy of this process, for some seconds; return its result and its processor time."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        nowhere, errors = os.open(os.devnull, os.O_WRONLY), os.dup(2)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with os.fdopen(write, "w", encoding="utf-8") as pipe:
            try:
                task(lambda found: print(json.dumps(found), file=pipe, flush=True))
            except MemoryError:
                os._exit(0)
            except BaseException:
                os.write(errors, traceback.format_exc().encode())
                os._exit(OURS)
            os._exit(0)
    os.close(write)
    if not select.select([read], [], [], wait)[0]:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read, encoding="utf-8") as pipe:
        told = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == OURS:
        raise RuntimeError("the tester itself has a fault")
    return told, usage.ru_utime + usage.ru_stime
