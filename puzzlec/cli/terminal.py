"""Output of the commands: diagnostics on standard error, and the colours of a terminal."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TextIO

from typer import Exit

from puzzlec.diagnostics import Diagnostic, Severity, as_dict, render
from puzzlec.diagnostics.codes import NO_SOLUTION_CODES
from puzzlec.show.terminal.style import Style, colours_of_terminal


class ExitStatus(IntEnum):
    """The exit statuses of the commands; docs/cli.md explains them."""

    DONE = 0
    FAULTY = 1  # errors
    USAGE = 2  # the command line is wrong
    NO_SOLUTION = 3
    LIMIT = 4  # stopped at a limit
    INTERNAL = 70  # a bug in puzzlec
    INTERRUPTED = 130  # Ctrl-C
    TERMINATED = 143  # SIGTERM, as 128 and the number of the signal


#: The meanings of the statuses, for docs/cli.md and the manual page.
MEANINGS = {
    ExitStatus.DONE: "done",
    ExitStatus.FAULTY: "an error: the puzzle, a file, a solution, a count or a layout is wrong",
    ExitStatus.USAGE: "the command line is wrong",
    ExitStatus.NO_SOLUTION: "no solution: a complete search or a proof says so",
    ExitStatus.LIMIT: "stopped at a limit, so there may be more; a shard is missing; another program did not finish",
    ExitStatus.INTERNAL: "a bug in puzzlec; `PUZZLEC_DEBUG=1` shows where",
    ExitStatus.INTERRUPTED: "Ctrl-C",
    ExitStatus.TERMINATED: "SIGTERM; a search with a checkpoint has saved its progress",
}


@dataclass
class SweepTable:
    """The output of a sweep: the ``parameters`` of the current row, and the widths of their columns.

    ``rows`` are printed already. ``told`` are the warnings of earlier rows.
    """

    widths: Mapping[str, int]
    parameters: Mapping[str, int] = field(default_factory=dict)
    rows: int = 0
    told: set[Diagnostic] = field(default_factory=set)

    @property
    def values(self) -> str:
        """The parameters in words."""
        return ", ".join(f"{name} = {value}" for name, value in self.parameters.items())

    def new(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the errors, and the warnings that no earlier row had, each with the parameters of this row."""
        for diagnostic in diagnostics:
            if diagnostic.severity is Severity.ERROR or diagnostic not in self.told:
                self.told.add(diagnostic)
                yield replace(diagnostic, notes=tuple(dict.fromkeys((*diagnostic.notes, f"with {self.values}"))))

    def print_row(self, **cells: object) -> None:
        """Print a row: the parameters, and the results by their names. The first row gets a header."""
        lines = [[*map(str, self.parameters.values()), *map(str, cells.values())]]
        if not self.rows:
            lines.insert(0, [*self.parameters, *cells])
        self.rows += 1
        widths = [*self.widths.values(), *(max(len(name), RESULT_COLUMNS) for name in cells)]
        for line in lines:
            text = "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            out(styled(text) if line is not lines[-1] else text)
        sys.stdout.flush()


class Mode:
    """Options of all commands for their output.

    ``quiet``: results and errors only. ``verbose``: also versions, caches, stages and times. ``json``: results, remarks
    and errors are lines of JSON. ``plain``: no colours. ``sweep``: the sweep that runs. ``begun``: when the command
    began, on the monotonic clock. ``remarks``: number of remarks and errors that the command has printed.
    """

    quiet: bool = False
    verbose: bool = False
    json: bool = False
    plain: bool = False
    sweep: SweepTable | None = None
    begun: float | None = None
    remarks: int = 0


#: Width of a result in the table of a sweep.
RESULT_COLUMNS = 12

#: The mode of the command that runs.
MODE = Mode()


def begin(begun: float | None = None) -> None:
    """Reset the mode, which an earlier command in this process may have changed. ``begun``: see :class:`Mode`."""
    vars(MODE).clear()
    MODE.begun = time.monotonic() if begun is None else begun
    logging.getLogger("puzzlec").setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)


def speak() -> None:
    """Set the level of the log for the mode; by default only a terminal shows the remarks of stages."""
    if MODE.verbose or MODE.quiet:
        logging.getLogger("puzzlec").setLevel(logging.DEBUG if MODE.verbose else logging.ERROR)


#: Control characters, except line ends, tabs and colours.
_CONTROL = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal does, without NO_COLOR (no-color.org) and ``--no-color``."""
    if MODE.plain or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_screen(stream)


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal that erases lines and moves its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def styled(text: str, code: int = 1) -> str:
    """Return a text of standard output in bold, or in another style of ECMA-48, if the terminal shows it."""
    return f"\x1b[{code}m{text}\x1b[0m" if wants_colour(sys.stdout) else text


def style(ascii: bool = False) -> Style:
    """Return how to draw on standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    plain = ascii or not encoding.replace("-", "").startswith("utf")
    columns = shutil.get_terminal_size((100, 24)).columns
    return Style(wants_colour(sys.stdout), plain, columns, colours_of_terminal(os.environ))


