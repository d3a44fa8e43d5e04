"""Arguments and options as rows: each is the annotation of a parameter of a command, or of a field of a group.

A group is a dataclass: a parameter with this type takes the options of all its fields. :func:`flattened` makes the
parameters for Typer from the rows, and reads their values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from puzzlec.cli.candidates import words
from puzzlec.diagnostics import none_of
from puzzlec.show.settings import Setting, option_names

#: The types whose values Typer reads; of other types it reads a text.
_READ = (bool, int, float, list[str])


@contextmanager
def refusing(hint: str) -> Iterator[None]:
    """Turn the ValueError of a block into an error of the command line about the option or argument ``hint``."""
    try:
        yield
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None


@dataclass(frozen=True)
class Option:
    """An option of a command.

    Attributes:
        help: The sentence of the help.
        metavar: The word for the value in the help.
        name: The names, such as `-o, --output` or `--legend/--no-legend`. Default: the name of the parameter.
        words: The only words that are allowed, or a function that returns them.
        offered: The words that a shell offers. Default: ``words``.
        parse: Reads the text of a value. It raises ValueError for a wrong text.
        many: Whether the option may be repeated; ``parse`` gets the list of texts.
        least: The least number.
        most: The greatest number.
        panel: The heading in the help.
        hidden: Whether only the documentation has the option.

    """

    help: str
    metavar: str | None = None
    name: str = ""
    words: Iterable[str] | Callable[[], Iterable[str]] | None = None
    offered: Callable[[str], Any] | None = None
    parse: Callable[[Any], Any] | None = None
    many: bool = False
    least: float | None = None
    most: float | None = None
    panel: str | None = None
    hidden: bool = False

    def for_typer(self, name: str, kind: Any) -> Any:
        """Return the annotation that Typer reads, for the parameter with this name and type."""
        settings: dict[str, Any] = {
            "metavar": self.metavar,
            "help": self.help,
            "min": self.least,
            "max": self.most,
            "rich_help_panel": self.panel,
            "hidden": self.hidden,
            "autocompletion": self.offered or (None if self.words is None else words(self.words)),
        }
        simple = [one for one in (kind, *get_args(kind)) if one in _READ and self.parse is None]
        read = simple[0] if simple else list[str] if self.many else str
        return Annotated[read | None, self._made(name, settings)]

    def _made(self, name: str, settings: dict[str, Any]) -> Any:
        return typer.Option(*self.names(name), **settings)

    def names(self, name: str) -> list[str]:
        """Return the words that are typed for the option."""
        return self.name.split(", ") if self.name else [f"--{name.replace('_', '-')}"]

    def hint(self, name: str) -> str:
        """Return the name of the option in an error."""
        return self.names(name)[0].partition("/")[0]

    def value(self, name: str, text: Any) -> Any:
        """Return the value of a text; raise BadParameter for a wrong one."""
        if not isinstance(text, str | list | tuple):  # a number, or the default
            return text
        with refusing(self.hint(name)):
            allowed = None if self.words is None else list(self.words() if callable(self.words) else self.words)
            if allowed is not None and text not in allowed:
                raise ValueError(none_of(str(text), allowed))
            return text if self.parse is None else self.parse(text)


class Argument(Option):
    """An argument of a command, whose ``metavar`` is its name."""

    def _made(self, name: str, settings: dict[str, Any]) -> Any:  # noqa: ARG002
        return typer.Argument(**settings)

    def hint(self, name: str) -> str:  # noqa: ARG002
        """Return the name of the argument in an error."""
        return str(self.metavar)


def option_of(name: str, setting: Setting, default: Any) -> Option:
    """Return the option for a setting."""
    return Option(
        setting.help,
        setting.metavar,
        option_names(name, default, setting),
        words=setting.words,
        offered=None if setting.offered is None else words(setting.offered),
        parse=setting.parse,
        least=setting.least,
        most=setting.most,
        hidden=setting.hidden,
    )


@dataclass(frozen=True)
class _Row:
    """A parameter of a command with its row; ``group`` is the parameter that takes it as a field."""

    parameter: inspect.Parameter
    row: Option
    group: str


def flattened(function: Callable[..., None], sweep: Callable[..., None] | None = None) -> Callable[..., None]:
    """Return a function with one parameter for each option, for Typer.

    ``sweep`` is called with the command and its options, if the command accepts several values of a parameter.
    """
    groups: dict[str, Any] = {name: kind for name, kind in get_type_hints(function).items() if is_dataclass(kind)}
    rows = {each.parameter.name: each for each in _rows(function)}

    @wraps(function)
    def called(**options: Any) -> None:
        members: dict[str, dict[str, Any]] = {name: {} for name in ("", *groups)}
        for name, text in options.items():
            members[rows[name].group][name] = rows[name].row.value(name, text)
        function(**members.pop(""), **{name: groups[name](**chosen) for name, chosen in members.items()})

    @wraps(function)
    def run(**options: Any) -> None:
        called(**options) if sweep is None else sweep(called, options)

    vars(run).pop("__wrapped__")
    parameters = [each.parameter for each in rows.values()]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


def _rows(function: Callable[..., None]) -> Iterable[_Row]:
    """Yield the options of a command in their order."""
    hints = get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        kind = hints[parameter.name]
        if not is_dataclass(kind):
            yield _row(parameter.name, kind, parameter.default, "")
            continue
        types = get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            default = parameter.empty if field.default is MISSING else field.default
            annotation = types[field.name]
            if (setting := field.metadata.get("setting")) is not None:
                annotation = Annotated[annotation, option_of(field.name, setting, default)]
            yield _row(field.name, annotation, default, parameter.name)


def _row(name: str, annotation: Any, default: Any, group: str) -> _Row:
    assert get_origin(annotation) is Annotated, f"the parameter `{name}` has no row"
    kind, row = get_args(annotation)
    made = inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=row.for_typer(name, kind)
    )
    return _Row(made, row, group)
