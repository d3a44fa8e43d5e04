"""puzzlec as one program for Typer: its commands, and the options that it has without a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from puzzlec.cli.commands import Commands
from puzzlec.cli.terminal import out
from puzzlec.version import __version__

_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


program = typer.Typer(
    name="puzzlec",
    cls=Commands,
    help="Compile puzzles: packing, tiling and exact-cover puzzles from text to all their solutions.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


def _print_version() -> None:
    out(f"puzzlec {__version__}")


def _instead(name: str, action: Callable[[], None], help: str) -> Any:
    """Return an option that does something in place of a command."""

    def callback(context: typer.Context, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            action()
            raise typer.Exit

    return typer.Option("-V", name, help=help, is_eager=True, callback=callback)


@program.callback()
def puzzlec(
    version: Annotated[bool, _instead("--version", _print_version, "Print the version.")] = False,
) -> None:
    """Compile puzzles: packing, tiling and exact-cover puzzles from text to all their solutions."""
