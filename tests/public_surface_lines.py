"""The public surface, line by line: names of Python, commands, formats, members of JSON, and shipped data."""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.tools.site.api import MADE_BY_METHODS, is_alias, signature, written

ROOT = Path(__file__).parents[1]

#: The modules whose ``__all__`` is public.
MODULES = ("puzzlec", "puzzlec.engine")


def python_lines() -> Iterator[str]:
    """Yield the public names with their signatures and results, and the members of the public classes."""
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            found, full = getattr(module, name), f"{module_name}.{name}"
            if inspect.isclass(found):
                made = issubclass(found, enum.Enum) or full in MADE_BY_METHODS
                yield full if made else called(f"class {full}", found).removeprefix("class ")
                yield from _members(full, found)
            elif inspect.ismodule(found):  # a stage that can be called
                yield called(full, type(found).__call__)
            else:
                yield f"{full} = {written(found)}" if is_alias(found) else called(full, found)


def called(name: str, thing: Any) -> str:
    """Return a name with its parameters and its result on one line, which is the same in all versions of Python.

    >>> called("load", lambda name, board=None: None)
    'load(name, board = None)'
    """
    text = re.sub(r"\s*\n\s*", " ", signature(name, thing)).replace("( ", "(").replace(", )", ")")
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def _members(name: str, found: type[Any]) -> Iterator[str]:
    """Yield the members of a class: its own, and those of its bases in puzzlec."""
    if issubclass(found, enum.Enum):
        yield from (f"{name}.{member.name} = {member.value!r}" for member in found)
        return
    bases = [base for base in reversed(found.__mro__) if base.__module__.startswith("puzzlec")]
    members = {key: value for base in bases for key, value in vars(base).items()}
    fields = {key: kind for base in bases for key, kind in inspect.get_annotations(base).items()}
    for key in sorted({*members, *fields, *(key for base in bases for key in _assigned(base))}):
        if key.startswith("_"):
            continue
        value = members.get(key)
        if isinstance(value, staticmethod | classmethod):
            yield called(f"{name}.{key}", getattr(found, key))
        elif inspect.isfunction(value):
            yield called(f"{name}.{key}", value)
        elif isinstance(value, property | cached_property):
            getter = value.fget if isinstance(value, property) else value.func
            yield f"{name}.{key}: {written(inspect.signature(getter).return_annotation)}"  # type: ignore[arg-type]
        else:
            yield f"{name}.{key}: {written(fields[key])}" if key in fields else f"{name}.{key}"


def _assigned(found: type[Any]) -> set[str]:
    """Return the attributes that the ``__init__`` of a class sets."""
    made = vars(found).get("__init__")
    if not inspect.isfunction(made) or made.__code__.co_filename.startswith("<"):  # none, or a dataclass has made it
        return set()
    return {
        node.attr
        for node in ast.walk(ast.parse(dedent(inspect.getsource(made))))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }


def command_lines() -> Iterator[str]:
    """Yield the commands with their arguments and options, and the exit statuses."""
    from puzzlec.cli.commands import COMMANDS, made_command
    from puzzlec.cli.terminal import ExitStatus

    yield "puzzlec --version"
    for name in COMMANDS:
        command = made_command(name)
        yield f"puzzlec {name}"
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                yield f"puzzlec {name} {parameter.name}: argument{'' if parameter.required else ', optional'}"
            else:
                named = getattr(parameter.type_descriptor.annotation, "__name__", "text")
                kind = "flag" if parameter.is_flag else "list" if parameter.multiple else named
                for flag in parameter.opts:
                    yield f"puzzlec {name} {flag}: {kind} = {parameter.default!r}"
    yield from (f"ExitStatus.{status.name} = {status.value}" for status in ExitStatus)


def text_lines() -> Iterator[str]:
    """Yield the codes of diagnostics, the formats, and the members of JSON with their types from docs/json.md.

    tests/cli/test_manners_json.py compares that page with the output of the commands.
    """
    from puzzlec.diagnostics import CODES
    from puzzlec.formats.registry import FORMATS, WRITERS

    yield from (f"{code}: code of a diagnostic" for code in CODES)
    yield from (f"format read {name}: {' '.join(sorted(record.endings))}" for name, record in FORMATS.items())
    yield from (f"format written {name}: {record.endings[0]}" for name, record in WRITERS.items())
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    for name, rows in re.findall(r"<!-- members: ([\w-]+) -->\n\| member \| \|\n\|---\|---\|\n((?:\|.*\n)+)", page):
        yield f"json {name}"
        for member, said in re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", rows):
            kind = re.split(r"[:;]", said, maxsplit=1)[0].strip()
            yield f"json {name}.{member}: {kind}{', optional' if ': optional' in said else ''}"


def data_lines() -> Iterator[str]:
    """Yield the lattices, the libraries and families of shapes, and the puzzles of the catalogue with their counts."""
    from puzzlec.formats.catalogue import entries
    from puzzlec.geometry import lattice_names
    from puzzlec.geometry.families import family_names, find_family, sized_names
    from puzzlec.geometry.shapes import find_library, library_names
    from puzzlec.recount import CONVENTIONS

    yield from (f"lattice {name}" for name in lattice_names())
    yield from (f"shapes {name}: family, {find_family(name).lattice.name}" for name in family_names())
    yield from (f"shapes {name}: {family} {size}" for name, (family, size) in sized_names().items())
    for library in map(find_library, library_names()):
        yield f"shapes {library.name}: library, {library.lattice.name}, {' '.join(library.shapes)}"
    for entry in entries():
        stated = {name: getattr(entry, name) for name in CONVENTIONS if getattr(entry, name) is not None}
        yield f"puzzle {entry.name}: {', '.join(f'{name} {number}' for name, number in stated.items()) or 'open'}"
