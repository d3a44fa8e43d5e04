"""How a command reads its arguments, and what its help looks like.

Typer checks parameters with pydantic, whose import takes longer than solving a small puzzle; see :func:`_reader`.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from typer import BadParameter, Exit
from typer.core import TyperCommand

from puzzlec.cli.exclusions import lines, refuse
from puzzlec.cli.terminal import MODE, speak, styled, wants_colour, write_line

#: The class of the errors in a command line; Typer has it under different names.
UsageError: Any = BadParameter.__base__

#: The headings of a help, in their order; `rich_help_panel` names that of an option.
OUTPUT, LIMITS, JOBS, INPUT, ADVANCED = "Output", "Limits", "Search jobs", "Input", "Advanced"
HEADINGS = ("Arguments", "Options", OUTPUT, LIMITS, JOBS, INPUT, ADVANCED)

#: Heading of options that a help names in its last lines only, because they mean the same in several commands.
SHARED_HEADING = "Shared"

#: Heading of the options that exclude or need each other.
TOGETHER_HEADING = "Options together"

#: Options in a short help.
MAX_SHORT_OPTIONS = 10

#: Parameters that are numbers of things; none may exceed this.
_COUNTS, MAX_COUNT = ("limit", "nodes", "sample", "probes", "processes", "threads"), 1 << 62

#: The things that a number counts, by its metavar in the help.
_UNITS = {"MM": " of millimetres, such as 20", "SECONDS": " of seconds, such as 20"}


class CommandStyle:
    """A command or a group in the style of puzzlec; ``-h`` prints a short help."""

    params: list[Any]
    subcommand_metavar: Any = None

    #: The last line of the help.
    ending = "Every command takes -q, -v, --no-color and -h: see `puzzlec --help`."

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; pydantic reads none of them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # Typer's class has it
        for parameter in parameters:
            if "process_value" not in vars(parameter):
                parameter.process_value = _reader(parameter)
        return parameters

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command. JSON applies to errors in the other options also, so it is read first."""
        MODE.json |= "--json" in args and any("--json" in parameter.opts for parameter in self.params)
        words = args if isinstance(self, TyperCommand) else args[:1]
        ctx.color = wants_colour(sys.stdout)
        ctx.meta["short help"] = "-h" in words and "--help" not in words
        required = self.subcommand_metavar or any(parameter.required for parameter in self.params)
        if required and not args and not ctx.resilient_parsing:
            ctx.meta["short help"] = True
            write_line(ctx.get_help(), sys.stderr)
            raise Exit(2)
        try:
            rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if not ctx.resilient_parsing:
            MODE.quiet |= bool(ctx.params.get("quiet"))
            if MODE.quiet and MODE.verbose:
                raise BadParameter("give --quiet or --verbose, not both", ctx=ctx, param_hint="--verbose")
            speak()
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: usage, summary, examples, then options, all of them or the most important ones."""
        short = ctx.meta.get("short help")
        words = [usage_word(parameter) for parameter in self.params if parameter.param_type_name == "argument"]
        usage = " ".join(["[OPTIONS]", *words, *filter(None, [self.subcommand_metavar])])
        formatter.write_usage(ctx.command_path, usage, _bold("Usage:") + " ")
        text, examples = parts_of(self)
        for paragraph in text[: 1 if short else None]:
            formatter.write_paragraph()
            formatter.write_text(paragraph)
            if paragraph is text[0] and examples:
                write_section(formatter, "Examples", [(example, "") for example in examples])
        self.write_options(formatter, bool(short))
        if not short and (together := lines(_name_of(ctx), self)):
            write_section(formatter, TOGETHER_HEADING, together)
        formatter.write_paragraph()
        ending = " ".join([*shared_lines(self.params), self.ending])
        formatter.write_text(f"More: {ctx.command_path} --help" if short else ending)

    def write_options(self, formatter: Any, short: bool) -> None:
        """Write arguments and options under their headings; a short help has the first options only."""
        listed = [(heading, row) for heading, row in _rows(self.params) if heading in HEADINGS[1:]]
        rows = [row for _, row in sorted(listed, key=lambda each: each[0] in HEADINGS[4:])][:MAX_SHORT_OPTIONS]
        for title, group in ({"Options": rows} if short and rows else sections(self.params)).items():
            write_section(formatter, title, group)


class PlainCommand(CommandStyle, TyperCommand):
    """A command of puzzlec."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; with ``--verbose``, print versions and the time of the whole run."""
        refuse(_name_of(ctx), ctx)
        if not MODE.verbose:
            return super().invoke(ctx)
        from puzzlec.cli.verbose import described

        with described(ctx.command_path):
            return super().invoke(ctx)


