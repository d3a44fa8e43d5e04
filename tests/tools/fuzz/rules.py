"""Rules for every input: it has a meaning, or is refused with reasons and positions."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FrameType
from typing import NamedTuple

from puzzlec.diagnostics import CODES, Diagnostic, PuzzleError, Severity, Source, Span, as_dict, concise, render

#: Diagnostics with these codes may be about a whole file: no single character is wrong.
WHOLE_FILE = frozenset({
    "PZ002", "PZ003", "PZ004", "PZ007", "PZ008", "PZ206", "PZ223", "PZ251", "PZ252", "PZ298", "PZ299",
    "PZ331", "PZ401", "PZ402", "PZ403", "PZ404", "PZ405", "PZ406", "PZ407", "PZ601", "PZ607", "PZ611",
})  # fmt: skip

#: An input of some kB that takes longer than the first number is a finding. The second number stops it. Both are
#: seconds of processor time, because other processes also run.
SLOW, STOPPED = 10.0, 60.0

#: The text of a diagnostic is checked for the first ones of each kind, and then for one in this many.
SHOWN, SHOWN_AGAIN = 20, 16

#: The position where a message begins to mention this text. The part before it is the kind of message.
_WORDING = re.compile(r"[`\"0-9]| after | but ")

_shown: Counter[str] = Counter()

#: Result of an attempt: whether the input was accepted, and the diagnostics.
Said = tuple[bool, Sequence[Diagnostic]]


class Outcome(NamedTuple):
    """Outcome of an input: the kinds of diagnostics, the time, and the broken rule (empty: none)."""

    said: frozenset[str]
    seconds: float
    wrong: str
    accepted: bool = False


class HangError(Exception):
    """An input took too long."""


def tried(attempt: Callable[[], Said], size: int) -> Outcome:
    """Make an attempt at an input of a size, and return the outcome.

    ``wrong`` names the first rule that is broken, and where: an assertion of the attempt, or any exception.
    """
    begun = time.process_time()
    accepted, said, wrong = False, frozenset[str](), ""
    try:
        with _watched():
            accepted, found = attempt()
        said = frozenset([kind(diagnostic) for diagnostic in found])
    except AssertionError as error:
        wrong = str(error) or _place(error)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        wrong = f"{type(error).__name__} at {_place(error)}: {str(error)[:200]}"
    seconds = time.process_time() - begun
    if not wrong and seconds > SLOW and size < 10_000:
        wrong = "slow"
    return Outcome(said, seconds, wrong, accepted)


def kind(diagnostic: Diagnostic) -> str:
    """Return the code of a diagnostic and the beginning of its message."""
    return f"{diagnostic.code} {_WORDING.split(diagnostic.message)[0][:40]}"


def same(one: str, other: str) -> bool:
    """Whether two inputs are wrong in the same way, so that the shorter one can represent the longer."""
    return one.split(": ")[0] == other.split(": ")[0]


def refused(error: PuzzleError, within: Source) -> Said:
    """Return the diagnostics of a refusal, after a check: there is an error, and each diagnostic is valid."""
    assert any(diagnostic.severity is Severity.ERROR for diagnostic in error.diagnostics), "refused without an error"
    sound(error.diagnostics, within)
    return False, error.diagnostics


def accepted(warnings: Sequence[Diagnostic], within: Source) -> Said:
    """Return the diagnostics of an accepted input, and check that none of them is an error."""
    assert not any(warning.severity is Severity.ERROR for warning in warnings), "accepted in spite of an error"
    sound(warnings, within)
    return True, warnings


def sound(found: Iterable[Diagnostic], within: Source) -> None:
    """Assert that diagnostics have a message and a position in the text, and that they can be shown."""
    for diagnostic in found:
        code = diagnostic.code
        assert code in CODES, f"no such code: {code}"
        assert diagnostic.message.strip(), f"{code} says nothing"
        whole = bool(diagnostic.file) and (code in WHOLE_FILE or not within.text)
        assert diagnostic.span or whole, f"{code} has no place"
        for label in (diagnostic.label, *diagnostic.others):
            if label is not None:
                _lies_within(label.span, within, code)
        name = kind(diagnostic)
        _shown[name] += 1
        if _shown[name] <= SHOWN or _shown[name] % SHOWN_AGAIN == 0:
            _can_be_shown(diagnostic)


def _can_be_shown(diagnostic: Diagnostic) -> None:
    code = diagnostic.code
    assert all(note.strip() for note in (*diagnostic.notes, *diagnostic.helps)), f"{code} has an empty note"
    assert diagnostic.message in str(diagnostic), f"{code} loses its message"
    shown, coloured, line = render(diagnostic), render(diagnostic, colour=True), concise(diagnostic)
    assert code in shown, f"{code} is not shown"
    assert code in line, f"{code} is not shown on one line"
    assert shown.replace("\n", "").isprintable(), f"{code} shows a control character"
    assert line.isprintable(), f"{code} takes more than one line"
    assert re.sub(r"\033\[[0-9]+m", "", coloured) == shown, f"{code} is another one in colour"
    json.dumps(as_dict(diagnostic)).encode()


def _lies_within(span: Span, within: Source, code: str) -> None:
    text = span.source.text
    if span.source is not within:
        # A reader may divide a text into lines, leave comments out, or show the readable part of bytes that are not
        # text.
        assert span.source.name == within.name, f"{code} points into another text"
        number, _ = span.source.position(span.start)
        shown = span.source.line(number).rstrip()
        exempt = code == "PZ002" or not shown
        assert exempt or number <= within.position(len(within.text))[0], f"{code} points beyond the end of the text"
        assert exempt or within.line(number).rstrip() == shown, f"{code} points into another text"
    assert 0 <= span.start <= len(text), f"{code} points out of the text"
    # A missing part at the end of a text is shown there, after the last character.
    missing = span.start >= len(text.rstrip())
    assert span.start + (not missing) <= span.end <= max(len(text), span.start + 1), f"{code} has an impossible end"


@contextmanager
def _watched() -> Iterator[None]:
    """Stop attempts that take far too long, if the system can."""
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
    """Return the last function of puzzlec in the traceback of an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "puzzlec" in Path(frame.filename).parts] or frames
    return f"{Path(own[-1].filename).name}, {own[-1].name}" if own else "?"


