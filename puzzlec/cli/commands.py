"""The commands as one group: each is imported when it runs, so that no command waits for another."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import copy
from functools import cache
from importlib import import_module
from shlex import quote
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from puzzlec.cli.command import SHARED_HEADING, CommandStyle, PlainCommand, UsageError, sections, write_section
from puzzlec.cli.options import flattened
from puzzlec.cli.terminal import MODE, out
from puzzlec.version import __version__

#: The commands by groups, in the order of the help: the function of each, and the summary of its help.
GROUPS = {
    "Solve": {
        "solve": ("solve.solve", "Solve a puzzle, and draw its solutions."),
        "count": ("count.count", "Count the solutions of a puzzle."),
        "estimate": ("estimate.estimate", "Estimate the time of the search for all solutions."),
        "sets": ("sets.sets", "List the sets of pieces that solve a puzzle."),
        "clues": ("clues.clues", "Find the fewest clues that leave one solution."),
        "solutions": ("solutions.solutions", "Answer questions about all solutions of a puzzle."),
        "disassemble": ("disassemble.disassemble_puzzle", "Find how a puzzle comes apart."),
    },
    "Write": {
        "new": ("new.new", "Print a complete small puzzle to start from."),
        "generate": ("generate.generate", "Generate puzzles with a promised property."),
        "check": ("check.check", "Check puzzles, answers or a certificate."),
        "fmt": ("fmt.fmt", "Format files in the puzzle language."),
        "explain": ("explain.explain", "Describe a puzzle, or an error by its code."),
    },
    "Pictures": {
        "draw": ("draw.draw", "Draw a puzzle or its solutions as a picture."),
        "view": ("pages.view", "Explore a puzzle on a page in the browser."),
        "play": ("pages.play", "Play a puzzle on a page in the browser, with hints."),
        "model": ("model.model", "Write the pieces for a 3D printer or a laser."),
    },
    "Library": {
        "convert": ("convert.convert", "Convert a puzzle to another format or stage."),
        "list puzzles": ("list_.list_puzzles", "List the puzzles of the catalogue."),
        "list shapes": ("geometry.shapes", "Draw the pieces of a library or family."),
        "list lattices": ("geometry.lattice", "List lattices, or describe and verify one."),
        "list formats": ("formats.formats", "List the formats that puzzlec reads and writes."),
    },
    "Long searches": {
        "job resume": ("resume.resume", "Resume a search from its checkpoint."),
        "job status": ("status.status", "Show the progress of a search with a checkpoint."),
        "job merge": ("merge.merge", "Add up the shards of a search."),
    },
    "Tools": {
        "serve": ("servers.serve", "Serve a local page to write and solve puzzles."),
        "lsp": ("servers.lsp", "Run the language server for editors."),
        "completion": ("completion.completion", "Print the completion script of a shell."),
    },
}
COMMANDS = {name: home for group in GROUPS.values() for name, (home, _) in group.items()}
SUMMARIES = {name: summary for group in GROUPS.values() for name, (_, summary) in group.items()}

#: The commands with several forms: the summary of each, and the form without a word after it.
FAMILIES = {
    "list": ("List puzzles, shapes, lattices or formats.", "puzzles"),
    "job": ("Resume, watch or merge searches with a checkpoint.", ""),
}

#: The first word of each command, with its summary.
TOP = {
    word: FAMILIES[word][0] if word in FAMILIES else SUMMARIES[word]
    for word in dict.fromkeys(name.split()[0] for name in COMMANDS)
}

#: What to type after `puzzlec`, by the name that other programs have for it. `print` names two commands.
ELSEWHERE = {
    "compile": "convert", "format": "fmt", "lint": "check", "validate": "check", "info": "explain",
    "inspect": "explain", "describe": "explain", "render": "draw", "plot": "draw", "svg": "draw", "png": "draw",
    "pdf": "draw", "worksheet": "draw --worksheet", "animate": "draw", "print": "draw` or `puzzlec model",
    "stl": "model", "3mf": "model", "mesh": "model", "laser": "model", "game": "play", "level": "disassemble",
    "unlock": "disassemble", "export": "convert", "import": "convert", "init": "new", "create": "new",
    "continue": "job resume", "search": "list", "catalogue": "list", "gallery": "list", "examples": "list",
    "open": "serve", "run": "solve", "version": "--version", "share": "view", "html": "view", "page": "view",
    "apart": "disassemble", "take-apart": "disassemble", "pieces": "list shapes", "burrtools": "convert",
    "sweep": "count -p n=3..6", "sample": "solutions --sample 3", "certificate": "solve --certificate FILE",
    "cluster": "solve --cluster local", "dask": "solve --cluster local",
}  # fmt: skip

#: The commands of version 0.1 with another name, and what to type before their arguments now.
RENAMED = {
    "lift": "check --to text", "verify": "check --catalogue", "unique": "clues", "show": "explain",
    "resume": "job resume", "status": "job status", "merge": "job merge", "shapes": "list shapes",
    "lattice": "list lattices", "formats": "list formats",
}  # fmt: skip


def _program(**settings: Any) -> typer.Typer:
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **settings)


@cache
def made_command(name: str) -> Any:
    """Return a command by its whole name, made from its function, which is imported for that."""
    if name in FAMILIES:
        return _made_family(name)
    module, function = COMMANDS[name].split(".")
    alone = _program()
    alone.command(name=name.split()[-1], cls=PlainCommand)(
        flattened(
            getattr(import_module(f"puzzlec.cli.{module}"), function),
            _sweep if name in SWEEP_COMMANDS else None,
            as_json=name not in WITHOUT_JSON,
        )
    )
    command: Any = typer.main.get_command(alone)
    for option in command.params:
        _place(option, name)
    return _with_common_options(command)


def _sweep(command: Callable[..., None], options: dict[str, Any]) -> None:
    """Run a command for each combination of the values of its parameters."""
    from puzzlec.cli.sweeps import sweep  # `list` and `--version` need no puzzle

    sweep(command, options)


#: The commands that run for several values of a parameter.
SWEEP_COMMANDS = ("solve", "count", "estimate", "check", "explain")

#: The commands without results for other programs.
WITHOUT_JSON = ("lsp", "completion")

#: Options whose help only these commands print. The manual page and the pages of the documentation have the others.
SHOWN_BY = {
    "--ascii": ("solve", "explain"),
    "--cluster": ("solve", "count", "job resume"),
    "--memory": ("count", "sets"),
    "--palette": ("draw", "view", "play", "model"),
    "--progress": ("solve", "count", "job resume"),
    "--raw": ("solve", "count"),
    "--symmetry": ("solve", "count", "estimate", "sets", "clues", "solutions", "disassemble"),
}

#: Options that the help of other commands only names, and the commands whose help describes them.
DESCRIBED_BY = {"--from": ("solve", "convert"), "--board": ("solve",), "--problem": ("solve",)}


def _place(option: Any, command: str) -> None:
    """Set how the help of a command shows an option."""
    name = option.opts[-1]
    if command not in SHOWN_BY.get(name, (command,)):
        option.hidden = True
    if command not in DESCRIBED_BY.get(name, (command,)):
        option.rich_help_panel = SHARED_HEADING
    if name == "--param" and command in SWEEP_COMMANDS:
        option.help = f"{option.help.rstrip('.')}; a sweep: n=3..6."


def _with_common_options(command: Any) -> Any:
    """Return a command that also takes the options of all commands, which its help does not show."""
    names = {word for parameter in command.params for word in parameter.opts}
    for option in PROGRAM.params:
        if option.name != "version" and not names & set(option.opts):
            command.params.append(copy(option))
            command.params[-1].hidden = True
    return command


class CommandFamily(CommandStyle, TyperGroup):
    """A command with several forms, such as `job resume` and `job status`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command; without the word of a form, they belong to the first one."""
        default = FAMILIES[str(self.name)][1]
        if default and not {*args[:1]} & {*self.commands, "-h", "--help"} and not ctx.resilient_parsing:
            args = [default, *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a form by its word, None if there is none."""
        return made_command(f"{self.name} {cmd_name}") if cmd_name in self.commands else None

    def write_options(self, formatter: Any, short: bool) -> None:  # noqa: ARG002
        """Write the forms."""
        names = [name for name in COMMANDS if name.startswith(f"{self.name} ")]
        write_section(formatter, "Commands", [(name.split()[1], SUMMARIES[name]) for name in names])


