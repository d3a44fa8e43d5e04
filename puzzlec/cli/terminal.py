"""What the commands share: diagnostics to standard error, and what a terminal can show."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from puzzlec.diagnostics import Diagnostic, Severity, render
from puzzlec.render.style import Style

#: Control characters but for the ends of lines, tabs and what sets a colour.
_CONTROL = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")

#: Terminals of 16 colours or fewer.
_FEW_COLOURS = ("linux", "ansi", "cygwin", "pcansi", "vt220", "screen", "tmux")


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, and nobody has said NO_COLOR (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def style(ascii: bool = False) -> Style:
    """Return how to draw on standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    plain = ascii or not encoding.replace("-", "").startswith("utf")
    columns = shutil.get_terminal_size((100, 24)).columns
    return Style(wants_colour(sys.stdout), plain, columns, colours_of_terminal(os.environ))


def colours_of_terminal(environment: Mapping[str, str]) -> int:
    """Return how many colours a terminal shows: all of them, 256, or 16.

    COLORTERM says that it shows all, TERM is one of those that are known for 16 or fewer; others have 256.

    >>> colours_of_terminal({"TERM": "xterm", "COLORTERM": "truecolor"}), colours_of_terminal({"TERM": "linux"})
    (16777216, 16)
    """
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return 2**24
    term = environment.get("TERM", "")
    if term.endswith("-direct"):
        return 2**24
    few = term.endswith(("-16color", "-8color", "-color")) or term in _FEW_COLOURS
    return 16 if few and "256" not in term else 256


def out(text: object = "") -> None:
    """Print a result to standard output, with its colours if it has any.

    On a terminal control characters, in names for example, are shown as `?`: a puzzle cannot move the cursor.
    """
    print(_CONTROL.sub("?", str(text)) if sys.stdout.isatty() else text)  # noqa: T201


def complain(text: str) -> None:
    """Print a line for people to standard error."""
    print(f"puzzlec: {text}", file=sys.stderr)  # noqa: T201


def say(text: str) -> None:
    """Print a line for people to standard error, without our name before it."""
    print(text, file=sys.stderr)  # noqa: T201


def report_all(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics to standard error, and how many errors there were when there are several."""
    diagnostics = list(diagnostics)
    colour = wants_colour(sys.stderr)
    for each in diagnostics:
        say(render(each, colour) + "\n")
    errors = sum(each.severity is Severity.ERROR for each in diagnostics)
    if errors > 1:
        say(f"{errors} errors")
