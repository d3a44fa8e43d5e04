"""Sweeps: ``-p n=3..6`` runs a command for each value of a parameter, and prints a row or a block for each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from puzzlec.cli.arguments import Clock
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import refusing
from puzzlec.cli.terminal import MODE, ExitStatus, SweepTable, end, out, out_json, report_all, say, status_of, styled
from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.language.parameters import is_sweep, refuse_other_ranges

#: The columns of the commands that print a table.
_COLUMNS = {"count": ("solutions",), "check": ("result",), "estimate": ("nodes", "solutions", "solve", "count")}

#: Statuses that end a sweep at once.
_ENDING_STATUSES = (ExitStatus.INTERRUPTED, ExitStatus.USAGE, ExitStatus.INTERNAL)


def sweep(command: Callable[..., None], options: dict[str, Any]) -> None:
    """Run a command, for each combination of the values of its parameters if a ``-p`` has several.

    The command prints a row with :func:`puzzlec.cli.terminal.SweepTable.print_row`, or a block.
    """
    given = options.get("given") or ()
    with refusing("-p"):
        refuse_other_ranges(given)
    if not is_sweep(given):
        command(**options)
        return
    from puzzlec.language.sweeps import combinations  # Lark is not needed without a sweep

    _SweepRun(command, options).run(combinations(given))


class _SweepRun:
    """A sweep of a command with these options."""

    def __init__(self, command: Callable[..., None], options: dict[str, Any]) -> None:
        self.command, self.options = command, options
        #: The columns of a row without results; none for blocks.
        self.columns = _COLUMNS.get(command.__name__, ())
        self.is_table = bool(self.columns) and not options.get("brief") and not options.get("cost")
        self.is_json = MODE.json or options.get("to") == "jsonl"
        #: The limit of time of the whole sweep; an estimate has its own.
        self.clock = Clock(time=options.get("time") if command.__name__ != "estimate" else None)
        self.input = self._input()

    def _input(self) -> bytes | None:
        """Return what each row reads from standard input; None if the command does not read it."""
        names = self.options.get("puzzles") or [self.options.get("puzzle")]
        return sys.stdin.buffer.read() if "-" in names and sys.stdin is not None else None

    def run(self, rows: list[dict[str, int]]) -> None:
        """Run the rows in order; raise typer.Exit if the exit status is not 0."""
        MODE.sweep = sweep = SweepTable(
            {name: max(len(name), *(len(str(row[name])) for row in rows)) for name in rows[0]}
        )
        done, statuses = 0, set[int]()
        try:
            for row in rows:
                sweep.parameters = row
                status = self._row(sweep, not statuses)
                statuses.add(status)
                if status in _ENDING_STATUSES or (status == ExitStatus.LIMIT and self.clock.left == 0):
                    break
                done += 1
        finally:
            MODE.sweep = None
        if done < len(rows):
            say(f"{done} of {counted(len(rows), 'row')} done", rows=len(rows), done=done)
        elif self.is_table:
            seconds = self.clock.taken
            say(f"{counted(done, 'row')} in {seconds:.2f} s", rows=len(rows), done=done, seconds=round(seconds, 3))
        end(_worst(statuses))

    def _row(self, sweep: SweepTable, is_first: bool) -> int:
        """Run the command for a row, and return its exit status."""
        if not self.is_table and not self.is_json:
            if not is_first:
                out()
            out(styled(sweep.values))
            sys.stdout.flush()
        rows = sweep.rows
        status, what = self._called(self._options(sweep.parameters), is_first)
        if what and self.is_json:
            out_json({"failed": what})
        elif self.is_table and sweep.rows == rows and not self.is_json:
            sweep.print_row(**dict.fromkeys(self.columns, "-") | {self.columns[0]: what or "stopped"})
        return status

    def _options(self, row: Mapping[str, int]) -> dict[str, Any]:
        """Return the options of the command for a row."""
        values = [f"{name}={value}" for name, value in row.items()]
        options = self.options | {"given": values}
        if self.clock.time is not None:
            options["time"] = self.clock.left
        if options.get("checkpoint"):
            options["checkpoint"] = str(Path(options["checkpoint"]) / ",".join(values))
        if self.input is not None:
            sys.stdin = TextIOWrapper(BytesIO(self.input))
        return options

    def _called(self, options: dict[str, Any], is_first: bool) -> tuple[int, str]:
        """Run the command; return its exit status, and why there is no result."""
        try:
            self.command(**options)
        except typer.Exit as ended:
            return ended.exit_code, ""
        except PuzzleError as error:
            if is_first and not _may_differ(error):
                raise
            report_all(error.diagnostics)
            status = status_of(error.diagnostics)
            return status, "error" if status == ExitStatus.FAULTY else "no solution"
        except OutOfTime as late:
            say(str(late))
            return ExitStatus.LIMIT, "stopped"
        except KeyboardInterrupt:
            return ExitStatus.INTERRUPTED, "interrupted"
        return ExitStatus.DONE, ""


def _may_differ(error: PuzzleError) -> bool:
    """Return whether other rows may lack this error, because it is not about the file or the name of a parameter."""
    return not any(diagnostic.code.startswith("PZ0") or diagnostic.code == "PZ331" for diagnostic in error.diagnostics)


def _worst(statuses: set[int]) -> int:
    """Return the exit status of a sweep from those of its rows; a row with a solution outweighs rows without one."""
    for status in (*_ENDING_STATUSES, ExitStatus.TERMINATED, ExitStatus.FAULTY, ExitStatus.LIMIT):
        if status in statuses:
            return status
    return ExitStatus.DONE if ExitStatus.DONE in statuses else ExitStatus.NO_SOLUTION
