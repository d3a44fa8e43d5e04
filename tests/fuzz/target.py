"""What is fuzzed, and what must hold for every text: it means a puzzle, or is refused with reasons and their places."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from puzzlec.diagnostics import CODES, Diagnostic, PuzzleError, Report, Severity, Source, Span, as_dict, concise, render
from puzzlec.ir import Puzzle
from puzzlec.readers.puzzle_text import read_puzzle

#: Diagnostics with these codes are about a whole file: PZ331 tells of a parameter given on the command line.
WHOLE_FILE = {"PZ331"}

#: A text of some kB that takes longer than this is a finding, and is stopped at the second number. Seconds of the
#: processor, not of the clock: other processes run, too.
SLOW, STOPPED = 10.0, 60.0

#: In place of the real bounds while texts are tried by the thousand: the bounds are reached, and at small cost.
SMALL_BOUNDS = {"MOST_ROUNDS": 2_000, "MOST_STATEMENTS": 300, "LARGEST_REGION": 1_000}

#: Where a message begins to speak of this text: what is before is its kind.
_WORDING = re.compile(r"[`\"0-9]| after | but ")


class Outcome(NamedTuple):
    """What became of a text: the kinds of what was said about it, the time, and what is wrong (empty: nothing)."""

    said: frozenset[str]
    seconds: float
    wrong: str
    accepted: bool = False


class HangError(Exception):
    """A text took too long."""


def try_text(text: str) -> Outcome:
    """Read a text and say what became of it; ``wrong`` names the first rule that is broken, and where."""
    begun = time.process_time()
    try:
        with _watched():
            accepted, said = _read(text)
        wrong = ""
    except AssertionError as error:
        accepted, said, wrong = False, (), str(error) or _place(error)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        accepted, said, wrong = False, (), f"{type(error).__name__} at {_place(error)}: {str(error)[:200]}"
    seconds = time.process_time() - begun
    if not wrong and seconds > SLOW and len(text) < 10_000:
        wrong = "slow"
    return Outcome(frozenset(said), seconds, wrong, accepted)


@contextmanager
def small_bounds() -> Iterator[None]:
    """Make the bounds of the reader small for some time."""
    before = [
        (module, name, getattr(module, name))
        for path, module in list(sys.modules.items())
        if path.startswith("puzzlec.")
        for name in SMALL_BOUNDS
        if hasattr(module, name)
    ]
    assert {name for _, name, _ in before} == set(SMALL_BOUNDS), "a bound has another name now"
    for module, name, _ in before:
        setattr(module, name, SMALL_BOUNDS[name])
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def same(one: str, other: str) -> bool:
    """Whether two texts are wrong in the same way, so that the shorter one may stand for the longer."""
    return one.split(": ")[0] == other.split(": ")[0]


def _read(text: str) -> tuple[bool, tuple[str, ...]]:
    source = Source("f.puzzle", text)
    warnings = Report()
    try:
        puzzle = read_puzzle(source, warnings)
    except PuzzleError as error:
        assert any(each.severity is Severity.ERROR for each in error.diagnostics), "refused without an error"
        found, accepted = error.diagnostics, False
    else:
        assert isinstance(puzzle, Puzzle), "what was read is no puzzle"
        assert puzzle.locations, "accepted without locations"
        assert puzzle.pieces, "accepted without pieces"
        found, accepted = tuple(warnings.diagnostics), True
        assert not any(each.severity is Severity.ERROR for each in found), "accepted in spite of an error"
    for each in found:
        _sound(each, source)
    return accepted, tuple(f"{each.code} {_WORDING.split(each.message)[0][:40]}" for each in found)


def _sound(diagnostic: Diagnostic, source: Source) -> None:
    """Assert that a diagnostic says what is wrong, and where, and that it can be shown."""
    code = diagnostic.code
    assert code in CODES, f"no such code: {code}"
    assert diagnostic.message.strip(), f"{code} says nothing"
    assert diagnostic.span or (code in WHOLE_FILE and diagnostic.file), f"{code} has no place"
    for label in (diagnostic.label, *diagnostic.others):
        if label is not None:
            _within(label.span, source, code)
    assert all(each.strip() for each in (*diagnostic.notes, *diagnostic.helps)), f"{code} has an empty note"
    assert diagnostic.message in str(diagnostic), f"{code} loses its message"
    shown, coloured, line = render(diagnostic), render(diagnostic, colour=True), concise(diagnostic)
    assert code in shown, f"{code} is not shown"
    assert code in line, f"{code} is not shown on one line"
    assert shown.replace("\n", "").isprintable(), f"{code} shows a control character"
    assert line.isprintable(), f"{code} takes more than one line"
    assert re.sub(r"\033\[[0-9]+m", "", coloured) == shown, f"{code} is another one in colour"
    json.dumps(as_dict(diagnostic)).encode()


def _within(span: Span, source: Source, code: str) -> None:
    assert span.source is source, f"{code} points into another text"
    assert 0 <= span.start <= len(source.text), f"{code} points out of the text"
    # What is missing at the end of a text is shown there, where no character is left.
    missing = span.start >= len(source.text.rstrip())
    assert span.start + (not missing) <= span.end <= len(source.text), f"{code} has an impossible end"


@contextmanager
def _watched() -> Iterator[None]:
    """Stop what takes far too long, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError(f"longer than {STOPPED} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    outer = signal.setitimer(signal.ITIMER_VIRTUAL, STOPPED)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *outer)
        signal.signal(signal.SIGVTALRM, before)


def _place(error: BaseException) -> str:
    """Return the last line of our own code that an exception went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if "puzzlec" in Path(each.filename).parts] or frames
    return f"{Path(own[-1].filename).name}, {own[-1].name}" if own else "?"
