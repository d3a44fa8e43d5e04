"""Words and numbers of the command line, taken as they are where there is nothing to check.

Typer checks every parameter with pydantic, whose import takes longer than all of a small puzzle. A word that is to be
a word needs no check, nor does a number in plain digits; one beyond its bounds is refused in our words. All else
is left to Typer: it says the same as ever, and older versions of it, without pydantic, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

from puzzlec.cli import manner
from puzzlec.cli.grouped import write_options

_Parameters = list[Any]

#: What is wrong with how a command was called; Typer has the class under different names.
_UsageError: Any = BadParameter.__base__

#: Types in plain digits: what to match, and the bounds are for Typer to judge.
_DIGITS = {int: re.compile(r"[0-9]{1,9}"), float: re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")}

#: Parameters that are numbers of things, of which there are never more than this.
_COUNTS, MOST = ("limit", "nodes", "sample", "probes", "processes", "threads"), 1 << 62

#: What a number is a number of, by the word that stands for it in the help of a command.
_UNITS = {"MM": "millimetres", "SECONDS": "seconds"}


class PlainCommand(TyperCommand):
    """A command that takes plain words and numbers as they are, and has the options that all have."""

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        own = {word for each in self.params for word in each.opts}
        self.params += [each for each in manner.options() if not own & set(each.opts)]

    def get_params(self, ctx: Any) -> _Parameters:
        """Return the parameters, each with the short way for plain values."""
        return [shortened(each) for each in super().get_params(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command; whether it speaks JSON is known before, for the faults of the others."""
        if "--json" in args and any("--json" in each.opts for each in self.params):
            manner.MANNER.json = True
        try:
            rest = super().parse_args(ctx, args)
        except _UsageError as error:
            error.ctx = error.ctx or ctx  # so that each comes with how the command is called
            if "unexpected extra argument" in error.message and any("-o" in each.opts for each in self.params):
                error.message += ". The file to write is named by `-o FILE`"
            raise
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
        """Write the options in groups."""
        write_options(self.get_params(ctx), ctx, formatter)


class PlainGroup(TyperGroup):
    """A group of commands whose own options are taken as they are."""

    def get_params(self, ctx: Any) -> _Parameters:
        """Return the parameters, each with the short way for plain values."""
        return [shortened(each) for each in super().get_params(ctx)]


def shortened(parameter: Any) -> Any:
    """Return a parameter of Typer's, made to take plain values as they are; others go the way they went."""
    annotation = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    if annotation is not None and "process_value" not in vars(parameter):
        parameter.process_value = _short_way(parameter, annotation, parameter.process_value)
    return parameter


def _short_way(parameter: Any, annotation: Any, usual: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    several = parameter.multiple or parameter.nargs == -1
    absent = () if several else None

    def process_value(ctx: Any, value: Any) -> Any:
        if value is None and not parameter.required:
            found: Any = absent
        elif several and annotation == list[str] and value and {*map(type, value)} == {str}:
            found = list(value)
        elif not several and type(value) in (str, annotation) and _is_plain(str(value), annotation, parameter):
            found = annotation(value)
        elif not several and type(value) is str and (fault := _fault(value, annotation, parameter)):
            raise BadParameter(fault, ctx=ctx, param=parameter)
        else:
            found = usual(ctx, value)
            if type(found) is not int or parameter.name not in _COUNTS:
                return found
            found = min(found, MOST)
        return found if parameter.callback is None else parameter.callback(ctx, parameter, found)

    return process_value


def _fault(text: str, annotation: Any, parameter: Any) -> str:
    """Return why a text is no number, or how one in plain digits is beyond its bounds; "" where there is nothing."""
    if annotation not in _DIGITS:
        return ""
    if _DIGITS[annotation].fullmatch(text.removeprefix("-")) is None:
        try:
            annotation(text)
        except ValueError:
            unit = _UNITS.get(parameter.metavar, "")
            wanted = f": give a number of {unit}, such as 20" if unit else ""
            return f"`{text}` is no {'whole number' if annotation is int else 'number'}{wanted}"
        return ""
    if parameter.min is not None and annotation(text) < parameter.min:
        return f"{text} is less than {parameter.min}"
    most = parameter.max
    return f"{text} is more than {most}" if most is not None and annotation(text) > most else ""


def _is_plain(text: str, annotation: Any, parameter: Any) -> bool:
    """Whether a text is sure to be a right value: any word where a word is wanted, a number within its bounds."""
    if annotation not in _DIGITS:
        return annotation is str
    return (
        _DIGITS[annotation].fullmatch(text) is not None
        and (parameter.min is None or parameter.min <= annotation(text))
        and (parameter.max is None or annotation(text) <= parameter.max)
    )
