"""All commands as one: each is found by its name, and pays for itself alone."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer

from puzzlec.cli import manner
from puzzlec.cli.commands import COMMANDS
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.plain import PlainCommand, PlainGroup
from puzzlec.cli.terminal import complain, forget_output

#: What is wrong with how a command was called; Typer has the class under different names.
_UsageError: Any = typer.BadParameter.__base__


def made_command(name: str) -> Any:
    """Return a command as Typer makes it from its function, which is imported for that."""
    module, function = COMMANDS[name].split(".")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    found = import_module(f"puzzlec.cli.{module}")
    settings = getattr(found, "CONTEXT", None)
    alone.command(name=name, cls=PlainCommand, context_settings=settings)(getattr(found, function))
    return typer.main.get_command(alone)


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
            self.commands[cmd_name] = made_command(cmd_name)
        return self.commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write what each command does into the help, without importing them all."""
        from puzzlec.cli.summaries import summaries

        with formatter.section("Commands"):
            formatter.write_dl(list(summaries().items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is meant; say more than Typer of one that there is not."""
        try:
            return super().resolve_command(ctx, args)
        except _UsageError as error:
            from puzzlec.cli.unknown_command import hint

            error.message += hint(args[0], error.message)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Typer would leave without a word at Ctrl-C, and with a fault where nobody reads any more."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            if not manner.MANNER.json:
                raise
            called = (error.ctx or ctx).command_path
            complain(error.format_message(), helps=[f"`{called} --help` tells how it is called"])
            raise typer.Exit(ExitStatus.USAGE) from None
        except BrokenPipeError:
            forget_output()
            raise typer.Exit(ExitStatus.DONE) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(ExitStatus.INTERRUPTED) from None
