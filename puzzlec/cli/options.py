"""Arguments and options as rows: each is the annotation of a parameter of a command, or of a field of a group.

A group is a dataclass: a parameter with this type takes the options of all its fields. A parameter that is annotated as
`Annotated[Given, Sizes]` takes those of the settings of this dataclass, as a mapping with the given ones only.
:func:`flattened` makes the parameters for Typer from the rows, and reads their values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, MISSING, dataclass, fields, is_dataclass, replace
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import typer

from puzzlec.cli.candidates import any_files, words
from puzzlec.diagnostics import none_of
from puzzlec.show.settings import Setting, Typed, option_names

#: The types whose values Typer reads; of other types it reads a text.
_READ = (bool, int, float, list[str])


@contextmanager
def refusing(hint: str) -> Iterator[None]:
    """Turn the ValueError of a block into an error of the command line about the option or argument ``hint``."""
    try:
        yield
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None


@dataclass(eq=False, repr=False)
class Option(Typed):
    """An option of a command.

    Attributes:
        name: The names, such as `-o, --output` or `--legend/--no-legend`. Default: the name of the parameter.
        many: Whether the option may be repeated; ``parse`` gets the list of texts.
        panel: The heading in the help.

    """

    name: str = ""
    _: KW_ONLY
    many: bool = False
    panel: str | None = None

    def for_typer(self, name: str, kind: Any) -> Any:
        """Return the annotation that Typer reads, for the parameter with this name and type."""
        settings: dict[str, Any] = {
            "metavar": self.metavar,
            "help": self.help,
            "min": self.least,
            "max": self.most,
            "rich_help_panel": self.panel,
            "hidden": self.hidden,
            "autocompletion": self._offers(),
        }
        simple = [one for one in (kind, *get_args(kind)) if one in _READ and self.parse is None]
        read = simple[0] if simple else list[str] if self.many else str
        return Annotated[read | None, self._made(name, settings)]

    def _offers(self) -> Callable[[str], Any] | None:
        if callable(self.offered):
            return self.offered
        table = self.words if self.offered is None else self.offered
        return None if table is None else words(table)

    def _made(self, name: str, settings: dict[str, Any]) -> Any:
        return typer.Option(*self.names(name), **settings)

    def saying(self, help: str, **more: Any) -> Option:
        """Return the option for a command in which it has another meaning, and perhaps other settings."""
        return replace(self, help=help, **more)

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


#: An option for the name of a file.
FILE = Option("", "FILE", offered=any_files)

#: The option that every command with results takes.
JSON = Option("Print results, remarks and errors as JSON.", name="--json", panel="Output")


class Argument(Option):
    """An argument of a command, whose ``metavar`` is its name."""

    def _made(self, name: str, settings: dict[str, Any]) -> Any:  # noqa: ARG002
        return typer.Argument(**settings)

    def hint(self, name: str) -> str:  # noqa: ARG002
        """Return the name of the argument in an error."""
        return str(self.metavar)


def option_of(name: str, setting: Setting, default: Any) -> Option:
    """Return the option for a setting."""
    shared = {each.name: getattr(setting, each.name) for each in fields(Typed)}
    return Option(**shared, name=option_names(name, default, setting))


class _OptionRow(NamedTuple):
    """A parameter of a command with its row; ``group`` is the parameter that takes it as a field, None: no one."""

    parameter: inspect.Parameter
    row: Option
    group: str | None


def flattened(
    function: Callable[..., None], sweep: Callable[..., None] | None = None, *, as_json: bool = True
) -> Callable[..., None]:
    """Return a function with one parameter for each option, for Typer.

    ``sweep`` is called with the command and its options, if the command accepts several values of a parameter.
    ``as_json``: the command also takes `--json`, which is a mode of the output and no parameter of the function.
    """
    kinds = get_type_hints(function, include_extras=True)
    groups = {name: group for name, kind in kinds.items() if (group := _group_of(kind)) is not None}
    listed = list(_rows(function))
    if as_json:
        at = next((at for at, each in enumerate(listed) if each.row.panel in (JSON.panel, "Input")), len(listed))
        listed.insert(at, _row("as_json", Annotated[bool, JSON], False, None))
    rows = {each.parameter.name: each for each in listed}

    @wraps(function)
    def called(**options: Any) -> None:
        members: dict[str | None, dict[str, Any]] = {name: {} for name in (None, "", *groups)}
        for name, text in options.items():
            members[rows[name].group][name] = rows[name].row.value(name, text)
        function(**members[""], **{name: group.of(members[name]) for name, group in groups.items()})

    @wraps(function)
    def run(**options: Any) -> None:
        called(**options) if sweep is None else sweep(called, options)

    vars(run).pop("__wrapped__")
    parameters = [each.parameter for each in rows.values()]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


#: The chosen settings of a table: those that are given.
Given: TypeAlias = Mapping[str, Any]


class _OptionGroup(NamedTuple):
    """The options of a parameter: the fields of a dataclass; with ``given``, its settings that are given."""

    table: Any
    given: bool

    def of(self, values: dict[str, Any]) -> Any:
        """Return the value of the parameter."""
        return (
            {name: value for name, value in values.items() if value is not None} if self.given else self.table(**values)
        )

    def rows(self, group: str) -> Iterator[_OptionRow]:
        """Yield the options."""
        types = get_type_hints(self.table, include_extras=True)
        for field in fields(self.table):
            if not field.init:
                continue
            default = inspect.Parameter.empty if field.default is MISSING else None if self.given else field.default
            annotation, setting = types[field.name], field.metadata.get("setting")
            if setting is not None:
                annotation = Annotated[annotation, option_of(field.name, setting, default)]
            elif self.given:
                continue
            yield _row(field.name, annotation, default, group)


def _group_of(kind: Any) -> _OptionGroup | None:
    """Return the group of options for the type of a parameter, None for an option."""
    table = kind if is_dataclass(kind) else next(iter(get_args(kind)[1:]), None)
    return _OptionGroup(table, table is not kind) if isinstance(table, type) and is_dataclass(table) else None


def _rows(function: Callable[..., None]) -> Iterable[_OptionRow]:
    """Yield the options of a command in their order."""
    hints = get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        group = _group_of(hints[parameter.name])
        if group is None:
            yield _row(parameter.name, hints[parameter.name], parameter.default, "")
        else:
            yield from group.rows(parameter.name)


def _row(name: str, annotation: Any, default: Any, group: str | None) -> _OptionRow:
    assert get_origin(annotation) is Annotated, f"the parameter `{name}` has no row"
    kind, row = get_args(annotation)
    made = inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=row.for_typer(name, kind)
    )
    return _OptionRow(made, row, group)