def width_of_prose() -> int:
    """Return the width of lines of a text: longer ones than 100 are hard to read, however wide the terminal is."""
    return min(style().width, 100)


def width_of_table() -> int | None:
    """Return the width of lines of a table: that of a terminal; None for a file or a pipe, whose lines are complete."""
    return style().width if sys.stdout.isatty() else None


def out(text: object = "") -> None:
    """Print a result to standard output, with its colours if it has any.

    On a terminal, control characters appear as `?`: the name in a puzzle cannot move the cursor.
    """
    write_line(_CONTROL.sub("?", str(text)) if sys.stdout.isatty() else text, sys.stdout)


def write_line(text: object, stream: TextIO) -> None:
    """Write a line in one piece: Ctrl-C between a text and its line break would leave the line unfinished."""
    stream.write(f"{text}\n")


def out_table(lines: Iterable[str]) -> None:
    """Print a table, whose first line has the heads."""
    for number, line in enumerate(lines):
        out(line if number else styled(line))
    sys.stdout.flush()


def out_json(what: object) -> None:
    """Print a result as a line of JSON, for another program; in a sweep, with the parameters."""
    out(_json(_with_parameters(what), sys.stdout))


def out_result(data: object, text: object) -> None:
    """Print a result: its data with --json, else its text."""
    out_json(data) if MODE.json else out(text)


def _with_parameters(what: object) -> object:
    return {"parameters": MODE.sweep.parameters, **what} if MODE.sweep and isinstance(what, dict) else what


def _json(what: object, stream: TextIO) -> str:
    """Return JSON in the characters of a stream; other characters are escaped."""
    text = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return json.dumps(what, separators=(",", ":"))
    return text


def complain(text: str, helps: Sequence[str] = (), label: str = "error") -> None:
    """Print an error of the command, not of a puzzle, to standard error."""
    data = {"code": None, "severity": "error", "message": text, "helps": list(helps)}
    _err(data if MODE.json else "\n  = help: ".join([f"{label}: {text}", *helps]))


def say(text: str, always: bool = False, **more: object) -> None:
    """Print a remark to standard error; with --json, ``more`` has its data.

    --quiet leaves it out, unless ``always``: the remark is the result, or a warning.
    """
    if always or not MODE.quiet:
        _err({"remark": text, **more} if MODE.json else text)


def _err(what: object, before: str = "") -> None:
    sys.stdout.flush()  # keeps the order if both streams go to one file
    text = _json(_with_parameters(what), sys.stderr) if MODE.json else what
    MODE.remarks += 1
    write_line(f"{before}{text}", sys.stderr)


class LogRemarks(logging.Handler):
    """Prints the log of the stages, which have no terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record of the log."""
        text = record.getMessage()
        # A progress bar may be there, so erase the line.
        erase = "\r\033[K" if is_screen(sys.stderr) else ""
        _err({"remark": text} if MODE.json else f"puzzlec: {text}", erase)


def report_all(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics to standard error, and the number of errors if there are several.

    With --quiet, only the errors.
    """
    errors = 0
    colour = wants_colour(sys.stderr)
    for diagnostic in MODE.sweep.new(diagnostics) if MODE.sweep else diagnostics:
        is_error = diagnostic.severity is Severity.ERROR
        errors += is_error
        if is_error or not MODE.quiet:
            _err(as_dict(diagnostic) if MODE.json else render(diagnostic, colour=colour) + "\n")
    if errors > 1 and not MODE.json:
        say(f"{errors} errors")


def status_of(diagnostics: Iterable[Diagnostic]) -> ExitStatus:
    """Return the exit status for diagnostics: no solution if all errors are proofs that there is none."""
    errors = {diagnostic.code for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR}
    if not errors:
        return ExitStatus.DONE
    return ExitStatus.NO_SOLUTION if errors <= NO_SOLUTION_CODES else ExitStatus.FAULTY


def status_after(stopped: object, answer: object) -> ExitStatus:
    """Return the exit status of a search that stopped at a limit or not, and found something or not."""
    return ExitStatus.LIMIT if stopped else ExitStatus.DONE if answer else ExitStatus.NO_SOLUTION


def end(status: int) -> None:
    """End the command with an exit status, unless it is 0."""
    if status:
        raise Exit(status)


def report_reasons(reasons: Sequence[Diagnostic]) -> None:
    """Print the reasons why there is no solution. A row of a sweep has an answer, 0, so its reasons are one line."""
    if MODE.sweep is None or MODE.json:
        report_all(reasons)
    elif reasons:
        messages = [reason.message.removeprefix("no solution: ") for reason in reasons]
        say(f"no solution with {MODE.sweep.values}: {'; '.join(messages)}")


def forget_output(stream: TextIO | None = None) -> None:
    """Drop the rest of a stream without a reader, by default standard output, so that Python exits in silence."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, (stream or sys.stdout).fileno())
    os.close(nothing)