#: Small bounds in place of the real ones for thousands of inputs: inputs reach them at small cost.
SMALL_BOUNDS: dict[str, dict[str, int]] = {
    "puzzlec.language.repetition": {"MAX_ITERATIONS": 2_000},
    "puzzlec.language.elaborate.puzzle": {"MOST_STATEMENTS": 300},
    "puzzlec.geometry.regions": {"MAX_REGION_CELLS": 1_000},
    "puzzlec.formats.dpf": {"MAX_LOCATIONS": 2_000},
    "puzzlec.formats.numeric": {"MAX_COLUMN": 2_000},
    "puzzlec.formats.json.fitting": {"MAX_UNNAMED_ENTRIES": 2_000},
    "puzzlec.formats.polycube": {"MAX_CELLS": 1_000, "MAX_STEPS": 50_000},
    "puzzlec.formats.burrtools.document": {"MAX_VOXELS": 1_000},
    "puzzlec.geometry.families": {"MOST_SHAPES": 400, "MOST_IMAGES": 6_000},
    "puzzlec.geometry.solids": {"MAX_SIDE_COMPARISONS": 30_000},
    "puzzlec.geometry.lattice": {"MAX_GROUP_ELEMENTS": 400},
    "puzzlec.lower.placing": {"MAX_PLACEMENTS": 20_000, "MOST_ENTRIES": 1_000_000},
    "puzzlec.lower.automorphisms": {"MAX_INTEGERS_OF_GROUP": 60_000},
    "puzzlec.lower.movements": {"MOST_MOVEMENTS": 2_000, "MAX_INTEGERS_OF_MOVEMENTS": 20_000},
}


def import_all(packages: Iterable[str] = ("language", "formats", "lower", "geometry", "ir", "diagnostics")) -> None:
    """Import all modules of some packages of puzzlec: otherwise readers are imported when they are needed."""
    for name in packages:
        package = import_module(f"puzzlec.{name}")
        for module in walk_packages(package.__path__, f"puzzlec.{name}."):
            import_module(module.name)


@contextmanager
def small_bounds() -> Iterator[None]:
    """Make the bounds of readers and lowering small for some time, in every module that imported them."""
    before = []
    import_all()  # a module imported within would keep the small bounds
    for home, bounds in SMALL_BOUNDS.items():
        for name, small in bounds.items():
            old = getattr(sys.modules[home], name)
            for path, module in list(sys.modules.items()):
                if path.startswith("puzzlec.") and getattr(module, name, None) == old:
                    before.append((module, name, old))
                    setattr(module, name, small)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
