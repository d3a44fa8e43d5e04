"""All formats: the records of the modules in this folder, without importing these modules.

The data of the records are in `index.json`. A test writes that file and compares it with the records. A module that is
not in the index is imported when the formats are listed, so one new file is a new format.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, cast

from puzzlec.diagnostics import suggestion
from puzzlec.formats.record import Format, Sign, plain_ending

_FOLDER = Path(__file__).parent
INDEX = _FOLDER / "index.json"

#: The fields of a record that are functions. The index only shows whether they exist.
_FUNCTIONS = ("read", "write", "board")


def modules() -> Iterator[str]:
    """Yield the names of the modules in this folder and its folders, such as `solvers.lp`."""
    for name, is_folder in _modules_in(_FOLDER):
        if is_folder:
            yield from (f"{name}.{inner}" for inner, is_deeper in _modules_in(_FOLDER / name) if not is_deeper)
        else:
            yield name


def _modules_in(folder: Path) -> Iterator[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name.removesuffix(".py")
            if name[0] not in "_." and (name != entry.name or entry.is_dir()):
                yield name, name == entry.name


def _has_record(module: str) -> bool:
    """Whether the text of a module has a record. A module without one may need the registry, so it is not imported."""
    path = _FOLDER.joinpath(*module.split(".")).with_suffix(".py")
    return "\nFORMAT = Format(" in path.read_text(encoding="utf-8")


def _record_of(module: str) -> Format:
    """Import a module of this folder and return its record."""
    return cast(Format, import_module(f"{__package__}.{module}").FORMAT)


def index() -> dict[str, Any]:
    """Return the content of the index, made from all modules."""
    names = sorted(modules())
    records = [(module, _record_of(module)) for module in names if _has_record(module)]
    records.sort(key=lambda entry: entry[1].place)
    return {
        "formats": {module: _written(record) for module, record in records},
        "others": [module for module in names if module not in dict(records)],
    }


def _written(record: Format) -> dict[str, Any]:
    """Return the fields of a record that differ from the defaults. A function becomes true."""
    signs = [(sign.rank, None if callable(sign.tells) else sign.tells) for sign in record.recognise]
    plain = record._replace(recognise=cast(Any, signs))._asdict()
    plain |= {name: plain[name] is not None for name in _FUNCTIONS}
    usual = Format._field_defaults
    return {name: value for name, value in plain.items() if value and value != usual.get(name)}


def _from_index(module: str, fields: dict[str, Any]) -> Format:
    """Return a record of the index. Its functions import the module when they are called."""

    def later(pick: Callable[[Format], Any]) -> Callable[..., Any]:
        return lambda *arguments: pick(_record_of(module))(*arguments)

    def field(name: str) -> Callable[..., Any]:
        return later(lambda record: getattr(record, name))

    def predicate(number: int) -> Callable[..., Any]:
        return later(lambda record: record.recognise[number].tells)

    for name in ("endings", "aliases", "traits", "answers"):
        if name in fields:
            fields[name] = tuple(fields[name])
    signs = [
        Sign(rank, predicate(number) if tells is None else tells)
        for number, (rank, tells) in enumerate(fields.get("recognise", ()))
    ]
    functions = {name: field(name) for name in _FUNCTIONS if name in fields}
    return Format(**{**fields, **functions, "recognise": tuple(signs)})


def _records() -> Iterator[Format]:
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    for module, fields in index["formats"].items():
        yield _from_index(module, fields)
    for module in sorted(set(modules()).difference(index["formats"], index["others"])):
        if _has_record(module):
            yield _record_of(module)
    yield from _foreign()


def _foreign() -> Iterator[Format]:
    """Yield the records that other packages register as entry points of the group ``puzzlec.formats``."""
    if not _has_foreign():
        return
    from importlib.metadata import entry_points

    for point in entry_points(group="puzzlec.formats"):
        record = point.load()
        if not isinstance(record, Format):
            raise TypeError(f"the entry point `{point.value}` of `puzzlec.formats` must be a Format")
        yield record


def _has_foreign() -> bool:
    """Return whether a package may have registered a format: importing Python's reader of packages takes longer."""
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
        return True
    for folder in map(Path, sys.path):
        if folder.is_file():  # a zip file, perhaps
            return True
        with suppress(OSError):
            for package in folder.iterdir():
                if package.suffix in (".dist-info", ".egg-info"):
                    with suppress(OSError):
                        if b"puzzlec.formats" in (package / "entry_points.txt").read_bytes():
                            return True
    return False


#: All formats by name, in the order of lists.
ALL: dict[str, Format] = {
    record.name: record for record in sorted(_records(), key=lambda record: (record.place, record.name))
}

#: The formats that can be read, and those that can be written.
FORMATS = {name: record for name, record in ALL.items() if record.read}
WRITERS = {name: record for name, record in ALL.items() if record.write}

#: Other names of formats, with their names here.
ALIASES = {alias: record.name for record in ALL.values() for alias in record.aliases}


def formats() -> tuple[Format, ...]:
    """Return the records of all formats, those of other packages included.

    >>> [format.name for format in formats() if "Knuth" in format.summary and format.read][:1]
    ['dlx']
    """
    return tuple(ALL.values())


def by_rank(formats: dict[str, Format]) -> list[tuple[Sign, str]]:
    """Return the signs of some formats in the order of trial, each with the name of its format."""
    signs = [(sign, record.name) for record in formats.values() for sign in record.recognise]
    return sorted(signs, key=lambda entry: entry[0].rank)


def meant(word: str, formats: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the suggestion of a format for an unknown word, or nothing.

    ``formats`` has formats with the extensions of their files: a word may be the name of such a file.

    >>> meant("MiniZinc", {"mzn": (".mzn",)}), meant("a.mzn", {"mzn": (".mzn",)}), meant("mnz", {"mzn": ()})
    (('did you mean `mzn`?',), ('use the format of this file name: `mzn`',), ('did you mean `mzn`?',))
    """
    called = ALIASES.get(word.lower())
    if called in formats:
        return (f"did you mean `{called}`?",)
    ending = plain_ending(word)
    named = [name for name, endings in formats.items() if ending in endings]
    if named:
        return (f"use the format of this file name: `{named[0]}`",)
    return suggestion(word, formats)
