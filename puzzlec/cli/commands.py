"""The commands as one group: each is imported when it runs, so that no command waits for another."""

from __future__ import annotations

import os
from copy import copy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from puzzlec.cli.command import Plain, PlainCommand, UsageError, sections, write_section
from puzzlec.cli.terminal import MODE, out
from puzzlec.version import __version__

#: The commands by groups, in the order of the help: the function of each, and the summary of its help.
GROUPS = {
    "Solve": {
        "solve": ("solve.solve", "Solve a puzzle, and draw its solutions."),
        "count": ("count.count", "Count the solutions of a puzzle."),
        "estimate": ("estimate.estimate", "Estimate the time of the search for all solutions."),
        "sets": ("sets.sets", "List the sets of pieces that solve a puzzle."),
        "unique": ("unique.unique", "Find the fewest clues that leave one solution."),
        "solutions": ("solutions.solutions", "Answer questions about all solutions of a puzzle."),
        "disassemble": ("disassemble.disassemble_puzzle", "Find how a puzzle comes apart."),
    },
    "Write": {
        "new": ("new.new", "Print a complete small puzzle to start from."),
        "generate": ("generate.generate", "Generate puzzles with a promised property."),
        "check": ("check.check", "Check puzzles, solutions or a certificate."),
        "fmt": ("fmt.fmt", "Format files in the puzzle language."),
        "explain": ("explain.explain", "Explain a puzzle, or an error by its code."),
        "show": ("show.show", "Show the board and the pieces of a puzzle."),
    },
    "Pictures": {
        "draw": ("draw.draw", "Draw a puzzle or its solutions as a picture."),
        "view": ("view.view", "Write a page to explore a puzzle in a browser."),
        "play": ("play.play", "Write a page to play a puzzle on, with hints."),
        "model": ("model.model", "Write the pieces for a 3D printer or a laser."),
    },
    "Exchange": {
        "convert": ("convert.convert", "Convert a puzzle to another format or level."),
        "lift": ("lift.lift", "Draw and check the answer of another solver."),
        "formats": ("formats.formats", "List the formats that puzzlec reads and writes."),
    },
    "Library": {
        "list": ("list_.list_puzzles", "List the puzzles of the catalogue."),
        "shapes": ("shapes.shapes", "Draw the pieces of a library or family."),
        "lattice": ("lattice.lattice", "Describe a lattice and verify it."),
        "verify": ("verify.verify_catalogue", "Count solutions again to check the catalogue."),
    },
    "Long searches": {
        "resume": ("resume.resume", "Resume a search from its checkpoint."),
        "status": ("status.status", "Show the progress of a search with a checkpoint."),
        "merge": ("merge.merge", "Add up the shards of a search."),
    },
    "Tools": {
        "serve": ("serve.serve", "Serve a local page to write and solve puzzles."),
        "lsp": ("lsp.lsp", "Run the language server for editors."),
        "completion": ("completion.completion", "Print the completion script of a shell."),
    },
}
COMMANDS = {name: home for group in GROUPS.values() for name, (home, _) in group.items()}
SUMMARIES = {name: summary for group in GROUPS.values() for name, (_, summary) in group.items()}

#: What to type after `puzzlec`, by the name that other programs have for it. `print` names two commands.
ELSEWHERE = {
    "compile": "convert", "format": "fmt", "lint": "check", "validate": "check", "info": "show", "inspect": "explain",
    "render": "draw", "plot": "draw", "svg": "draw", "png": "draw", "pdf": "draw", "worksheet": "draw --worksheet",
    "animate": "draw", "print": "draw` or `puzzlec model", "stl": "model", "3mf": "model", "mesh": "model",
    "laser": "model", "game": "play", "level": "disassemble", "unlock": "disassemble", "export": "convert",
    "import": "convert", "init": "new", "create": "new", "continue": "resume", "search": "list",
    "catalogue": "list", "gallery": "list", "examples": "list", "open": "serve", "run": "solve", "version": "--version",
}  # fmt: skip


@cache
def made_command(name: str) -> Any:
    """Return a command, made from its function, which is imported for that."""
    module, function = COMMANDS[name].split(".")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name=name, cls=PlainCommand)(getattr(import_module(f"puzzlec.cli.{module}"), function))
    command: Any = typer.main.get_command(alone)
    own = {word for parameter in command.params for word in parameter.opts}
    for option in PROGRAM.params:
        if option.name != "version" and not own & set(option.opts):
            command.params.append(copy(option))
            command.params[-1].hidden = True
    return command


class Commands(Plain, TyperGroup):
    """The commands by name."""

    ending = "`puzzlec COMMAND --help` prints all options of a command."

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a command by its name, None if there is none."""
        return made_command(cmd_name) if cmd_name in COMMANDS else None

    def write_options(self, formatter: Any, short: bool) -> None:
        """Write the commands by groups, only their names in a short help."""
        lists = {"Commands": [(title, ", ".join(group)) for title, group in GROUPS.items()]}
        if not short:
            lists = {title: [(name, about) for name, (_, about) in group.items()] for title, group in GROUPS.items()}
            lists |= sections(self.params)
        for title, rows in lists.items():
            write_section(formatter, title, rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command with this name; the error for an unknown name suggests what to type."""
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            if args[0] in ELSEWHERE:  # a similar name would be another suggestion
                error.message = error.message.partition(" Did you mean")[0]
            error.message += hint(args[0], error.message)
            raise


def hint(word: str, message: str = "") -> str:
    """Return what to add to an error about an unknown command: a name here, or what to do with a puzzle of that name.

    >>> hint("soma"), hint("validate")
    (' `soma` is a puzzle: `puzzlec solve soma` solves it.', ' Use `puzzlec check`.')
    """
    if word in ELSEWHERE:
        return f" Use `puzzlec {ELSEWHERE[word]}`."
    from puzzlec.formats import catalogue

    if catalogue.find(word) is not None or (Path(word).suffix and os.path.isfile(word)):  # noqa: PTH113
        return f" `{word}` is a puzzle: `puzzlec solve {word}` solves it."
    return "" if message.endswith("?") else " `puzzlec -h` lists the commands."


program = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        out(f"puzzlec {__version__}")
        raise typer.Exit


def _noted(name: str, *names: str, help: str) -> Any:
    """Return an option of all commands that sets a member of the mode of output."""

    def callback(wanted: bool) -> None:
        setattr(MODE, name, getattr(MODE, name) or wanted)

    return typer.Option(*names, help=help, expose_value=False, callback=callback)


@program.callback()
def puzzlec(
    version: Annotated[
        bool, typer.Option("-V", "--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
    quiet: Annotated[bool, _noted("quiet", "-q", "--quiet", help="Print results and errors only.")] = False,
    verbose: Annotated[bool, _noted("verbose", "-v", "--verbose", help="Print stages, times and statistics.")] = False,
    no_color: Annotated[bool, _noted("plain", "--no-color", help="Print without colours.")] = False,
) -> None:
    """Solve, count and draw packing, tiling and exact-cover puzzles.

    Examples:
        puzzlec solve soma
        puzzlec count pentominoes/6x10

    """


#: The group of all commands.
PROGRAM: Any = typer.main.get_command(program)
PROGRAM.commands = dict.fromkeys(COMMANDS)  # Typer looks for similar names here
