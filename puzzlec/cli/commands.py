"""The commands as one group: each is imported when it is asked for, and pays for itself alone."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from puzzlec.cli import manner
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.parsing import Plain, PlainCommand, UsageError
from puzzlec.cli.terminal import complain, forget_output

#: The commands in the order of the help: where the function of each is, and the first sentence of its help.
COMMANDS = {
    "solve": ("solve.solve", "Solve a puzzle, and draw its first solution (or more)."),
    "count": ("count.count", "Count the solutions of a puzzle."),
    "solutions": ("solutions.solutions", "Answer questions about the solutions of a puzzle."),
    "disassemble": ("disassemble.disassemble_puzzle", "Take the assemblies of a puzzle apart."),
    "estimate": ("estimate.estimate", "Estimate how long the search for all solutions takes."),
    "resume": ("resume.resume", "Go on with a search where it stopped, and print its result."),
    "status": ("status.status", "Say how far a search has come whose checkpoint is in a folder."),
    "merge": ("merge.merge", "Add up the shards of a search, and say what is missing."),
    "check": ("check.check", "Check puzzles without solving them."),
    "show": ("show.show", "Show a puzzle: its board and its pieces."),
    "draw": ("draw.draw", "Draw a puzzle: a solution, or else its board and pieces."),
    "view": ("view.view", "Make a page to look at a puzzle in."),
    "explain": ("explain.explain", "Explain a puzzle, or an error by its code."),
    "convert": ("convert.convert", "Convert a puzzle to another format or level."),
    "lift": ("lift.lift", "Draw and check the solutions that another program has found."),
    "model": ("model.model", "Make the pieces of a puzzle, to print or to cut."),
    "formats": ("formats.formats", "List the formats that are read and written."),
    "new": ("new.new", "Print a complete small puzzle to start from."),
    "fmt": ("fmt.fmt", "Format texts in the puzzle language."),
    "list": ("list_.list_puzzles", "List the puzzles of the catalogue."),
    "verify": ("verify.verify_catalogue", "Count the solutions of the catalogue again, and compare."),
    "shapes": ("shapes.shapes", "Draw all pieces of a library, or of a family in some size."),
    "lattice": ("lattice.lattice", "Say what a lattice is, and prove it to be one."),
    "serve": ("serve.serve", "Serve a page to write, see and solve puzzles in."),
    "lsp": ("lsp.lsp", "Serve an editor: faults as you type, and what words mean."),
    "completion": ("completion.completion", "Print the script that makes a shell complete commands."),
    "man": ("man.man", "Show the manual page of puzzlec, or of a command."),
    "help": ("help_.help_command", "Show the help of a command, as its option --help does."),
}

#: What other programs call a command.
ELSEWHERE = {
    "compile": "convert", "format": "fmt", "lint": "check", "validate": "check", "info": "show", "inspect": "explain",
    "render": "draw", "plot": "draw", "print": "draw", "export": "convert", "init": "new", "create": "new",
    "continue": "resume", "search": "list", "run": "solve", "version": "--version",
}  # fmt: skip


def summaries() -> dict[str, str]:
    """Return the commands with what each does."""
    return {name: summary for name, (_, summary) in COMMANDS.items()}


def made_command(name: str) -> Any:
    """Return a command as Typer makes it from its function, which is imported for that."""
    module, function = COMMANDS[name][0].split(".")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    found = import_module(f"puzzlec.cli.{module}")
    alone.command(name=name, cls=PlainCommand)(getattr(found, function))
    return typer.main.get_command(alone)


class Commands(Plain, TyperGroup):
    """The commands by name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # Typer looks for similar names here

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a command by its name, None where there is none."""
        if cmd_name in COMMANDS and self.commands[cmd_name] is None:
            self.commands[cmd_name] = made_command(cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write what each command does into the help, without importing them all."""
        with formatter.section("Commands"):
            formatter.write_dl(list(summaries().items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is meant; say more than Typer of one that there is not."""
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            error.message += hint(args[0], error.message)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Typer would leave without a word at Ctrl-C, and with a fault where nobody reads any more."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
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


def hint(word: str, said: str = "") -> str:
    """Return what to say after `No such command`: its name here, or what to do with a puzzle of that name.

    Else it is where the commands are listed, unless what is ``said`` ends with the question whether another was meant.

    >>> hint("soma"), hint("validate")
    (' `soma` is a puzzle: `puzzlec solve soma` solves it.', ' Here it is `puzzlec check`.')
    >>> hint("xyz"), hint("slove", "No such command 'slove'. Did you mean 'solve'?")
    (' `puzzlec --help` lists the commands.', '')
    """
    if word in ELSEWHERE:
        return f" Here it is `puzzlec {ELSEWHERE[word]}`."
    from puzzlec.formats import catalogue

    if catalogue.find(word) is not None or (Path(word).suffix and os.path.isfile(word)):  # noqa: PTH113
        return f" `{word}` is a puzzle: `puzzlec solve {word}` solves it."
    return "" if said.endswith("?") else " `puzzlec --help` lists the commands."
