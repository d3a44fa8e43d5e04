"""How a command reads its words, and what its help shows of them.

Typer checks every parameter with pydantic, whose import takes longer than all of a small puzzle. Words and numbers need
no check but their bounds; older versions of Typer, without pydantic, are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typer import BadParameter
from typer.core import TyperCommand

from puzzlec.cli import manner

#: What is wrong with how a command was called; Typer has the class under different names.
UsageError: Any = BadParameter.__base__

#: The groups of options in a help that have a title of their own (`rich_help_panel`), in their order.
LIMITS, JOBS, READING = (
    "Limits and workers",
    "Searches kept in a folder, or on several machines",
    "How the puzzle is read",
)
PANELS = (LIMITS, JOBS, READING, manner.PANEL)

#: So few options need no groups but the last one, which is that of all commands.
_FEW = 12

#: Parameters that are numbers of things, of which there are never more than this.
_COUNTS, MOST = ("limit", "nodes", "sample", "probes", "processes", "threads"), 1 << 62

#: What a number is a number of, by the word that stands for it in the help of a command.
_UNITS = {"MM": ": give a number of millimetres, such as 20", "SECONDS": ": give a number of seconds, such as 20"}


#: Options under the names that they had, which are still read and are shown nowhere.
RENAMED = {
    "--time": "--time-limit",
    "--max-time": "--time-limit",
    "--format": "--to",
    "--kind": "--solutions-from",
    "--notation": "--solutions-from",
    "--solution": "--solutions",
    "--saved": "--solutions",
    "--from-solution": "--solutions",
    "--emit": "--level",
    "--own-symmetry": "--show-symmetry",
    "--often": "--frequency",
    "--keep": "--save-valid",
    "--what": "--show",
    "--turn": "--rotate",
    "--in": "--layout",
    "--tags": "--list-tags",
    "--aspects": "--orientations",
}


def renamed(word: str, known: set[str]) -> str:
    """Return a word of the command line, with the present name of an option if it has an earlier one.

    >>> renamed("--time=3", {"--time-limit"}), renamed("--time", {"--time"}), renamed("soma", {"--to"})
    ('--time-limit=3', '--time', 'soma')
    """
    name, equals, value = word.partition("=")
    new = RENAMED.get(name)
    return new + equals + value if new in known and name not in known else word


class Plain:
    """What reads words and numbers without pydantic, mixed into a command or a group of Typer's."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, each with the short way for plain values."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # Typer's class has it
        for parameter in found:
            annotation = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
            if annotation is not None and "process_value" not in vars(parameter):
                parameter.process_value = _plain(parameter, annotation, parameter.process_value)
        return found


class PlainCommand(Plain, TyperCommand):
    """A command that takes plain words and numbers as they are, and has the options that all have."""

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        own = {word for parameter in self.params for word in parameter.opts}
        self.params += [option for option in manner.options() if not own & set(option.opts)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command; whether it speaks JSON is known before, for the faults of the others."""
        if "--json" in args and any("--json" in parameter.opts for parameter in self.params):
            manner.MANNER.json = True
        known = {name for parameter in self.params for name in parameter.opts}
        try:
            rest = super().parse_args(ctx, [renamed(word, known) for word in args])
        except UsageError as error:
            error.ctx = error.ctx or ctx  # so that each comes with how the command is called
            if "unexpected extra argument" in error.message and any("-o" in each.opts for each in self.params):
                error.message += ". The file to write is named by `-o FILE`"
            raise
        if not ctx.resilient_parsing:
            manner.adopt(ctx)
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; with --verbose, tell what it runs on and what it took."""
        if not manner.MANNER.verbose:
            return super().invoke(ctx)
        from puzzlec.cli.verbose import told

        with told(ctx.command_path):
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options in groups."""
        for title, group in sections(self.get_params(ctx)).items():
            if group:
                with formatter.section(title):
                    formatter.write_dl([record for each in group if (record := each.get_help_record(ctx))])


def sections(parameters: list[Any]) -> dict[str, list[Any]]:
    """Return the arguments and the groups of options of a command by their titles; groups may be empty."""
    options = [parameter for parameter in parameters if parameter.param_type_name == "option"]
    panels = PANELS if len(options) > _FEW else PANELS[-1:]
    found: dict[str, list[Any]] = {title: [] for title in ("Arguments", "Options", *panels)}
    for parameter in parameters:
        title = manner.PANEL if "--help" in parameter.opts else getattr(parameter, "rich_help_panel", None)
        usual = "Options" if parameter in options else "Arguments"
        found[title if title in found else usual].append(parameter)
    return found


def _plain(parameter: Any, annotation: Any, usual: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return what makes the value of a parameter from words; ``usual`` is Typer's way, for what is left to it."""
    several = parameter.multiple or parameter.nargs == -1

    def process_value(ctx: Any, value: Any) -> Any:
        if value is None and (ctx.resilient_parsing or not parameter.required):
            found: Any = () if several else None
        elif several and annotation == list[str] and value:
            found = list(value)
        elif not several and annotation in (str, int, float) and isinstance(value, (str, int, float)):
            found = value if annotation is str else _number(ctx, parameter, annotation, value)
        else:
            return usual(ctx, value)
        return found if parameter.callback is None else parameter.callback(ctx, parameter, found)

    return process_value


def _number(ctx: Any, parameter: Any, kind: type[int] | type[float], value: Any) -> int | float:
    """Return a number within the bounds of a parameter; raise BadParameter for what is none."""
    fault = ""
    try:
        number = kind(value)
        if number != number:
            raise ValueError("not a number")
        if parameter.min is not None and not number >= parameter.min:
            fault = f"{value} is less than {parameter.min}"
        elif parameter.max is not None and not number <= parameter.max:
            fault = f"{value} is more than {parameter.max}"
    except ValueError:
        unit = _UNITS.get(parameter.metavar, "")
        fault = f"`{value}` is no {'whole number' if kind is int else 'number'}{unit}"
    if fault:
        raise BadParameter(fault, ctx=ctx, param=parameter)
    return min(number, MOST) if parameter.name in _COUNTS else number
