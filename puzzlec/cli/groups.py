"""Groups of options: a parameter of a command may be a dataclass, whose fields are options of the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints


def flattened(function: Callable[..., None], sweep: Callable[..., None] | None = None) -> Callable[..., None]:
    """Return a function with one parameter for each option, for Typer.

    ``sweep`` is called with the command and its options, if the command accepts several values of a parameter.
    """
    hints, groups = get_type_hints(function, include_extras=True), dict[str, tuple[type[Any], list[str]]]()
    parameters = list[inspect.Parameter]()
    for parameter in inspect.signature(function).parameters.values():
        kind = hints[parameter.name]
        if not (isinstance(kind, type) and is_dataclass(kind)):
            parameters.append(parameter.replace(annotation=kind, kind=parameter.KEYWORD_ONLY))
            continue
        rows, types = fields(kind), get_type_hints(kind, include_extras=True)
        groups[parameter.name] = (kind, [row.name for row in rows])
        parameters += [
            inspect.Parameter(row.name, parameter.KEYWORD_ONLY, default=_default(row), annotation=types[row.name])
            for row in rows
        ]

    @wraps(function)
    def called(**options: Any) -> None:
        made = {name: kind(**{row: options.pop(row) for row in rows}) for name, (kind, rows) in groups.items()}
        function(**options, **made)

    @wraps(function)
    def run(**options: Any) -> None:
        called(**options) if sweep is None else sweep(called, options)

    vars(run).pop("__wrapped__")
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


def _default(row: Field[Any]) -> Any:
    return inspect.Parameter.empty if row.default is MISSING else row.default