def _name_of(ctx: Any) -> str:
    """Return the name of a command after `puzzlec`, such as `job resume`."""
    return str(ctx.command_path).partition(" ")[2]


def parts_of(command: Any) -> tuple[list[str], list[str]]:
    """Return the paragraphs of the help of a command, the summary first, and its examples."""
    text, _, examples = (command.help or "").partition("\n\nExamples:\n")
    return [" ".join(word.split()) for word in text.split("\n\n")], [line.strip() for line in examples.splitlines()]


def shared_lines(parameters: list[Any]) -> list[str]:
    """Return the sentences about the options that a command shares with others."""
    shared = [
        option.opts[-1] for option in parameters if not option.hidden and option.rich_help_panel == SHARED_HEADING
    ]
    lines = ["--force overwrites files."] if "--force" in shared else []
    *first, last = [name for name in shared if name != "--force"] or [""]
    if last:
        names = f"{', '.join(first)} and {last} work" if first else f"{last} works"
        lines.append(f"{names} as in `puzzlec solve`.")
    return lines


def sections(parameters: list[Any]) -> dict[str, list[tuple[str, str]]]:
    """Return the rows of a help by their headings: the names of a parameter, and what it means."""
    by_heading = {title: [row for heading, row in _rows(parameters) if heading == title] for title in HEADINGS}
    return {title: rows for title, rows in by_heading.items() if rows}


def _rows(parameters: list[Any]) -> list[tuple[str, tuple[str, str]]]:
    """Return the rows of visible parameters, each with its heading."""
    return [
        (parameter.rich_help_panel or f"{parameter.param_type_name}s".title(), (_names(parameter), _meaning(parameter)))
        for parameter in parameters
        if not parameter.hidden
    ]


def usage_word(argument: Any) -> str:
    """Return an argument as in the usage: `PUZZLE`, `[OUT]`, `[WORD]...`."""
    name = _names(argument) if argument.required else f"[{_names(argument)}]"
    return name if argument.nargs == 1 else name + "..."


def _names(parameter: Any) -> str:
    """Return the text that a user types for a parameter: all names, and the word for its value."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar)
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {parameter.metavar}"


def _meaning(parameter: Any) -> str:
    """Return the meaning of a parameter, with its default."""
    text, default = parameter.help or "", parameter.default
    has_default = isinstance(default, (str, int, float)) and not isinstance(default, bool) and "default" not in text
    return f"{text} [default: {default if isinstance(default, str) else f'{default:g}'}]" if has_default else text


def write_section(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    """Write rows under a heading; a row without a meaning is a separate line."""
    with formatter.section(_bold(title)):
        if any(meaning for _, meaning in rows):
            formatter.write_dl([(_bold(name, 36), meaning) for name, meaning in rows])
        else:
            formatter.write("".join(f"  {name}\n" for name, _ in rows))


def _bold(text: str, code: int = 1) -> str:
    """Return a text of the help in a style, if both streams show styles: the help may be printed to either."""
    return styled(text, code) if wants_colour(sys.stderr) else text


def _reader(parameter: Any) -> Any:
    """Return the function that reads the value of a parameter. In older versions of Typer it needs no pydantic."""
    usual, kind = parameter.process_value, getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    if kind not in (str, int, float, bool, list[str]):
        return usual

    def process_value(ctx: Any, value: Any) -> Any:
        if not value and value != 0 and parameter.required and not ctx.resilient_parsing:
            return usual(ctx, value)  # the error for a missing value
        if value and kind == list[str]:
            value = list(value)
        elif value is not None and kind in (int, float):
            value = _number(ctx, parameter, kind, value)
        return value if parameter.callback is None else parameter.callback(ctx, parameter, value)

    return process_value


def _number(ctx: Any, parameter: Any, kind: type[int] | type[float], value: Any) -> int | float:
    """Return a number within the bounds of a parameter; raise BadParameter for another value."""
    try:
        number = kind(value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        what = f"{'an integer' if kind is int else 'a number'}{_UNITS.get(parameter.metavar, '')}"
        error = f"expected {what}, found `{value}`"
        if value == "all" and any("--all" in option.opts for option in ctx.command.params):
            error += f". Use `--all` without `{parameter.opts[0]}`"
    elif parameter.min is not None and number < parameter.min:
        error = f"{value} is less than {parameter.min}"
    elif parameter.max is not None and number > parameter.max:
        error = f"{value} is more than {parameter.max}"
    else:
        return min(number, MAX_COUNT) if parameter.name in _COUNTS else number
    raise BadParameter(error, ctx=ctx, param=parameter)
