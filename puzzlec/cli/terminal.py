"""What the commands share: diagnostics to standard error, and what a terminal can show."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TextIO

from puzzlec.diagnostics import Diagnostic, Severity, render
from puzzlec.render.style import Style


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
    return Style(wants_colour(sys.stdout), plain, shutil.get_terminal_size((100, 24)).columns)


def out(text: object = "") -> None:
    """Print a result to standard output, with its colours if it has any."""
    print(text)  # noqa: T201


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