def _made_family(name: str) -> Any:
    alone = _program()
    examples = [f"    puzzlec {example}" for example in FAMILY_EXAMPLES[name]]
    help = "\n".join([FAMILIES[name][0], "", "Examples:", *examples])
    alone.callback(cls=CommandFamily, help=help)(lambda: None)
    made: Any = typer.main.get_command(alone)
    made.name = name
    made.commands = {each.split()[1]: None for each in COMMANDS if each.startswith(f"{name} ")}
    return _with_common_options(made)


FAMILY_EXAMPLES = {
    "list": ("list --tag easy", "list shapes pentominoes"),
    "job": ("job resume bedlam --threads 4", "job status bedlam"),
}


class Commands(CommandStyle, TyperGroup):
    """The commands by name."""

    ending = "`puzzlec COMMAND --help` prints all options of a command."

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a command by its first word, None if there is none."""
        return made_command(cmd_name) if cmd_name in TOP else None

    def write_options(self, formatter: Any, short: bool) -> None:
        """Write the commands by groups, only their names in a short help."""
        lists = {
            "Commands": [
                (title, ", ".join(dict.fromkeys(name.split()[0] for name in group))) for title, group in GROUPS.items()
            ]
        }
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
            renamed = args[0] in RENAMED and not os.path.isfile(args[0])  # noqa: PTH113
            if not renamed and is_puzzle(args[0]):
                return "solve", made_command("solve"), args
            if renamed:
                words = " ".join(["puzzlec", RENAMED[args[0]], *map(quote, args[1:])])
                raise UsageError(f"`{args[0]}` has another name now. Use `{words}`", ctx) from None
            if args[0] in ELSEWHERE:  # a similar name would be another suggestion
                error.message = error.message.partition(" Did you mean")[0]
            error.message += hint(args[0], error.message)
            raise


def is_puzzle(word: str) -> bool:
    """Return whether a word in the place of a command is a puzzle: a file, standard input, or one of the catalogue."""
    from puzzlec.formats import catalogue

    return word == "-" or os.path.isfile(word) or catalogue.find(word) is not None  # noqa: PTH113


def like_puzzle(word: str) -> str:
    """Return a word if it is a puzzle, or else the puzzle of the catalogue that it may mean; an empty text for none."""
    from puzzlec.formats import catalogue

    return word if is_puzzle(word) else next(iter(catalogue.suggestions(word)), "")


def hint(word: str, message: str = "") -> str:
    """Return what to add to an error about an unknown command.

    >>> hint("validate"), hint("xyz")
    (' Use `puzzlec check`.', ' `puzzlec -h` lists the commands.')
    """
    if word in ELSEWHERE:
        return f" Use `puzzlec {ELSEWHERE[word]}`."
    return "" if message.endswith("?") else " `puzzlec -h` lists the commands."


program = _program(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})


def _print_version(context: typer.Context, is_given: bool) -> None:
    if is_given and not context.resilient_parsing:
        out(f"puzzlec {__version__}")
        raise typer.Exit


def _noted(name: str, *names: str, help: str) -> Any:
    """Return an option of all commands that sets a member of the mode of output."""

    def callback(is_given: bool) -> None:
        setattr(MODE, name, getattr(MODE, name) or is_given)

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
PROGRAM.commands = dict.fromkeys(TOP)  # Typer looks for similar names here
