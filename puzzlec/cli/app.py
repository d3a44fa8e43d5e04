"""The entry point: the commands, and what becomes of errors."""

from __future__ import annotations

import errno
import gc
import logging
import os
import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from puzzlec import __version__
from puzzlec.cli.commands import COMMANDS
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.plain import PlainCommand, PlainGroup
from puzzlec.cli.terminal import complain, out, report_all
from puzzlec.diagnostics import PuzzleError

#: What the system says where there is no room for what is printed.
_FULL = (errno.ENOSPC, errno.EFBIG)

_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class Commands(PlainGroup):
    """The commands by name; one is imported when it is asked for, so that it pays for itself alone."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # Typer looks for similar names here

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a command by its name, None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        if self.commands[cmd_name] is None:
            module, function = COMMANDS[cmd_name].split(".")
            alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            found = import_module(f"puzzlec.cli.{module}")
            settings = getattr(found, "CONTEXT", None)
            alone.command(name=cmd_name, cls=PlainCommand, context_settings=settings)(getattr(found, function))
            self.commands[cmd_name] = typer.main.get_command(alone)
        return self.commands[cmd_name]

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Typer would leave without a word at Ctrl-C, and with a fault where nobody reads any more."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _forget_output()
            raise typer.Exit(ExitStatus.DONE) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(ExitStatus.INTERRUPTED) from None


app = typer.Typer(
    name="puzzlec",
    cls=Commands,
    help="Compile puzzles: packing, tiling and exact-cover puzzles from text to all their solutions.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


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


def _forget_output() -> None:
    """Whoever read our output has enough of it. Python must not complain again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run a command; turn every way that it can end into an exit status, none into a traceback."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal cannot show must not end the command
    logging.basicConfig(level=logging.WARNING, format="puzzlec: %(message)s", stream=sys.stderr)
    # Remarks on the way are for somebody who waits at a terminal; what a pipe gets depends on nothing but the input.
    logging.getLogger("puzzlec").setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # what cannot be written is found here, not when Python has left
    except PuzzleError as error:
        report_all(error.diagnostics)
        sys.exit(ExitStatus.FAULTY)
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        _forget_output()
        sys.exit(ExitStatus.DONE)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            complain(f"cannot write: {os.strerror(error.errno).lower()}")
            sys.exit(ExitStatus.FAULTY)
        complain(f"internal error: {type(error).__name__}: {error}")
        if os.environ.get("PUZZLEC_DEBUG"):
            traceback.print_exc()
        else:
            complain("this is a fault of puzzlec; PUZZLEC_DEBUG=1 shows where it arose")
        sys.exit(ExitStatus.INTERNAL)
    finally:
        gc.freeze()  # Python would look for garbage once more before it leaves, a tenth of a small solve


if __name__ == "__main__":
    main()
