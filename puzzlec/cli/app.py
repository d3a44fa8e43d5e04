"""The entry point: the commands, and what becomes of errors."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from io import TextIOWrapper
from typing import Annotated

import typer

from puzzlec import PuzzleError, __version__
from puzzlec.cli import check, convert, count, explain, fmt, list_, new, show, solve
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.terminal import complain, out, report_all

app = typer.Typer(
    name="puzzlec",
    help="Compile puzzles: packing, tiling and exact-cover puzzles from text to all their solutions.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (solve.solve, count.count, check.check, show.show, explain.explain, convert.convert, new.new):
    app.command()(command)
app.command()(fmt.fmt)
app.command(name="list")(list_.list_puzzles)


def _print_version(wanted: bool) -> None:
    if wanted:
        out(f"puzzlec {__version__}")
        raise typer.Exit


@app.callback()
def puzzlec(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and leave.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Compile puzzles: packing, tiling and exact-cover puzzles from text to all their solutions."""


def main() -> None:
    """Run a command; turn every way that it can end into an exit status, none into a traceback."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal cannot show must not end the command
    logging.basicConfig(level=logging.WARNING, format="puzzlec: %(message)s", stream=sys.stderr)
    # Remarks on the way are for somebody who waits at a terminal; what a pipe gets depends on nothing but the input.
    logging.getLogger("puzzlec").setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)
    try:
        app()
    except PuzzleError as error:
        report_all(error.diagnostics)
        sys.exit(ExitStatus.FAULTY)
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has enough of it. Python must not complain again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitStatus.DONE)
    except Exception as error:
        complain(f"internal error: {type(error).__name__}: {error}")
        if os.environ.get("PUZZLEC_DEBUG"):
            traceback.print_exc()
        else:
            complain("this is a fault of puzzlec; PUZZLEC_DEBUG=1 shows where it arose")
        sys.exit(ExitStatus.INTERNAL)


if __name__ == "__main__":
    main()
